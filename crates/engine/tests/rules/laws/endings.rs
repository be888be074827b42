//! A game can end at any time, in the ways of R24 and R25, and then nothing follows.

use engine::{
    Abort, Command, Ending, Event, FirstShot, Game, Impossible, Options, Refusal, Seat, Status, Victory, expire,
    extend, join, time_out,
};
use rand::RngExt;

use crate::laws::EYES;
use crate::laws::table::{Table, of_every_configuration};
use testing::{decide, model, notation};

#[test]
fn r24_either_seat_may_resign_at_any_time() {
    of_every_configuration(1, |mut table, steps| {
        for _ in 0..steps {
            if table.rng.random_ratio(1, 6) {
                let (mut ended, battle) = (table.fork(), table.game.status() == Status::Battle);
                let resigned = ended.is_resigned();

                let expected = if battle {
                    Ending::Won { winner: resigned.other(), by: Victory::Resigned }
                } else {
                    Ending::Aborted(Abort::Aborted)
                };
                assert_eq!(ended.game.ending(), Some(expected));
                nothing_follows(&mut ended);
            }
            table.goes_on();
            if table.game.ending().is_some() {
                break;
            }
        }
    });
}

#[test]
fn r25_the_clock_runs_out_for_who_owes_the_next_action() {
    of_every_configuration(1, |mut table, steps| {
        for _ in 0..steps {
            if table.rng.random_ratio(1, 6) {
                let (mut ended, before) = (table.fork(), table.game);
                ended.runs_out_of_time();

                let late: Vec<Seat> = before.awaiting().map(|awaited| awaited.seat).collect();
                let (expected, event) = match (before.status(), late.as_slice()) {
                    (Status::Waiting, _) => (Ending::Aborted(Abort::Expired), Event::Expired),
                    (Status::Battle, [seat]) => {
                        let won = Ending::Won { winner: seat.other(), by: Victory::TimedOut };
                        (won, Event::TimedOut { seat: Some(*seat) })
                    }
                    (_, [seat]) => (Ending::Aborted(Abort::Aborted), Event::TimedOut { seat: Some(*seat) }),
                    (_, _) => (Ending::Aborted(Abort::Aborted), Event::TimedOut { seat: None }),
                };
                assert_eq!(ended.game.ending(), Some(expected));
                assert_eq!(ended.log.last().map(|(event, _)| event.clone()), Some(event));
                nothing_follows(&mut ended);
            }
            table.goes_on();
            if table.game.ending().is_some() {
                break;
            }
        }
    });
}

#[test]
fn r30_more_time_changes_nothing_else() {
    of_every_configuration(1, |mut table, steps| {
        for _ in 0..steps {
            if !table.goes_on() || table.game.ending().is_some() {
                break;
            }
            if table.rng.random_ratio(1, 6) {
                let before = table.game;
                table.gets_more_time();
                assert_eq!(table.game, before);
            }
        }

        let mut replayed = table.fresh;
        for (event, live) in &table.log {
            assert_eq!(replayed.apply(event), Ok(()));
            assert_eq!(replayed, *live);
        }
        let events_of_play = table.log.iter().filter(|(event, _)| !matches!(event, Event::Extended { .. }));
        let mut without = table.fresh;
        events_of_play.for_each(|(event, _)| without.apply(event).unwrap());
        assert_eq!(without, table.game);
    });
}

#[test]
fn r25_without_a_clock_a_game_expires_at_any_time_and_nobody_wins() {
    of_every_configuration(1, |mut table, steps| {
        for _ in 0..steps {
            if table.rng.random_ratio(1, 6) {
                let mut ended = table.fork();
                ended.is_left_alone();

                assert_eq!(ended.game.ending(), Some(Ending::Aborted(Abort::Expired)));
                assert_eq!(Game::unpack(*ended.game.options(), &ended.game.pack()), Ok(ended.game));
                nothing_follows(&mut ended);
            }
            table.goes_on();
            if table.game.ending().is_some() {
                break;
            }
        }
    });
}

#[test]
fn r25_with_a_clock_only_a_game_that_nobody_has_joined_expires() {
    let options = Options { turn_seconds: Some(Options::LONGEST_TURN), first: FirstShot::Host, ..Options::default() };
    let mut game = Game::new(options, Seat::Guest);
    assert_eq!(expire(&game), Some(Event::Expired));

    let placement = notation::placement("A1>5 A3>4 A5>3 A7>3 E7>2", "J10");
    game.apply(&Event::Joined { seat: Seat::Guest, first: Seat::Host }).unwrap();
    for seat in Seat::BOTH {
        let mut left = game;
        assert_eq!(expire(&game), None);
        assert_eq!(left.apply(&Event::Expired), Err(Impossible::WrongPhase));
        assert_eq!(left, game);
        game.play(seat, Command::Place(&placement)).unwrap();
    }
    assert_eq!((game.status(), expire(&game)), (Status::Battle, None));
}

#[test]
fn r23_after_the_last_ship_nothing_follows() {
    of_every_configuration(1, |mut table, _| {
        while table.goes_on() {}

        let Some(Ending::Won { winner, by: Victory::FleetSunk }) = table.game.ending() else {
            panic!("{:?} is no victory", table.game.ending());
        };
        assert!(table.game.board(winner.other()).unwrap().is_lost());
        assert!(!table.game.board(winner).unwrap().is_lost());
        nothing_follows(&mut table);
    });
}

#[test]
fn r22_the_coin_counts_only_where_the_options_leave_it_to_chance() {
    for awaited in Seat::BOTH {
        for coin in Seat::BOTH {
            for (first, expected) in
                [(FirstShot::Host, Seat::Host), (FirstShot::Guest, Seat::Guest), (FirstShot::Random, coin)]
            {
                let mut game = Game::new(Options { first, ..Options::default() }, awaited);
                assert_eq!(game.first(), None);

                let joined = join(&game, None, coin).unwrap();
                game.apply(&joined).unwrap();

                assert_eq!(joined, Event::Joined { seat: awaited, first: expected });
                assert_eq!(game.first(), Some(expected));
                begins_with(&game, expected);
            }
        }
    }
}

#[test]
fn r22_a_rematch_that_awaits_the_host_is_from_the_joining_on_like_any_game() {
    let options = Options { first: FirstShot::Guest, ..Options::default() };
    let mut rematch = Game::new(options, Seat::Host);
    let mut other = Game::new(options, Seat::Guest);

    // Only the guest is there yet.
    assert_eq!(join(&rematch, Some(Seat::Guest), Seat::Host), Err(Refusal::OwnGame));
    assert_eq!(decide(&rematch, Seat::Host, Command::Resign), Err(Refusal::NotJoined));
    assert_eq!(rematch.apply(&Event::Resigned { seat: Seat::Host }), Err(Impossible::WrongSeat));
    assert_eq!(decide(&rematch, Seat::Guest, Command::Resign), Ok(Event::Resigned { seat: Seat::Guest }));

    assert_eq!(Game::unpack(options, &rematch.pack()), Ok(rematch));

    rematch.apply(&Event::Joined { seat: Seat::Host, first: Seat::Guest }).unwrap();
    other.apply(&Event::Joined { seat: Seat::Guest, first: Seat::Guest }).unwrap();
    assert_eq!(rematch, other);
}

/// Who shoots first does so once both have placed, in whatever order.
fn begins_with(joined: &Game, first: Seat) {
    let placement = notation::placement("A1>5 A3>4 A5>3 A7>3 E7>2", "J10");
    for order in [Seat::BOTH, [Seat::Guest, Seat::Host]] {
        let mut game = *joined;
        for seat in order {
            game.play(seat, Command::Place(&placement)).unwrap();
        }
        let awaited: Vec<_> = game.awaiting().map(|awaited| awaited.seat).collect();
        assert_eq!((game.status(), awaited), (Status::Battle, vec![first]));
    }
}

/// Everything that anybody wants is refused, all is as the model shows it, and it stays so.
fn nothing_follows(table: &mut Table) {
    let ended = table.game;
    table.agrees();
    for eyes in EYES {
        table.shows_the_same(eyes);
    }
    for _ in 0..3 {
        table.hears_nonsense();
    }
    table.hears_a_stranger();
    for seat in [model::Seat::Host, model::Seat::Guest] {
        // Before the joining there is no guest.
        if seat == model::Seat::Host || ended.first().is_some() {
            assert_eq!(table.hears(seat, &model::Action::Resign), Err(Refusal::GameOver));
        }
    }
    assert_eq!(time_out(&table.game), Err(Refusal::GameOver));
    assert_eq!(extend(&table.game, 1), Err(Refusal::GameOver));
    assert_eq!(expire(&table.game), None);
    assert_eq!(table.game, ended);
    assert_eq!(table.game.awaiting().count(), 0);
    for (event, _) in table.log.clone() {
        assert!(table.game.apply(&event).is_err(), "{event:?} follows on an end");
    }
    assert_eq!(table.game, ended);
}
