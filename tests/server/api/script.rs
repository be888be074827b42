//! Games as scripts: one line, one request.
//!
//! ```text
//! host  fires E7 F7 J10 : hit sunk mine owes 1
//! host  gives A1
//! guest fires A1        : hit
//! guest fires B1        : 409 not_your_turn
//! to move               : host fire 3
//! guest resigns
//! over                  : host resigned
//! ```

use serde_json::{Value, json};

use ground::server::{Reply, Server};
use ground::table::{Table, layout, words};
use testing::model::Seat;

/// Plays a game as a script has it, and insists on what it says comes of every line.
pub(crate) async fn play(server: &Server, table: &Table, script: &str) {
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (request, expected) = line.split_once(':').unwrap_or((line, ""));
        let expected = words(expected);
        match words(request).join(" ").as_str() {
            "to move" => is_to_move(server, table, &expected, line).await,
            "over" => is_over(server, table, &expected, line).await,
            request => act(server, table, request, &expected, line).await,
        }
    }
}

/// The outcomes of a fired event, in a line.
pub(crate) fn outcomes(event: &Value) -> String {
    let shots = event["shots"].as_array().unwrap();
    shots.iter().map(|shot| shot["outcome"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

async fn act(server: &Server, table: &Table, request: &str, expected: &[String], line: &str) {
    let refused = expected.first().is_some_and(|word| word.starts_with('4'));
    let before = table.look(server, None).await;

    let reply = send(server, table, request, line).await;

    if refused {
        refuses(&reply, expected, line);
        let after = table.look(server, None).await;
        assert_eq!(after.text, before.text, "{line}: something happened all the same");
        return;
    }
    assert_eq!(reply.status, 200, "{line}: {}", reply.text);
    let event = &reply.json["events"][0];
    if let Some((outcome, owed)) = split_at(expected, "owes") {
        assert_eq!(outcomes(event), outcome, "{line}");
        assert_eq!(event["owed"].to_string(), owed, "{line}");
    } else if !expected.is_empty() {
        assert_eq!(outcomes(event), expected.join(" "), "{line}");
        assert_eq!(event.get("owed"), None, "{line}");
    }
}

async fn send(server: &Server, table: &Table, request: &str, line: &str) -> Reply {
    let (seat, request) = request.split_once(' ').unwrap();
    let (verb, what) = request.split_once(' ').unwrap_or((request, ""));
    let seat = match seat {
        "host" => Seat::Host,
        "guest" => Seat::Guest,
        _ => panic!("{line}: who?"),
    };
    match verb {
        "fires" => table.fire(server, seat, what).await,
        "gives" => table.reveal(server, seat, what).await,
        "resigns" => table.resign(server, seat).await,
        "places" => {
            let (ships, mines) = what.split_once('|').unwrap_or((what, ""));
            table.place(server, seat, &layout(ships, mines)).await
        }
        _ => panic!("{line}: does what?"),
    }
}

/// `409 already_fired A1 B1` or `422 wrong_shot_count 5`.
fn refuses(reply: &Reply, expected: &[String], line: &str) {
    let [status, code, beside @ ..] = expected else { panic!("{line}: refused how?") };
    assert_eq!((reply.status.to_string().as_str(), reply.code()), (status.as_str(), code.as_str()), "{line}");
    let problem = reply.refuses(reply.status, code);
    match beside {
        [] => {}
        [count] if count.parse::<u64>().is_ok() => assert_eq!(problem["expected"].to_string(), *count, "{line}"),
        cells => assert_eq!(problem["cells"], json!(cells), "{line}"),
    }
}

async fn is_to_move(server: &Server, table: &Table, expected: &[String], line: &str) {
    let look = table.look(server, None).await;
    let awaited = |entry: &Value| {
        let word = |key: &str| entry[key].as_str().unwrap().to_owned();
        vec![word("seat"), word("action"), entry["count"].to_string()]
    };
    let awaiting: Vec<_> = look.json["awaiting"].as_array().unwrap().iter().flat_map(awaited).collect();
    assert_eq!(awaiting, expected, "{line}");
}

async fn is_over(server: &Server, table: &Table, expected: &[String], line: &str) {
    let look = table.look(server, None).await;
    let [winner, reason] = expected else { panic!("{line}: how?") };
    let winner = if winner == "nobody" { Value::Null } else { json!(winner) };
    assert_eq!(look.json["result"], json!({ "winner": winner, "reason": reason }), "{line}");
    assert_eq!(look.json["awaiting"], json!([]), "{line}");
}

fn split_at(words: &[String], word: &str) -> Option<(String, String)> {
    let place = words.iter().position(|other| other == word)?;
    Some((words[..place].join(" "), words[place + 1..].join(" ")))
}
