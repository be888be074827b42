//! A wire that is slow, or breaks at the worst moment: from servers to Postgres, or from clients to a
//! server.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::cluster::Database;
use crate::server::Server;

/// Stands between servers and Postgres, or between clients and a server.
pub struct Proxy {
    url: String,
    wires: Arc<Wires>,
}

/// Where a wire breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Break {
    /// Before the question has been heard.
    Before,
    /// When the question has been heard, whatever was done about it by then.
    Amid,
    /// When there is an answer, before it comes through.
    After,
}

/// What all wires of a proxy obey.
#[derive(Default)]
struct Wires {
    delay: Mutex<Duration>,
    armed: Mutex<Option<(Break, String)>>,
    /// After so many bytes of answers a wire breaks.
    answers: Mutex<Option<usize>>,
    broken: AtomicUsize,
    /// How many times something was asked.
    questions: AtomicUsize,
}

/// The two ends of one connection.
struct Ends {
    asking: TcpStream,
    answering: Far,
    /// It has been asked what may not be answered.
    is_doomed: AtomicBool,
}

/// Where those who answer are.
#[derive(Clone)]
enum There {
    Postgres(PathBuf),
    Server(String),
}

/// A connection to them.
enum Far {
    Postgres(UnixStream),
    Server(TcpStream),
}

impl Proxy {
    /// A proxy to a database; it does nothing yet but pass on.
    pub fn start(database: &Database) -> Self {
        let (port, wires) = Self::lead_to(There::Postgres(database.socket_file()));
        Self { url: database.url_by_way_of(port), wires }
    }

    /// A proxy to a server; it does nothing yet but pass on.
    pub fn to(server: &Server) -> Self {
        let (port, wires) = Self::lead_to(There::Server(server.base.trim_start_matches("http://").to_owned()));
        Self { url: format!("http://127.0.0.1:{port}"), wires }
    }

    fn lead_to(there: There) -> (u16, Arc<Wires>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("a listener has an address").port();
        let wires = Arc::new(Wires::default());
        let all = Arc::clone(&wires);
        thread::spawn(move || {
            for asking in listener.incoming().map_while(Result::ok) {
                // Where Postgres is gone, so is whoever asks for it.
                let Ok(answering) = there.connect() else { continue };
                let ends = Arc::new(Ends { asking, answering, is_doomed: AtomicBool::new(false) });
                let (there, back) = (Arc::clone(&ends), ends);
                let (one, two) = (Arc::clone(&all), Arc::clone(&all));
                thread::spawn(move || one.pass_questions(&there));
                thread::spawn(move || two.pass_answers(&back));
            }
        });
        (port, wires)
    }

    /// The way through the proxy, as `DATABASE_URL` or a client names it.
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

    /// From now on every wire breaks after so many bytes of answers.
    pub fn limit_answers(&self, bytes: usize) {
        *self.wires.answers.lock().expect("no wire broke the lock") = Some(bytes);
    }

    /// How many times something was asked so far: one for each statement, unless several came at once.
    pub fn questions(&self) -> usize {
        self.wires.questions.load(Ordering::SeqCst)
    }

    /// How many wires have broken.
    pub fn broken(&self) -> usize {
        self.wires.broken.load(Ordering::SeqCst)
    }
}

impl Wires {
    fn pass_questions(&self, ends: &Ends) {
        self.pass(&ends.asking, &ends.answering, |bytes| {
            self.questions.fetch_add(1, Ordering::SeqCst);
            let mut armed = self.armed.lock().expect("no wire broke the lock");
            let place = armed.as_ref().filter(|(_, text)| contains(bytes, text.as_bytes())).map(|(place, _)| *place);
            if place.is_some() {
                *armed = None;
                self.broken.fetch_add(1, Ordering::SeqCst);
            }
            ends.is_doomed.fetch_or(place == Some(Break::After), Ordering::SeqCst);
            match place? {
                Break::Before => Some(0),
                Break::Amid => Some(bytes.len()),
                Break::After => None,
            }
        });
        ends.cut();
    }

    fn pass_answers(&self, ends: &Ends) {
        let mut passed = 0;
        self.pass(&ends.answering, &ends.asking, |bytes| {
            if ends.is_doomed.load(Ordering::SeqCst) {
                return Some(0);
            }
            let most = (*self.answers.lock().expect("no wire broke the lock"))?;
            let left = most.saturating_sub(passed);
            passed += bytes.len();
            (bytes.len() >= left).then(|| {
                self.broken.fetch_add(1, Ordering::SeqCst);
                left
            })
        });
        ends.cut();
    }

    /// Passes on until an end is gone or the wire breaks, which is told in bytes that still pass.
    fn pass(&self, mut from: impl Read, mut to: impl Write, mut breaks: impl FnMut(&[u8]) -> Option<usize>) {
        let mut chunk = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            let delay = *self.delay.lock().expect("no wire broke the lock");
            if !delay.is_zero() {
                thread::sleep(delay);
            }
            let last = breaks(&chunk[..count]);
            if to.write_all(&chunk[..last.unwrap_or(count)]).is_err() || last.is_some() {
                return;
            }
        }
    }
}

impl Ends {
    fn cut(&self) {
        // The other direction may have cut it already.
        drop(self.asking.shutdown(Shutdown::Both));
        drop(match &self.answering {
            Far::Postgres(socket) => socket.shutdown(Shutdown::Both),
            Far::Server(socket) => socket.shutdown(Shutdown::Both),
        });
    }
}

impl There {
    fn connect(&self) -> io::Result<Far> {
        match self {
            Self::Postgres(socket) => UnixStream::connect(socket).map(Far::Postgres),
            Self::Server(address) => TcpStream::connect(address).map(Far::Server),
        }
    }
}

impl Read for &Far {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Far::Postgres(socket) => (&*socket).read(into),
            Far::Server(socket) => (&*socket).read(into),
        }
    }
}

impl Write for &Far {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Far::Postgres(socket) => (&*socket).write(bytes),
            Far::Server(socket) => (&*socket).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Far::Postgres(socket) => (&*socket).flush(),
            Far::Server(socket) => (&*socket).flush(),
        }
    }
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}
