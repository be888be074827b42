use engine::bot::{self, Choice, SeatView};
use engine::{BySeat, Command, Event, Game, Layout, Level, Seat};
use record::proof::Seed;
use record::proof::bot_dice;
use record::{self, Happened};
use serde_json::Value;

use super::games::usual_options;
use super::solo::{Solo, shown_layout};
use ground::server::Server;
use testing::model::{LayoutSent, Options};

fn layout_of(sent: &LayoutSent, game: &Game) -> Layout {
    use engine::{Coordinate, Direction, Placement, Ship};
    let cell = |text: &String| Coordinate::parse(text).unwrap();
    let ship = |ship: &testing::model::ShipSent| {
        Ship::new(cell(&ship.start), ship.length, if ship.down { Direction::Down } else { Direction::Across }).unwrap()
    };
    let placement =
        Placement { ships: sent.ships.iter().map(ship).collect(), mines: sent.mines.iter().map(cell).collect() };
    placement.check(game.options()).unwrap()
}

fn body_of(event: &Value) -> String {
    let mut event = event.clone();
    for derived in ["status", "awaiting", "head"] {
        event.as_object_mut().unwrap().remove(derived);
    }
    event.to_string()
}

/// Whether the rules would make the same event of the choice.
fn is(choice: &Choice, event: &Event) -> bool {
    match (choice.command(), event) {
        (Command::Place(_), Event::Placed { .. }) => true,
        (Command::Fire(cells), Event::Fired { shots, .. }) => {
            shots.iter().map(|shot| shot.cell).eq(cells.iter().copied())
        }
        (Command::Reveal(cells), Event::Revealed { cells: given, .. }) => given.iter().eq(cells.iter()),
        _ => false,
    }
}

#[tokio::test]
async fn whoever_has_the_seed_of_an_ended_game_finds_every_choice_of_its_bot_again() {
    let server = Server::shared().await;
    let volleys = Options { salvo: true, shoot_again: true, grid: 15, ..usual_options() };
    for (number, options) in (40..).zip([usual_options(), volleys]) {
        for level in Level::ALL {
            let mut solo = Solo::create(&server, level.word(), &options, number).await;
            solo.place(&server).await;
            solo.play_to_the_end(&server).await;
            let ended = solo.table.see(&server, None).await;
            let mut seed = [0; 32];
            hex::decode_to_slice(ended["players"]["guest"]["bot_seed"].as_str().unwrap(), &mut seed).unwrap();
            let seed = Seed::new(seed);

            let mut game: Option<Game> = None;
            let mut layouts = BySeat::default();
            let mut choices = 0;
            for event in solo.table.log(&server).await {
                let body = body_of(&event);
                let recorded = record::read(&body).unwrap();
                if let Happened::Created { options, seat, .. } = recorded.happened {
                    let new = Game::new(options, seat.other());
                    layouts = BySeat {
                        host: Some(layout_of(&solo.layout, &new)),
                        guest: Some(layout_of(&shown_layout(&ended["boards"]["guest"]), &new)),
                    };
                    game = Some(new);
                    continue;
                }
                let game = game.as_mut().unwrap();
                let happened = recorded.happened.event(&layouts).unwrap();
                if event["seat"] == "guest" && event["type"] != "joined" {
                    let sight = SeatView::of(game, Seat::Guest).unwrap();
                    let choice = bot::choose(level, &sight, &mut bot_dice(&seed, recorded.seq - 1));
                    assert!(is(&choice, &happened), "{choice:?} is not {event}");
                    if let Choice::Place(placement) = &choice {
                        assert_eq!(placement.check(game.options()).ok(), layouts.guest);
                    }
                    choices += 1;
                }
                game.apply(&happened).unwrap();
            }
            assert!(choices > 5, "{choices}");
        }
    }
}
