//! Two servers over one database, and what is sent to them.

use serde_json::{Value, json};

use ground::cluster::{Cluster, Database};
use ground::ledger;
use ground::server::{Reply, Server};
use ground::table::{HARMLESS, Table, usual};
use ground::wire::{Written, post};
use testing::model::Seat;

/// Two servers over one database.
pub(crate) struct TwoServers {
    pub(crate) database: Database,
    pub(crate) one: Server,
    pub(crate) two: Server,
}

impl TwoServers {
    pub(crate) async fn open() -> Self {
        let database = Cluster::shared().database().await;
        let (one, two) = (Server::start(&database), Server::start(&database));
        Self { database, one, two }
    }

    /// One server after the other.
    pub(crate) fn server(&self, turn: usize) -> &Server {
        if turn.is_multiple_of(2) { &self.one } else { &self.two }
    }

    /// Sixteen requests, eight for each server.
    pub(crate) fn sixteen(&self, mut written: impl FnMut(&Server) -> Written) -> Vec<Written> {
        (0..16).map(|turn| written(self.server(turn))).collect()
    }

    /// A game in battle in which whoever hits fires again; the host fires first.
    pub(crate) async fn shoot_again(&self) -> Table {
        let options = json!({"first": "host", "shoot_again": true});
        Table::in_battle_with(&self.one, &options, &usual(), &usual()).await
    }

    /// Insists that both servers tell the same story, and that it is one.
    pub(crate) async fn check(&self, table: &Table) -> Vec<Value> {
        let log = ledger::check(&self.one, table, &usual(), &usual()).await;
        assert_eq!(table.log(&self.two).await, log);
        log
    }

    /// Counts past the servers.
    pub(crate) async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&mut self.database.connect().await).await.unwrap()
    }
}

/// Cells to fire at.
pub(crate) fn cells() -> impl Iterator<Item = &'static str> {
    HARMLESS.split(' ')
}

pub(crate) fn fire(server: &Server, table: &Table, seat: Seat, cell: &str) -> Written {
    post(server, &table.path("/fire"), Some(table.token(seat)), &json!({ "shots": [cell] }))
}

pub(crate) fn reveal(server: &Server, table: &Table, seat: Seat, cell: &str) -> Written {
    post(server, &table.path("/reveal"), Some(table.token(seat)), &json!({ "cells": [cell] }))
}

pub(crate) fn place(server: &Server, table: &Table, seat: Seat) -> Written {
    post(server, &table.path("/place"), Some(table.token(seat)), &usual().to_json())
}

pub(crate) fn resign(server: &Server, table: &Table, seat: Seat) -> Written {
    post(server, &table.path("/resign"), Some(table.token(seat)), &json!({}))
}

/// The replies with this status.
pub(crate) fn accepted(replies: &[Reply], status: u16) -> Vec<&Reply> {
    replies.iter().filter(|reply| reply.status == status).collect()
}

/// The replies that refuse; insists that each is a 409 with one of these codes.
#[track_caller]
pub(crate) fn refused<'a>(replies: &'a [Reply], codes: &[&str]) -> Vec<&'a Reply> {
    let refused: Vec<&Reply> = replies.iter().filter(|reply| reply.status >= 300).collect();
    for reply in &refused {
        assert!(reply.status == 409 && codes.contains(&reply.code()), "{reply:?}");
    }
    refused
}
