//! A cell has one spelling.

use crate::api::phase_games::PhaseGames;
use ground::server::Server;
use ground::table::Table;
use testing::model::{Seat, name};

use Seat::Host;

#[tokio::test]
async fn c_r29_a_cell_has_one_spelling() {
    let games = PhaseGames::new().await;
    for cell in [
        "",
        "A",
        "1",
        "a1",
        "A0",
        "A01",
        "A16",
        "A99",
        "P1",
        "Z9",
        "AA1",
        "1A",
        " A1",
        "A1 ",
        "A 1",
        "A1\\n",
        "A1\\u0000",
        "A-1",
        "A+1",
        "A1.0",
        "A1e0",
        "B７",
        "Ａ1",
        "В7",
        "А1",
        "@1",
        "[1",
        "A²",
        "A1\\u200b",
        "\\ufeffA1",
        "A1A1",
        "A1,B1",
        "A111",
        "A150",
        "A151",
    ] {
        games.refuses("fire", &format!(r#"{{"shots": ["{cell}"]}}"#)).await;
        games.refuses("reveal", &format!(r#"{{"cells": ["{cell}"]}}"#)).await;
        games.refuses("place", &format!(r#"{{"ships": [], "mines": ["{cell}"]}}"#)).await;
        games.refuses("place", &format!(r#"{{"ships": [{{"start": "{cell}", "length": 1}}]}}"#)).await;
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_every_cell_up_to_o15_is_a_cell() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for row in 0..15 {
        for column in 0..15 {
            let cell = name((row, column));
            // Two cells are one too many, so nothing happens to any.
            let reply = table.fire(&server, Host, &format!("{cell} A1")).await;
            reply.refuses(422, "wrong_shot_count");
        }
    }
}
