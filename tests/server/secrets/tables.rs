//! Where secrets lie: in one table that nothing that is served to others reads.

use serde_json::json;
use sqlx::AssertSqlSafe;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ground::cluster::Cluster;
use ground::random_game::RandomGame;
use ground::server::{Server, send};
use ground::table::{FLEET, Table, layout};
use testing::model::{Options, Seat};

const TABLES: [&str; 9] =
    ["games", "events", "archives", "layouts", "creations", "rematch_requests", "lobby", "seals", "timers"];

#[tokio::test]
async fn no_token_lies_in_any_table_and_salts_lie_in_one() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let key = "a-random-key-that-nobody-else-has-8f3a61c0";
    let created = server.request(reqwest::Method::POST, "/v1/games").header("idempotency-key", key);
    let seating = send(created.json(&json!({"name": "Ada"}))).await;
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut table = Table::of(seating.expect(201));
    table.join(&server).await;
    let mut salts = Vec::new();
    for seat in [Seat::Host, Seat::Guest] {
        let placed = table.place(&server, seat, &layout(FLEET, "J10")).await;
        salts.push(text(&placed.expect(200)["salt"]));
    }

    let mut found_in = Vec::new();
    for name in TABLES {
        let statement = format!("select coalesce(string_agg(t::text, '\n'), '') from {name} t");
        let rows: (String,) =
            sqlx::query_as(AssertSqlSafe(statement)).fetch_one(&mut database.connect().await).await.unwrap();
        for token in [&table.host, &table.guest] {
            let bytes = hex::encode(URL_SAFE_NO_PAD.decode(token).unwrap());
            assert!(!rows.0.contains(token.as_str()) && !rows.0.contains(&bytes), "a token lies in {name}");
        }
        assert!(!rows.0.contains(key) && !rows.0.contains(&hex::encode(key)), "a key lies in {name}");
        if salts.iter().any(|salt| rows.0.contains(salt)) {
            found_in.push(name);
        }
    }

    assert_eq!(found_in, ["layouts"]);
}

#[tokio::test]
async fn no_row_of_a_log_names_a_cell_that_was_not_struck_or_given_away() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    for (seed, options) in [
        Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false },
        Options { grid: 15, russian: true, mines: true, salvo: true, shoot_again: true },
    ]
    .into_iter()
    .enumerate()
    {
        let mut game =
            RandomGame::create(&server, options.clone(), &json!({}), None, u64::try_from(seed).unwrap()).await;
        game.join(&server, None).await;
        for _ in 0..40 {
            if game.model.result().is_null() {
                game.step(&server).await;
            }
            let rows: Vec<(String,)> = sqlx::query_as(
                "select (to_jsonb(e) - 'game_id' - 'head' - 'request' - 'print' - 'due_at')::text
                 from events e where game_id = $1::text::uuid",
            )
            .bind(&game.table.id)
            .fetch_all(&mut database.connect().await)
            .await
            .unwrap();

            let public = game.model.view(None);
            let boards = [&public["boards"]["host"], &public["boards"]["guest"]];
            let known: Vec<String> = boards.iter().map(ToString::to_string).collect();
            for cell in options.cells().into_iter().map(testing::model::name) {
                let quoted = format!("\"{cell}\"");
                let in_rows = rows.iter().any(|(row,)| row.replace("\\\"", "\"").contains(&quoted));
                assert!(!in_rows || known.iter().any(|board| board.contains(&quoted)), "{cell} stands in the log");
            }
            assert!(!rows.iter().any(|(row,)| row.contains("salt")));
        }
    }
}
