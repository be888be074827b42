//! One game in each phase, to send odd requests to.

use serde_json::json;

use crate::api::asking::post_text;
use ground::server::{Reply, Server};
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::Host;

/// A game in which the host owes a cell, so that every body but the right one meets its fate.
pub(crate) struct PhaseGames {
    pub(crate) server: Server,
    /// Nobody has joined it.
    pub(crate) waiting: Table,
    /// Nobody has placed.
    pub(crate) placing: Table,
    /// The host fires.
    pub(crate) firing: Table,
    /// The host owes a cell.
    pub(crate) revealing: Table,
    /// Somebody has won.
    pub(crate) over: Table,
}

impl PhaseGames {
    pub(crate) async fn new() -> Self {
        let server = Server::shared().await;
        let waiting = Table::create(&server, &json!({})).await;
        let placing = Table::joined(&server, &json!({})).await;
        let firing = Table::in_battle(&server).await;
        let revealing = Table::in_battle(&server).await;
        revealing.fire(&server, Host, "J10").await.expect(200);
        let over = Table::in_battle(&server).await;
        over.resign(&server, Host).await.expect(200);
        Self { server, waiting, placing, firing, revealing, over }
    }

    /// The operations that take a body: path and token, where one is needed.
    pub(crate) fn posts(&self) -> [(String, Option<&str>); 10] {
        [
            ("/v1/games".to_owned(), None),
            (self.waiting.path("/join"), None),
            (self.placing.path("/place"), Some(&self.placing.host)),
            (self.firing.path("/fire"), Some(&self.firing.host)),
            (self.revealing.path("/reveal"), Some(&self.revealing.host)),
            (self.firing.path("/resign"), Some(&self.firing.host)),
            (self.over.path("/rematch"), Some(&self.over.host)),
            ("/v1/games/status".to_owned(), None),
            ("/v1/layouts/random".to_owned(), None),
            ("/v1/layouts/check".to_owned(), None),
        ]
    }

    /// Sends a text to the operation of this name.
    pub(crate) async fn send(&self, operation: &str, body: impl Into<reqwest::Body>) -> Reply {
        let posts = self.posts();
        let (path, token) = match operation {
            "create" => &posts[0],
            other => posts.iter().find(|(path, _)| path.ends_with(&format!("/{other}"))).unwrap(),
        };
        post_text(&self.server, path, *token, body).await
    }

    /// The operation calls the text malformed.
    pub(crate) async fn refuses(&self, operation: &str, body: &str) {
        let reply = self.send(operation, body.to_owned()).await;
        assert_eq!((reply.status, reply.code()), (400, "malformed"), "{operation}: {body:.80}");
        reply.refuses(400, "malformed");
    }

    /// After all that was refused, the right request still counts.
    pub(crate) async fn ends_well(&self) {
        let server = &self.server;
        server.post(&self.waiting.path("/join"), None, &json!({})).await.expect(201);
        self.placing.place(server, Host, &layout(FLEET, "J10")).await.expect(200);
        assert_eq!(self.revealing.reveal(server, Host, "A1").await.expect(200)["version"], 6);
        assert_eq!(self.firing.fire(server, Host, "A1").await.expect(200)["version"], 5);
        self.firing.resign(server, Host).await.expect(200);
    }
}
