//! Streams of events that stay open, each on another game.

use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::floor::Floor;
use crate::line::status;

/// How many are opened in a second at most.
const OPENED_IN_A_SECOND: u32 = 500;

/// How long nobody follows between two games.
const PAUSE: Duration = Duration::from_millis(100);

/// Bytes of a reply by which its status is known.
const STATUS_LINE: usize = 12;

/// What ends a reply that comes in chunks.
const END: &[u8] = b"0\r\n\r\n";

/// Opens streams on the games that are played, and another one for each that ends; they close when
/// this is dropped.
pub(crate) fn open(floor: &Rc<Floor>) -> JoinSet<()> {
    let mut open = JoinSet::new();
    for number in (0..u32::MAX).take(floor.plan.streams) {
        open.spawn_local(follow(Rc::clone(floor), Duration::from_secs(1) / OPENED_IN_A_SECOND * number));
    }
    open
}

async fn follow(floor: Rc<Floor>, after: Duration) {
    tokio::time::sleep(after).await;
    loop {
        if follow_a_game(&floor).await.is_none() {
            floor.refused.set(floor.refused.get() + 1);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Follows a game to its end over a connection of its own; none where that broke before.
async fn follow_a_game(floor: &Floor) -> Option<()> {
    // The last that was put back is followed longest.
    let Some(game) = floor.stock.borrow().back().map(|game| game.id.clone()) else { return Some(()) };
    let mut stream = TcpStream::connect(&floor.address).await.ok()?;
    let request =
        format!("GET /v1/games/{game}/events HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\n\r\n", floor.address);
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut come = Vec::with_capacity(1 << 10);
    let mut is_begun = false;
    while stream.read_buf(&mut come).await.ok()? > 0 {
        if !is_begun && come.len() >= STATUS_LINE {
            is_begun = true;
            match status(&come)? {
                200 => {}
                // It has ended meanwhile.
                204 => return Some(()),
                _ => return None,
            }
        }
        if come.ends_with(END) {
            return Some(());
        }
        // What may be the beginning of the end stays.
        if is_begun {
            come.drain(..come.len().saturating_sub(END.len()));
        }
    }
    None
}
