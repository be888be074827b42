//! What the server refuses, as the client tells it.

use futures_util::future::join_all;
use naval_battle_client::{Client, Code, Create, Error, FaultCode, Problem, Retries, Seat, Token};

use crate::client::seats::{cells, in_battle, layout};
use ground::cluster::Cluster;
use ground::server::Server;
use ground::table::{FLEET, layout as sent};

/// More games than an address may create at once.
const TOO_MANY: usize = 103;

fn problem<T: std::fmt::Debug>(refused: Result<T, Error>) -> Problem {
    match refused {
        Err(Error::Problem(problem)) => *problem,
        other => panic!("no problem but {other:?}"),
    }
}

#[tokio::test]
async fn a_problem_comes_with_all_that_it_says() {
    let server = Server::shared().await;
    let api = Client::new(&server.base).unwrap();
    let (host, _) = api.create(&Create::default()).await.unwrap();
    let early = problem(host.fire(&cells("A1")).await);
    api.table(host.id()).join(None).await.unwrap();

    let illegal = problem(host.place(&layout(&sent(FLEET, "A2"))).await);
    let stale = problem(host.at(1).resign().await);

    assert_eq!((early.status, early.code), (409, Code::NotInBattle));
    assert_eq!((illegal.status, illegal.code), (422, Code::IllegalLayout));
    assert!(illegal.faults.iter().any(|fault| fault.code == FaultCode::MineTouches && fault.mine == Some(0)));
    assert_eq!((stale.status, stale.code, stale.version), (412, Code::StaleVersion, Some(2)));
    assert_eq!(stale.r#type, "/problems/stale_version");
}

#[tokio::test]
async fn moves_against_the_rules_are_told_by_their_code() {
    let server = Server::shared().await;
    let (host, guest) = in_battle(&Client::new(&server.base).unwrap()).await;

    let two = problem(host.fire(&cells("A1 A2")).await);
    let outside = problem(host.fire(&cells("O15")).await);
    let other = guest.fire(&cells("A1")).await;

    assert_eq!((two.code, two.expected), (Code::WrongShotCount, Some(1)));
    assert_eq!((outside.code, outside.cells), (Code::OutsideGrid, cells("O15")));
    assert_eq!(other.unwrap_err().code(), Some(Code::NotYourTurn));
}

#[tokio::test]
async fn a_seat_is_opened_by_its_token_alone_which_is_never_printed() {
    let server = Server::shared().await;
    let api = Client::new(&server.base).unwrap();
    let (host, seating) = api.create(&Create::default()).await.unwrap();
    let kept = seating.token.as_str();

    let again = api.seat(host.id(), Seat::Host, &Token::new(kept)).unwrap();
    let wrong = api.seat(host.id(), Seat::Host, &Token::new("wrong")).unwrap();

    assert_eq!(again.look().await.unwrap(), seating.game);
    assert_eq!(wrong.look().await.unwrap_err().code(), Some(Code::Unauthorized));
    assert!(matches!(api.seat(host.id(), Seat::Host, &Token::new("\n")), Err(Error::Token)));
    assert!(!format!("{api:?} {host:?} {seating:?}").contains(kept));
}

#[tokio::test]
async fn an_id_cannot_lead_to_another_path_and_an_address_has_to_be_one() {
    let server = Server::shared().await;
    let api = Client::new(&server.base).unwrap();

    for id in ["../rules", "x/verify", "x?y", "", ".", ".."] {
        let refused = api.table(id).look().await.unwrap_err();
        assert!(matches!(refused.code(), Some(Code::GameNotFound | Code::RouteNotFound)), "{id}: {refused}");
    }
    for address in ["", "127.0.0.1:8080", "mailto:a@b", "http://"] {
        assert!(matches!(Client::new(address), Err(Error::Address(_))), "{address}");
    }
}

#[tokio::test]
async fn whoever_asks_for_too_much_waits_as_long_as_the_server_says() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let api = Client::new(&server.base).unwrap();
    let impatient = api.retrying(Retries::NEVER);
    let game = Create::default();

    let tried = join_all((0..TOO_MANY).map(|_| impatient.create(&game))).await;
    let patient = api.create(&game).await;

    let refused: Vec<_> = tried.into_iter().filter_map(Result::err).map(|error| problem::<()>(Err(error))).collect();
    assert!(refused.iter().any(|problem| problem.code == Code::RateLimited));
    // So many at once also meet the address's share of what is under way.
    let told = [Code::RateLimited, Code::Unavailable];
    assert!(refused.iter().all(|problem| told.contains(&problem.code) && problem.retry_after.is_some()));
    patient.expect("the client waits");
}
