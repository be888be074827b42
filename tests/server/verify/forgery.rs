//! Forgers who know how the chain is made: after every change all heads are made anew.
//!
//! Then the chain holds, and the lie has to be found by the rules and the layouts. Where what was
//! forged is another game that could have been played, only an earlier head tells.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use naval_battle::schema::FlawBody;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use record::proof;
use record::verify::FlawCode;
use serde_json::{Value, json};
use testing::campaign;

use crate::verify::true_games::{Account, finished};

/// So many forgeries of each kind with each game.
fn each() -> usize {
    campaign(8, 16)
}

/// Makes all heads anew, and gives the game the last one.
pub(crate) fn rechain(account: &mut Account) {
    let head = chain_anew(account.events_mut());
    account.download["game"]["head"] = json!(head);
    account.download["game"]["version"] = json!(account.events().len());
}

/// Makes all heads anew; gives the last one.
pub(crate) fn chain_anew(events: &mut [Value]) -> String {
    let mut head = proof::NO_HEAD;
    for event in events {
        let mut hashed = event.as_object().unwrap().clone();
        hashed.retain(|key, _| !["status", "awaiting", "head"].contains(&key.as_str()));
        head = proof::head(&head, &serde_json_canonicalizer::to_string(&hashed).unwrap());
        event["head"] = json!(hex::encode(head));
    }
    hex::encode(head)
}

/// A forgery of one kind; `None` where the game gives no occasion for it.
type Forge = fn(&mut Account, &mut ChaCha8Rng) -> Option<()>;

/// Lies that the rules and the layouts give away.
const FOUND: [(&str, Forge); 15] = [
    ("another outcome", other_outcome),
    ("another ship sunk", other_ship_sunk),
    ("another cell fired at", other_cell_fired_at),
    ("a shot more or less", other_count),
    ("another debt", other_debt),
    ("another cell given away", other_cell_given),
    ("somebody else acted", other_seat),
    ("another commitment", other_commitment),
    ("another salt", other_salt),
    ("another time on a clock", other_time_on_a_clock),
    ("another result", other_result),
    ("another name in the log alone", other_name),
    ("somebody else fires first", other_first),
    ("other options", other_options),
    ("an event more, less or elsewhere", other_events),
];

#[test]
fn a_lie_with_a_chain_made_for_it_is_found() {
    for (kind, forge) in FOUND {
        let mut rng = ChaCha8Rng::seed_from_u64(50);
        let mut done = 0;
        for account in finished() {
            for _ in 0..account.fewer(each()) {
                let mut forged = account.clone();
                if forge(&mut forged, &mut rng).is_none() || forged == *account {
                    continue;
                }
                rechain(&mut forged);
                done += 1;

                // Where it is not even of the shape of a game any more, whoever reads it sees that.
                let Some(findings) = forged.findings(None) else { continue };
                assert!(!findings.ok, "{kind} is not found:\n{}", forged.download);
                // The heads were made anew so that nothing but the lie itself is wrong.
                let is_of_chain = |fault: &&FlawBody| fault.code.0 == FlawCode::WrongHead;
                assert_eq!(findings.faults.iter().filter(is_of_chain).count(), 0, "{kind}");
            }
        }
        assert!(done > each(), "{kind}: only {done}");
    }
}

/// Nobody's turn shows who was to fire first where nobody fired; the options show it.
#[test]
fn r22_a_first_shot_against_the_options_is_found_though_nobody_fired() {
    let account = finished().iter().find(|account| !account.events().iter().any(is("fired"))).unwrap();
    assert_eq!(account.game()["options"]["first"], "guest");
    let mut forged = account.clone();
    flip(&mut forged.download["game"]["first"]);
    for event in forged.events_mut() {
        if event["type"] == "joined" {
            flip(&mut event["first"]);
        }
        if event["awaiting"][0]["action"] == "fire" {
            flip(&mut event["awaiting"][0]["seat"]);
        }
    }
    rechain(&mut forged);

    let findings = forged.findings(None).unwrap();

    let found: Vec<_> = findings.faults.iter().map(|fault| (fault.seq, fault.code.0)).collect();
    assert_eq!(found, [(Some(2), FlawCode::WrongTurn)]);
}

/// Other games that could have been played just as well. Whoever kept a head knows better.
const FITTING: [(&str, Forge); 8] = [
    ("a time without a clock", later_without_a_clock),
    ("a name in the log and in the game", renamed),
    ("the rematch of another game", rematch_of_another),
    ("two misses at each other's time", misses_swapped),
    ("another order within a volley", volley_reordered),
    ("the other side resigned", other_side_resigned),
    ("a ship moved that nobody ever hit, and committed to anew", ship_moved),
    ("the last event never happened", tail_cut),
];

#[test]
fn a_forgery_that_fits_everything_is_found_by_who_kept_a_head() {
    for (kind, forge) in FITTING {
        let mut rng = ChaCha8Rng::seed_from_u64(60);
        let mut done = 0;
        for account in finished() {
            let mut forged = account.clone();
            let tried = (0..each()).any(|_| {
                forged = account.clone();
                forge(&mut forged, &mut rng).is_some() && forged != *account
            });
            if !tried {
                continue;
            }
            rechain(&mut forged);
            done += 1;

            let kept = account.game()["head"].as_str();
            assert!(!forged.passes(kept), "{kind}");
            // This is what a chain cannot show.
            assert!(forged.passes(None), "{kind}: {:?}", forged.findings(None));
        }
        assert!(done > 0, "{kind}: no game gave an occasion");
    }
}

/// A log that was cut at any place, with the game as it was then, passes for one that is under way;
/// any head from later on gives it away.
#[test]
fn a_tail_cut_off_with_the_game_as_it_was_is_found_by_who_kept_a_later_head() {
    for account in finished() {
        for left in (1..account.events().len()).step_by(account.events().len() / 5) {
            let cut = as_it_was(account, left);

            assert!(cut.passes(None), "{:?}", cut.findings(None));
            assert!(!cut.findings(None).unwrap().complete);
            for event in account.events() {
                let seen_later = event["seq"].as_u64().unwrap() > u64::try_from(left).unwrap();
                assert_eq!(cut.passes(event["head"].as_str()), !seen_later, "{left} left, {}", event["seq"]);
            }
        }
    }
}

/// The game as it stood after so many events, as far as a game is looked at that is not opened.
pub(crate) fn as_it_was(account: &Account, left: usize) -> Account {
    let mut cut = account.clone();
    cut.events_mut().truncate(left);
    let last = cut.events().last().unwrap().clone();
    let has = |kind: &str, seat: &str| cut.events().iter().any(|event| event["type"] == kind && event["seat"] == seat);
    let (joined, host, guest) = (has("joined", "guest"), has("placed", "host"), has("placed", "guest"));
    let game = &mut cut.download["game"];
    for field in ["status", "awaiting", "head"] {
        game[field] = last[field].clone();
    }
    game["version"] = json!(left);
    game["result"] = Value::Null;
    for (seat, placed) in [("host", host), ("guest", guest)] {
        let board = &mut game["boards"][seat];
        *board = json!({"ships": [], "mines": [], "shots": [], "revealed": [], "known_empty": [], "salt": null});
        if !placed {
            game["players"][seat]["placed"] = json!(false);
            game["players"][seat]["commitment"] = Value::Null;
        }
    }
    if !joined {
        game["first"] = Value::Null;
        game["players"]["guest"] = Value::Null;
    }
    cut
}

/// Some event that is as it is wanted.
fn some<'a>(
    account: &'a mut Account,
    rng: &mut ChaCha8Rng,
    is_wanted: impl Fn(&Value) -> bool,
) -> Option<&'a mut Value> {
    let mut wanted: Vec<_> = account.events_mut().iter_mut().filter(|event| is_wanted(event)).collect();
    if wanted.is_empty() { None } else { Some(wanted.swap_remove(rng.random_range(0..wanted.len()))) }
}

fn is(kind: &'static str) -> impl Fn(&Value) -> bool {
    move |event| event["type"] == kind
}

fn flip(seat: &mut Value) {
    *seat = if *seat == "host" { json!("guest") } else { json!("host") };
}

/// Some shot of some volley.
fn some_shot<'a>(account: &'a mut Account, rng: &mut ChaCha8Rng) -> Option<&'a mut Value> {
    let shots = some(account, rng, is("fired"))?["shots"].as_array_mut()?;
    let place = rng.random_range(0..shots.len());
    shots.get_mut(place)
}

fn other_outcome(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let seat = *["host", "guest"].choose(rng)?;
    let ship = account.game()["boards"][seat]["ships"].as_array()?.choose(rng)?.clone();
    let shot = some_shot(account, rng)?;
    let others: Vec<_> =
        ["miss", "hit", "sunk", "mine"].into_iter().filter(|outcome| shot["outcome"] != *outcome).collect();
    let outcome = *others.choose(rng)?;
    shot.as_object_mut()?.remove("ship");
    shot["outcome"] = json!(outcome);
    if outcome == "sunk" {
        shot["ship"] = json!({"start": ship["start"], "length": ship["length"], "direction": ship["direction"]});
    }
    Some(())
}

fn other_ship_sunk(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let sank = |shot: &&mut Value| shot["outcome"] == "sunk";
    let event = some(account, rng, |event| event.to_string().contains("\"sunk\""))?;
    let ship = &mut event["shots"].as_array_mut()?.iter_mut().find(sank)?["ship"];
    match rng.random_range(0..3) {
        0 => ship["start"] = json!(any_cell(8, rng)),
        1 => ship["length"] = json!(rng.random_range(1..=5)),
        // A ship of one cell is always shown across.
        _ => ship["direction"] = if ship["direction"] == "down" { json!("across") } else { json!("down") },
    }
    Some(())
}

fn any_cell(side: u8, rng: &mut ChaCha8Rng) -> String {
    format!("{}{}", char::from(b'A' + rng.random_range(0..side)), rng.random_range(1..=side))
}

fn other_cell_fired_at(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let side = u8::try_from(account.game()["options"]["grid"].as_u64()?).ok()?;
    some_shot(account, rng)?["cell"] = json!(any_cell(side, rng));
    Some(())
}

fn other_count(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let side = u8::try_from(account.game()["options"]["grid"].as_u64()?).ok()?;
    let shots = some(account, rng, is("fired"))?["shots"].as_array_mut()?;
    if rng.random_bool(0.5) {
        shots.pop()?;
    } else {
        shots.push(json!({"cell": any_cell(side, rng), "outcome": "miss"}));
    }
    Some(())
}

fn other_debt(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let event = some(account, rng, is("fired"))?.as_object_mut()?;
    if event.contains_key("owed") && rng.random_bool(0.5) {
        event.remove("owed");
    } else {
        event.insert("owed".to_owned(), json!(rng.random_range(0..=3)));
    }
    Some(())
}

fn other_cell_given(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let side = u8::try_from(account.game()["options"]["grid"].as_u64()?).ok()?;
    let given = some(account, rng, is("revealed"))?["cells"].as_array_mut()?;
    let place = rng.random_range(0..given.len());
    given[place] = json!(any_cell(side, rng));
    Some(())
}

/// Whose resignation it was is shown by the result alone, which stays as it is.
fn other_seat(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    flip(&mut some(account, rng, |_| true)?["seat"]);
    Some(())
}

fn other_commitment(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let event = some(account, rng, is("placed"))?;
    let commitment = json!(hex::encode(rng.random::<[u8; 32]>()));
    event["commitment"] = commitment.clone();
    let seat = event["seat"].as_str()?.to_owned();
    account.download["game"]["players"][seat.as_str()]["commitment"] = commitment;
    Some(())
}

fn other_salt(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let seat = *["host", "guest"].choose(rng)?;
    account.download["game"]["boards"][seat]["salt"] = json!(hex::encode(rng.random::<[u8; 32]>()));
    Some(())
}

/// Every event that starts a clock shows until when; the others only have to come in time.
fn other_time_on_a_clock(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    account.game()["options"]["turn_seconds"].as_u64()?;
    let last = account.events().len();
    let first_placed = account.events().iter().position(|event| event["type"] == "placed")? + 1;
    let event = some(account, rng, |event| event["seq"] != json!(last) && event["seq"] != json!(first_placed))?;
    shift(&mut event["at"], rng.random_range(-90_000_000..90_000_000))
}

/// Moves a time by so many microseconds.
fn shift(time: &mut Value, microseconds: i64) -> Option<()> {
    let moved = time.as_str()?.parse::<DateTime<Utc>>().ok()? + TimeDelta::microseconds(microseconds);
    *time = json!(moved.to_rfc3339_opts(SecondsFormat::Micros, true));
    Some(())
}

fn other_result(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let last = account.events_mut().last_mut()?;
    let result = last["result"].clone();
    let others = ["fleet_sunk", "resigned", "timed_out", "aborted", "expired"];
    let other = match rng.random_range(0..3) {
        0 => json!({"winner": if result["winner"] == "host" { "guest" } else { "host" }, "reason": result["reason"]}),
        1 => json!({"winner": result["winner"], "reason": others.choose(rng)?}),
        _ => json!({"winner": null, "reason": "aborted"}),
    };
    last["result"] = other.clone();
    account.download["game"]["result"] = other;
    if rng.random_bool(0.3) {
        // As if nobody had won, so that nothing had to be opened.
        let ended = *["aborted", "battle"].choose(rng)?;
        account.events_mut().last_mut()?["status"] = json!(ended);
        account.download["game"]["status"] = json!(ended);
        account.events_mut().last_mut()?["result"] = result.clone();
        account.download["game"]["result"] = result;
    }
    Some(())
}

fn other_name(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let seat = *["created", "joined"].choose(rng)?;
    some(account, rng, is(seat))?["name"] = json!("Somebody else");
    Some(())
}

fn other_first(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    flip(&mut some(account, rng, is("joined"))?["first"]);
    flip(&mut account.download["game"]["first"]);
    Some(())
}

fn other_options(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let option = *["grid", "fleet", "mines", "salvo", "shoot_again", "first", "turn_seconds"].choose(rng)?;
    let value = match option {
        "grid" => json!([8, 10, 12, 15].choose(rng)?),
        "fleet" => json!(["classic", "russian"].choose(rng)?),
        "first" => json!(["host", "guest", "random"].choose(rng)?),
        "turn_seconds" => json!([None, Some(10), Some(3_599)].choose(rng)?),
        _ => json!(rng.random_bool(0.5)),
    };
    account.download["game"]["options"][option] = value.clone();
    account.events_mut()[0]["options"][option] = value;
    Some(())
}

/// The number of each event is made to fit.
fn other_events(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let events = account.events_mut();
    let place = rng.random_range(1..events.len());
    match rng.random_range(0..3) {
        0 => drop(events.remove(place)),
        1 => events.insert(place, events[place].clone()),
        _ => {
            // What one and the same player did twice in a row could have been done the other way round.
            let one = events.get(place + 1)?;
            if one["type"] == events[place]["type"] && one["seat"] == events[place]["seat"] {
                return None;
            }
            events.swap(place, place + 1);
        }
    }
    for (event, seq) in events.iter_mut().zip(1..) {
        event["seq"] = json!(seq);
    }
    Some(())
}

fn later_without_a_clock(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    if !account.game()["options"]["turn_seconds"].is_null() {
        return None;
    }
    shift(&mut some(account, rng, is("fired"))?["at"], rng.random_range(1..1_000_000))
}

fn renamed(account: &mut Account, _: &mut ChaCha8Rng) -> Option<()> {
    account.events_mut().first_mut()?["name"] = json!("Somebody else");
    account.download["game"]["players"]["host"]["name"] = json!("Somebody else");
    Some(())
}

fn rematch_of_another(account: &mut Account, _: &mut ChaCha8Rng) -> Option<()> {
    let other = json!("01890a5d-ac96-774b-bcce-b302099a8057");
    account.events_mut().first_mut()?["rematch_of"] = other.clone();
    // Games of the first releases do not tell of it.
    if let Some(told) = account.download["game"].get_mut("rematch_of") {
        *told = other;
    }
    Some(())
}

/// Two shots of one player that found nothing could have been fired the other way round.
fn misses_swapped(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let is_miss = |event: &Value| {
        let shots = event["shots"].as_array();
        event["seat"] == "host" && shots.is_some_and(|shots| shots.len() == 1 && shots[0]["outcome"] == "miss")
    };
    let misses: Vec<usize> = (0..account.events().len()).filter(|&at| is_miss(&account.events()[at])).collect();
    let (one, other) = (*misses.choose(rng)?, *misses.choose(rng)?);
    let events = account.events_mut();
    let cells = (events[one]["shots"].clone(), events[other]["shots"].clone());
    (events[one]["shots"], events[other]["shots"]) = (cells.1, cells.0);
    Some(())
}

fn volley_reordered(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let all_missed = |event: &Value| {
        let shots = event["shots"].as_array();
        shots.is_some_and(|shots| shots.len() > 1 && shots.iter().all(|shot| shot["outcome"] == "miss"))
    };
    some(account, rng, all_missed)?["shots"].as_array_mut()?.reverse();
    Some(())
}

fn other_side_resigned(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    let resigned = some(account, rng, is("resigned"))?;
    flip(&mut resigned["seat"]);
    flip(&mut resigned["result"]["winner"]);
    flip(&mut account.download["game"]["result"]["winner"]);
    Some(())
}

/// Moves a ship that was never hit to where nobody fired, with a new commitment to it all.
fn ship_moved(account: &mut Account, rng: &mut ChaCha8Rng) -> Option<()> {
    use engine::{Coordinate, Direction, Placement, Seat, Ship};
    use record::RecordedOptions;

    let cell = |value: &Value| Coordinate::parse(value.as_str()?).ok();
    let options: RecordedOptions = serde_json::from_value(account.game()["options"].clone()).ok()?;
    let options = (&options).into();
    let board = &account.game()["boards"]["host"];
    let fired: Vec<_> = board["shots"].as_array()?.iter().filter_map(|shot| cell(&shot["cell"])).collect();
    let mut ships: Vec<Ship> = Vec::new();
    for ship in board["ships"].as_array()? {
        let direction = if ship["direction"] == "down" { Direction::Down } else { Direction::Across };
        ships.push(Ship::new(cell(&ship["start"])?, u8::try_from(ship["length"].as_u64()?).ok()?, direction)?);
    }
    let untouched = |ship: &Ship| !fired.iter().any(|cell| ship.cells().contains(*cell));
    // Nobody may have given a cell of it away either.
    let revealed: Vec<_> = board["revealed"].as_array()?.iter().filter_map(cell).collect();
    let place =
        ships.iter().position(|ship| untouched(ship) && !revealed.iter().any(|given| ship.cells().contains(*given)))?;
    let mines: Vec<_> = board["mines"].as_array()?.iter().filter_map(cell).collect();
    let side = u8::try_from(account.game()["options"]["grid"].as_u64()?).ok()?;
    let old = ships[place];
    let layout = (0..2_000).find_map(|_| {
        let start = Coordinate::new(rng.random_range(0..side), rng.random_range(0..side))?;
        let direction = if rng.random() { Direction::Down } else { Direction::Across };
        ships[place] = Ship::new(start, old.length(), direction)?;
        let placement = Placement { ships: ships.clone(), mines: mines.clone() };
        let layout = placement.check(&options).ok()?;
        (ships[place] != old && untouched(&ships[place])).then_some(layout)
    })?;

    let salt = proof::Salt::new(rng.random());
    let game = account.game()["id"].as_str()?.parse().ok()?;
    let commitment = json!(hex::encode(proof::commitment(game, &options, Seat::Host, &layout, &salt)));
    some(account, rng, |event| event["type"] == "placed" && event["seat"] == "host")?["commitment"] =
        commitment.clone();
    account.download["game"]["players"]["host"]["commitment"] = commitment;
    ships.sort_by_key(|ship| (ship.start().row(), ship.start().column()));
    let sunk = |ship: &Ship| ship.cells().iter().all(|cell| fired.contains(&cell));
    let shown = ships.iter().map(|ship| {
        let direction = ship.direction().word();
        json!({"start": ship.start().to_string(), "length": ship.length(), "direction": direction, "sunk": sunk(ship)})
    });
    let board = &mut account.download["game"]["boards"]["host"];
    board["ships"] = shown.collect();
    board["salt"] = json!(salt.hex());
    Some(())
}

fn tail_cut(account: &mut Account, _: &mut ChaCha8Rng) -> Option<()> {
    *account = as_it_was(account, account.events().len().checked_sub(1)?);
    Some(())
}
