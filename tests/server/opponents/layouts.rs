use std::collections::HashSet;

use serde_json::{Value, json};

use super::solo::shown_layout;
use ground::server::Server;
use ground::table::{FLEET, Table, layout};
use testing::model::{self, LayoutSent, Options, Seat, faults, free_mine_cells};

const RANDOM: &str = "/v1/layouts/random";
const CHECK: &str = "/v1/layouts/check";

fn sent(layout: &Value) -> LayoutSent {
    shown_layout(layout)
}

/// The grids, fleets and mines.
fn setups() -> Vec<Options> {
    Options::all().into_iter().filter(|options| !options.salvo && !options.shoot_again).collect()
}

fn setup_json(options: &Options) -> Value {
    let fleet = if options.russian { "russian" } else { "classic" };
    json!({"grid": options.grid, "fleet": fleet, "mines": options.mines})
}

#[tokio::test]
async fn a_random_layout_is_legal_and_can_be_placed_as_it_is() {
    let server = Server::shared().await;
    for options in setups() {
        let mut seen = HashSet::new();
        for _ in 0..10 {
            let drawn = server.post(RANDOM, None, &setup_json(&options)).await;
            let layout = &drawn.expect(200)["layout"];
            assert_eq!(drawn.json["seed"], Value::Null);
            assert_eq!(faults(&options, &sent(layout)), []);
            seen.insert(layout.to_string());
        }
        assert_eq!(seen.len(), 10, "no two alike");

        let table = Table::joined(&server, &setup_json(&options)).await;
        let drawn = server.post(RANDOM, None, &setup_json(&options)).await;
        server.post(&table.path("/place"), Some(&table.host), &drawn.json["layout"]).await.expect(200);
    }
}

#[tokio::test]
async fn equal_seeds_give_equal_layouts_and_defaults_are_those_of_create() {
    let server = Server::shared().await;
    let default = server.post(RANDOM, None, &json!({"seed": 7})).await;
    assert_eq!(default.expect(200)["seed"], 7);
    for body in [
        json!({"seed": 7, "grid": 10, "fleet": "classic", "mines": true}),
        json!({"seed": 7.0, "grid": null, "fleet": null, "mines": null}),
    ] {
        assert_eq!(server.post(RANDOM, None, &body).await.text, default.text);
    }
    let mut layouts = HashSet::new();
    for seed in [0_u64, 1, 7, 8, (1 << 53) - 1] {
        let drawn = server.post(RANDOM, None, &json!({ "seed": seed })).await;
        assert_eq!(drawn.expect(200)["seed"], seed);
        layouts.insert(drawn.json["layout"].to_string());
    }
    assert_eq!(layouts.len(), 5);
    for body in [
        json!({"seed": -1}),
        json!({"seed": 1_u64 << 53}),
        json!({"seed": "7"}),
        json!({"grid": 9}),
        json!({"salvo": true}),
    ] {
        server.post(RANDOM, None, &body).await.refuses(400, "malformed");
    }
}

#[tokio::test]
async fn a_layout_is_checked_as_place_would_and_told_where_one_more_mine_could_lie() {
    let server = Server::shared().await;
    let cases = [
        (json!({}), layout(FLEET, "J10")),
        (json!({}), layout(FLEET, "")),
        (json!({"grid": 8}), layout(FLEET, "J10 A1 A1")),
        (json!({"mines": false}), layout(FLEET, "")),
        (
            json!({"grid": 8, "fleet": "russian"}),
            LayoutSent { ships: model::blocked_russian_fleet(), mines: Vec::new() },
        ),
        (json!({}), LayoutSent { ships: Vec::new(), mines: Vec::new() }),
    ];
    for (options, layout) in cases {
        let table = Table::joined(&server, &options).await;
        let game = table.see(&server, None).await;
        let model = Options {
            grid: u8::try_from(game["options"]["grid"].as_u64().unwrap()).unwrap(),
            russian: game["options"]["fleet"] == "russian",
            mines: game["options"]["mines"] == true,
            salvo: false,
            shoot_again: false,
        };

        let checked = server.post(CHECK, None, &json!({"options": options, "layout": layout.to_json()})).await;

        let body = checked.expect(200);
        let placed = table.place(&server, Seat::Host, &layout).await;
        assert_eq!(body["legal"], placed.status == 200);
        let told = placed.json.get("faults").cloned().unwrap_or_else(|| json!([]));
        assert_eq!(body["faults"], told);
        let free: Vec<String> = if model.mines {
            free_mine_cells(&model, &layout).into_iter().map(model::name).collect()
        } else {
            Vec::new()
        };
        assert_eq!(body["free_mine_cells"], json!(free));
    }
}

#[tokio::test]
async fn layouts_belong_to_no_game_and_take_nothing_but_what_they_are_for() {
    let server = Server::shared().await;
    let layout = layout(FLEET, "J10").to_json();
    // A route without a game ignores the token.
    server.post(RANDOM, Some("nonsense"), &json!({})).await.expect(200);
    server.post(CHECK, Some("nonsense"), &json!({ "layout": layout })).await.expect(200);
    for body in [
        json!({}),
        json!({"layout": []}),
        json!({"layout": layout, "game": 1}),
        json!({"options": {"grid": 9}, "layout": layout}),
    ] {
        server.post(CHECK, None, &body).await.refuses(400, "malformed");
    }
    let german = server.request(reqwest::Method::POST, CHECK).header("accept-language", "de");
    let reply = ground::server::send(german.json(&json!({"layout": {"ships": []}}))).await;
    assert_eq!(reply.header("content-language"), Some("de"));
}
