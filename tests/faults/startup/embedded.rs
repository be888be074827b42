//! The program by itself, with the Postgres that it brings along.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Signal, geteuid};
use serde_json::{Value, json};

use crate::startup::run::{ENDED, Running, processes_of, until};
use ground::cluster::{Database, scratch_folder};
use ground::held::Held;
use ground::ledger;
use ground::server::{Server, program};
use ground::signals::send;
use ground::table::{Table, cells_of, usual};
use ground::wire::{Line, get, post};
use testing::model::Seat::{Guest, Host};

#[tokio::test]
async fn the_first_start_says_where_to_go_and_a_whole_game_is_played_there() {
    let data = scratch_folder("data");
    let server = Server::embedded(&data);

    let said = server.said_until("curl").await;

    let docs = said.split_whitespace().find(|word| word.ends_with("/docs/")).expect("the documents are named");
    let page = server.client.get(docs).send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(page.text().await.unwrap().contains("swagger"));
    let curl = said.lines().find_map(|line| line.find("curl").map(|at| &line[at..])).unwrap();
    let typed = Command::new("sh").args(["-c", curl]).output().unwrap();
    let created: Value = serde_json::from_slice(&typed.stdout).expect("curl shows what was created");
    let mut table = Table::of(&created);
    table.join(&server).await;
    table.place(&server, Guest, &usual()).await.expect(200);
    table.place(&server, Host, &usual()).await.expect(200);
    // Both seats aim at the same cells, so whoever began ends it.
    let first = table.look(&server, None).await.expect(200)["first"].clone();
    let order = if first == "host" { [Host, Guest] } else { [Guest, Host] };
    let shots = cells_of(&usual().ships).into_iter().flat_map(|cell| order.map(|seat| (seat, cell.clone())));
    for (seat, cell) in shots.take(33) {
        table.fire(&server, seat, &cell).await.expect(200);
    }
    let log = ledger::check(&server, &table, &usual(), &usual()).await;
    assert_eq!(log.last().unwrap()["result"], json!({"winner": first, "reason": "fleet_sunk"}));
    stops(&server, &data, Signal::TERM);
}

#[tokio::test]
async fn told_to_stop_it_answers_what_is_under_way_ends_with_0_and_leaves_no_process_behind() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        let data = scratch_folder("data");
        let server = Server::embedded(&data);
        let table = Table::in_battle(&server).await;
        // One connection lies idle, one has sent half of its request, and one waits for its answer.
        let look = get(&server, &table.path(""), None);
        let mut idle = Line::for_request(&look).await;
        idle.send(&look).await;
        idle.reply().await.unwrap().expect(200);
        let shot = post(&server, &table.path("/fire"), Some(&table.host), &json!({"shots": ["A1"]}));
        let mut half = Line::for_request(&shot).await;
        half.send_most_of(&shot).await;
        let database = Database::embedded_in(&data);
        let answer = loop {
            let mut held = Held::take(&database, &table).await;
            let mut waiting = Line::for_request(&shot).await;
            waiting.send(&shot).await;
            let (reply, waits) = tokio::join!(waiting.reply(), async {
                let waits = held.is_awaited_by(1).await;
                if waits {
                    send(server.id(), signal);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                held.release().await;
                waits
            });
            if waits {
                break reply;
            }
        };

        answer.expect("what is under way is answered").expect(200);
        assert_eq!(server.ends_within(ENDED), Some(0));
        assert!(processes_of(&data).is_empty(), "a process was left behind");
        drop((idle, half));

        // And what was acknowledged is there.
        let again = Server::embedded(&data);
        assert_eq!(ledger::check(&again, &table, &usual(), &usual()).await.len(), 5);
        stops(&again, &data, signal);
    }
}

#[test]
fn told_to_stop_while_it_starts_it_leaves_no_process_behind() {
    let data = scratch_folder("data");
    let told = |begun: &dyn Fn() -> bool| {
        let mut command = program();
        command.env("NAVAL_BATTLE_DATA_DIR", &data).env("NAVAL_BATTLE_BIND", "127.0.0.1:0");
        let mut server = Running::start(&mut command);
        until(begun);
        send(server.child.id(), Signal::TERM);
        assert_eq!(server.end(ENDED).code, Some(0));
        assert!(processes_of(&data).is_empty(), "a process was left behind");
    };

    // As soon as Postgres is being prepared, and once more as soon as it is being started.
    told(&|| fs::read_dir(&data).is_ok_and(|mut entries| entries.any(|entry| is_named(entry, "initdb-"))));
    told(&|| data.join("cluster/postmaster.pid").exists());
}

#[tokio::test]
async fn a_killed_server_loses_nothing_and_the_next_one_takes_its_postgres_over() {
    let data = scratch_folder("data");
    let killed = Server::embedded(&data);
    let table = Table::in_battle(&killed).await;
    table.fire(&killed, Host, "A1").await.expect(200);
    let before = table.look(&killed, Some(Guest)).await;
    let postmaster = postmaster_of(&data);
    send(killed.id(), Signal::KILL);
    killed.ends_within(ENDED);

    let server = Server::embedded(&data);

    assert_eq!(postmaster_of(&data), postmaster);
    assert_eq!(table.look(&server, Some(Guest)).await.text, before.text);
    table.fire(&server, Guest, "A1").await.expect(200);
    table.fire(&server, Host, "B1").await.expect(200);
    assert_eq!(ledger::check(&server, &table, &usual(), &usual()).await.len(), 7);
    stops(&server, &data, Signal::TERM);
}

#[tokio::test]
async fn two_servers_on_one_folder_share_their_games_and_a_guest_outlives_its_owner() {
    let data = scratch_folder("data");
    let owner = Server::embedded(&data);
    let guest = Server::embedded(&data);
    let table = Table::in_battle(&owner).await;
    table.fire(&guest, Host, "A1").await.expect(200);
    table.fire(&owner, Guest, "A1").await.expect(200);
    ledger::check(&guest, &table, &usual(), &usual()).await;

    // The owner takes its Postgres along, and the guest brings it back.
    send(owner.id(), Signal::TERM);
    assert_eq!(owner.ends_within(ENDED), Some(0));
    is_ready_again(&guest).await;
    table.fire(&guest, Host, "B1").await.expect(200);
    let next = Server::embedded(&data);
    assert_eq!(ledger::check(&next, &table, &usual(), &usual()).await.len(), 7);

    // One that is killed leaves it running, and the other has it without a break.
    let postmaster = postmaster_of(&data);
    send(guest.id(), Signal::KILL);
    guest.ends_within(ENDED);
    table.fire(&next, Guest, "B1").await.expect(200);
    assert_eq!(postmaster_of(&data), postmaster);
    until(|| next.log().contains("taking its Postgres over"));
    stops(&next, &data, Signal::TERM);
}

#[tokio::test]
async fn an_empty_database_url_is_none() {
    let data = scratch_folder("data");
    let mut command = program();
    command.env("DATABASE_URL", "").env("NAVAL_BATTLE_DATA_DIR", &data);

    let server = Server::spawn(command);

    Table::in_battle(&server).await;
    assert!(data.join("cluster/postmaster.pid").exists());
    stops(&server, &data, Signal::TERM);
}

#[tokio::test]
async fn an_ordinary_user_needs_neither_root_nor_a_folder_of_the_systems() {
    let home = scratch_folder("home");
    fs::set_permissions(&home, Permissions::from_mode(0o755)).unwrap();
    // The program as it is may lie where an ordinary user cannot go.
    let copy = home.join("naval-battle");
    fs::copy(env!("CARGO_BIN_EXE_naval-battle"), &copy).unwrap();
    let mut command = Command::new(&copy);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("XDG_DATA_HOME", home.join("share"));
    fs::create_dir(home.join("share")).unwrap();
    let mut user = geteuid().as_raw();
    if geteuid().is_root() {
        user = number_of("-u");
        let group = number_of("-g");
        chown(home.join("share"), Some(user), Some(group)).unwrap();
        command.uid(user).gid(group).current_dir("/");
    }

    let server = Server::spawn(command);

    Table::in_battle(&server).await;
    let data = home.join("share/naval-battle");
    let of_whom = |id: &u32| fs::metadata(format!("/proc/{id}")).map(|process| process.uid()).ok();
    let postgres: BTreeSet<u32> = processes_of(&data).iter().filter_map(of_whom).collect();
    assert_eq!(postgres, BTreeSet::from([user]));
    assert_eq!(fs::metadata(data.join("cluster")).unwrap().uid(), user);
    assert_eq!(fs::metadata(&data).unwrap().mode() & 0o077, 0, "nobody else looks into it");
    stops(&server, &data, Signal::TERM);
}

/// Tells a server with an embedded Postgres to stop, and insists that nothing is left of it.
#[track_caller]
pub(crate) fn stops(server: &Server, data: &Path, signal: Signal) {
    let postmaster = postmaster_of(data);
    assert!(processes_of(data).contains(&postmaster));
    send(server.id(), signal);
    assert_eq!(server.ends_within(ENDED), Some(0));
    assert!(processes_of(data).is_empty(), "a process was left behind");
    assert!(!data.join("cluster/postmaster.pid").exists());
}

/// Waits until the server has its database again.
pub(crate) async fn is_ready_again(server: &Server) {
    let begun = Instant::now();
    loop {
        let answer = server.get("/readyz", None).await;
        if answer.status == 200 {
            return;
        }
        answer.refuses(503, "unavailable");
        assert!(answer.header("retry-after").is_some());
        assert!(begun.elapsed() < Duration::from_mins(2), "it does not come back: {}", server.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The postmaster of a data folder.
pub(crate) fn postmaster_of(data: &Path) -> u32 {
    let file = fs::read_to_string(data.join("cluster/postmaster.pid")).unwrap();
    file.lines().next().unwrap().parse().unwrap()
}

fn is_named(entry: std::io::Result<fs::DirEntry>, prefix: &str) -> bool {
    entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
}

fn number_of(what: &str) -> u32 {
    let answer = Command::new("id").args([what, "nobody"]).output().unwrap();
    String::from_utf8(answer.stdout).unwrap().trim().parse().unwrap()
}
