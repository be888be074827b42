//! The game that the README shows, played from both seats.

#![expect(clippy::print_stdout, reason = "it is a program for the terminal")]

use naval_battle_client::{Choice, Client, Create, FirstShot, Layout, NotACell, Ship};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let api = Client::new(&std::env::args().nth(1).unwrap_or("http://127.0.0.1:8080".into()))?;
    let options = Choice { first: Some(FirstShot::Host), ..Choice::default() };
    let (anna, _) = api.create(&Create { options, ..Create::by("Anna") }).await?;
    let (boris, _) = api.table(anna.id()).join(Some("Boris")).await?;
    let ships = [("B2", 5), ("B4", 4), ("B6", 3), ("F6", 3), ("B8", 2)];
    let ships = ships.map(|(start, length)| Ok(Ship::across(start.parse()?, length)));
    let layout = Layout { ships: ships.into_iter().collect::<Result<_, NotACell>>()?, mines: vec!["J10".parse()?] };
    anna.place(&layout).await?;
    boris.place(&layout).await?;
    anna.fire(&["J10".parse()?]).await?; // a mine: she owes a cell of her own ships
    anna.reveal(&["D4".parse()?]).await?;
    boris.resign().await?;
    let mut feed = anna.follow(0);
    while let Some(event) = feed.next().await? {
        println!("{} {:?}", event.seq, event.kind);
    }
    Ok(())
}
