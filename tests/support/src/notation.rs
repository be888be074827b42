//! The engine's values written as short text, as the tests spell them: `A1>5 C3v2` is a ship of
//! five across from A1 and one of two down from C3.

use engine::{Cells, Coordinate, Direction, Fault, FaultKind, Placement, Refusal, Ship};

/// One cell.
pub fn cell(text: &str) -> Coordinate {
    Coordinate::parse(text).expect("a cell such as B7")
}

/// Cells in the order written.
pub fn cells(line: &str) -> Vec<Coordinate> {
    line.split_whitespace().map(cell).collect()
}

/// A set of cells.
pub fn set(line: &str) -> Cells {
    cells(line).into_iter().collect()
}

/// Ships in the order written: start, `>` across or `v` down, length.
pub fn ships(line: &str) -> Vec<Ship> {
    let ship = |word: &str| {
        let direction = if word.contains('v') { Direction::Down } else { Direction::Across };
        let (start, length) = word.split_once(['>', 'v']).expect("a ship such as A1>5");
        Ship::new(cell(start), length.parse().expect("a length"), direction).expect("a ship")
    };
    line.split_whitespace().map(ship).collect()
}

/// Ships and mines as somebody sends them.
pub fn placement(ship_line: &str, mine_line: &str) -> Placement {
    Placement { ships: ships(ship_line), mines: cells(mine_line) }
}

/// A set of cells row by row, or any cells in their order.
pub fn written(cells: impl IntoIterator<Item = Coordinate>) -> String {
    words(cells.into_iter().map(|cell| cell.to_string()))
}

/// A ship as it is written.
pub fn ship_written(ship: Ship) -> String {
    let arrow = match ship.direction() {
        Direction::Across => '>',
        Direction::Down => 'v',
    };
    format!("{}{arrow}{}", ship.start(), ship.length())
}

/// The faults of a layout: each its code, the ship and the mine that it is about, and its cells.
pub fn faults_written(faults: &[Fault]) -> String {
    let told = |fault: &Fault| {
        let about = |what: &str, index: Option<usize>| index.map(|index| format!("{what} {index}"));
        let cells = Some(written(fault.cells.iter())).filter(|cells| !cells.is_empty());
        let parts = [
            Some(fault_code(fault.kind).to_owned()),
            about("ship", fault.kind.ship()),
            about("mine", fault.kind.mine()),
            cells.map(|cells| format!("at {cells}")),
        ];
        words(parts.into_iter().flatten())
    };
    faults.iter().map(told).collect::<Vec<_>>().join(", ")
}

/// The code that the API has for a refusal.
pub fn refusal_code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::GameFull => "game_full",
        Refusal::OwnGame => "own_game",
        Refusal::AlreadyPlaced => "already_placed",
        Refusal::NotJoined => "not_joined",
        Refusal::NotInBattle => "not_in_battle",
        Refusal::NotYourTurn => "not_your_turn",
        Refusal::RevealDue { .. } => "reveal_due",
        Refusal::NoRevealDue => "no_reveal_due",
        Refusal::GameOver => "game_over",
        Refusal::WrongShotCount { .. } => "wrong_shot_count",
        Refusal::WrongRevealCount { .. } => "wrong_reveal_count",
        Refusal::RepeatedCell(_) => "repeated_cell",
        Refusal::OutsideGrid(_) => "outside_grid",
        Refusal::AlreadyFired(_) => "already_fired",
        Refusal::NotRevealable(_) => "not_revealable",
        Refusal::IllegalLayout(_) => "illegal_layout",
    }
}

/// The code that the API has for a fault.
pub fn fault_code(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::ShipOutside { .. } | FaultKind::MineOutside { .. } => "outside_grid",
        FaultKind::SurplusShip { .. } | FaultKind::MissingShip { .. } => "wrong_fleet",
        FaultKind::Overlap { .. } => "overlap",
        FaultKind::Touch { .. } => "touch",
        FaultKind::MineOnShip { .. } => "mine_on_ship",
        FaultKind::MineTouchesShip { .. } | FaultKind::MineTouchesMine { .. } => "mine_touches",
        FaultKind::WrongMineCount { .. } => "wrong_mine_count",
        FaultKind::NoRoomForMines => "no_room_for_mines",
    }
}

/// Words with a space between.
fn words(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().collect::<Vec<_>>().join(" ")
}
