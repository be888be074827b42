//! Seats at a table, taken and played through the client.

use naval_battle_client::{Cell, Choice, Client, Create, Error, FirstShot, Layout, Progress, Table};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;

use ground::table::{usual, words};
use testing::model::{Action, LayoutSent, Model, Options, Seat, random_action};

/// Both seats of a new game in which nobody has placed, and what the rules say of it.
pub(crate) async fn joined(api: &Client, options: Options) -> (Table, Table, Model) {
    let choice: Choice = serde_json::from_value(options.to_json()).unwrap();
    let choice = Choice { first: Some(FirstShot::Host), ..choice };
    let create = Create { options: choice, ..Create::by("Ada") };
    let (host, _) = api.create(&create).await.unwrap();
    let (guest, _) = api.table(host.id()).join(Some("Ben")).await.unwrap();
    let mut model = Model::new(options);
    model.joined(Seat::Host);
    (host, guest, model)
}

/// Both seats of a 10×10 game in battle: both have the usual layout, the host fires first.
pub(crate) async fn in_battle(api: &Client) -> (Table, Table) {
    let options = Choice { first: Some(FirstShot::Host), ..Choice::default() };
    let (host, _) = api.create(&Create { options, ..Create::by("Ada") }).await.unwrap();
    let (guest, _) = api.table(host.id()).join(None).await.unwrap();
    for table in [&host, &guest] {
        table.place(&layout(&usual())).await.unwrap();
    }
    (host, guest)
}

/// Plays until somebody has won: at random, but that the first shot strikes a mine.
pub(crate) async fn play(host: &Table, guest: &Table, mut model: Model, seed: u64) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut unstruck = None;
    while let Some((seat, ..)) = model.awaited().first().copied() {
        let mut action = random_action(&model, seat, &mut dice);
        match &mut action {
            Action::Place(layout) if seat == Seat::Guest => unstruck = layout.mines.first().cloned(),
            Action::Fire(shots) => {
                if let Some(mine) = unstruck.take().filter(|mine| !shots.contains(mine)) {
                    shots[0] = mine;
                }
            }
            Action::Place(_) | Action::Reveal(_) | Action::Resign | Action::Join => {}
        }
        let table = if seat == Seat::Host { host } else { guest };

        let progress = act(table, &action).await.unwrap();

        model.act(seat, &action).expect("the rules allow it");
        assert_eq!(progress.events.len(), 1);
        assert_eq!(serde_json::to_value(&progress.awaiting).unwrap(), model.awaiting());
    }
}

async fn act(table: &Table, action: &Action) -> Result<Progress, Error> {
    match action {
        Action::Place(sent) => table.place(&layout(sent)).await,
        Action::Fire(shots) => table.fire(&cells(&shots.join(" "))).await,
        Action::Reveal(given) => table.reveal(&cells(&given.join(" "))).await,
        Action::Resign => table.resign().await,
        Action::Join => panic!("a seat cannot join"),
    }
}

/// A layout as the client sends it.
pub(crate) fn layout(sent: &LayoutSent) -> Layout {
    serde_json::from_value(sent.to_json()).unwrap()
}

/// Cells, written with spaces between them.
pub(crate) fn cells(text: &str) -> Vec<Cell> {
    words(text).iter().map(|word| word.parse().unwrap()).collect()
}
