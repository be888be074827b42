//! A start can be told to stop at every moment, leaves nothing behind, and nothing in the way of the next.

use std::{
    env, fs,
    fs::Permissions,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use embedded_postgres::{EmbeddedError, Search, Settings, Stop};

use crate::ground::*;

const LIMIT: Duration = Duration::from_secs(8);

#[test]
fn a_first_start_that_is_told_to_stop_at_any_moment_ends_soon_and_the_next_one_starts() {
    let ground = Ground::new();
    for moment in [0, 1, 5, 20, 60, 120, 200, 300, 400, 550, 700, 900, 1_200, 1_600] {
        let ended = told_to_stop_after(Duration::from_millis(moment), &ground.settings(), &Search::system());

        assert!(matches!(ended, Ok(()) | Err(EmbeddedError::Stopped)), "{ended:?}");
        assert!(!is_named_by_a_process(&ground.data()), "something was left behind after {moment} ms");
    }
    let postgres = ground.start();
    assert_eq!(ask(&postgres, "select 42"), "42");
    assert!(!fs::read_dir(ground.data()).unwrap().any(is_unfinished));
}

#[test]
fn programs_that_take_their_time_are_ended_with_all_that_they_started() {
    let ground = Ground::new();
    for slow in ["initdb", "postgres --version", "postgres"] {
        if slow == "postgres" {
            ground.start().stop().unwrap();
        }
        let settings = Settings { binaries: Some(slow_programs(&ground, slow)), ..ground.settings() };

        let ended = told_to_stop_after(Duration::from_secs(2), &settings, &Search::system());

        assert!(matches!(ended, Err(EmbeddedError::Stopped)), "{slow}: {ended:?}");
        // What was killed is there until the system comes to it.
        until(|| !is_named_by_a_process(ground.root.path()));
    }
    assert_eq!(ask(&ground.start(), "select 42"), "42");
}

#[test]
fn a_download_is_ended_with_all_that_it_started() {
    let ground = Ground::new();
    let python = ground.root.path().join("python");
    fs::copy("/bin/sleep", ground.root.path().join("sleep")).unwrap();
    let folder = ground.root.path().display();
    program(&python, &format!("touch {folder}/is-asked; {folder}/sleep 600 & {folder}/sleep 600"));
    let search = Search { folders: Vec::new(), python: Some(python) };

    let ended = told_to_stop_after(Duration::from_secs(1), &ground.settings(), &search);

    assert!(matches!(ended, Err(EmbeddedError::Stopped)), "{ended:?}");
    assert!(ground.root.path().join("is-asked").exists());
    until(|| !is_named_by_a_process(ground.root.path()));
    assert!(!fs::read_dir(ground.data()).unwrap().any(is_unfinished));
}

#[test]
fn a_guest_that_waits_for_its_owner_hears_it_too() {
    let ground = Ground::new();
    ground.start().stop().unwrap();
    let lock = fs::OpenOptions::new().write(true).open(ground.data().join("lock")).unwrap();
    // A program that another test starts at this moment holds it too, until it is on its way.
    until(|| lock.try_lock().is_ok());

    let ended = told_to_stop_after(Duration::from_millis(300), &ground.settings(), &Search::system());

    assert!(matches!(ended, Err(EmbeddedError::Stopped)), "{ended:?}");
}

#[test]
fn a_postgres_that_hangs_is_gone_in_the_time_that_it_was_given() {
    let ground = Ground::new();
    let postgres = ground.start();
    let mut connection = connect(&postgres);
    send_query(&mut connection, "select pg_sleep(600)");
    let hung = postmaster(&postgres);
    rustix::process::kill_process(hung, rustix::process::Signal::STOP).unwrap();

    let begun = Instant::now();
    postgres.stop_within(Duration::from_secs(3)).unwrap();

    assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
    assert!(rustix::process::test_kill_process(hung).is_err());
    assert_eq!(ask(&ground.start(), "select 42"), "42");
}

/// Starts a Postgres, and asks it to stop while it does.
fn told_to_stop_after(moment: Duration, settings: &Settings, search: &Search) -> Result<(), EmbeddedError> {
    let stop = Stop::new();
    let starting = thread::spawn({
        let (settings, search, stop) = (settings.clone(), search.clone(), stop.clone());
        move || embedded_postgres::start_watched(&settings, &search, stop, |_| {})
    });
    thread::sleep(moment);
    let told = Instant::now();
    stop.ask(LIMIT);
    let ended = starting.join().unwrap().map(|postgres| postgres.stop().unwrap());
    assert!(told.elapsed() < LIMIT * 2, "it took {:?}", told.elapsed());
    ended
}

/// The programs of this machine, of which one takes its time, in a way that `kill` of the program
/// alone does not end.
fn slow_programs(ground: &Ground, slow: &str) -> PathBuf {
    let folder = ground.root.path().join(format!("bin-{}", slow.replace(' ', "")));
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    let sleep = folder.join("sleep");
    fs::copy("/bin/sleep", &sleep).unwrap();
    let sleeps = format!("{sleep} 600 & {sleep} 600", sleep = sleep.display());
    let real = env::split_paths(&env::var_os("PATH").unwrap())
        .chain(fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|it| it.path().join("bin")))
        .map(|folder| folder.canonicalize().unwrap_or(folder))
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
        .expect("Postgres is installed");
    for name in ["initdb", "postgres"] {
        let is_version = slow.ends_with("--version");
        let waits = if slow.starts_with(name) && is_version {
            format!("{sleeps};")
        } else if slow == name {
            format!("case \"$1\" in --version|-V) ;; *) {sleeps};; esac;")
        } else {
            String::new()
        };
        program(&folder.join(name), &format!("{waits} exec {} \"$@\"", real.join(name).display()));
    }
    folder
}

fn program(path: &Path, script: &str) {
    fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}
