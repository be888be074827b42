//! The words for people: answers, column letters and the Mines variant, in English.

/// The language of the texts (RFC 5646).
pub const LANGUAGE: &str = "en";

/// The answer to each kind of shot.
pub struct Answers {
    /// Water.
    pub miss: &'static str,
    /// A ship that stays afloat.
    pub hit: &'static str,
    /// A ship's last cell.
    pub sunk: &'static str,
    /// A mine.
    pub mine: &'static str,
}

/// One rule that changes against the standard game.
pub struct Change {
    /// What the rule is about.
    pub rule: &'static str,
    /// The standard game.
    pub standard: &'static str,
    /// With mines.
    pub mines: &'static str,
}

/// What a shot is answered with.
pub const ANSWERS: Answers = Answers { miss: "miss", hit: "hit", sunk: "sunk", mine: "mine" };

/// The letters of the columns from the left.
pub const COLUMNS: [&str; 15] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O"];

/// What the variant is, by paragraphs.
pub const WHAT: [&str; 3] = [
    "Beside the ships, each side hides mines: one on 8×8 and 10×10, two on 12×12, three on 15×15. A mine lies in a \
     single cell and keeps clear of every ship and every other mine, corners included.",
    "Nobody sees an enemy mine before striking it. Whoever fires at one hears \"mine\" and has to give away a cell of \
     their own ships: one that was neither hit nor given away before, and which one is theirs to choose. The owner of \
     the mine finds that cell marked on the target grid and may fire at it on any later turn, or never. A mine is not \
     a success, so the turn goes to its owner, even where a hit would earn another shot.",
    "A mine is no ship. Nobody has to find one, and sinking the last ship of the fleet still ends the game.",
];

/// What changes against the standard game.
pub const CHANGES: [Change; 6] = [
    Change {
        rule: "Setting up",
        standard: "Both sides place their ships and nothing else.",
        mines: "With the ships go the mines: one on 8×8 and 10×10, two on 12×12, three on 15×15.",
    },
    Change {
        rule: "Where a mine may lie",
        standard: "There are no mines.",
        mines: "In any free cell that touches neither a ship nor another mine, corners included.",
    },
    Change {
        rule: "Firing at a mine",
        standard: "There are no mines: a shot misses, hits or sinks.",
        mines: "The shooter gives away a cell of their own ships that was not hit, and the mine's owner may fire at \
                it. A Salvo volley costs one cell for each mine that it strikes.",
    },
    Change {
        rule: "The turn after a mine",
        standard: "There are no mines.",
        mines: "It is the mine owner's, even where a hit earns another shot.",
    },
    Change {
        rule: "The end",
        standard: "Whoever sinks the whole enemy fleet first has won.",
        mines: "The same. Mines are no ships and need not be found.",
    },
    Change {
        rule: "Other options",
        standard: "A 10×10 grid, the classic fleet, one shot a turn.",
        mines: "Every grid, either fleet, Salvo, and another shot after a hit: mines go with all of them.",
    },
];

/// Where the variant comes from, by paragraphs.
pub const HISTORY: [&str; 2] = [
    "Mines come from Morskoy boy, the sea battle that people in Russia and other countries of the former Soviet Union \
     play on squared paper. Russian descriptions of the game add one mine or several to the usual 10×10 field and \
     fleet: a circle in one cell that may not touch a ship or another mine. Whoever hits it tells its owner a cell of \
     an own ship that is still undamaged, to be fired at whenever the owner likes; and as a mine is no success, the \
     turn is the owner's.",
    "The same descriptions allow up to three mines a side on larger fields, and minesweepers, which are not played \
     here. Here the number follows the grid: one on 8×8 and 10×10, two on 12×12, three on 15×15.",
];
