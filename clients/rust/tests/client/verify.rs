//! Games and proofs are checked without their server.

use std::fs;
use std::path::{Path, PathBuf};

use naval_battle_client::{Board, Cell, Content, Direction, Download, Event, Game, Mark, Proof, ProvenCell, Seat};
use record::proof::{hash, mac};
use serde_json::Value;

fn golden() -> Vec<(String, Download)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "tests", "golden"].iter().collect();
    let read = |folder: &Path, name: String| fs::read_to_string(folder.join(name)).unwrap();
    let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let names: Vec<_> = files.filter_map(|file| Some(file.strip_suffix(".game.json")?.to_owned())).collect();
    let download = |name: String| {
        let game = read(&folder, format!("{name}.game.json"));
        let events = read(&folder, format!("{name}.events.json"));
        (name, Download { game, events })
    };
    names.into_iter().map(download).collect()
}

fn events(download: &Download) -> Vec<Event> {
    let log: Value = serde_json::from_str(&download.events).unwrap();
    serde_json::from_value(log["events"].clone()).unwrap()
}

#[test]
fn every_game_of_past_releases_is_true_and_each_of_its_heads_is_known() {
    let games = golden();
    assert!(games.len() >= 11);
    for (name, download) in games {
        let events = events(&download);
        let heads: Vec<&str> = events.iter().map(|event| event.head.as_str()).collect();

        let findings = download.verify(&heads).unwrap();

        assert!(findings.ok(), "{name}: {findings:?}");
        assert_eq!(findings.events, events.len(), "{name}");
        let game: Game = serde_json::from_str(&download.game).unwrap();
        assert_eq!(findings.complete, game.result.unwrap().winner.is_some(), "{name}");
        let shots: usize = events.iter().map(|event| event.shots.len()).sum();
        assert_eq!(findings.answers, if findings.complete { shots } else { 0 }, "{name}");
        let strange = download.verify(&["ab"]).unwrap();
        assert_eq!(strange.found.iter().map(|finding| &*finding.code).collect::<Vec<_>>(), ["wrong_kept_head"]);
    }
}

#[test]
fn a_lie_is_found_and_what_is_no_game_is_told() {
    for (name, download) in golden() {
        let changed = Download {
            events: download.events.replacen("\"seat\":\"host\"", "\"seat\":\"guest\"", 1),
            ..download.clone()
        };
        assert!(!changed.verify(&[]).unwrap().ok(), "{name}");
        let Download { game, events } = download;
        assert!(Download { game: events.clone(), events: game }.verify(&[]).is_err(), "{name}");
        assert!(Download { game: String::new(), events }.verify(&[]).is_err(), "{name}");
    }
}

/// The cells of a board, and what each holds.
fn contents(board: &Board, grid: u8) -> Vec<(Cell, Content)> {
    let cells_of = |ship: &naval_battle_client::SeenShip| {
        let (start, is_down) = (ship.start, ship.direction == Direction::Down);
        (0..ship.length).map(move |step| {
            let (right, down) = if is_down { (0, step) } else { (step, 0) };
            Cell::new(start.column() + right, start.row() + down).unwrap()
        })
    };
    let ships: Vec<Cell> = board.ships.iter().flat_map(cells_of).collect();
    let content = |cell: Cell| {
        if ships.contains(&cell) {
            Content::Ship
        } else if board.mines.contains(&cell) {
            Content::Mine
        } else {
            Content::Water
        }
    };
    let cells = (0..grid).flat_map(|row| (0..grid).map(move |column| Cell::new(column, row).unwrap()));
    cells.map(|cell| (cell, content(cell))).collect()
}

/// The proof that a server gives of an event, made by the table of `docs/proof.md`.
fn prove(event: &Event, game: &Game) -> Proof {
    let seat = if event.shots.is_empty() { event.seat.unwrap() } else { event.seat.unwrap().other() };
    let board = game.boards.of(seat);
    let contents = contents(board, game.options.grid);
    let salt = hex::decode(board.salt.as_ref().unwrap()).unwrap();
    let salts: Vec<_> =
        (0..=u8::MAX).take(contents.len()).map(|index| mac(&salt, &[b"naval-battle/cell/1", &[index]])).collect();
    let leaf = |(index, (_, content)): (usize, &(Cell, Content))| {
        let byte = match content {
            Content::Water => 0,
            Content::Ship => 1,
            Content::Mine => 2,
        };
        hash(&[&[0, u8::try_from(index).unwrap(), byte], &salts[index]])
    };
    let mut level: Vec<_> = contents.iter().enumerate().map(leaf).collect();
    level.resize(level.len().next_power_of_two(), [0; 32]);
    let mut levels = vec![level.clone()];
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| hash(&[&[1], &pair[0], &pair[1]])).collect();
        levels.push(level.clone());
    }
    let named: Vec<Cell> = event.shots.iter().map(|shot| shot.cell).chain(event.cells.iter().copied()).collect();
    let proven = |cell: &Cell| {
        let index = contents.iter().position(|(other, _)| other == cell).unwrap();
        let beside = |(depth, level): (usize, &Vec<[u8; 32]>)| hex::encode(level[index >> depth ^ 1]);
        let path = levels[..levels.len() - 1].iter().enumerate().map(beside).collect();
        ProvenCell { cell: *cell, content: contents[index].1, salt: hex::encode(salts[index]), path }
    };
    Proof { seq: event.seq, seat, root: hex::encode(level[0]), cells: named.iter().map(proven).collect() }
}

#[test]
fn a_proof_of_each_answer_is_true_and_each_change_of_one_is_not() {
    let mut proofs = 0;
    for (_, download) in golden() {
        let game: Game = serde_json::from_str(&download.game).unwrap();
        if game.result.unwrap().winner.is_none() {
            continue;
        }
        for event in events(&download) {
            if event.shots.is_empty() && event.cells.is_empty() {
                continue;
            }
            let proof = prove(&event, &game);
            let commitment = game.players.of(proof.seat).clone().unwrap().commitment.unwrap();
            let is_true = |proof: &Proof| proof.is_true(&commitment, &game.id, &game.options);
            assert!(is_true(&proof) && proof.is_of(&event), "{event:?}");
            proofs += 1;
            for change in CHANGES {
                let mut changed = proof.clone();
                change(&mut changed);
                assert!(!is_true(&changed), "{changed:?}");
            }
            assert!(!proof.is_true(&event.head, &game.id, &game.options));
            assert!(!proof.is_true(&commitment, "01890a5d-ac96-774b-bcce-b302099a8057", &game.options));
            let mut other = event.clone();
            other.seq += 1;
            assert!(!proof.is_of(&other));
            other = event.clone();
            other.seat = event.seat.map(Seat::other);
            assert!(!proof.is_of(&other));
            other = event.clone();
            other
                .shots
                .iter_mut()
                .for_each(|shot| shot.outcome = if shot.outcome == Mark::Mine { Mark::Hit } else { Mark::Mine });
            other.cells.clear();
            assert!(!proof.is_of(&other));
        }
    }
    assert!(proofs > 100);
}

const CHANGES: [fn(&mut Proof); 8] = [
    |proof| proof.root = "ab".repeat(32),
    |proof| proof.seat = proof.seat.other(),
    |proof| proof.cells.clear(),
    |proof| {
        let cell = &mut proof.cells[0];
        cell.content = if cell.content == Content::Ship { Content::Water } else { Content::Ship };
    },
    |proof| proof.cells[0].cell = Cell::new(14, 14).filter(|cell| *cell != proof.cells[0].cell).unwrap(),
    |proof| proof.cells[0].salt.make_ascii_uppercase(),
    |proof| drop(proof.cells[0].path.pop()),
    |proof| proof.cells[0].path.reverse(),
];
