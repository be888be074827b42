//! The notation in which `tests/games/*.game` writes games down, read.
//!
//! A file holds games with an empty line between them. A game is a title, the setup, and a line for
//! each thing that somebody does, with what comes of it, or that is then so:
//!
//! ```text
//! # R17 The rules that the game shows, and what it shows.
//! 10x10 classic, mines, salvo, shoot again, host first
//! host places A1>5 C3v2 with H3            a ship is its start, > across or v down, and its length
//! both place A1>5 C3v2                     first the host, then the guest
//! host fires F7 H3 = sunk E7>2, mine, owes 0
//! host fires A1 A3 in any order = hit, miss
//! host fires A1 B1 C1 one by one = hit, hit, miss
//! host fires at water                      as many shots as are due; each is a miss
//! both fire at water 9 times               whoever is on turn, then the other
//! host fires K1 = outside_grid K1          a refusal is its code and what goes beside it
//! host places A1>5 = illegal_layout: wrong_fleet, touch ship 1 and 0 at A2, mine_touches ship 0 mine 0 at B2
//! host reveals C7
//! guest resigns
//! guest joins = own_game                   whoever has a seat; without one it is: a stranger joins
//! host asks for a rematch                  once both have asked, the lines go on in the new game
//! time runs out = guest                    who was late; both, where both owed a layout
//! nobody can act for 4 seconds             so the time that runs out next is longer by as much
//! nothing happens for too long
//! due: guest fires 4                       or joins, places, reveals 2, or nothing
//! result: host, fleet_sunk                 nobody, aborted, or none
//! host sees guest ships: E7>2 sunk, A1>5   or mines, shots, revealed, known_empty
//! everybody sees guest shots: A1 hit, B1 miss
//! host can give: A1 B1                     or nothing
//! guest has 4 afloat
//! ```
//!
//! Where nothing is to be sent the line says `nothing`; a cell with spaces stands in quotes. An
//! action without `=` is accepted. An indented line continues the one before it, and a line that
//! begins with `#` is a comment.
//!
//! In the setup `nobody has joined` leaves the guest's seat free. Three words make several games of
//! one: `shoot again or not` and `and the other way round`, where host and guest change places, in the
//! setup, and `in any order` in a line.

use crate::model::{Action, LayoutSent, Options, Seat, ships};

/// A game as it is written down.
#[derive(Clone, Debug)]
pub struct Script {
    /// The numbers of the rules that it shows.
    pub rules: Vec<u8>,
    /// Title, setup and lines, as they stand in the file.
    pub text: String,
    /// What it is played with.
    pub setup: Setup,
    /// What is done, and what is then so.
    pub lines: Vec<Line>,
}

/// What a game is played with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The options of the rules.
    pub options: Options,
    /// Who shoots first.
    pub first: Seat,
    /// Whether the guest's seat is taken.
    pub joined: bool,
}

/// A line of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// As it is written, for whoever reads what failed.
    pub text: String,
    /// What is done, or what is so.
    pub step: Step,
    /// What comes of it, or how it is.
    pub expected: String,
}

/// What a line says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A seat does something.
    Act(Seat, Action),
    /// Somebody without a seat joins.
    StrangerJoins,
    /// A seat asks for another game.
    Rematch(Seat),
    /// A seat fires at these cells, one after the other; the other fires at water in between.
    FireOneByOne(Seat, Vec<String>),
    /// A seat fires what is due at cells that hold nothing.
    FireAtWater(Seat),
    /// Whoever is on turn fires at water, then the other, so many times.
    BothFireAtWater(u32),
    /// The clock runs out.
    TimeRunsOut,
    /// The clock runs out, but for so many seconds of its time nobody could act.
    NobodyCanAct(u32),
    /// Nobody does anything for so long that the game expires.
    NothingHappens,
    /// What is due.
    Due,
    /// How the game ended.
    Result,
    /// What the eyes see in a list of a board.
    Sees(Eyes, Seat, String),
    /// What the eyes are told that they can give.
    CanGive(Eyes),
    /// How many ships a seat has afloat.
    Afloat(Seat),
}

/// Through whose eyes a line looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eyes {
    /// One pair: a seat's, or those of somebody without one.
    One(Option<Seat>),
    /// All, and all see the same.
    Everybody,
}

/// The games of a file.
///
/// # Panics
///
/// Where the file is not in the notation.
pub fn parse(file: &str) -> Vec<Script> {
    file.split("\n\n").filter(|game| !game.trim().is_empty()).flat_map(games).collect()
}

/// The first game of a file, as it is written.
pub fn first_game(file: &str) -> &str {
    file.split("\n\n").next().unwrap_or_default().trim()
}

/// The lines of a game that is under way, with no title and no setup.
///
/// # Panics
///
/// Where they are not in the notation.
pub fn lines(text: &str) -> Vec<Line> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).flat_map(line).collect()
}

/// All games that one text stands for.
fn games(text: &str) -> Vec<Script> {
    let text = text.trim();
    let (title, rest) = text.split_once('\n').unwrap_or_else(|| panic!("a title alone: {text}"));
    let mut plain: Vec<String> = Vec::new();
    for line in rest.lines().filter(|line| !line.starts_with('#')) {
        match (line.strip_prefix(' '), plain.last_mut()) {
            (Some(more), Some(last)) => *last = format!("{last} {}", more.trim()),
            _ => plain.push(line.trim().to_owned()),
        }
    }
    let mut all = vec![plain];
    for variants in [either_way_round, with_and_without_another_shot, in_any_order] {
        all = all.iter().flat_map(|game| variants(game)).collect();
    }
    all.iter().map(|lines| script(title, text, lines)).collect()
}

fn script(title: &str, text: &str, lines: &[String]) -> Script {
    let numbers = title.trim_start_matches("# ").split(' ').map_while(|word| word.strip_prefix('R')?.parse().ok());
    let rules: Vec<u8> = numbers.collect();
    assert!(!rules.is_empty(), "{title:?} names no rule");
    let (setup, lines) = lines.split_first().unwrap_or_else(|| panic!("{title:?} has no setup"));
    let lines = lines.iter().flat_map(|text| line(text)).collect();
    Script { rules, text: text.to_owned(), setup: self::setup(setup), lines }
}

/// The game, and where it says so the one in which host and guest have changed places.
fn either_way_round(game: &[String]) -> Vec<Vec<String>> {
    let Some(setup) = game[0].strip_suffix(", and the other way round") else { return vec![game.to_vec()] };
    let once: Vec<_> = std::iter::once(setup.to_owned()).chain(game[1..].iter().cloned()).collect();
    let changed = |line: &String| line.replace("host", "\0").replace("guest", "host").replace('\0', "guest");
    let round = once.iter().map(changed).collect();
    vec![once, round]
}

/// The game, and where it says so the one in which no success earns another shot.
fn with_and_without_another_shot(game: &[String]) -> Vec<Vec<String>> {
    let either = ", shoot again or not";
    if !game[0].contains(either) {
        return vec![game.to_vec()];
    }
    let setup =
        |option: &str| std::iter::once(game[0].replace(either, option)).chain(game[1..].iter().cloned()).collect();
    vec![setup(", shoot again"), setup("")]
}

/// The game, and where a line says so all those in which its shots come in another order.
fn in_any_order(game: &[String]) -> Vec<Vec<String>> {
    let Some(at) = game.iter().position(|line| line.contains(" in any order = ")) else { return vec![game.to_vec()] };
    let (shots, answers) = game[at].split_once(" in any order = ").unwrap_or_default();
    let (seat, shots) = shots.split_once(" fires ").unwrap_or_else(|| panic!("{} fires at nothing", game[at]));
    let shots: Vec<_> = shots.split(' ').zip(answers.split(", ")).collect();
    let owed = answers.split(", ").nth(shots.len()).map_or(String::new(), |owed| format!(", {owed}"));
    let reordered = |order: Vec<(&str, &str)>| {
        let (cells, outcomes): (Vec<_>, Vec<_>) = order.into_iter().unzip();
        let mut game = game.to_vec();
        game[at] = format!("{seat} fires {} = {}{owed}", cells.join(" "), outcomes.join(", "));
        game
    };
    orders(&shots).into_iter().map(reordered).collect()
}

/// A list in all its orders.
fn orders<T: Copy>(list: &[T]) -> Vec<Vec<T>> {
    let Some((first, rest)) = list.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(rest) {
        for place in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(place, *first);
            all.push(longer);
        }
    }
    all
}

fn setup(line: &str) -> Setup {
    let (board, rest) = line.split_once(", ").unwrap_or((line, ""));
    let (grid, fleet) = board.split_once(' ').unwrap_or_else(|| panic!("{board:?} is no grid with a fleet"));
    let grid = grid.split_once('x').filter(|(width, height)| width == height).and_then(|(side, _)| side.parse().ok());
    let grid = grid.unwrap_or_else(|| panic!("{line:?} has no grid"));
    let russian = match fleet {
        "russian" => true,
        "classic" => false,
        _ => panic!("{fleet:?} is no fleet"),
    };
    let mut options = Options { grid, russian, mines: false, salvo: false, shoot_again: false };
    let (mut first, mut joined) = (None, true);
    for word in rest.split(", ") {
        match word {
            "mines" => options.mines = true,
            "salvo" => options.salvo = true,
            "shoot again" => options.shoot_again = true,
            "host first" => first = Some(Seat::Host),
            "guest first" => first = Some(Seat::Guest),
            "nobody has joined" => joined = false,
            _ => panic!("{word:?} is no option"),
        }
    }
    Setup { options, first: first.unwrap_or_else(|| panic!("{line:?} does not say who is first")), joined }
}

/// What a line says; `both place` says it twice.
fn line(text: &str) -> Vec<Line> {
    if let Some(layout) = text.strip_prefix("both place ") {
        return ["host", "guest"].iter().flat_map(|seat| line(&format!("{seat} places {layout}"))).collect();
    }
    let (step, expected) = statement(text).unwrap_or_else(|| action(text));
    vec![Line { text: text.to_owned(), step, expected: expected.to_owned() }]
}

/// What is so; none where somebody does something.
fn statement(text: &str) -> Option<(Step, &str)> {
    if let Some((seat, count)) = text.strip_suffix(" afloat").and_then(|line| line.split_once(" has ")) {
        return Some((Step::Afloat(seat_named(seat)), count));
    }
    let (what, expected) = text.split_once(':').filter(|_| !text.contains(" = "))?;
    let step = match *what.split(' ').collect::<Vec<_>>() {
        ["due"] => Step::Due,
        ["result"] => Step::Result,
        [who, "can", "give"] => Step::CanGive(eyes(who)),
        [who, "sees", seat, list] => Step::Sees(eyes(who), seat_named(seat), list.to_owned()),
        _ => panic!("{what:?} is nothing that can be so"),
    };
    Some((step, expected.trim()))
}

/// What somebody does, and what comes of it.
fn action(text: &str) -> (Step, &str) {
    let (deed, expected) = text.split_once(" = ").map_or((text, None), |(deed, answer)| (deed, Some(answer)));
    if deed == "time runs out" {
        return (Step::TimeRunsOut, expected.unwrap_or_else(|| panic!("{text:?} does not say who was late")));
    }
    if let Some(seconds) = deed.strip_prefix("nobody can act for ").and_then(|rest| rest.strip_suffix(" seconds")) {
        return (Step::NobodyCanAct(seconds.parse().unwrap_or_else(|_| panic!("{seconds:?} is no number"))), "done");
    }
    if deed == "nothing happens for too long" {
        return (Step::NothingHappens, expected.unwrap_or("done"));
    }
    if let Some(times) = deed.strip_prefix("both fire at water ").and_then(|rest| rest.strip_suffix(" times")) {
        return (Step::BothFireAtWater(times.parse().unwrap_or_else(|_| panic!("{times:?} is no number"))), "done");
    }
    if deed == "a stranger joins" {
        return (Step::StrangerJoins, expected.unwrap_or("done"));
    }
    let (seat, deed) = deed.split_once(' ').unwrap_or_else(|| panic!("{text:?} is nothing that anybody does"));
    let seat = seat_named(seat);
    let (verb, what) = deed.split_once(' ').unwrap_or((deed, ""));
    let step = match (verb, what) {
        ("fires", "at water") => Step::FireAtWater(seat),
        ("fires", shots) if shots.ends_with(" one by one") => {
            Step::FireOneByOne(seat, words(shots.trim_end_matches(" one by one")))
        }
        ("fires", shots) => Step::Act(seat, Action::Fire(words(shots))),
        ("places", layout) => Step::Act(seat, Action::Place(self::layout(layout))),
        ("reveals", cells) => Step::Act(seat, Action::Reveal(words(cells))),
        ("resigns", "") => Step::Act(seat, Action::Resign),
        ("joins", "") => Step::Act(seat, Action::Join),
        ("asks", "for a rematch") => Step::Rematch(seat),
        _ => panic!("{text:?} is nothing that anybody does"),
    };
    let has_answers = matches!(step, Step::Act(_, Action::Fire(_)) | Step::FireOneByOne(..));
    assert!(!has_answers || expected.is_some(), "{text:?} does not say what the shots find");
    (step, expected.unwrap_or("done"))
}

/// Ships, and mines after `with`.
fn layout(text: &str) -> LayoutSent {
    let (ship_words, mines) = text.split_once("with ").unwrap_or((text, ""));
    let ship_words = if ship_words.trim() == "nothing" { "" } else { ship_words };
    LayoutSent { ships: ships(ship_words), mines: words(mines) }
}

/// The words of a text; what stands in quotes is one, and `nothing` is none.
fn words(text: &str) -> Vec<String> {
    let part = |(index, part): (usize, &str)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    };
    if text == "nothing" { Vec::new() } else { text.split('"').enumerate().flat_map(part).collect() }
}

fn eyes(word: &str) -> Eyes {
    match word {
        "everybody" => Eyes::Everybody,
        "spectator" => Eyes::One(None),
        seat => Eyes::One(Some(seat_named(seat))),
    }
}

fn seat_named(word: &str) -> Seat {
    match word {
        "host" => Seat::Host,
        "guest" => Seat::Guest,
        _ => panic!("{word:?} is no seat"),
    }
}
