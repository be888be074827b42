//! A wire to Postgres that is slow, or breaks at the worst moment.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::cluster::Database;

/// Stands between servers and Postgres.
pub struct Proxy {
    url: String,
    wires: Arc<Wires>,
}

/// Where a wire breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Break {
    /// Before Postgres has heard of the statement.
    Before,
    /// When Postgres has the statement, whatever it has done with it by then.
    Amid,
    /// When Postgres has answered, before the answer comes through.
    After,
}

/// What all wires of a proxy obey.
#[derive(Default)]
struct Wires {
    delay: Mutex<Duration>,
    armed: Mutex<Option<(Break, String)>>,
    broken: AtomicUsize,
}

/// The two ends of one connection.
struct Ends {
    server: TcpStream,
    postgres: UnixStream,
    /// Postgres has been asked what it may not answer.
    is_doomed: AtomicBool,
}

impl Proxy {
    /// A proxy to a database; it does nothing yet but pass on.
    pub fn start(database: &Database) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("a listener has an address").port();
        let wires = Arc::new(Wires::default());
        let (socket, all) = (database.socket_file(), Arc::clone(&wires));
        thread::spawn(move || {
            for server in listener.incoming().map_while(Result::ok) {
                // Where Postgres is gone, so is whoever asks for it.
                let Ok(postgres) = UnixStream::connect(&socket) else { continue };
                let ends = Arc::new(Ends { server, postgres, is_doomed: AtomicBool::new(false) });
                let (there, back) = (Arc::clone(&ends), ends);
                let (one, two) = (Arc::clone(&all), Arc::clone(&all));
                thread::spawn(move || one.pass_questions(&there));
                thread::spawn(move || two.pass_answers(&back));
            }
        });
        Self { url: database.url_by_way_of(port), wires }
    }

    /// As `DATABASE_URL` names the way through the proxy.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// From now on everything takes so much longer, each way.
    pub fn delay(&self, delay: Duration) {
        *self.wires.delay.lock().expect("no wire broke the lock") = delay;
    }

    /// The next statement with this text in it or in its parameters breaks its wire.
    pub fn break_at(&self, place: Break, text: &str) {
        *self.wires.armed.lock().expect("no wire broke the lock") = Some((place, text.to_owned()));
    }

    /// How many wires have broken.
    pub fn broken(&self) -> usize {
        self.wires.broken.load(Ordering::SeqCst)
    }
}

impl Wires {
    fn pass_questions(&self, ends: &Ends) {
        self.pass(&ends.server, &ends.postgres, |bytes| {
            let mut armed = self.armed.lock().expect("no wire broke the lock");
            let place = armed.as_ref().filter(|(_, text)| contains(bytes, text.as_bytes())).map(|(place, _)| *place);
            if place.is_some() {
                *armed = None;
                self.broken.fetch_add(1, Ordering::SeqCst);
            }
            ends.is_doomed.fetch_or(place == Some(Break::After), Ordering::SeqCst);
            place
        });
        ends.cut();
    }

    fn pass_answers(&self, ends: &Ends) {
        self.pass(&ends.postgres, &ends.server, |_| ends.is_doomed.load(Ordering::SeqCst).then_some(Break::Before));
        ends.cut();
    }

    /// Passes on until an end is gone or the wire breaks.
    fn pass(&self, mut from: impl Read, mut to: impl Write, breaks: impl Fn(&[u8]) -> Option<Break>) {
        let mut chunk = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            let delay = *self.delay.lock().expect("no wire broke the lock");
            if !delay.is_zero() {
                thread::sleep(delay);
            }
            let place = breaks(&chunk[..count]);
            if place == Some(Break::Before) || to.write_all(&chunk[..count]).is_err() || place == Some(Break::Amid) {
                return;
            }
        }
    }
}

impl Ends {
    fn cut(&self) {
        // The other direction may have cut it already.
        drop(self.server.shutdown(Shutdown::Both));
        drop(self.postgres.shutdown(Shutdown::Both));
    }
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}
