//! A proof with each answer: it holds while the game runs, and nothing else does.

use std::fs;

use futures_util::future::join_all;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt, SeedableRng};
use record::{GameBody, Proof};
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::proof::is_proven;
use crate::verify::command::run_on;
use ground::cluster::scratch_folder;
use ground::random_game::{Download, RandomGame};
use ground::server::{Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use testing::campaign;
use testing::model::{Options, Seat};

use Seat::{Guest, Host};

/// A game that is played to its end, each answer proven in the moment in which it was given.
struct Proven {
    table: Table,
    game: Value,
    log: Vec<Value>,
    /// By their place in the log; none for what answers nothing.
    proofs: Vec<Option<Value>>,
}

fn path_of(table: &Table, event: &Value) -> String {
    table.path(&format!("/events/{}/proof", event["seq"]))
}

fn commitment(game: &Value, seat: &Value) -> String {
    game["players"][seat.as_str().unwrap()]["commitment"].as_str().unwrap().to_owned()
}

impl Proven {
    /// Plays a game and has each answer proven at once, by the naive check.
    async fn play(server: &Server, options: Options, seed: u64) -> Self {
        let mut game = RandomGame::create(server, options, &json!({"first": "host"}), None, seed).await;
        game.join(server, None).await;
        let mut proofs = Vec::new();
        let mut goes_on = true;
        while goes_on {
            goes_on = game.step(server).await;
            let page = server.get(&game.table.path(&format!("/events?after={}", proofs.len())), None).await;
            for event in page.expect(200)["events"].as_array().unwrap() {
                let reply = server.get(&path_of(&game.table, event), None).await;
                if event["type"] != "fired" && event["type"] != "revealed" {
                    reply.refuses(404, "nothing_to_prove");
                    proofs.push(None);
                    continue;
                }
                let (proof, shown) = (reply.expect(200).clone(), game.table.see(server, None).await);
                assert!(is_proven(&shown, &commitment(&shown, &proof["seat"]), event, &proof), "{event} {proof}");
                let cells = proof["cells"].as_array().unwrap().len();
                // What a shot costs: on 8×8 and 10×10 no more than 600 bytes, beyond that a path has one hash more.
                let most = if shown["options"]["grid"].as_u64() > Some(10) { 660 } else { 600 };
                assert!(reply.text.len() <= 130 + cells * most, "{} bytes for {cells}", reply.text.len());
                proofs.push(Some(proof));
            }
        }
        let (shown, log) = (game.table.see(server, None).await, game.table.log(server).await);
        Self { table: game.table, game: shown, log, proofs }
    }

    /// Whether the check of the commands lets a text pass as a proof of this game.
    fn passes(&self, text: &[u8]) -> bool {
        let game: GameBody = serde_json::from_value(self.game.clone()).unwrap();
        let proof: Result<Proof, _> = serde_json::from_slice(text);
        proof.is_ok_and(|proof| record::check_proofs(&game, &self.log, &[proof]).is_empty())
    }
}

impl Proven {
    /// Whether the naive check lets it pass.
    fn passes_the_naive_check(&self, text: &[u8]) -> bool {
        let Ok(proof) = serde_json::from_slice::<Value>(text) else { return false };
        let has = |value: &Value, fields: &[&str]| {
            value.as_object().is_some_and(|object| object.keys().map(String::as_str).eq(fields.iter().copied()))
        };
        let is_whole = has(&proof, &["cells", "root", "seat", "seq"])
            && proof["cells"]
                .as_array()
                .is_some_and(|cells| cells.iter().all(|cell| has(cell, &["cell", "content", "path", "salt"])));
        let event = self.log.iter().find(|event| event["seq"] == proof["seq"]);
        let seat = Some(&proof["seat"]).filter(|seat| ["host", "guest"].contains(&seat.as_str().unwrap_or_default()));
        let about = event.zip(seat).filter(|(event, _)| event["shots"].is_array() || event["cells"].is_array());
        is_whole
            && about.is_some_and(|(event, seat)| is_proven(&self.game, &commitment(&self.game, seat), event, &proof))
    }
}

fn options(grid: u8, russian: bool, salvo: bool) -> Options {
    Options { grid, russian, mines: true, salvo, shoot_again: salvo }
}

async fn games(server: &Server) -> Vec<Proven> {
    let kinds = [(8, true, true), (8, false, false), (10, false, true), (12, true, true), (15, true, true)];
    let games = (0..)
        .zip(kinds)
        .map(|(seed, (grid, russian, salvo))| Proven::play(server, options(grid, russian, salvo), seed + 7_000));
    join_all(games).await
}

#[tokio::test]
async fn each_answer_is_proven_while_the_game_runs_and_the_same_for_ever() {
    let server = Server::shared().await;
    for game in games(&server).await {
        assert!(game.log.iter().any(|event| event["type"] == "revealed"), "some game has cells given away");
        for (event, proof) in game.log.iter().zip(&game.proofs) {
            let Some(proof) = proof else { continue };
            for token in [Some(game.table.token(Host)), Some(game.table.token(Guest)), None] {
                let again = server.get(&path_of(&game.table, event), token).await;
                assert_eq!(again.expect(200), proof);
            }
            assert!(game.passes(proof.to_string().as_bytes()), "{proof}");
        }
    }
}

#[tokio::test]
async fn a_proof_with_any_changed_byte_is_refused() {
    let server = Server::shared().await;
    let mut rng = ChaCha8Rng::seed_from_u64(600);
    for game in games(&server).await {
        let proofs: Vec<&Value> = game.proofs.iter().flatten().collect();
        let texts: Vec<String> = proofs.iter().map(ToString::to_string).collect();
        for _ in 0..campaign(300, 20_000) {
            let text = texts.choose(&mut rng).unwrap();
            let mut changed = text.clone().into_bytes();
            let at = rng.random_range(0..changed.len());
            changed[at] =
                if rng.random() { rng.random() } else { *b"0123456789abcdefABCDEF".choose(&mut rng).unwrap() };
            // Another seq may be that of another true answer about the same cell.
            let is_true = serde_json::from_slice::<Value>(&changed).is_ok_and(|changed| proofs.contains(&&changed));

            assert_eq!(game.passes(&changed), is_true, "{text}\n{}", String::from_utf8_lossy(&changed));
            assert_eq!(game.passes_the_naive_check(&changed), is_true, "{}", String::from_utf8_lossy(&changed));
        }
    }
}

#[tokio::test]
async fn a_proof_of_another_game_seat_or_event_is_refused() {
    let server = Server::shared().await;
    let games = games(&server).await;
    for (game, other) in games.iter().zip(games.iter().cycle().skip(1)) {
        let mut proofs = game.proofs.iter().flatten();
        let (one, next) = (proofs.next().unwrap(), proofs.next().unwrap());
        let theirs = other.proofs.iter().flatten().next().unwrap();
        let with = |fill: &dyn Fn(&mut Value)| {
            let mut changed = one.clone();
            fill(&mut changed);
            changed
        };
        for (what, changed) in [
            ("another game", theirs.clone()),
            ("another event", with(&|proof| proof["seq"] = next["seq"].clone())),
            ("no answer", with(&|proof| proof["seq"] = json!(1))),
            ("no event", with(&|proof| proof["seq"] = json!(9_999))),
            ("the other root", with(&|proof| proof["root"] = next["root"].clone())),
            ("the other board", with(&|proof| proof["seat"] = next["seat"].clone())),
            ("no cell", with(&|proof| proof["cells"] = json!([]))),
            ("a short path", with(&|proof| drop(proof["cells"][0]["path"].as_array_mut().unwrap().pop()))),
            ("one more field", with(&|proof| proof["more"] = json!(1))),
        ] {
            let is_one = changed == *one || changed["seat"] == one["seat"] && what == "the other root";
            assert!(is_one || !game.passes(changed.to_string().as_bytes()), "{what}: {changed}");
        }
    }
}

#[tokio::test]
async fn what_answers_nothing_is_refused_in_the_order_of_the_contract() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    table.fire(&server, Host, "A1").await.expect(200);
    let aborted = Table::joined(&server, &json!({})).await;
    aborted.resign(&server, Host).await.expect(200);

    for seq in ["0", "1", "2", "3", "4", "6", "007", "-1", "x", "5.0", "+5", "%205", "99999999999999999999"] {
        let below = format!("/events/{seq}/proof");
        server.get(&table.path(&below), None).await.refuses(404, "nothing_to_prove");
        server.get(&table.path(&format!("{below}?x=1")), None).await.refuses(400, "malformed");
        server.get(&table.path(&format!("{below}?x=1")), Some("nonsense")).await.refuses(401, "unauthorized");
        server.get(&aborted.path(&below), None).await.refuses(404, "nothing_to_prove");
        let nowhere = format!("/v1/games/01890a5d-ac96-774b-bcce-b302099a8057{below}");
        server.get(&nowhere, None).await.refuses(404, "game_not_found");
    }
    let path = table.path("/events/5/proof");
    let (shown, head) = (server.get(&path, None).await, send(server.request(Method::HEAD, &path)).await);
    assert_eq!((shown.status, head.status, head.text.as_str()), (200, 200, ""));
    assert_eq!(head.header("content-length"), Some(shown.text.len().to_string().as_str()));
    for reply in [&shown, &head] {
        assert_eq!(reply.header("cache-control"), Some("private, no-cache, no-transform"));
        assert_eq!(reply.header("vary"), Some("Authorization"));
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
    let post = authorized(server.request(Method::POST, &path), None);
    assert_eq!(send(post).await.refuses(405, "method_not_allowed")["status"], 405);
}

#[tokio::test]
async fn the_command_holds_proofs_against_the_log_and_the_commitments() {
    let server = Server::shared().await;
    let options = json!({"first": "host", "salvo": true});
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
    table.fire(&server, Host, "J1 J3 A1 J7 J10").await.expect(200);
    table.reveal(&server, Host, "A1").await.expect(200);
    let [fired, revealed] = ["/events/5/proof", "/events/6/proof"].map(|below| table.path(below));
    let (fired, revealed) = (server.get(&fired, None).await, server.get(&revealed, None).await);
    let file = scratch_folder("proofs").join("PROOFS.json");
    let check = async |proofs: &str| {
        fs::write(&file, proofs).unwrap();
        run_on(&Download::download(&server, &table).await, "verify", &["--proofs", file.to_str().unwrap()])
    };

    // The game runs, and its answers are proven all the same.
    let list = format!("[{},{}]", fired.text, revealed.text);
    for proofs in [list.clone(), format!("{}\n{}\n", fired.text, revealed.text)] {
        let ran = check(&proofs).await;
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        let expected = "checked 6 events: the chain alone, since the game is not opened, 2 proofs";
        assert_eq!(ran.out.lines().last(), Some(expected));
    }
    let mut changed: Value = serde_json::from_str(&list).unwrap();
    for (pointer, value, expected) in [
        ("/0/cells/2/content", json!("water"), "the proof says something else of A1 than the event"),
        ("/0/cells/2/salt", changed[0]["root"].clone(), "A1 does not lead to the root of the proof"),
        ("/0/seat", json!("host"), "the proof is about the other board"),
        ("/1/cells/0/cell", json!("B1"), "the proof is of other cells than the event"),
        ("/1/seq", json!(4), "a proof is of no event that tells of a board"),
        ("/1/seq", json!(40), "a proof is of no event that tells of a board"),
    ] {
        let true_value = std::mem::replace(changed.pointer_mut(pointer).unwrap(), value);
        let ran = check(&changed.to_string()).await;
        *changed.pointer_mut(pointer).unwrap() = true_value;

        ran.says_in_one_line("1 faults were found");
        assert!(ran.out.contains(expected), "{}", ran.out);
    }
    check(&list[1..]).await.says_in_one_line("PROOFS.json is not a list of proofs");
    check("{}").await.says_in_one_line("PROOFS.json is not a list of proofs");
    check(&list[..list.len() / 2]).await.says_in_one_line("it ends in the middle");
}
