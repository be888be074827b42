//! A connection that is read no faster than it is answered.

use std::cell::{Cell, RefCell};
use std::io::{ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep_until};

use super::admission::Admitted;
use super::plain_stream::PlainStream;
use crate::deadlines::{HEAD, KEPT, PARTING};

/// How many bytes may come while a request is answered: its own body, and some that come after it.
const MOST_AHEAD: usize = 48 * 1024;

/// So many bytes are looked at before more are read.
const AT_A_TIME: usize = 16 * 1024;

/// A stream of requests with what actix-http does not see to.
///
/// actix-http reads on while it answers, keeps 128 KiB of what comes, and from then on asks again without end whether
/// there is room: a core for one client. So whoever sends that much ahead counts as gone here. It also waits without
/// end for the rest of a head on a connection that it has kept. So it is told here how long one is kept, and how long the
/// next head may take; and one that is kept without a request may have to give its place to another.
pub(super) struct PacedStream<S> {
    stream: PlainStream<S>,
    wire: Rc<Wire>,
    /// How many bytes came since a request began to be answered.
    ahead: usize,
    /// How many bytes came since they were looked at.
    unseen: usize,
    /// How many requests have begun and ended, and when that was seen first.
    last: (usize, Instant),
    /// When the head began to come that is waited for.
    head: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
    place: Admitted,
}

/// What a connection and the requests on it know of each other.
pub(super) struct Wire {
    /// How many times a request has begun or ended to be answered.
    turns: Cell<usize>,
    /// How many requests have begun and not ended.
    under_way: Cell<usize>,
    /// Whether the peer has sent its last.
    closed: Cell<bool>,
    closing: Notify,
    /// Wakes the connection, which looks whether it is idle once it has answered.
    reader: RefCell<Option<Waker>>,
}

/// A request that is answered, until this is dropped.
pub(super) struct Answering(Rc<Wire>);

/// A body whose request is answered once it is sent.
struct AnsweringBody {
    body: BoxBody,
    _answering: Option<Answering>,
}

impl<S> PacedStream<S> {
    /// The requests on a new connection.
    pub(super) fn new(stream: PlainStream<S>, place: Admitted) -> Self {
        let wire = Wire {
            turns: Cell::new(0),
            under_way: Cell::new(0),
            closed: Cell::new(false),
            closing: Notify::new(),
            reader: RefCell::default(),
        };
        let last = (0, Instant::now());
        Self { stream, wire: Rc::new(wire), ahead: 0, unseen: 0, last, head: None, timer: None, place }
    }

    /// What its requests know of it.
    pub(super) fn wire(&self) -> &Rc<Wire> {
        &self.wire
    }

    /// Whether it is kept no longer: no request has come for so long, the rest of one does not come, or its place is
    /// another's. How long the first may take is known to actix-http.
    fn is_forgotten(&mut self, cx: &mut Context<'_>) -> bool {
        let turns = self.wire.turns.get();
        if turns != self.last.0 {
            self.last = (turns, Instant::now());
        }
        if turns == 0 {
            return false;
        }
        let until = if self.stream.has_begun_a_head() {
            self.place.act();
            *self.head.get_or_insert_with(Instant::now) + HEAD
        } else {
            self.head = None;
            self.place.rest();
            if self.place.is_given_up(cx) {
                return true;
            }
            // What is sent at the last moment that was told still counts.
            self.last.1 + KEPT + PARTING
        };
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if timer.deadline() != until {
            timer.as_mut().reset(until);
        }
        timer.as_mut().poll(cx).is_ready()
    }
}

impl Wire {
    /// A request begins to be answered.
    pub(super) fn answer(self: &Rc<Self>) -> Answering {
        self.turns.set(self.turns.get().wrapping_add(1));
        self.under_way.set(self.under_way.get() + 1);
        Answering(Rc::clone(self))
    }

    /// Waits until the peer has sent its last: it has closed its end, and whoever follows something has left.
    pub(super) async fn closed(&self) {
        while !self.closed.get() {
            self.closing.notified().await;
        }
    }

    fn is_answering(&self) -> bool {
        self.under_way.get() > 0
    }

    fn close(&self) {
        self.closed.set(true);
        self.closing.notify_waiters();
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.turns.set(self.0.turns.get().wrapping_add(1));
        self.0.under_way.set(self.0.under_way.get().saturating_sub(1));
        if let Some(reader) = self.0.reader.take() {
            reader.wake();
        }
    }
}

impl Answering {
    /// The same body, at whose end the request is answered.
    pub(super) fn until_sent(answering: Option<Self>, body: BoxBody) -> impl MessageBody {
        AnsweringBody { body, _answering: answering }
    }
}

impl MessageBody for AnsweringBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<std::result::Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_next(cx)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        let this = self.get_mut();
        let answering = this.wire.is_answering();
        if !answering {
            this.ahead = 0;
        } else if this.ahead >= MOST_AHEAD {
            this.wire.close();
            return Poll::Ready(Ok(()));
        }
        if this.unseen >= AT_A_TIME {
            this.unseen = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buf.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buf);
        let count = buf.filled().len() - before;
        match read {
            Poll::Ready(Ok(())) if count == 0 => this.wire.close(),
            Poll::Ready(Ok(())) => {
                this.place.act();
                this.head = None;
                this.ahead += count;
                this.unseen += count;
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                this.unseen = 0;
                *this.wire.reader.borrow_mut() = Some(cx.waker().clone());
                if !answering && this.is_forgotten(cx) {
                    // Not closed in order: a peer that has gone could take a second over that, and keep the descriptor.
                    return Poll::Ready(Err(ErrorKind::TimedOut.into()));
                }
            }
        }
        read
    }
}

/// What the server sends goes out as it is.
impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[IoSlice<'_>]) -> Poll<Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
