//! Passwords with every character, and that no part of one is ever told.

use std::fmt::Write as _;

use crate::startup::run::run;
use ground::handmade::Handmade;
use ground::server::{Server, program};

/// What a person may take for a password, letters aside.
const SPECIAL: &str = r#"p@ss/w:rd?#%+&=;,!$'"()*[]{}<>|\^`~ _-."#;

#[tokio::test]
async fn a_password_of_every_special_character_opens_encoded_or_in_a_variable_of_its_own() {
    let handmade = Handmade::with_password(SPECIAL);
    let encoded = SPECIAL.bytes().fold(String::new(), |mut text, byte| {
        write!(text, "%{byte:02X}").unwrap();
        text
    });
    for (url, variable) in [(handmade.url(&encoded), None), (handmade.url_of("naval_battle"), Some(SPECIAL))] {
        let mut command = program();
        command.env("DATABASE_URL", url).envs(variable.map(|password| ("PGPASSWORD", password)));

        let server = Server::spawn(command);

        server.get("/readyz", None).await.expect(200);
    }
}

#[test]
fn no_part_of_a_password_that_was_not_encoded_is_ever_told() {
    for special in SPECIAL.chars() {
        for password in [format!("xyzzy{special}plover"), format!("{special}xyzzy"), format!("1{special}2plover")] {
            for address in ["@127.0.0.1:1/games", "@127.0.0.1:1/games?sslmode=disable", "@/games?host=127.0.0.1&port=1"]
            {
                let url = format!("postgres://anna:{password}{address}");

                let ended = run(program().env("DATABASE_URL", &url).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

                for part in ["xyzzy", "plover", "1/2", "2plover"] {
                    assert!(!ended.complained.contains(part), "{url}: {ended:?}");
                }
                assert!(ended.one_line().contains("DATABASE_URL"), "{url}: {ended:?}");
            }
        }
    }
}

#[test]
fn a_parameter_that_is_not_known_is_passed_over_untold() {
    let url = "postgres://anna@127.0.0.1:1/games?password=xyzzy&plover=plugh&channel_binding=require";

    let ended = run(program().env("DATABASE_URL", url).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

    for part in ["xyzzy", "plover", "plugh"] {
        assert!(!ended.complained.contains(part), "{ended:?}");
    }
    assert!(ended.complained.contains("passed over: 2") && ended.complained.contains("127.0.0.1:1"), "{ended:?}");
}
