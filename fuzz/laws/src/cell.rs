use std::collections::BTreeSet;
use std::sync::LazyLock;

use engine::Coordinate;

/// R29, spelled out: fifteen columns, fifteen rows.
static SPELLINGS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| ('A'..='O').flat_map(|column| (1..=15).map(move |row| format!("{column}{row}"))).collect());

/// A text is a cell exactly where it is that cell's own spelling (R29).
pub fn cell(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };

    match Coordinate::parse(text) {
        Ok(cell) => assert!(cell.to_string() == text && SPELLINGS.contains(text), "{text:?} is read as {cell}"),
        Err(_) => assert!(!SPELLINGS.contains(text), "{text:?} is refused"),
    }
}
