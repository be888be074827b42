//! Real games, none of which is found false, however its JSON is written.

use std::fmt::Write as _;
use std::sync::OnceLock;

use naval_battle::schema::GameBody;
use naval_battle::schema::VerifyBody;
use naval_battle::text::Language;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};

use crate::verify::forgery::rechain;
use crate::verify::golden;
use ground::random_game::{Download, RandomGame};
use ground::server::Server;
use testing::model::{Action, Options, Seat, random_layout};

/// A game and its log, parsed, to be tampered with.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Account {
    /// `{"game": …, "events": […]}`
    pub(crate) download: Value,
}

impl Account {
    /// What was downloaded.
    pub(crate) fn of(download: &Download) -> Self {
        Self { download: json!({ "game": download.game(), "events": download.events() }) }
    }

    pub(crate) fn game(&self) -> &Value {
        &self.download["game"]
    }

    pub(crate) fn events(&self) -> &Vec<Value> {
        self.download["events"].as_array().unwrap()
    }

    pub(crate) fn events_mut(&mut self) -> &mut Vec<Value> {
        self.download["events"].as_array_mut().unwrap()
    }

    /// What the check finds; none where the game is not even of the shape of one.
    pub(crate) fn findings(&self, kept: Option<&str>) -> Option<VerifyBody> {
        let events = self.download["events"].as_array()?;
        let game: GameBody = serde_json::from_value(self.game().clone()).ok()?;
        Some(VerifyBody::new(&record::verify::check(&game, events, kept), Language::English))
    }

    /// Whether nothing is found.
    pub(crate) fn passes(&self, kept: Option<&str>) -> bool {
        self.findings(kept).is_some_and(|findings| findings.ok)
    }

    /// So many, or fewer where a check takes long because of many events or cells.
    pub(crate) fn fewer(&self, times: usize) -> usize {
        let side = self.game()["options"]["grid"].as_u64().unwrap();
        let is_long = self.events().len() > 60 || side > 12;
        if is_long { times / 4 } else { times }
    }

    /// As it is downloaded.
    pub(crate) fn download(&self) -> Download {
        let events = json!({ "events": self.events(), "version": self.game()["version"] });
        Download { game: self.game().to_string(), events: events.to_string() }
    }
}

/// Games of many kinds that somebody has won, played on a real server; the clock of one has run out.
pub(crate) fn finished() -> &'static [Account] {
    static FINISHED: OnceLock<Vec<Account>> = OnceLock::new();
    FINISHED.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut games = runtime.block_on(play());
        games.push(Account::of(&golden::download("timed_out")));
        games
    })
}

async fn play() -> Vec<Account> {
    let server = Server::on_new_database().await;
    let names = [None, Some("\u{1f6a2}\u{200d}\"\\/\u{2028}é"), Some("Анна")];
    let options = |grid, russian, mines, salvo, shoot_again| Options { grid, russian, mines, salvo, shoot_again };
    // Who shoots first is never left to chance, so that the same games are played in every run.
    let first = |seat: &str| json!({ "first": seat });
    let clock = json!({"turn_seconds": 3_600, "first": "guest"});
    let mut games = Vec::new();
    // The last says after how many actions somebody resigns, if anybody does.
    for (seed, (options, more, resigned)) in [
        (options(10, false, true, false, false), first("host"), None),
        (options(15, false, true, true, true), first("guest"), None),
        (options(8, true, true, false, true), first("host"), None),
        (options(8, false, true, true, false), clock.clone(), None),
        (options(8, false, false, false, false), first("host"), Some(30)),
        (options(8, true, true, true, true), clock, Some(12)),
        (options(8, false, true, false, false), first("guest"), Some(2)),
    ]
    .into_iter()
    .enumerate()
    {
        let (host, guest) = (names[seed % 3], names[(seed + 1) % 3]);
        let mut game = RandomGame::create(&server, options, &more, host, u64::try_from(seed).unwrap()).await;
        game.join(&server, guest).await;
        game.play_on(&server, resigned.unwrap_or(1_000)).await;
        if resigned.is_some() {
            game.act(&server, [Seat::Host, Seat::Guest][seed % 2], &Action::Resign).await.expect(200);
        }
        let account = Account::of(&Download::download(&server, &game.table).await);
        assert_eq!(account.game()["status"], "finished");
        games.push(account);
    }
    games
}

#[test]
fn no_finished_game_is_found_false() {
    for account in finished() {
        let last = account.game()["head"].as_str().unwrap();

        let findings = account.findings(Some(last)).unwrap();

        assert!(findings.ok && findings.complete, "{:?}", findings.faults);
        assert!(findings.faults.is_empty());
        for event in account.events() {
            assert!(account.passes(event["head"].as_str()), "a head that was kept at {}", event["seq"]);
        }
    }
}

#[tokio::test]
async fn no_running_and_no_aborted_game_is_found_false_through_anybodys_eyes() {
    let server = Server::on_new_database().await;
    for (seed, more) in [json!({}), json!({"turn_seconds": 1_000})].into_iter().enumerate() {
        let options = Options { grid: 8, russian: seed == 0, mines: true, salvo: seed == 1, shoot_again: false };
        let mut game = RandomGame::create(&server, options, &more, Some("\u{1f9ed}"), 30).await;
        is_true_for_everybody(&server, &game).await;
        game.join(&server, None).await;
        is_true_for_everybody(&server, &game).await;
        while game.step(&server).await {
            is_true_for_everybody(&server, &game).await;
        }
    }
    for placed in [None, Some(Seat::Host), Some(Seat::Guest)] {
        let options = Options { grid: 12, russian: true, mines: true, salvo: false, shoot_again: false };
        let mut game = RandomGame::create(&server, options.clone(), &json!({}), None, 31).await;
        game.join(&server, Some("x")).await;
        if let Some(seat) = placed {
            let layout = random_layout(&options, &mut ChaCha8Rng::seed_from_u64(32));
            game.act(&server, seat, &Action::Place(layout)).await.expect(200);
        }
        game.act(&server, Seat::Host, &Action::Resign).await.expect(200);
        is_true_for_everybody(&server, &game).await;
    }
}

async fn is_true_for_everybody(server: &Server, game: &RandomGame) {
    let events = game.table.log(server).await;
    for eyes in [Some(Seat::Host), Some(Seat::Guest), None] {
        if eyes == Some(Seat::Guest) && game.table.guest.is_empty() {
            continue;
        }
        let seen = game.table.look(server, eyes).await.json;
        let account = Account { download: json!({ "game": seen, "events": events }) };
        let findings = account.findings(account.game()["head"].as_str()).unwrap();
        assert!(findings.ok, "{eyes:?}: {:?}", findings.faults);
        assert_eq!(findings.complete, account.game()["status"] == "finished");
    }
}

#[test]
fn events_at_one_and_the_same_time_are_no_fault() {
    for account in finished() {
        let mut account = account.clone();
        let at: chrono::DateTime<chrono::Utc> = account.game()["created_at"].as_str().unwrap().parse().unwrap();
        if account.events().last().unwrap()["type"] == "timed_out" {
            continue;
        }
        let written =
            |at: chrono::DateTime<chrono::Utc>| json!(at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true));
        let seconds = account.game()["options"]["turn_seconds"].as_i64();
        for event in account.events_mut() {
            event["at"] = written(at);
            let created = event["type"] == "created";
            for awaited in event["awaiting"].as_array_mut().unwrap() {
                if let (false, Some(seconds)) = (created, seconds) {
                    awaited["until"] = written(at + chrono::TimeDelta::seconds(seconds));
                }
            }
        }
        rechain(&mut account);

        assert!(account.passes(None), "{:?}", account.findings(None));
    }
}

#[test]
fn json_written_in_another_way_is_the_same_game() {
    let mut rng = ChaCha8Rng::seed_from_u64(40);
    for account in finished() {
        for _ in 0..4 {
            let rewritten = rewrite(&account.download, &mut rng);
            assert_ne!(rewritten, account.download.to_string());

            let read: Value = serde_json::from_str(&rewritten).unwrap();

            assert!(Account { download: read }.passes(account.game()["head"].as_str()));
        }
    }
}

/// Writes JSON with keys in any order, with white space, and with letters escaped for no reason.
pub(crate) fn rewrite(value: &Value, rng: &mut ChaCha8Rng) -> String {
    let space = ["", " ", "\n", "\t", "\r\n  "][rng.random_range(0..5)];
    match value {
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.shuffle(rng);
            let members: Vec<_> = members
                .into_iter()
                .map(|(key, value)| format!("{space}{}{space}:{}", escape(key, rng), rewrite(value, rng)))
                .collect();
            format!("{{{}{space}}}", members.join(","))
        }
        Value::Array(list) => {
            let list: Vec<_> = list.iter().map(|value| rewrite(value, rng)).collect();
            format!("[{space}{}{space}]", list.join(&format!("{space},")))
        }
        Value::String(text) => escape(text, rng),
        Value::Null | Value::Bool(_) | Value::Number(_) => format!("{space}{value}"),
    }
}

/// Writes a text with some of its letters, and all that are not ASCII, as `\u…`.
fn escape(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut written = String::from("\"");
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() && rng.random_ratio(9, 10) {
            written.push(letter);
        } else {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                write!(written, "\\u{unit:04x}").unwrap();
            }
        }
    }
    written + "\""
}

#[test]
fn what_this_release_does_not_know_and_does_not_hash_is_passed_over() {
    let mut account = finished()[0].clone();
    let game: &mut Map<String, Value> = account.download["game"].as_object_mut().unwrap();
    game.insert("clocks".to_owned(), json!([1, 2]));
    game.insert("next".to_owned(), json!("01890a5d-ac96-774b-bcce-b302099a8057"));
    game.insert("you".to_owned(), json!("guest"));

    assert!(account.passes(None));
}
