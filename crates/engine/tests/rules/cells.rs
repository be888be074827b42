//! Cells and sets of them, held against counting rows and columns.

use engine::{Cells, Coordinate, NotACell};

fn every_cell() -> impl Iterator<Item = Coordinate> {
    (0..15).flat_map(|row| (0..15).map(move |column| Coordinate::new(column, row).unwrap()))
}

#[test]
fn r29_every_cell_is_read_back_from_its_own_spelling() {
    for cell in every_cell() {
        assert_eq!(Coordinate::parse(&cell.to_string()), Ok(cell));
    }
}

#[test]
fn r29_there_is_one_spelling_only() {
    for text in [
        "", "B", "7", "b7", "B07", " B7", "B7 ", "В7", "A0", "A16", "P1", "A1.0", "AA1", "B+7", "A100", "@1", "B\0",
        "1A", "A１", "A20", "A-1", "A1\n",
    ] {
        assert_eq!(Coordinate::parse(text), Err(NotACell), "{text:?}");
    }
}

#[test]
fn neighbours_sides_and_corners_are_those_that_counting_finds() {
    for cell in every_cell() {
        let set = Cells::from(cell);
        for other in every_cell() {
            let (across, down) = (cell.column().abs_diff(other.column()), cell.row().abs_diff(other.row()));
            assert_eq!(set.with_neighbours().contains(other), across <= 1 && down <= 1, "{cell} {other}");
            assert_eq!(set.with_sides().contains(other), across + down <= 1, "{cell} {other}");
            assert_eq!(set.corners().contains(other), across == 1 && down == 1, "{cell} {other}");
        }
    }
}

#[test]
fn a_set_is_walked_row_by_row() {
    let all: Vec<_> = Cells::ALL.iter().collect();

    assert_eq!(all, every_cell().collect::<Vec<_>>());
    assert!(all.is_sorted());
    assert_eq!(Cells::ALL.len(), 225);
    assert_eq!(Cells::square(15), Cells::ALL);
    for side in [8, 10, 12] {
        let square: Vec<_> = every_cell().filter(|cell| cell.column() < side && cell.row() < side).collect();
        assert_eq!(Cells::square(side).iter().collect::<Vec<_>>(), square);
    }
}
