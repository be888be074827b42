//! A Postgres that ends comes back without hands, and one whose owner leaves is taken over.

use std::{
    fs,
    fs::File,
    io,
    io::Read,
    os::unix::net::UnixStream,
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use embedded_postgres::{Embedded, EmbeddedError, News, Role, Search, Settings, Stop};
use rustix::process::{Signal, kill_process, test_kill_process};

use crate::disk::SmallDisk;
use crate::ground::*;

#[test]
fn a_postgres_that_ends_is_started_again_by_whatever_it_was_ended() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");
    for signal in [Signal::KILL, Signal::QUIT, Signal::INT, Signal::TERM, Signal::ABORT] {
        let ended = postmaster(&postgres);

        kill_process(ended, signal).unwrap();

        until(|| postmaster(&postgres) != ended);
        assert_eq!(ask(&postgres, "select answer from kept"), "42", "{signal:?}");
        assert_eq!(postgres.role(), Role::Owner);
    }
    let last = postmaster(&postgres);
    postgres.stop().unwrap();
    assert!(test_kill_process(last).is_err());
    assert!(!is_named_by_a_process(&ground.data()));
}

#[test]
fn a_postgres_that_is_asked_to_end_once_all_have_left_does_not_wait_for_those_who_stay() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");
    let mut stays = connect(&postgres);
    send_query(&mut stays, "select pg_sleep(600)");
    let is_asleep = "select count(*) from pg_stat_activity where query like 'select pg_sleep(600%'";
    until(|| ask(&postgres, is_asleep) == "1");
    let ended = postmaster(&postgres);

    kill_process(ended, Signal::TERM).unwrap();

    until(|| postmaster(&postgres) != ended);
    assert_eq!(ask(&postgres, "select answer from kept"), "42");
}

#[test]
fn a_postgres_that_stops_for_ever_is_not_waited_for_by_the_next_owner() {
    let ground = Ground::new();
    let owner = OtherServer::start(&ground);
    let left = id(&owner.postmaster_id.to_string());
    let mut stays = UnixStream::connect(socket_file(&ground.data().join("socket"))).unwrap();
    send_query(&mut stays, "select pg_sleep(600)");
    owner.kill();
    // It goes on for as long as somebody is connected.
    until(|| is_busy(&ground));
    kill_process(left, Signal::TERM).unwrap();
    // Before, it is one like any other that is left.
    let status = ground.data().join("cluster/postmaster.pid");
    until(|| fs::read_to_string(&status).is_ok_and(|text| text.contains("stopping")));

    let postgres = ground.start();

    assert_ne!(postmaster(&postgres), left);
    assert_eq!(ask(&postgres, "select 42"), "42");
}

#[test]
fn a_process_of_postgres_that_is_killed_is_replaced_whatever_the_cluster_says() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "alter system set restart_after_crash = off");
    ask(&postgres, "select pg_reload_conf()");
    ask(&postgres, "create table kept as select 42 as answer");
    let writer = ask(&postgres, "select pid from pg_stat_activity where backend_type = 'walwriter'");

    kill_process(id(&writer), Signal::KILL).unwrap();

    until(|| try_ask(&postgres, "select answer from kept").is_some_and(|answer| answer == "42"));
}

#[test]
fn a_process_file_that_holds_anything_does_not_keep_it_from_coming_back() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");
    let mut stranger = Stranger::beside(&ground);
    let file = ground.data().join("cluster/postmaster.pid");
    for text in [String::new(), "\0\0\0\0".to_owned(), "no number\n".to_owned(), format!("{}\n", stranger.id())] {
        let ended = postmaster(&postgres);
        fs::write(&file, text).unwrap();

        kill_process(ended, Signal::KILL).unwrap();

        until(|| postmaster(&postgres) != ended);
        assert_eq!(ask(&postgres, "select answer from kept"), "42");
    }
    assert!(stranger.is_alive());
}

#[test]
fn a_socket_that_was_cleaned_away_comes_back() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");

    fs::remove_dir_all(postgres.socket_dir()).unwrap();

    until(|| try_ask(&postgres, "select answer from kept").is_some_and(|answer| answer == "42"));
}

#[test]
fn a_disk_that_was_full_and_is_free_again_needs_nobody() {
    let Some(disk) = SmallDisk::mount("keeping::a_disk_that_was_full_and_is_free_again_needs_nobody", 90) else {
        return;
    };
    let settings = settings(disk.folder().join("data"));
    let (postgres, news) = watched(&settings);
    ask(&postgres, "create table kept as select 42 as answer");

    let filler = disk.folder().join("filler");
    io::copy(&mut io::repeat(0).take(1 << 30), &mut File::create(&filler).unwrap()).unwrap_err();
    // It cannot write its log of changes any more, not even when it recovers from that.
    let ended = postmaster(&postgres);
    let change = "select pg_logical_emit_message(true, '', repeat('x', 1000000)) from generate_series(1, 30)";
    until(|| {
        let _ = try_ask(&postgres, change);
        test_kill_process(ended).is_err()
    });
    let log = settings.data.join("postgres.log");
    let attempts = || fs::read_to_string(&log).unwrap().matches("starting PostgreSQL").count();
    let before = attempts();
    until(|| attempts() > before + 2);
    assert!(try_ask(&postgres, "select 42").is_none());
    fs::remove_file(&filler).unwrap();

    while try_ask(&postgres, "select answer from kept").is_none_or(|answer| answer != "42") {
        let told = news.recv_timeout(Duration::from_mins(2)).unwrap();
        assert!(matches!(told, News::Restarted), "{told:?}");
    }
    postgres.stop().unwrap();
}

#[test]
fn a_postgres_that_cannot_be_started_ten_times_in_a_row_is_given_up_with_the_reason() {
    let ground = Ground::new();
    let (postgres, news) = watched(&Settings { first_pause: Duration::from_millis(5), ..ground.settings() });
    let cluster = ground.data().join("cluster");
    fs::write(cluster.join("postgresql.auto.conf"), "no_such_setting = 'x'\n").unwrap();

    kill_process(postmaster(&postgres), Signal::KILL).unwrap();

    let told = news.recv_timeout(Duration::from_mins(5)).unwrap();
    let News::GivenUp(error) = told else { panic!("{told:?}") };
    let words = error.to_string();
    assert!(matches!(error, EmbeddedError::GivenUp { failures: 10, .. }), "{words}");
    assert!(words.contains("no_such_setting"), "{words}");
    postgres.stop().unwrap();
    // The folder is anybody's again, and whoever runs the program starts it anew.
    fs::remove_file(cluster.join("postgresql.auto.conf")).unwrap();
    assert_eq!(ask(&ground.start(), "select 42"), "42");
}

#[test]
fn a_cluster_that_is_gone_is_not_replaced_by_an_empty_one() {
    let ground = Ground::new();
    let postgres = ground.start();
    let cluster = ground.data().join("cluster");
    ask(&postgres, "create table kept as select 42 as answer");
    let ended = postmaster(&postgres);

    kill_process(ended, Signal::STOP).unwrap();
    fs::rename(&cluster, ground.data().join("elsewhere")).unwrap();
    kill_process(ended, Signal::KILL).unwrap();
    std::thread::sleep(Duration::from_secs(2));

    assert!(!cluster.exists());
    fs::rename(ground.data().join("elsewhere"), &cluster).unwrap();
    until(|| try_ask(&postgres, "select answer from kept").is_some_and(|answer| answer == "42"));
}

#[test]
fn a_guest_takes_the_postgres_of_a_killed_owner_over_without_a_break() {
    let ground = Ground::new();
    let owner = OtherServer::start(&ground);
    let guest = ground.start();
    assert_eq!(guest.role(), Role::Guest);
    let connection = connect(&guest);

    owner.kill();

    until(|| guest.role() == Role::Owner);
    assert_eq!(answer(connection, "select 42").unwrap(), "42", "the connection was kept");
    assert_eq!(ask(&guest, "select 42"), "42");
    guest.stop().unwrap();
    assert!(!is_named_by_a_process(&ground.data()));
}

#[test]
fn a_guest_whose_owner_leaves_starts_postgres_again_and_keeps_it() {
    let ground = Ground::new();
    let owner = ground.start();
    ask(&owner, "create table kept as select 42 as answer");
    let (guest, news) = watched(&ground.settings());

    owner.stop().unwrap();

    assert!(matches!(news.recv_timeout(Duration::from_mins(1)).unwrap(), News::Restarted));
    assert_eq!(ask(&guest, "select answer from kept"), "42");
    assert_eq!(guest.role(), Role::Owner);
    let ended = postmaster(&guest);
    kill_process(ended, Signal::KILL).unwrap();
    assert!(matches!(news.recv_timeout(Duration::from_mins(1)).unwrap(), News::Restarted));
    assert_eq!(ask(&guest, "select answer from kept"), "42");
}

#[test]
fn the_log_stays_bounded_however_much_goes_wrong() {
    const TEN_MEGABYTES: u64 = 10 << 20;
    let ground = Ground::new();
    let postgres = ground.start();
    let size = |name: &str| fs::metadata(ground.data().join(name)).map_or(0, |it| it.len());
    let statement = format!("select 1 / 0 /* {} */", "x".repeat(100_000));

    let mut written = 0;
    let mut most = 0;
    while written < 5 * TEN_MEGABYTES {
        assert!(try_ask(&postgres, &statement).is_none());
        written += 100_000;
        most = most.max(size("postgres.log") + size("postgres.log.old"));
    }

    until(|| size("postgres.log") < TEN_MEGABYTES);
    assert!(size("postgres.log.old") > 0);
    // It is looked at once a second.
    assert!(most < 4 * TEN_MEGABYTES, "{most}");
    assert!(size("postgres.log.old") <= TEN_MEGABYTES);
    // And goes on where it was emptied.
    assert!(try_ask(&postgres, "select 'still told' / 0").is_none());
    until(|| fs::read(ground.data().join("postgres.log")).unwrap().windows(10).any(|part| part == b"still told"));
}

/// A Postgres whose news are heard.
fn watched(settings: &Settings) -> (Embedded, Receiver<News>) {
    let (tell, news) = channel();
    let told = move |it| drop(tell.send(it));
    (embedded_postgres::start_watched(settings, &Search::system(), Stop::new(), told).unwrap(), news)
}

/// Whether somebody sleeps in a statement.
fn is_busy(ground: &Ground) -> bool {
    let stream = UnixStream::connect(socket_file(&ground.data().join("socket"))).unwrap();
    let asleep = "select count(*) from pg_stat_activity where query like 'select pg_sleep(600%'";
    answer(stream, asleep).unwrap() == "1"
}
