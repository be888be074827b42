//! Has a game of `tests/games` played, and insists on every line of it.

use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::Value;

use crate::game_file::{Eyes, Line, Script, Step, parse};
use crate::model::{Action, Seat, ShipSent, name};

/// What was accepted, or the problem that refuses it.
pub type Answer = Result<Value, Value>;

/// Who can play the games: a game, or something that stands for one. Speaks in the shapes of the API.
pub trait Player {
    /// Whether it tells the faults of a layout in the API's order and with their cells.
    const TELLS_FAULTS_IN_FULL: bool = true;

    /// Does what a seat asks for: the event, or the problem that refuses it.
    fn act(&mut self, seat: Seat, action: &Action) -> impl Future<Output = Answer>;

    /// Gives somebody without a seat the free one, or refuses it.
    fn join(&mut self) -> impl Future<Output = Answer>;

    /// Begins another game for a seat, or takes it to the one that the other has begun.
    fn rematch(&mut self, seat: Seat) -> impl Future<Output = Answer>;

    /// Lets the clock run out, and tells the event.
    fn time_out(&mut self) -> impl Future<Output = Value>;

    /// Lets the clock run out, but has nobody able to act for so many seconds of its time.
    fn extend(&mut self, seconds: u32) -> impl Future<Output = Answer>;

    /// Lets so much time pass that a game without a clock expires.
    fn expire(&mut self) -> impl Future<Output = ()>;

    /// The Game as these eyes see it.
    fn view(&mut self, eyes: Option<Seat>) -> impl Future<Output = Value>;
}

/// All games of `tests/games`, each with the name of its file.
pub fn all_games() -> Vec<(String, Script)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../games"));
    let mut games = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a file of games is text");
        games.extend(parse(&text).into_iter().map(|game| (name.clone(), game)));
    }
    games.sort_by(|(one, _), (other, _)| one.cmp(other));
    games
}

/// Plays lines of a game, of which the text is shown where one is not as it is written.
pub async fn play<P: Player>(lines: &[Line], text: &str, player: &mut P) {
    for line in lines {
        let told = tell(player, line).await;

        let expected = if P::TELLS_FAULTS_IN_FULL { line.expected.clone() } else { in_short(&line.expected) };
        assert_eq!(told, expected, "{}\nin\n{text}", line.text);
    }
}

/// Plays a game with a player who never waits.
pub fn play_at_once<P: Player>(game: &Script, player: &mut P) {
    let ended = pin!(play(&game.lines, &game.text, player)).poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(ended, Poll::Ready(()), "the player waits");
}

/// What comes of a line, as the notation has it.
async fn tell<P: Player>(player: &mut P, line: &Line) -> String {
    match &line.step {
        Step::Act(..) | Step::StrangerJoins | Step::Rematch(_) => {
            let before = if is_accepted(&line.expected) { None } else { Some(all_views(player).await) };
            let answer = if let Step::Act(seat, action) = &line.step {
                player.act(*seat, action).await
            } else if let Step::Rematch(seat) = &line.step {
                player.rematch(*seat).await
            } else {
                player.join().await
            };
            if let Some(before) = before {
                assert_eq!(all_views(player).await, before, "{}: something happened all the same", line.text);
            }
            let answer = written(answer);
            if P::TELLS_FAULTS_IN_FULL { answer } else { in_short(&answer) }
        }
        Step::FireOneByOne(seat, cells) => {
            let mut answers = Vec::new();
            for cell in cells {
                if due(player).await.starts_with(seat.other().name()) {
                    fire_at_water(player, seat.other()).await;
                }
                answers.push(written(player.act(*seat, &Action::Fire(vec![cell.clone()])).await));
            }
            answers.join(", ")
        }
        Step::FireAtWater(seat) => fire_at_water(player, *seat).await,
        Step::BothFireAtWater(times) => {
            for _ in 0..2 * times {
                let seat = if due(player).await.starts_with("host") { Seat::Host } else { Seat::Guest };
                fire_at_water(player, seat).await;
            }
            "done".to_owned()
        }
        Step::NobodyCanAct(seconds) => {
            let before = all_views(player).await.map(without_clock);
            let answer = player.extend(*seconds).await;
            assert_eq!(all_views(player).await.map(without_clock), before, "{}: only the clock goes on", line.text);
            written(answer)
        }
        Step::TimeRunsOut => player.time_out().await["seat"].as_str().unwrap_or("both").to_owned(),
        Step::NothingHappens => {
            player.expire().await;
            "done".to_owned()
        }
        Step::Due => due(player).await,
        Step::Result => result_written(&player.view(None).await["result"]),
        Step::Sees(Eyes::One(eyes), seat, list) => {
            list_written(&player.view(*eyes).await["boards"][seat.name()][list], list)
        }
        Step::Sees(Eyes::Everybody, seat, list) => {
            let seen = all_views(player).await.map(|view| list_written(&view["boards"][seat.name()][list], list));
            assert!(seen.iter().all(|one| *one == seen[0]), "{}: {seen:?}", line.text);
            seen[0].clone()
        }
        Step::CanGive(eyes) => {
            let Eyes::One(eyes) = eyes else { panic!("{}: at most one can give", line.text) };
            let cells = &player.view(*eyes).await["revealable"];
            if cells.is_null() { "nothing".to_owned() } else { list_written(cells, "revealable") }
        }
        Step::Afloat(seat) => player.view(None).await["players"][seat.name()]["ships_afloat"].to_string(),
    }
}

/// The game through all eyes.
async fn all_views<P: Player>(player: &mut P) -> [Value; 3] {
    [player.view(Some(Seat::Host)).await, player.view(Some(Seat::Guest)).await, player.view(None).await]
}

/// A view but for what an event and a deadline change in it.
fn without_clock(mut view: Value) -> Value {
    for field in ["version", "head"] {
        view[field] = Value::Null;
    }
    for entry in view["awaiting"].as_array_mut().into_iter().flatten() {
        entry["until"] = Value::Null;
    }
    view
}

fn written(answer: Answer) -> String {
    answer.map_or_else(|problem| problem_written(&problem), |event| event_written(&event))
}

/// Fires as many shots as are due at cells that hold nothing, the last of the grid first.
async fn fire_at_water<P: Player>(player: &mut P, seat: Seat) -> String {
    let owner = seat.other();
    let view = player.view(Some(owner)).await;
    let board = &view["boards"][owner.name()];
    let taken = [cells_of(&board["ships"]), cells_of(&board["mines"]), cells_of(&board["shots"])].concat();
    let side = u8::try_from(view["options"]["grid"].as_u64().expect("a grid")).expect("a small grid");
    let cells = (0..side).rev().flat_map(|row| (0..side).rev().map(move |column| name((row, column))));
    let due = view["awaiting"][0]["count"].as_u64().expect("somebody is to act");
    let shots: Vec<_> = cells.filter(|cell| !taken.contains(cell)).zip(0..due).map(|(cell, _)| cell).collect();
    let all_miss = vec!["miss"; shots.len()].join(", ");
    assert_eq!(written(player.act(seat, &Action::Fire(shots)).await), all_miss, "it was water");
    "done".to_owned()
}

/// The cells of ships, mines or shots.
fn cells_of(list: &Value) -> Vec<String> {
    let cells = |entry: &Value| match entry.as_str() {
        Some(cell) => vec![cell.to_owned()],
        None if entry["start"].is_null() => vec![text(&entry["cell"])],
        None => ship_sent(entry).cells().into_iter().map(name).collect(),
    };
    entries(list).iter().flat_map(cells).collect()
}

/// Who is to do what.
async fn due<P: Player>(player: &mut P) -> String {
    let owed = |entry: &Value| {
        let (seat, count) = (text(&entry["seat"]), &entry["count"]);
        match entry["action"].as_str() {
            Some("join") => format!("{seat} joins"),
            Some("place") => format!("{seat} places"),
            Some("fire") => format!("{seat} fires {count}"),
            Some("reveal") => format!("{seat} reveals {count}"),
            _ => panic!("{entry} is nothing that can be due"),
        }
    };
    let due: Vec<_> = entries(&player.view(None).await["awaiting"]).iter().map(owed).collect();
    if due.is_empty() { "nothing".to_owned() } else { due.join(", ") }
}

fn result_written(result: &Value) -> String {
    if result.is_null() {
        return "none".to_owned();
    }
    format!("{}, {}", result["winner"].as_str().unwrap_or("nobody"), text(&result["reason"]))
}

/// What the shots of an event found and what is owed; `done` where it has none.
fn event_written(event: &Value) -> String {
    let Some(shots) = event["shots"].as_array() else { return "done".to_owned() };
    let found = |shot: &Value| match shot.get("ship") {
        Some(ship) => format!("{} {}", text(&shot["outcome"]), ship_written(ship)),
        None => text(&shot["outcome"]),
    };
    let owes = event.get("owed").map(|owed| format!("owes {owed}"));
    shots.iter().map(found).chain(owes).collect::<Vec<_>>().join(", ")
}

/// A refusal: its code, and what goes beside it.
fn problem_written(problem: &Value) -> String {
    let code = text(&problem["code"]);
    if let Some(expected) = problem.get("expected") {
        format!("{code} {expected}")
    } else if let Some(cells) = problem.get("cells") {
        format!("{code} {}", list_written(cells, "cells"))
    } else if let Some(faults) = problem.get("faults") {
        format!("{code}: {}", list_written(faults, "faults"))
    } else {
        code
    }
}

/// A list of a board or a problem.
fn list_written(list: &Value, what: &str) -> String {
    let sunk = |ship: &Value| if ship["sunk"] == true { " sunk" } else { "" };
    let written = |entry: &Value| match what {
        "ships" => format!("{}{}", ship_written(entry), sunk(entry)),
        "shots" => format!("{} {}", text(&entry["cell"]), text(&entry["outcome"])),
        "faults" => fault_written(entry),
        _ => text(entry),
    };
    let separator = if ["ships", "shots", "faults"].contains(&what) { ", " } else { " " };
    entries(list).iter().map(written).collect::<Vec<_>>().join(separator)
}

/// A fault of a layout: its code, the ship and the mine that it is about, the other one of two, and its cells.
fn fault_written(fault: &Value) -> String {
    let index = |what: &str| fault[what].as_u64();
    let about = |what: &str| index(what).map_or(String::new(), |index| format!(" {what} {index}"));
    let other = index("other_ship").or(index("other_mine")).map_or(String::new(), |index| format!(" and {index}"));
    let cells = list_written(&fault["cells"], "cells");
    let at = if cells.is_empty() { cells } else { format!(" at {cells}") };
    format!("{}{}{}{other}{at}", text(&fault["code"]), about("ship"), about("mine"))
}

/// A refusal without the cells of its faults, which are sorted; anything else as it is.
fn in_short(answer: &str) -> String {
    let Some((code, faults)) = answer.split_once(": ") else { return answer.to_owned() };
    let mut faults: Vec<_> = faults.split(", ").map(|fault| fault.split(" at ").next().unwrap_or(fault)).collect();
    faults.sort_unstable();
    format!("{code}: {}", faults.join(", "))
}

fn ship_written(ship: &Value) -> String {
    let ship = ship_sent(ship);
    format!("{}{}{}", ship.start, if ship.down { 'v' } else { '>' }, ship.length)
}

fn ship_sent(ship: &Value) -> ShipSent {
    let length = ship["length"].as_u64().and_then(|length| u8::try_from(length).ok()).expect("a length");
    ShipSent { start: text(&ship["start"]), length, down: ship["direction"] == "down" }
}

/// Whether what is expected is no refusal.
fn is_accepted(expected: &str) -> bool {
    let first = expected.split([' ', ',']).next().unwrap_or_default();
    ["done", "miss", "hit", "sunk", "mine"].contains(&first)
}

/// The entries of a list; none where there is none.
fn entries(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
