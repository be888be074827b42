use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::{BoardBody, Download, Happened, RecordedEvent, ShownShip, printable, read, time};
use engine::{BySeat, Coordinate, Outcome, Seat};

const WATER: char = '·';
const SHIP: char = '■';
const MINE: char = '*';
const MISS: char = 'o';
const HIT: char = 'x';
const SUNK: char = '#';
const STRUCK: char = '@';
const GIVEN: char = '?';

/// Prints a downloaded game move by move, both boards side by side.
///
/// Ships and mines show as far as the download does: all of them once the game is finished. Gives how
/// many events could not be read.
///
/// # Errors
///
/// Those of writing.
pub fn show(download: &Download, out: &mut impl Write) -> Result<usize, fmt::Error> {
    let mut unreadable = 0;
    let game = &download.game;
    let side = game.options.grid.0.side();
    writeln!(out, "game {}: {side}×{side}, {} events", game.id, download.events.len())?;
    writeln!(
        out,
        "{SHIP} ship  {MINE} mine  {MISS} miss  {HIT} hit  {SUNK} sunk  {STRUCK} mine struck  {GIVEN} given away"
    )?;
    let mut sheets = BySeat { host: Sheet::new(&game.boards.host), guest: Sheet::new(&game.boards.guest) };
    for event in &download.events {
        let text = event.to_string();
        let Ok(recorded) = read(&text) else {
            unreadable += 1;
            writeln!(out, "\nan event that cannot be read: {}", printable(&text))?;
            continue;
        };
        writeln!(out, "\n{}", title(&recorded))?;
        if mark(&mut sheets, &recorded.happened) {
            draw(out, &sheets, side)?;
        }
    }
    Ok(unreadable)
}

/// A board on paper: what is drawn into each cell.
#[derive(Default)]
struct Sheet(BTreeMap<Coordinate, char>);

impl Sheet {
    /// The ships and mines that are known from the start.
    fn new(board: &BoardBody) -> Self {
        let ships = board
            .ships
            .iter()
            .filter_map(ShownShip::ship)
            .flat_map(|ship| ship.cells().iter().map(|cell| (cell, SHIP)).collect::<Vec<_>>());
        let mines = board.mines.iter().map(|cell| (cell.0, MINE));
        Self(ships.chain(mines).collect())
    }

    fn row(&self, row: u8, side: u8) -> String {
        let cells = (0..side).filter_map(|column| Coordinate::new(column, row));
        cells.fold(format!("{:>2}", row + 1), |line, cell| {
            format!("{line} {}", self.0.get(&cell).copied().unwrap_or(WATER))
        })
    }
}

/// Draws an event in; whether a board has changed or is complete to be looked at.
fn mark(sheets: &mut BySeat<Sheet>, happened: &Happened<'_>) -> bool {
    match happened {
        Happened::Fired { seat, shots, .. } => {
            let sheet = &mut sheets.of_mut(seat.other()).0;
            for shot in shots.iter() {
                let mark = match shot.outcome {
                    Outcome::Miss => MISS,
                    Outcome::Hit => HIT,
                    Outcome::Mine => STRUCK,
                    Outcome::Sunk(ship) => {
                        sheet.extend(ship.cells().iter().map(|cell| (cell, SUNK)));
                        SUNK
                    }
                };
                sheet.insert(shot.cell, mark);
            }
            true
        }
        Happened::Revealed { seat, cells } => {
            sheets.of_mut(*seat).0.extend(cells.iter().map(|cell| (*cell, GIVEN)));
            true
        }
        Happened::Placed { .. } => true,
        Happened::Created { .. }
        | Happened::Joined { .. }
        | Happened::Resigned { .. }
        | Happened::TimedOut { .. }
        | Happened::Expired
        | Happened::Extended { .. } => false,
    }
}

fn title(recorded: &RecordedEvent<'_>) -> String {
    let name = |name: &Option<_>| name.as_deref().map_or(String::new(), |name| format!(" ({})", printable(name)));
    let what = match &recorded.happened {
        Happened::Created { seat, name: given, .. } => format!("{}{} creates the game", seat.word(), name(given)),
        Happened::Joined { seat, first, name: given, bot } => {
            let bot = bot.map_or(String::new(), |level| format!(" (the {} bot)", level.word()));
            format!("{}{}{bot} joins; {} fires first", seat.word(), name(given), first.word())
        }
        Happened::Placed { seat, .. } => format!("{} places", seat.word()),
        Happened::Fired { seat, shots, owed } => {
            let shots: Vec<_> = shots.iter().map(|shot| format!("{} {}", shot.cell, shot.outcome.word())).collect();
            let owed = owed.map_or(String::new(), |owed| format!("; owes {owed}"));
            format!("{} fires: {}{owed}", seat.word(), shots.join(", "))
        }
        Happened::Revealed { seat, cells } => {
            let cells: Vec<_> = cells.iter().map(Coordinate::to_string).collect();
            format!("{} gives away {}", seat.word(), cells.join(", "))
        }
        Happened::Resigned { seat } => format!("{} resigns", seat.word()),
        Happened::TimedOut { seat } => format!("time is out for {}", seat.map_or("both", Seat::word)),
        Happened::Extended { seconds } => format!("{seconds} more seconds, since nobody could act for so long"),
        Happened::Expired => "nothing has happened for too long".to_owned(),
    };
    let result = recorded.result.map_or(String::new(), |ending| {
        format!("; {} has won: {}", ending.winner().map_or("nobody", Seat::word), ending.reason().word())
    });
    format!("{}  {}  {what}{result}", recorded.seq, time(recorded.at))
}

fn draw(out: &mut impl Write, sheets: &BySeat<Sheet>, side: u8) -> fmt::Result {
    let columns = (0..side).filter_map(|column| Coordinate::new(column, 0));
    let letters = columns.fold("  ".to_owned(), |line, cell| {
        let name = cell.to_string();
        format!("{line} {}", name.trim_end_matches('1'))
    });
    let width = letters.chars().count();
    writeln!(out, "{:<width$}    guest", "host")?;
    writeln!(out, "{letters}    {letters}")?;
    for row in 0..side {
        writeln!(out, "{}    {}", sheets.host.row(row, side), sheets.guest.row(row, side))?;
    }
    Ok(())
}
