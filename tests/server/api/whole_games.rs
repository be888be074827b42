//! Whole games in every configuration, each step held against the model of the rules.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::api::asking::side_by_side;
use crate::api::proof;
use ground::server::{Reply, Server, authorized, send};
use ground::table::Table;
use testing::model::{Action, Done, Fault, Model, Options, Refused, Seat, random_action, random_nonsense};

use Seat::{Guest, Host};

#[tokio::test]
async fn every_classic_game_on_8_by_8_goes_as_the_rules_say() {
    whole_games(8, false).await;
}

#[tokio::test]
async fn every_russian_game_on_8_by_8_goes_as_the_rules_say() {
    whole_games(8, true).await;
}

#[tokio::test]
async fn every_classic_game_on_10_by_10_goes_as_the_rules_say() {
    whole_games(10, false).await;
}

#[tokio::test]
async fn every_russian_game_on_10_by_10_goes_as_the_rules_say() {
    whole_games(10, true).await;
}

#[tokio::test]
async fn every_classic_game_on_12_by_12_goes_as_the_rules_say() {
    whole_games(12, false).await;
}

#[tokio::test]
async fn every_russian_game_on_12_by_12_goes_as_the_rules_say() {
    whole_games(12, true).await;
}

#[tokio::test]
async fn every_classic_game_on_15_by_15_goes_as_the_rules_say() {
    whole_games(15, false).await;
}

#[tokio::test]
async fn every_russian_game_on_15_by_15_goes_as_the_rules_say() {
    whole_games(15, true).await;
}

/// Plays a game with and without mines, salvo and shooting again, all of them at once.
async fn whole_games(grid: u8, russian: bool) {
    let server = Server::shared().await;
    let mut games = Vec::new();
    for (index, options) in Options::all().into_iter().enumerate() {
        if options.grid == grid && options.russian == russian {
            games.push(whole_game(&server, index, options));
        }
    }
    assert_eq!(games.len(), 8);
    side_by_side(games).await;
}

async fn whole_game(server: &Server, index: usize, options: Options) {
    let mut game = Game::create(server, index, options).await;
    game.try_nonsense(2).await;
    game.look_as_everybody().await;
    // In one of two games the host hides first and then shares the link.
    if index.is_multiple_of(2) && game.model.awaited()[0].1 == "place" {
        let action = random_action(&game.model, Host, &mut game.rng);
        game.step(Host, &action).await;
        game.try_nonsense(2).await;
        game.look_as_everybody().await;
    }
    game.join().await;
    game.try_nonsense(2).await;
    game.look_as_everybody().await;
    let mut steps = 0;
    while !game.model.awaited().is_empty() {
        let awaited = game.model.awaited();
        let (seat, ..) = awaited[game.rng.random_range(0..awaited.len())];
        let action = random_action(&game.model, seat, &mut game.rng);
        game.step(seat, &action).await;
        if game.rng.random_ratio(1, 20) {
            game.try_nonsense(1).await;
        }
        if steps % 12 == 0 {
            game.look_as_everybody().await;
        }
        steps += 1;
    }
    game.try_nonsense(3).await;
    game.look_as_everybody().await;
    game.check_log().await;
    game.check_commitments().await;
}

/// A game on the server, and what the test knows of it.
struct Game<'a> {
    server: &'a Server,
    /// For messages.
    about: String,
    table: Table,
    model: Model,
    rng: ChaCha8Rng,
    /// All seven, as they are to be shown.
    options: Value,
    created_at: Value,
    /// When it expires.
    until: Value,
    version: u64,
    /// The `seq` of the joining.
    joined: usize,
    head: String,
    host: Player,
    guest: Player,
    /// The bytes of every event that came with a Progress.
    received: Vec<String>,
}

/// What the test knows of a player beside the rules.
#[derive(Default)]
struct Player {
    name: Value,
    commitment: Value,
    salt: Value,
}

impl<'a> Game<'a> {
    async fn create(server: &'a Server, index: usize, options: Options) -> Self {
        let seed = u64::try_from(index).unwrap();
        let first = ["random", "host", "guest"][index % 3];
        let mut all_options = options.to_json();
        all_options["first"] = json!(first);
        let name = if index.is_multiple_of(2) { json!("Анна \u{1f6a2}") } else { Value::Null };
        let body = json!({ "options": all_options, "name": name });
        all_options["turn_seconds"] = Value::Null;

        let reply = server.post("/v1/games", None, &body).await;

        let created = reply.expect(201);
        let game = &created["game"];
        let this = Self {
            server,
            about: format!("game {index}, {all_options}"),
            table: Table::of(created),
            model: Model::new(options),
            rng: ChaCha8Rng::seed_from_u64(seed),
            options: all_options,
            created_at: game["created_at"].clone(),
            until: game["awaiting"][1]["until"].clone(),
            version: 1,
            joined: 0,
            head: game["head"].as_str().unwrap().to_owned(),
            host: Player { name, ..Player::default() },
            guest: Player::default(),
            received: Vec::new(),
        };
        let expected = json!({ "seat": "host", "token": this.table.host, "game": this.view(Some(Host)) });
        assert_eq!(*created, expected, "{}", this.about);
        this
    }

    async fn join(&mut self) {
        let name = if self.rng.random_bool(0.5) { json!(" Boris ") } else { Value::Null };

        let reply = self.server.post(&self.table.path("/join"), None, &json!({ "name": name })).await;

        let joined = reply.expect(201);
        let first = match joined["game"]["first"].as_str().unwrap() {
            "host" => Host,
            "guest" => Guest,
            other => panic!("{other} shoots first"),
        };
        let chosen = &self.options["first"];
        assert!(*chosen == "random" || *chosen == first.name(), "{chosen} was to shoot first, not {first:?}");
        joined["token"].as_str().unwrap().clone_into(&mut self.table.guest);
        self.model.joined(first);
        self.guest.name = name;
        self.version += 1;
        self.joined = self.version.try_into().unwrap();
        joined["game"]["head"].as_str().unwrap().clone_into(&mut self.head);
        let expected = json!({ "seat": "guest", "token": self.table.guest, "game": self.view(Some(Guest)) });
        assert_eq!(*joined, expected, "{}", self.about);
    }

    /// Sends an action, and insists that the server does what the model does.
    async fn step(&mut self, seat: Seat, action: &Action) {
        let expected = self.model.act(seat, action);

        let reply = self.table.act(self.server, seat, action).await;

        match expected {
            Ok(done) => self.check_progress(seat, action, &done, &reply),
            Err(refused) => self.check_refusal(action, &refused, &reply),
        }
    }

    async fn try_nonsense(&mut self, times: usize) {
        for _ in 0..times {
            let (seat, action) = random_nonsense(&self.model, &mut self.rng);
            self.step(seat, &action).await;
        }
    }

    fn check_progress(&mut self, seat: Seat, action: &Action, done: &Done, reply: &Reply) {
        let about = format!("{}: {seat:?} {action:?}", self.about);
        assert_eq!(reply.status, 200, "{about}: {}", reply.text);
        self.version += 1;
        let event = &reply.json["events"][0];
        let awaiting = self.awaiting();
        let mut expected_event = json!({
            "seq": self.version, "at": event["at"], "seat": seat.name(), "status": self.model.status(),
            "awaiting": awaiting, "head": event["head"],
        });
        let mut expected = json!({ "version": self.version, "status": self.model.status(), "awaiting": awaiting });
        match action {
            Action::Place(_) => {
                expected_event["type"] = json!("placed");
                expected_event["commitment"] = event["commitment"].clone();
                expected["salt"] = reply.json["salt"].clone();
                assert!(is_hex(&event["commitment"]) && is_hex(&reply.json["salt"]), "{about}");
                let player = self.player_mut(seat);
                player.commitment = event["commitment"].clone();
                player.salt = reply.json["salt"].clone();
            }
            Action::Fire(_) => {
                expected_event["type"] = json!("fired");
                expected_event["shots"] = done.shots.clone().unwrap();
                if let Some(owed) = done.owed {
                    expected_event["owed"] = json!(owed);
                }
            }
            Action::Reveal(_) => {
                expected_event["type"] = json!("revealed");
                expected_event["cells"] = json!(done.cells.clone().unwrap());
            }
            Action::Resign => expected_event["type"] = json!("resigned"),
            Action::Join => panic!("a seat cannot join"),
        }
        if !self.model.result().is_null() {
            expected_event["result"] = self.model.result();
        }
        expected["events"] = json!([expected_event]);
        assert_eq!(reply.json, expected, "{about}");
        assert_eq!(reply.header("etag"), Some(format!("\"{}-{}\"", self.version, seat.name()).as_str()), "{about}");
        event["head"].as_str().unwrap().clone_into(&mut self.head);
        self.received.append(&mut events_of(reply));
    }

    fn check_refusal(&self, action: &Action, refused: &Refused, reply: &Reply) {
        let about = format!("{}: {action:?}", self.about);
        assert_eq!((reply.status, reply.code()), (refused.status, refused.code), "{about}");
        let mut members = reply.refuses(refused.status, refused.code).as_object().unwrap().clone();
        for common in ["type", "title", "status", "detail", "code"] {
            members.remove(common);
        }

        assert_eq!(members.remove("expected"), refused.expected.map(Value::from), "{about}");
        let cells = members.remove("cells").map(|cells| sorted(cells.as_array().unwrap()));
        assert_eq!(cells, refused.cells.as_ref().map(|cells| sorted(cells)), "{about}");
        let faults = members.remove("faults").map(|faults| faults_of(&faults)).unwrap_or_default();
        assert_eq!(faults, refused.faults, "{about}");
        assert!(members.is_empty(), "{about}: {members:?}");
    }

    async fn look_as_everybody(&self) {
        for eyes in [Some(Host), Some(Guest), None] {
            if eyes == Some(Guest) && self.table.guest.is_empty() {
                continue;
            }
            let reply = self.table.look(self.server, eyes).await;

            assert_eq!(*reply.expect(200), self.view(eyes), "{}: {eyes:?}", self.about);
            let tag = format!("\"{}-{}\"", self.version, eyes.map_or("spectator", Seat::name));
            assert_eq!(reply.header("etag"), Some(tag.as_str()), "{}", self.about);
        }
    }

    /// The whole Game as it is to be shown to these eyes.
    fn view(&self, eyes: Option<Seat>) -> Value {
        let mut game = self.model.view(eyes);
        game["id"] = json!(self.table.id);
        game["version"] = json!(self.version);
        game["head"] = json!(self.head);
        game["options"] = self.options.clone();
        game["created_at"] = self.created_at.clone();
        game["you"] = json!(eyes.map(Seat::name));
        game["rematch_of"] = Value::Null;
        game["next"] = Value::Null;
        game["awaiting"] = self.awaiting();
        for seat in [Host, Guest] {
            let known = self.player(seat);
            let player = &mut game["players"][seat.name()];
            if !player.is_null() {
                player["name"] = known.name.clone();
                player["bot"] = Value::Null;
                player["bot_seed"] = Value::Null;
                player["commitment"] = known.commitment.clone();
            }
            // R26: one's own, and everybody's once somebody has won.
            let opened = eyes == Some(seat) || self.model.status() == "finished";
            game["boards"][seat.name()]["salt"] = if opened { known.salt.clone() } else { Value::Null };
        }
        game
    }

    /// Who owes what: without a clock a joining alone has its time.
    fn awaiting(&self) -> Value {
        let mut awaiting = self.model.awaiting();
        for entry in awaiting.as_array_mut().unwrap().iter_mut().filter(|entry| entry["action"] == "join") {
            entry["until"] = self.until.clone();
        }
        awaiting
    }

    /// Reads the log in pages, each through other eyes: whole, as it came, and one chain.
    async fn check_log(&self) {
        let mut events: Vec<String> = Vec::new();
        for token in [Some(self.table.token(Host)), Some(self.table.token(Guest)), None].into_iter().cycle() {
            let path = self.table.path(&format!("/events?limit=7&after={}", events.len()));
            let page = send(authorized(self.server.request(reqwest::Method::GET, &path), token)).await;
            assert_eq!(page.expect(200)["version"], self.version, "{}", self.about);
            let mut more = events_of(&page);
            assert!(more.len() <= 7, "{}", self.about);
            if more.is_empty() {
                break;
            }
            events.append(&mut more);
        }

        let came = [&events[1..self.joined - 1], &events[self.joined..]].concat();
        assert_eq!(came, self.received, "{}: as they came with each Progress", self.about);
        let events: Vec<Value> = events.iter().map(|event| serde_json::from_str(event).unwrap()).collect();
        self.check_created_and_joined(&events[0], &events[self.joined - 1]);
        let mut head = proof::NO_HEAD;
        for (place, event) in events.iter().enumerate() {
            head = proof::head(head, event);
            assert_eq!(event["head"], hex::encode(head), "{}: {event}", self.about);
            assert_eq!(event["seq"], json!(place + 1), "{}: {event}", self.about);
            assert!(is_time(&event["at"]), "{event}");
            let is_last = place + 1 == events.len();
            assert_eq!(event.get("result").is_some(), is_last, "{}: {event}", self.about);
        }
        assert_eq!(json!(events.len()), json!(self.version), "{}", self.about);
        assert_eq!(self.head, hex::encode(head), "{}", self.about);
    }

    /// `created` and `joined` come with no Progress.
    fn check_created_and_joined(&self, created: &Value, joined: &Value) {
        let place = |seat: &str| json!({ "seat": seat, "action": "place", "count": 1, "until": null });
        let mut expected_created = json!({
            "seq": 1, "at": self.created_at, "type": "created", "seat": "host", "game": self.table.id, "rules": 1,
            "options": self.options, "status": "waiting", "head": created["head"],
            "awaiting": [place("host"), { "seat": "guest", "action": "join", "count": 1, "until": self.until }],
        });
        let placing = if self.joined == 2 { json!([place("host"), place("guest")]) } else { json!([place("guest")]) };
        let mut expected_joined = json!({
            "seq": self.joined, "at": joined["at"], "type": "joined", "seat": "guest",
            "first": self.model.view(None)["first"], "status": "placing", "awaiting": placing, "head": joined["head"],
        });
        for (event, player) in [(&mut expected_created, &self.host), (&mut expected_joined, &self.guest)] {
            if !player.name.is_null() {
                event["name"] = player.name.clone();
            }
        }
        assert_eq!(*created, expected_created, "{}", self.about);
        assert_eq!(*joined, expected_joined, "{}", self.about);
    }

    async fn check_commitments(&self) {
        let reply = self.table.look(self.server, None).await;

        let game = reply.expect(200);
        assert_eq!(game["result"]["reason"], "fleet_sunk", "{}", self.about);
        for seat in [Host, Guest] {
            assert_eq!(proof::commitment(game, seat.name()), self.player(seat).commitment, "{}", self.about);
        }
    }

    fn player(&self, seat: Seat) -> &Player {
        match seat {
            Host => &self.host,
            Guest => &self.guest,
        }
    }

    fn player_mut(&mut self, seat: Seat) -> &mut Player {
        match seat {
            Host => &mut self.host,
            Guest => &mut self.guest,
        }
    }
}

/// The events of a reply, each as its bytes came.
fn events_of(reply: &Reply) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct WithEvents {
        events: Vec<Box<RawValue>>,
    }
    let read: WithEvents = serde_json::from_str(&reply.text).unwrap();
    read.events.iter().map(|event| event.get().to_owned()).collect()
}

/// Faults without their words, sorted; each has all of its members.
fn faults_of(faults: &Value) -> Vec<Fault> {
    let index = |value: &Value| value.as_u64().map(|index| usize::try_from(index).unwrap());
    let mut read = Vec::new();
    for fault in faults.as_array().unwrap() {
        assert_eq!(fault.as_object().unwrap().len(), 7, "{fault}");
        assert!(fault["message"].as_str().is_some_and(|message| !message.is_empty()), "{fault}");
        assert!(fault["cells"].is_array(), "{fault}");
        for member in ["ship", "mine", "other_ship", "other_mine"] {
            assert!(fault.get(member).is_some_and(|value| value.is_null() || value.is_u64()), "{fault}");
        }
        let [ship, mine, other_ship, other_mine] =
            ["ship", "mine", "other_ship", "other_mine"].map(|member| index(&fault[member]));
        read.push(Fault { code: fault["code"].as_str().unwrap().to_owned(), ship, mine, other_ship, other_mine });
    }
    read.sort();
    read
}

fn sorted<T: ToString>(cells: &[T]) -> Vec<String> {
    // A text in JSON stands in quotes.
    let mut cells: Vec<String> = cells.iter().map(|cell| cell.to_string().replace('"', "")).collect();
    cells.sort();
    cells
}

fn is_hex(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// `2026-11-29T21:19:17.123456Z`, to the letter.
pub(crate) fn is_time(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let form = "0000-00-00T00:00:00.000000Z";
    text.len() == form.len()
        && text
            .bytes()
            .zip(form.bytes())
            .all(|(byte, form)| if form == b'0' { byte.is_ascii_digit() } else { byte == form })
}
