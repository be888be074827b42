//! What others have put into the folders, or copied there: followed nowhere, repaired where that can be done.

use std::{
    env, fs,
    fs::Permissions,
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown, lchown, symlink},
        net::UnixStream,
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use embedded_postgres::{EmbeddedError, Search};
use rustix::process::geteuid;

use crate::ground::*;

/// Set for the process that asks as another user: the socket's folder.
const ASKED_SOCKET: &str = "EMBEDDED_POSTGRES_TEST_ASKED_SOCKET";

/// Set for the process that fetches: the data folder.
const FETCHED_DATA: &str = "EMBEDDED_POSTGRES_TEST_FETCHED_DATA";

/// A user that nobody is.
const STRANGER: u32 = 61_999;

#[test]
fn root_follows_no_link_in_a_data_folder_that_it_has_given_away() {
    let Some(stand_in) = stand_in() else { return };
    for name in ["socket", "lock", "postgres.log", "postgres.log.old", "cluster", "pg_hba.conf", "pg_ident.conf"] {
        let ground = Ground::new();
        fs::create_dir(ground.data()).unwrap();
        chown(ground.data(), Some(stand_in), Some(stand_in)).unwrap();
        let elsewhere = ground.root.path().join("elsewhere");
        let is_folder = ["socket", "cluster"].contains(&name);
        if is_folder {
            fs::create_dir(&elsewhere).unwrap();
            fs::write(elsewhere.join(".s.PGSQL.5432"), "precious").unwrap();
        } else {
            fs::write(&elsewhere, "precious").unwrap();
        }
        fs::set_permissions(&elsewhere, Permissions::from_mode(0o755)).unwrap();
        symlink(&elsewhere, ground.data().join(name)).unwrap();
        lchown(ground.data().join(name), Some(stand_in), Some(stand_in)).unwrap();

        let started = embedded_postgres::start(&ground.settings());

        match started {
            Ok(postgres) => assert_eq!(ask(&postgres, "select 42"), "42", "{name}"),
            Err(error) => assert!(error.to_string().contains("is a link"), "{name}: {error}"),
        }
        let it = fs::metadata(&elsewhere).unwrap();
        assert_eq!((it.mode() & 0o777, it.uid()), (0o755, 0), "{name}");
        let file = if is_folder { elsewhere.join(".s.PGSQL.5432") } else { elsewhere };
        assert_eq!(fs::read_to_string(file).unwrap(), "precious", "{name}");
    }
}

#[test]
fn root_writes_to_no_file_that_has_another_name_elsewhere() {
    let Some(stand_in) = stand_in() else { return };
    for name in ["lock", "postgres.log", "pg_hba.conf", "pg_hba.conf.new", "cluster/postmaster.pid"] {
        let ground = Ground::new();
        ground.start().stop().unwrap();
        chown(ground.data(), Some(stand_in), Some(stand_in)).unwrap();
        let elsewhere = ground.root.path().join("elsewhere");
        fs::write(&elsewhere, "1\nprecious").unwrap();
        let _ = fs::remove_file(ground.data().join(name));
        fs::hard_link(&elsewhere, ground.data().join(name)).unwrap();

        let started = embedded_postgres::start(&ground.settings());

        match started {
            Ok(postgres) => assert_eq!(ask(&postgres, "select 42"), "42", "{name}"),
            Err(error) => assert!(error.to_string().contains("is a link"), "{name}: {error}"),
        }
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "1\nprecious", "{name}");
        assert_eq!(fs::metadata(&elsewhere).unwrap().uid(), 0, "{name}");
        let _ = fs::remove_file(ground.data().join(name));
    }
}

#[test]
fn root_refuses_a_data_folder_of_somebody_else_and_any_way_that_they_can_bend() {
    if stand_in().is_none() {
        return;
    }
    let ground = Ground::new();
    let theirs = ground.root.path().join("theirs");
    fs::create_dir_all(theirs.join("data")).unwrap();
    chown(&theirs, Some(STRANGER), Some(STRANGER)).unwrap();
    let open = ground.root.path().join("open");
    fs::create_dir_all(open.join("data")).unwrap();
    fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
    let sticky = ground.root.path().join("sticky");
    fs::create_dir(&sticky).unwrap();
    fs::set_permissions(&sticky, Permissions::from_mode(0o1777)).unwrap();
    symlink("/etc", sticky.join("link")).unwrap();
    lchown(sticky.join("link"), Some(STRANGER), Some(STRANGER)).unwrap();
    symlink(theirs.join("data"), ground.root.path().join("detour")).unwrap();
    symlink(ground.root.path(), theirs.join("back")).unwrap();

    for (data, told) in [
        (theirs.clone(), "belongs to user number 61999"),
        (theirs.join("data"), "belongs to user number 61999"),
        (theirs.join("new/data"), "belongs to user number 61999"),
        (theirs.join("back/data"), "belongs to user number 61999"),
        (ground.root.path().join("detour"), "belongs to user number 61999"),
        (sticky.join("link"), "belongs to user number 61999"),
        (sticky.join("link/new"), "belongs to user number 61999"),
        (open.join("data"), "everybody can write to"),
    ] {
        let error = embedded_postgres::start(&settings(data.clone())).unwrap_err();

        assert!(error.to_string().contains(told), "{}: {error}", data.display());
        assert!(fs::read_dir(&data).map_or(0, Iterator::count) <= 2 || data.ends_with("link"), "{}", data.display());
    }
    assert!(!Path::new("/etc/new").exists() && !Path::new("/etc/lock").exists());
}

#[test]
fn root_refuses_parts_of_a_data_folder_that_are_of_somebody_else() {
    let Some(stand_in) = stand_in() else { return };
    let ground = Ground::new();
    ground.start().stop().unwrap();
    chown(ground.data().join("socket"), Some(STRANGER), None).unwrap();
    let error = embedded_postgres::start(&ground.settings()).unwrap_err();
    assert!(matches!(error, EmbeddedError::OfOthers { owner: STRANGER, .. }), "{error}");

    chown(ground.data().join("socket"), Some(stand_in), None).unwrap();
    chown(ground.data(), Some(stand_in), None).unwrap();
    chown(ground.data().join("cluster"), Some(STRANGER), None).unwrap();
    let error = embedded_postgres::start(&ground.settings()).unwrap_err();
    assert!(matches!(error, EmbeddedError::OfOthers { owner: STRANGER, .. }), "{error}");
}

#[test]
fn a_link_of_roots_own_in_place_of_the_cluster_leads_to_another_disk() {
    if stand_in().is_none() {
        return;
    }
    let ground = Ground::new();
    ground.start().stop().unwrap();
    let disk = ground.root.path().join("disk");
    fs::rename(ground.data().join("cluster"), &disk).unwrap();
    symlink(&disk, ground.data().join("cluster")).unwrap();

    assert_eq!(ask(&ground.start(), "select 42"), "42");
}

#[test]
fn nobody_but_the_one_who_started_it_is_let_in() {
    let Some(stand_in) = stand_in() else { return };
    for (owner, of_whom) in [(stand_in, "postgres"), (number_of("-u", "nobody"), "nobody")] {
        let ground = Ground::new();
        fs::create_dir(ground.data()).unwrap();
        fs::set_permissions(ground.data(), Permissions::from_mode(0o755)).unwrap();
        chown(ground.data(), Some(owner), Some(number_of("-g", of_whom))).unwrap();
        let postgres = ground.start();
        assert_eq!(ask(&postgres, "select 42"), "42");
        assert_eq!(fs::metadata(ground.data().join("cluster")).unwrap().uid(), owner);

        for (user, is_let_in) in [(STRANGER, false), (number_of("-u", "nobody"), false), (stand_in, owner == stand_in)]
        {
            assert_eq!(asked_as(user, &ground), is_let_in, "{user} at a Postgres of {of_whom}");
        }
        // And of what was there before, with the settings of its time.
        postgres.stop().unwrap();
        let postgres = ground.start();
        let hba = fs::read_to_string(ground.data().join("cluster/pg_hba.conf")).unwrap();
        assert!(hba.contains("trust"));
        assert_eq!(ask(&postgres, "show hba_file"), ground.data().join("pg_hba.conf").display().to_string());
    }
}

#[test]
fn a_postgres_of_an_earlier_release_that_asks_nobody_who_they_are_is_not_left_running() {
    let Some(stand_in) = stand_in() else { return };
    let ground = Ground::new();
    let postgres = ground.start();
    let socket = postgres.socket_dir().to_owned();
    ask(&postgres, "create table kept as select 42 as answer");
    let program = fs::read_link(format!("/proc/{}/exe", postgres.postmaster_id())).unwrap();
    postgres.stop().unwrap();
    let mut earlier = Command::new(program);
    earlier.arg("-D").arg(ground.data().join("cluster")).args(["-c", "listen_addresses="]);
    earlier.arg("-c").arg(format!("unix_socket_directories={}", socket.display()));
    earlier.uid(stand_in).gid(number_of("-g", "postgres")).current_dir("/");
    let mut earlier = earlier.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let ready = || fs::read_to_string(ground.data().join("cluster/postmaster.pid")).unwrap_or_default();
    until(|| ready().contains("ready"));

    let reaped = thread::spawn(move || earlier.wait().unwrap());
    let postgres = ground.start();

    assert!(reaped.join().unwrap().success());
    assert_eq!(ask(&postgres, "select answer from kept"), "42");
    assert_eq!(ask(&postgres, "show hba_file"), ground.data().join("pg_hba.conf").display().to_string());
}

/// Not a test by itself: somebody of another user, who asks.
#[test]
fn another_user() {
    let Some(socket) = env::var_os(ASKED_SOCKET) else { return };
    let answered = UnixStream::connect(socket_file(Path::new(&socket)))
        .map_err(|error| error.to_string())
        .and_then(|stream| answer(stream, "select 42"));
    println!("\nanswer {answered:?}");
}

#[test]
fn a_folder_whose_modes_a_copy_has_changed_is_repaired() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");
    postgres.stop().unwrap();
    for change in ["a+rX", "a+rwX", "g-rwx,o-rwx", "u-w,a+r"] {
        let top = [ground.data(), ground.data().join("cluster"), ground.data().join("socket")];
        if change == "u-w,a+r" {
            for path in &top {
                fs::set_permissions(path, Permissions::from_mode(0o555)).unwrap();
            }
        } else {
            let changed = Command::new("chmod").args(["-R", change]).arg(ground.data()).status().unwrap();
            assert!(changed.success());
            fs::set_permissions(ground.data(), Permissions::from_mode(0o755)).unwrap();
        }
        let _ = fs::set_permissions(ground.data(), Permissions::from_mode(0o755));

        let postgres = ground.start();

        assert_eq!(ask(&postgres, "select answer from kept"), "42", "{change}");
        for part in &top[1..] {
            assert_eq!(fs::metadata(part).unwrap().mode() & 0o777, 0o700, "{change}: {}", part.display());
        }
        postgres.stop().unwrap();
    }
}

#[test]
fn a_cluster_alone_that_was_restored_is_enough() {
    let ground = Ground::new();
    let postgres = ground.start();
    ask(&postgres, "create table kept as select 42 as answer");
    let pid_file = ground.data().join("cluster/postmaster.pid");
    let text = fs::read_to_string(&pid_file).unwrap();
    postgres.stop().unwrap();
    // Some tools leave empty folders out.
    let mut find = Command::new("find");
    find.arg(ground.data().join("cluster")).args(["-type", "d", "-empty", "-delete"]);
    assert!(find.status().unwrap().success());
    assert!(!ground.data().join("cluster/pg_twophase").exists());
    for entry in fs::read_dir(ground.data()).unwrap().flatten().map(|entry| entry.path()) {
        if entry.is_file() {
            fs::remove_file(&entry).unwrap();
        } else if !entry.ends_with("cluster") {
            fs::remove_dir_all(&entry).unwrap();
        }
    }
    // As it was on the other machine, where some process of this one has the number; copied by root.
    let mut stranger = Stranger::beside(&ground);
    let (_, rest) = text.split_once('\n').unwrap();
    fs::write(&pid_file, format!("{}\n{rest}", stranger.id())).unwrap();

    let postgres = ground.start();

    assert_eq!(ask(&postgres, "select answer from kept"), "42");
    assert!(stranger.is_alive());
}

#[test]
fn what_postgres_says_of_a_restore_that_is_not_whole_is_told_with_its_hint() {
    let ground = Ground::new();
    ground.start().stop().unwrap();
    let label = ground.data().join("cluster/backup_label");
    let text = "START WAL LOCATION: 9/9000028 (file 000000010000000900000009)\nCHECKPOINT LOCATION: 9/9000060\n\
                BACKUP METHOD: streamed\nBACKUP FROM: primary\nSTART TIME: 2026-01-01 00:00:00 UTC\nLABEL: kept\n\
                START TIMELINE: 1\n";
    fs::write(&label, text).unwrap();
    ground.give_to_postgres(&label);

    let error = embedded_postgres::start(&ground.settings()).unwrap_err().to_string();

    assert!(error.contains("could not locate required checkpoint record"), "{error}");
    assert!(error.contains("HINT:  If you are restoring from a backup, touch"), "{error}");
    assert!(!error.contains('\n') && !error.contains(" UTC ["), "{error}");
}

#[test]
fn nothing_of_the_working_folder_or_of_pythons_variables_runs() {
    let ground = Ground::new();
    let evil = ground.root.path().join("evil");
    fs::create_dir(&evil).unwrap();
    let mark = evil.join("it-ran");
    for module in ["pip.py", "sitecustomize.py", "usercustomize.py", "encodings.py", "json.py", "startup.py"] {
        fs::write(evil.join(module), format!("open({mark:?}, 'w').close()\n")).unwrap();
    }
    for name in ["python3", "sh", "id", "pip", "postgres", "initdb"] {
        fs::write(evil.join(name), format!("#!/bin/sh\ntouch {}\n", mark.display())).unwrap();
        fs::set_permissions(evil.join(name), Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!(".::{}", env::var("PATH").unwrap());
    let mut fetching = Command::new(env::current_exe().unwrap());
    fetching.args(["--exact", "trust::somebody_who_fetches", "--nocapture"]).current_dir(&evil);
    fetching.env(FETCHED_DATA, ground.data()).env("PATH", path).env("PYTHONPATH", &evil).env("PYTHONHOME", &evil);
    fetching.env("PYTHONSTARTUP", evil.join("startup.py")).env("PYTHONUSERBASE", &evil);
    fetching.env("PIP_PYTHON", evil.join("python3")).env("PIP_TARGET", &evil).env("PIP_LOG", &mark);
    fetching.env("PIP_INDEX_URL", "http://127.0.0.1:1/simple");

    let said = fetching.output().unwrap();

    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains("fetching one with pip failed"), "{said}");
    assert!(!mark.exists(), "{said}");
}

/// Not a test by itself: a machine without Postgres, in a folder full of traps.
#[test]
fn somebody_who_fetches() {
    let Some(data) = env::var_os(FETCHED_DATA) else { return };
    let folders = Search::system().folders;
    assert!(folders.iter().all(|folder| folder.is_absolute()), "{folders:?}");
    let search = Search { folders: Vec::new(), python: Some(PathBuf::from("python3")) };
    println!("\n{}", embedded_postgres::start_with(&settings(PathBuf::from(data)), &search).unwrap_err());
}

#[test]
fn an_ordinary_users_cluster_that_is_closed_even_to_them_is_opened() {
    if geteuid().is_root() {
        return; // whoever is root finds no folder closed
    }
    let ground = Ground::new();
    ground.start().stop().unwrap();
    for part in ["cluster", "socket"] {
        fs::set_permissions(ground.data().join(part), Permissions::from_mode(0o000)).unwrap();
    }

    assert_eq!(ask(&ground.start(), "select 42"), "42");
}

/// Root's stand-in on this machine; none where whoever runs the tests is not root.
fn stand_in() -> Option<u32> {
    geteuid().is_root().then(|| number_of("-u", "postgres"))
}

/// Whether somebody of this user gets an answer from Postgres.
fn asked_as(user: u32, ground: &Ground) -> bool {
    let tests = ground.root.path().join("tests");
    if !tests.exists() {
        fs::copy(env::current_exe().unwrap(), &tests).unwrap();
    }
    let mut asking = Command::new(tests);
    asking.args(["--exact", "trust::another_user", "--nocapture"]).env(ASKED_SOCKET, ground.data().join("socket"));
    let said = asking.uid(user).gid(user).current_dir("/").output().unwrap();
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains("answer "), "{said}");
    said.contains("answer Ok(\"42\")")
}
