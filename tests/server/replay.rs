//! A game as it stood, at every moment and through all eyes (R26).

use std::time::Duration;

use futures_util::future::{join, join_all};
use futures_util::{StreamExt, stream};
use ground::cluster::Cluster;
use ground::random_game::RandomGame;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use reqwest::Method;
use serde_json::{Value, json};
use testing::campaign;
use testing::model::{Action, Options, Seat, random_layout};

use Seat::{Guest, Host};

/// Who asks, and through whose eyes they look: a seat, or a spectator.
const EYES: [Option<Seat>; 3] = [Some(Host), Some(Guest), None];

const CLASSIC: Options = Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false };

#[tokio::test]
async fn every_moment_of_a_default_game_is_shown_again_as_it_was() {
    whole_game(CLASSIC, json!({}), 1).await;
}

#[tokio::test]
async fn every_moment_of_a_salvo_with_three_mines_is_shown_again_as_it_was() {
    let options = Options { grid: 15, russian: false, mines: true, salvo: true, shoot_again: true };
    whole_game(options, json!({"first": "guest"}), 2).await;
}

#[tokio::test]
async fn every_moment_of_a_russian_game_on_8_by_8_is_shown_again_as_it_was() {
    let options = Options { grid: 8, russian: true, mines: true, salvo: false, shoot_again: true };
    whole_game(options, json!({"first": "host"}), 3).await;
}

#[tokio::test]
async fn every_moment_of_a_game_with_a_clock_is_shown_again_as_it_was() {
    let options = Options { grid: 12, russian: true, mines: true, salvo: true, shoot_again: false };
    whole_game(options, json!({"turn_seconds": 3_600}), 4).await;
}

#[tokio::test]
async fn every_moment_of_a_resigned_game_is_shown_again_as_it_was() {
    let server = Server::shared().await;
    let mut game = Recorded::create(&server, CLASSIC, json!({}), 5).await;
    game.join().await;
    game.play(20).await;

    game.act(Guest, &Action::Resign).await;

    assert_eq!(game.last()["status"], "finished");
    game.is_open_to_everybody().await;
}

#[tokio::test]
async fn every_moment_of_a_game_out_of_time_is_shown_again_as_it_was() {
    let server = Server::shared().await;
    let mut game = Recorded::create(&server, CLASSIC, json!({"turn_seconds": 10}), 6).await;
    game.join().await;
    game.play(5).await;

    game.wait_until_it_ends().await;

    assert_eq!(game.last()["result"]["reason"], "timed_out");
    game.is_open_to_everybody().await;
}

#[tokio::test]
async fn r26_an_aborted_game_stays_sealed_for_ever() {
    let server = Server::shared().await;
    let mut unjoined = Recorded::create(&server, CLASSIC, json!({}), 7).await;
    unjoined.act(Host, &Action::Resign).await;
    let mut placing = Recorded::create(&server, CLASSIC, json!({}), 8).await;
    placing.join().await;
    let placed = Action::Place(random_layout(&CLASSIC, &mut ChaCha8Rng::seed_from_u64(8)));
    placing.act(Host, &placed).await;
    placing.act(Host, &Action::Resign).await;

    for game in [&unjoined, &placing] {
        assert_eq!(game.last()["status"], "aborted");
        game.shows_what_is_always_open(1..=game.moments.len()).await;
    }
    let asked = placing.replay("?as=spectator", Some(Host)).await;
    assert_eq!(asked.expect(200)["boards"]["host"], asked.json["boards"]["guest"]);
}

#[tokio::test]
async fn r26_an_expired_game_stays_sealed_for_ever() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
    let mut game = Recorded::create(&server, CLASSIC, json!({}), 9).await;

    game.wait_until_it_ends().await;

    assert_eq!(game.last()["result"]["reason"], "expired");
    game.shows_what_is_always_open(1..=2).await;
}

/// Plays a game to its end and looks at it as everybody after every event; meanwhile old moments
/// are asked for, and all of them at the end.
async fn whole_game(options: Options, more: Value, seed: u64) {
    let server = Server::shared().await;
    let mut game = Recorded::create(&server, options, more, seed).await;
    game.shows_what_is_always_open(1..=1).await;
    game.join().await;
    game.shows_what_is_always_open(1..=2).await;

    while game.step().await {
        let now = game.moments.len();
        // All that came before, again and again while it is little, and then one moment of it.
        let some = if now < 8 { 1..=now } else { now * 2 / 3..=now * 2 / 3 };
        if game.last()["status"] != "finished" {
            game.shows_what_is_always_open(some).await;
            game.shows_no_more_than_now(now / 3 + 1).await;
        }
    }

    assert_eq!(game.last()["status"], "finished");
    game.is_open_to_everybody().await;
}

/// A game that is played, with what it showed to everybody after every event.
struct Recorded<'a> {
    server: &'a Server,
    playing: RandomGame,
    moments: Vec<Moment>,
}

/// What `GET` showed right after an event.
struct Moment {
    host: String,
    /// None before anybody had this seat.
    guest: Option<String>,
    spectator: String,
}

impl<'a> Recorded<'a> {
    async fn create(server: &'a Server, options: Options, more: Value, seed: u64) -> Self {
        let playing = RandomGame::create(server, options, &more, Some("Ada \u{1f6a2}"), seed).await;
        let mut this = Self { server, playing, moments: Vec::new() };
        this.record().await;
        this
    }

    async fn join(&mut self) {
        self.playing.join(self.server, Some("\"Bob\" \u{2028}")).await;
        self.record().await;
    }

    async fn step(&mut self) -> bool {
        let went_on = self.playing.step(self.server).await;
        if went_on {
            self.record().await;
        }
        went_on
    }

    async fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            assert!(self.step().await, "the game ended too early");
        }
    }

    async fn act(&mut self, seat: Seat, action: &Action) {
        self.playing.act(self.server, seat, action).await.expect(200);
        self.record().await;
    }

    async fn wait_until_it_ends(&mut self) {
        for _ in 0..200 {
            let status = self.look(None).await.json["status"].clone();
            if status == "finished" || status == "aborted" {
                return self.record().await;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("nobody ended the game");
    }

    /// Writes down what everybody sees now.
    async fn record(&mut self) {
        let (host, spectator) = join(self.look(Some(Host)), self.look(None)).await;
        assert_eq!(host.expect(200)["version"], json!(self.moments.len() + 1));
        let guest = if self.table().guest.is_empty() { None } else { Some(self.look(Some(Guest)).await.text) };
        self.moments.push(Moment { host: host.text, guest, spectator: spectator.text });
    }

    async fn look(&self, eyes: Option<Seat>) -> Reply {
        self.table().look(self.server, eyes).await
    }

    fn table(&self) -> &Table {
        &self.playing.table
    }

    /// What a spectator saw last.
    fn last(&self) -> Value {
        serde_json::from_str(&self.moments.last().unwrap().spectator).unwrap()
    }

    /// Asks for a moment, with a token or as a spectator.
    async fn replay(&self, query: &str, caller: Option<Seat>) -> Reply {
        let token = caller.map(|seat| self.table().token(seat));
        self.server.get(&self.table().path(&format!("/replay{query}")), token).await
    }

    /// What is to be shown: what those eyes saw then, but for the caller's seat.
    fn expected(&self, upto: usize, eyes: Option<Seat>, caller: Option<Seat>) -> String {
        let moment = &self.moments[upto - 1];
        let seen = match eyes {
            Some(Host) => &moment.host,
            Some(Guest) => moment.guest.as_ref().unwrap_or(&moment.spectator),
            None => &moment.spectator,
        };
        let you = |seat: Option<Seat>| format!("\"you\":{}", json!(seat.map(Seat::name)));
        let seen_by = if moment.guest.is_none() && eyes == Some(Guest) { None } else { eyes };
        assert_eq!(seen.matches(&you(seen_by)).count(), 1);
        seen.replacen(&you(seen_by), &you(caller), 1)
    }

    /// Who can ask by now.
    fn callers(&self) -> Vec<Option<Seat>> {
        EYES.into_iter().filter(|caller| *caller != Some(Guest) || !self.table().guest.is_empty()).collect()
    }

    /// While nobody has won: one's own eyes and a spectator's see what they saw then, byte for
    /// byte, and other eyes are closed.
    async fn shows_what_is_always_open(&self, moments: impl IntoIterator<Item = usize>) {
        for upto in moments {
            for caller in self.callers() {
                let own = caller.map_or("spectator", Seat::name);
                // One's own eyes are those that nobody needs to name.
                let query = if upto % 2 == 0 { format!("?upto={upto}") } else { format!("?as={own}&upto={upto}") };
                let reply = self.replay(&query, caller).await;
                assert_eq!(reply.text, self.expected(upto, caller, caller), "{query} by {own}");
                let public = self.replay(&format!("?upto={upto}&as=spectator"), caller).await;
                assert_eq!(public.text, self.expected(upto, None, caller), "{upto} as spectator by {own}");
                for closed in ["host", "guest", "all"].into_iter().filter(|eyes| *eyes != own) {
                    let refused = self.replay(&format!("?upto={upto}&as={closed}"), caller).await;
                    refused.refuses(409, "not_over");
                }
            }
        }
    }

    /// What is shown of an old moment during play is part of what is shown now.
    async fn shows_no_more_than_now(&self, upto: usize) {
        for caller in self.callers() {
            let (then, now) = join(self.replay(&format!("?upto={upto}"), caller), self.look(caller)).await;

            for seat in [Host, Guest] {
                let old = &then.expect(200)["boards"][seat.name()];
                let new = &now.json["boards"][seat.name()];
                assert!(old["salt"].is_null() || old["salt"] == new["salt"]);
                for list in ["ships", "mines", "shots", "revealed"] {
                    for old in old[list].as_array().unwrap() {
                        let place = |one: &Value| [one["start"].clone(), one["cell"].clone(), one["length"].clone()];
                        let is_there =
                            |new: &Value| if old.is_string() { new == old } else { place(new) == place(old) };
                        assert!(new[list].as_array().unwrap().iter().any(is_there), "{list}: {old}");
                    }
                }
            }
        }
    }

    /// Once somebody has won, everybody may look through all eyes at every moment.
    async fn is_open_to_everybody(&self) {
        // The first ten, among which each kind of event is, and the last.
        let moments = self.moments.len();
        let every = campaign(8, 1);
        let asked = (1..=moments).filter(|upto| *upto <= 10 || *upto == moments || upto % every == 0);
        let everything = asked.flat_map(|upto| EYES.map(|caller| (upto, caller)));
        let checks = everything.map(|(upto, caller)| self.is_open(upto, caller));
        let checked = stream::iter(checks).buffer_unordered(4).count().await;

        assert!(checked >= 3 * moments / every, "{checked}");
        // R26: by now everybody sees the same, and each board under its own seat.
        let finished: Value = serde_json::from_str(&self.expected(self.moments.len(), None, None)).unwrap();
        for seat in ["host", "guest"] {
            assert!(finished["boards"][seat]["salt"].is_string());
        }
    }

    async fn is_open(&self, upto: usize, caller: Option<Seat>) {
        let own = self.replay(&format!("?upto={upto}"), caller).await;
        assert_eq!(own.text, self.expected(upto, caller, caller), "{upto} by {caller:?}");
        for eyes in EYES {
            let word = eyes.map_or("spectator", Seat::name);
            let reply = self.replay(&format!("?as={word}&upto={upto}"), caller).await;
            assert_eq!(reply.text, self.expected(upto, eyes, caller), "{upto} as {word} by {caller:?}");
        }
        let all = self.replay(&format!("?upto={upto}&as=all"), caller).await;
        assert_eq!(*all.expect(200), self.all(upto, caller), "{upto} as all by {caller:?}");
    }

    /// With all eyes each board is what its owner saw, whole from its placing on, with its salt;
    /// the rest is what everybody saw.
    fn all(&self, upto: usize, caller: Option<Seat>) -> Value {
        let saw = |eyes| serde_json::from_str::<Value>(&self.expected(upto, eyes, caller)).unwrap();
        let mut all = saw(None);
        for seat in [Host, Guest] {
            all["boards"][seat.name()] = saw(Some(seat))["boards"][seat.name()].clone();
            let (board, placed) = (&all["boards"][seat.name()], &all["players"][seat.name()]["placed"]);
            assert_eq!(board["salt"].is_string(), *placed == true);
            assert_eq!(board["ships"] != json!([]), *placed == true);
        }
        all
    }
}

#[tokio::test]
async fn through_the_other_seats_eyes_nobody_looks_before_the_end() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let replay = async |query: &str, caller: Option<Seat>| {
        server.get(&table.path(&format!("/replay{query}")), caller.map(|seat| table.token(seat))).await
    };
    let asked: [(Option<Seat>, &[&str]); 3] =
        [(Some(Host), &["guest", "all"]), (Some(Guest), &["host", "all"]), (None, &["host", "guest", "all"])];

    for (caller, closed) in asked {
        for eyes in closed {
            for upto in 1..=4 {
                let refused = replay(&format!("?upto={upto}&as={eyes}"), caller).await;
                refused.refuses(409, "not_over");
                assert!(!refused.text.contains("J10") && !refused.text.contains("salt"), "{}", refused.text);
            }
            replay(&format!("?as={eyes}"), caller).await.refuses(409, "not_over");
        }
    }
    table.resign(&server, Guest).await.expect(200);

    for (caller, closed) in asked {
        for eyes in closed {
            assert_eq!(replay(&format!("?as={eyes}"), caller).await.expect(200)["version"], 5);
        }
    }
}

#[tokio::test]
async fn what_is_no_moment_of_the_game_is_malformed() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let finished = Table::in_battle(&server).await;
    finished.resign(&server, Host).await.expect(200);
    for (table, version) in [(&table, 4), (&finished, 5)] {
        let beyond = format!("upto={}", version + 1);
        for query in [
            "upto=0",
            &beyond,
            "upto=",
            "upto",
            "upto=-1",
            "upto=1.0",
            "upto=%2B1",
            "upto=x",
            "upto=%20",
            "upto=4294967297",
            "upto=99999999999999999999",
            "upto=1&upto=1",
            "upto=1&upto=2",
            "upto[]=1",
            "as=",
            "as",
            "as=nobody",
            "as=HOST",
            "as=null",
            "as=host%20",
            "as=host&as=host",
            "as=spectator&as=all",
            "you=host",
            "upto=1&after=1",
            "upto=1&as=spectator&x",
        ] {
            for token in [Some(table.token(Host)), None] {
                let refused = server.get(&table.path(&format!("/replay?{query}")), token).await;

                assert_eq!((refused.status, refused.code()), (400, "malformed"), "{query}: {}", refused.text);
                refused.refuses(400, "malformed");
            }
        }
        // A moment that is none is told before eyes that are closed are looked at.
        server.get(&table.path("/replay?as=all&upto=0"), None).await.refuses(400, "malformed");
        let leading_zeros = server.get(&table.path("/replay?upto=003"), None).await;
        assert_eq!(leading_zeros.expect(200)["version"], 3);
    }
}

#[tokio::test]
async fn the_game_then_the_token_then_the_query_is_looked_at() {
    let server = Server::shared().await;
    let (table, other) = join(Table::in_battle(&server), Table::in_battle(&server)).await;
    let unknown = "/v1/games/01890a5d-ac96-774b-bcce-b302099a8057/replay?upto=0";

    for token in [None, Some(table.token(Host)), Some("nonsense")] {
        server.get(unknown, token).await.refuses(404, "game_not_found");
        server.get("/v1/games/x/replay", token).await.refuses(404, "game_not_found");
    }
    for wrong in [other.token(Host), "nonsense", ""] {
        let refused = server.get(&table.path("/replay?upto=0&as=all"), Some(wrong)).await;
        refused.refuses(401, "unauthorized");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    }
}

#[tokio::test]
async fn head_gives_the_same_status_and_headers_without_a_body() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (query, token) in [
        ("", None),
        ("?upto=1", Some(table.token(Guest))),
        ("?as=all", Some(table.token(Host))),
        ("?upto=0", None),
        ("?as=spectator", Some("nonsense")),
    ] {
        let path = table.path(&format!("/replay{query}"));

        let get = server.get(&path, token).await;
        let head = send(authorized(server.request(Method::HEAD, &path), token)).await;

        assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{query}");
        let headers = |reply: &Reply| {
            let mut headers = reply.headers.clone();
            for own in ["date", "x-request-id"] {
                assert!(headers.remove(own).is_some());
            }
            headers
        };
        assert_eq!(headers(&head), headers(&get), "{query}");
        assert_eq!(get.header("content-length"), Some(get.text.len().to_string().as_str()), "{query}");
        assert_eq!(
            (get.header("cache-control"), get.header("vary")),
            (
                Some("private, no-cache, no-transform"),
                Some(if get.status < 400 { "Authorization" } else { "Authorization, Accept-Language" })
            )
        );
    }
}

#[tokio::test]
async fn after_the_end_both_boards_lie_under_the_right_seat_also_after_a_restart() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let (host, guest) = (layout(FLEET, "J10"), layout("H1v5 J1v4 H7v3 J6v3 E10>2", "A9"));
    let table = Table::in_battle_with(&server, &json!({"first": "host"}), &host, &guest).await;
    table.fire(&server, Host, "H1").await.expect(200);
    table.fire(&server, Guest, "A3").await.expect(200);
    table.resign(&server, Guest).await.expect(200);
    let everything = async |server: &Server| -> Vec<String> {
        let mut paths: Vec<String> = vec![table.path("")];
        for eyes in ["host", "guest", "spectator", "all"] {
            paths.extend((1..=7).map(|upto| table.path(&format!("/replay?upto={upto}&as={eyes}"))));
        }
        let asked = paths.iter().flat_map(|path| EYES.map(|caller| (path, caller)));
        let replies = asked.map(|(path, caller)| server.get(path, caller.map(|seat| table.token(seat))));
        join_all(replies).await.into_iter().map(|reply| reply.expect(200).to_string()).collect()
    };
    let before = everything(&server).await;

    drop(server);
    let server = Server::start(&database);

    assert_eq!(everything(&server).await, before);
    for (path, eyes) in EYES.iter().flat_map(|eyes| [("", eyes), ("/replay?as=all", eyes)]) {
        let game = server.get(&table.path(path), eyes.map(|seat| table.token(seat))).await.json;
        for (seat, sent) in [("host", &host), ("guest", &guest)] {
            let shown: Vec<&Value> = game["boards"][seat]["ships"].as_array().unwrap().iter().collect();
            for ship in &sent.ships {
                let is_it = |shown: &&&Value| {
                    let ship = ship.shown();
                    ["start", "length", "direction"].iter().all(|field| shown[*field] == ship[*field])
                };
                assert_eq!(shown.iter().filter(is_it).count(), 1, "{seat} {path}: {ship:?}");
            }
            assert_eq!(shown.len(), 5);
            assert_eq!(game["boards"][seat]["mines"], json!(sent.mines));
        }
        assert_eq!(game["you"], json!(eyes.map(Seat::name)));
    }
}
