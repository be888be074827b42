//! A signal that ends the server ends it in order, at every moment of its life.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::startup::embedded::{postmaster_of, stops};
use crate::startup::run::{ENDED, Running, processes_of, until};
use ground::cluster::{Cluster, scratch_folder};
use ground::server::{Server, program};
use ground::signals::{Hung, send};
use ground::table::Table;

const SIGNALS: [Signal; 4] = [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT];

#[test]
fn told_to_stop_at_any_moment_of_its_first_start_it_ends_and_the_next_one_starts() {
    let data = scratch_folder("data");
    let moments = [0_u64, 20, 60, 120, 250, 500, 900, 1_400, 2_000];
    for (moment, signal) in moments.into_iter().zip(SIGNALS.into_iter().cycle()) {
        let mut server = Running::start(&mut on(&data));
        // Before that it is not yet this program.
        until(|| handles_signals(server.child.id()) || moment == 0);
        thread::sleep(Duration::from_millis(moment));
        send(server.child.id(), signal);

        let ended = server.end(ENDED);

        // None is a signal that came before the program had begun.
        assert!(ended.code == Some(0) || moment == 0 && ended.code.is_none(), "{moment} ms: {ended:?}");
        until(|| processes_of(&data).is_empty());
    }
    let server = Server::embedded(&data);
    stops(&server, &data, Signal::TERM);
}

#[test]
fn told_to_stop_while_programs_of_postgres_take_their_time_it_ends_them_too() {
    let shared = Cluster::shared();
    let real = fs::read_link(format!("/proc/{}/exe", shared.postmaster_id())).unwrap();
    for (slow, signal) in ["initdb", "postgres --version", "postgres -D"].into_iter().zip(SIGNALS) {
        let folder = scratch_folder("slow");
        let data = folder.join("data");
        let mut command = on(&data);
        command.env("NAVAL_BATTLE_POSTGRES_BIN", slow_programs(&folder, slow, real.parent().unwrap()));
        let mut server = Running::start(&mut command);
        until(|| folder.join("is-slow").exists());
        send(server.child.id(), signal);

        let ended = server.end(ENDED);

        assert_eq!(ended.code, Some(0), "{slow}: {ended:?}");
        // What was killed is there until the system comes to it.
        until(|| processes_of(&folder).is_empty());
        let server = Server::embedded(&data);
        stops(&server, &data, Signal::TERM);
    }
}

#[test]
fn told_to_stop_while_it_waits_as_a_guest_it_ends() {
    let data = scratch_folder("data");
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    let lock = File::create(data.join("lock")).unwrap();
    lock.try_lock().unwrap();
    for signal in SIGNALS {
        let mut server = Running::start(&mut on(&data));
        until(|| handles_signals(server.child.id()));
        thread::sleep(Duration::from_millis(100));
        send(server.child.id(), signal);

        assert_eq!(server.end(ENDED).code, Some(0), "{signal:?}");
    }
}

#[tokio::test]
async fn told_twice_it_does_not_wait_for_a_postgres_that_hangs() {
    let data = scratch_folder("data");
    let server = Server::embedded(&data);
    let table = Table::in_battle(&server).await;
    let hung = Hung::new(&[postmaster_of(&data)]);
    let begun = Instant::now();
    send(server.id(), Signal::INT);
    thread::sleep(Duration::from_millis(500));
    send(server.id(), Signal::INT);
    thread::sleep(Duration::from_millis(500));
    send(server.id(), Signal::INT);

    assert_eq!(server.ends_within(ENDED), Some(0));

    assert!(begun.elapsed() < ENDED);
    assert!(server.whole_log().await.contains("once more"));
    drop(hung);
    until(|| processes_of(&data).is_empty());
    let again = Server::embedded(&data);
    table.look(&again, None).await.expect(200);
    stops(&again, &data, Signal::TERM);
}

#[tokio::test]
async fn whoever_is_to_outlive_the_terminal_does() {
    let data = scratch_folder("data");
    let program = program();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\""]).arg(program.get_program());
    command.env("NAVAL_BATTLE_DATA_DIR", &data).env_remove("DATABASE_URL");
    let server = Server::spawn(command);

    send(server.id(), Signal::HUP);
    thread::sleep(Duration::from_millis(500));

    server.get("/readyz", None).await.expect(200);
    stops(&server, &data, Signal::TERM);
}

/// The server on a data folder.
fn on(data: &Path) -> Command {
    let mut command = program();
    command.env("NAVAL_BATTLE_DATA_DIR", data).env("NAVAL_BATTLE_BIND", "127.0.0.1:0");
    command
}

/// Whether the process has taken SIGTERM over.
fn handles_signals(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|mask| mask & (1 << 14) != 0)
}

/// The programs of this machine, of which one takes its time.
fn slow_programs(folder: &Path, slow: &str, real: &Path) -> PathBuf {
    // As /tmp is: whoever Postgres runs as leaves a mark in it.
    fs::set_permissions(folder, Permissions::from_mode(0o1777)).unwrap();
    let sleep = folder.join("sleep");
    fs::copy("/bin/sleep", &sleep).unwrap();
    let bin = folder.join("bin");
    fs::create_dir(&bin).unwrap();
    let (program, first) = slow.split_once(' ').unwrap_or((slow, ""));
    for name in ["initdb", "postgres"] {
        let waits = format!(
            "case \"$1\" in {first}*) touch {}/is-slow; {sleep} 600 & {sleep} 600;; esac\n",
            folder.display(),
            sleep = sleep.display()
        );
        let waits = if name == program { &waits } else { "" };
        let script = format!("#!/bin/sh\n{waits}exec {} \"$@\"\n", real.join(name).display());
        fs::write(bin.join(name), script).unwrap();
        fs::set_permissions(bin.join(name), Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(&bin, Permissions::from_mode(0o755)).unwrap();
    bin
}
