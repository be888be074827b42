//! Positions that tests begin from.

use serde_json::{Value, json};

use ground::server::Server;
use ground::table::{FLEET, Table, layout, words};
use testing::model::Seat;

use Seat::Host;

/// The Russian fleet with room to spare on 10×10 and J10 free for a mine.
pub(crate) const RUSSIAN_FLEET: &str = "A1v4 C1v3 E1v3 G1v2 I1v2 A6v2 C6>1 E6>1 G6>1 I6>1";

/// Shots that sink [`FLEET`] but for F7, one a line, and all of them successes.
pub(crate) const ALL_BUT_F7: &str = "A1 B1 C1 D1 E1 A3 B3 C3 D3 A5 B5 C5 A7 B7 C7 E7";

/// Another shot after a success, and the host fires first.
pub(crate) fn again() -> Value {
    json!({"first": "host", "shoot_again": true})
}

/// A game in which the host is on turn and the guest has F7 alone left.
pub(crate) async fn one_cell_left(server: &Server) -> Table {
    let table = Table::in_battle_with(server, &again(), &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
    for cell in words(ALL_BUT_F7) {
        table.fire(server, Host, &cell).await.expect(200);
    }
    table
}
