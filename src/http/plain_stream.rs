//! A connection on which nobody asks for another protocol.

use std::io::{IoSlice, Result};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::web::BytesMut;
use httparse::{EMPTY_HEADER, Header, Request, Status, parse_chunk_size, parse_headers};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The most headers of a request, and its longest head, that actix-http reads.
const MOST_HEADERS: usize = 96;
const LONGEST_HEAD: usize = 131_072;

/// What a client sends, without its offers to speak another protocol: a server may ignore `Upgrade` (RFC 9110 §7.8), and
/// this one speaks HTTP/1.1 alone. actix-http would take what follows such a request for a stream without an end, or
/// answer that the connection is upgraded. So each offer is overwritten with spaces before actix-http reads it: all else
/// of the request, its length above all, is as it came.
pub(super) struct PlainStream<S> {
    stream: S,
    place: Place,
    /// What came and may not be read yet, as the end of a head is not there, or was not read so far.
    held: BytesMut,
    /// How much of what is held may be read.
    ready: usize,
}

/// Where in the requests the next byte stands (RFC 9112 §2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In a head, from its first byte on.
    Head,
    /// In a body that has so many bytes to come.
    Body(u64),
    /// Before the size of a chunk.
    ChunkSize,
    /// In a chunk that has so many bytes to come, its end of line among them.
    Chunk(u64),
    /// Behind the last chunk.
    Trailers,
    /// Behind what is no HTTP, which actix-http refuses.
    Lost,
}

impl<S> PlainStream<S> {
    /// The requests on a new connection.
    pub(super) fn new(stream: S) -> Self {
        Self { stream, place: Place::Head, held: BytesMut::new(), ready: 0 }
    }

    /// Whether some of a head has come and not all of it.
    pub(super) fn has_begun_a_head(&self) -> bool {
        self.place == Place::Head && !self.held.is_empty()
    }

    /// Gives what is held and may be read.
    fn give(&mut self, buf: &mut ReadBuf<'_>) {
        let count = self.ready.min(buf.remaining());
        buf.put_slice(&self.held.split_to(count));
        self.ready -= count;
        if self.held.is_empty() {
            // An idle connection keeps no buffer.
            self.held = BytesMut::new();
        }
    }

    /// Holds what came behind what was held, and says how much of it may be read.
    fn hold(&mut self, came: &[u8]) {
        self.held.extend_from_slice(came);
        self.ready = self.place.pass(&mut self.held);
        if self.ready == 0 && (came.is_empty() || self.held.len() >= LONGEST_HEAD) {
            // No head ends here: what has come is for actix-http to refuse.
            (self.place, self.ready) = (Place::Lost, self.held.len());
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PlainStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        let this = self.get_mut();
        let before = buf.filled().len();
        while this.ready == 0 && buf.remaining() > 0 {
            ready!(Pin::new(&mut this.stream).poll_read(cx, buf))?;
            let came = buf.filled_mut().get_mut(before..).unwrap_or_default();
            if this.held.is_empty() {
                // As good as always: a request comes whole, and is read where it lies.
                let passed = this.place.pass(came);
                let rest = came.get(passed..).unwrap_or_default();
                let ended = came.is_empty();
                if !rest.is_empty() {
                    this.hold(rest);
                }
                if passed > 0 || ended {
                    buf.set_filled(before + passed);
                    return Poll::Ready(Ok(()));
                }
            } else {
                this.hold(came);
            }
            buf.set_filled(before);
        }
        this.give(buf);
        Poll::Ready(Ok(()))
    }
}

impl Place {
    /// How many of these bytes may be read: all up to a head that is not whole. Offers in heads are overwritten.
    fn pass(&mut self, bytes: &mut [u8]) -> usize {
        let mut passed = 0;
        while let Some(rest) = bytes.get_mut(passed..).filter(|rest| !rest.is_empty())
            && let Some(count) = self.step(rest)
        {
            passed += count;
        }
        passed
    }

    /// Goes behind the next part of a request, and says how long it is; none where it is not whole.
    fn step(&mut self, bytes: &mut [u8]) -> Option<usize> {
        let (count, next) = match *self {
            Self::Head => Self::behind_head(bytes),
            Self::Body(left) => {
                let (count, left) = part(bytes, left);
                Some((count, if left == 0 { Self::Head } else { Self::Body(left) }))
            }
            Self::ChunkSize => match parse_chunk_size(bytes) {
                Ok(Status::Complete((count, 0))) => Some((count, Self::Trailers)),
                Ok(Status::Complete((count, size))) => Some((count, Self::Chunk(size.saturating_add(2)))),
                Ok(Status::Partial) => None,
                Err(_) => Some((bytes.len(), Self::Lost)),
            },
            Self::Chunk(left) => {
                let (count, left) = part(bytes, left);
                Some((count, if left == 0 { Self::ChunkSize } else { Self::Chunk(left) }))
            }
            Self::Trailers => match parse_headers(bytes, &mut [EMPTY_HEADER; MOST_HEADERS]) {
                Ok(Status::Complete((count, _))) => Some((count, Self::Head)),
                Ok(Status::Partial) => None,
                Err(_) => Some((bytes.len(), Self::Lost)),
            },
            Self::Lost => Some((bytes.len(), Self::Lost)),
        }?;
        *self = next;
        Some(count)
    }

    /// Overwrites the offers in a head, and says how long it is and what comes behind it.
    fn behind_head(bytes: &mut [u8]) -> Option<(usize, Self)> {
        let mut headers = [const { MaybeUninit::uninit() }; MOST_HEADERS];
        let mut request = Request::new(&mut []);
        let count = match request.parse_with_uninit_headers(bytes, &mut headers) {
            Ok(Status::Complete(count)) => count,
            Ok(Status::Partial) => return None,
            Err(_) => return Some((bytes.len(), Self::Lost)),
        };
        let next = Self::behind(request.headers);
        let start = bytes.as_ptr().addr();
        let offers: Vec<Range<usize>> = request
            .headers
            .iter()
            .flat_map(offers)
            .map(|offer| {
                let from = offer.as_ptr().addr() - start;
                from..from + offer.len()
            })
            .collect();
        for offer in offers {
            bytes.get_mut(offer).unwrap_or_default().fill(b' ');
        }
        Some((count, next))
    }

    /// What comes behind a head with these headers (RFC 9112 §6.3). Where actix-http refuses them nothing does.
    fn behind(headers: &[Header<'_>]) -> Self {
        let first = |name: &str| headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        if first("transfer-encoding").is_some() {
            return Self::ChunkSize;
        }
        let Some(length) = first("content-length") else { return Self::Head };
        match str::from_utf8(length.value).map(|length| length.trim().parse()) {
            Ok(Ok(0)) => Self::Head,
            Ok(Ok(length)) => Self::Body(length),
            Ok(Err(_)) | Err(_) => Self::Lost,
        }
    }
}

/// How many of these bytes belong to what has so many to come, and how many are to come then.
fn part(bytes: &[u8], left: u64) -> (usize, u64) {
    let count = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
    (count, u64::try_from(count).map_or(0, |count| left.saturating_sub(count)))
}

/// What of a header offers another protocol: all of `Upgrade`, and of `Connection` the option that names it.
fn offers<'a>(header: &Header<'a>) -> Vec<&'a [u8]> {
    if header.name.eq_ignore_ascii_case("upgrade") {
        vec![header.value]
    } else if header.name.eq_ignore_ascii_case("connection") {
        let options = header.value.split(|letter| *letter == b',').map(<[u8]>::trim_ascii);
        options.filter(|option| option.eq_ignore_ascii_case(b"upgrade")).collect()
    } else {
        Vec::new()
    }
}

/// What the server sends goes out as it is.
impl<S: AsyncWrite + Unpin> AsyncWrite for PlainStream<S> {
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    const OFFERS: &str = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n\
                          POST /a HTTP/1.1\r\nHost: x\r\nupgrade: websocket\r\nContent-Length: 27\r\n\r\n\
                          \r\n\r\nGET /\r\nUpgrade: mine\r\n\
                          POST /b HTTP/1.1\r\nHost: x\r\nCONNECTION: close ,UPGRADE\r\nTransfer-Encoding: chunked\r\n\r\n\
                          1a;x=y\r\nConnection: upgrade\r\n12345\r\n0\r\nUpgrade: mine\r\n\r\n\
                          GET /c HTTP/1.1\nHost: x\nConnection: upgrade\nUpgrade: a/1, b\n\n";

    const PLAIN: &str = "GET / HTTP/1.1\r\nHost: x\r\nConnection:        , HTTP2-Settings\r\nUpgrade:    \r\n\r\n\
                         POST /a HTTP/1.1\r\nHost: x\r\nupgrade:          \r\nContent-Length: 27\r\n\r\n\
                         \r\n\r\nGET /\r\nUpgrade: mine\r\n\
                         POST /b HTTP/1.1\r\nHost: x\r\nCONNECTION: close ,       \r\nTransfer-Encoding: chunked\r\n\r\n\
                         1a;x=y\r\nConnection: upgrade\r\n12345\r\n0\r\nUpgrade: mine\r\n\r\n\
                         GET /c HTTP/1.1\nHost: x\nConnection:        \nUpgrade:       \n\n";

    /// What is read of bytes that come one by one.
    async fn read_byte_by_byte(bytes: &[u8], size: usize) -> Vec<u8> {
        let (mut client, server) = duplex(1);
        let sending = async move {
            client.write_all(bytes).await.unwrap();
            drop(client);
        };
        tokio::join!(sending, read(server, size)).1
    }

    /// What is read of bytes that come at once.
    async fn read_at_once(bytes: &[u8], size: usize) -> Vec<u8> {
        read(bytes, size).await
    }

    async fn read(stream: impl AsyncRead + Unpin, size: usize) -> Vec<u8> {
        let mut stream = PlainStream::new(stream);
        let (mut read, mut buffer) = (Vec::new(), vec![0; size]);
        loop {
            match stream.read(&mut buffer).await.unwrap() {
                0 => return read,
                count => read.extend_from_slice(&buffer[..count]),
            }
        }
    }

    #[tokio::test]
    async fn offers_in_heads_are_blank_and_all_else_is_as_it_came() {
        for size in [1, 7, 64, 8192] {
            let read = read_at_once(OFFERS.as_bytes(), size).await;
            assert_eq!(String::from_utf8(read).unwrap(), PLAIN, "read by {size}");
        }
    }

    #[tokio::test]
    async fn it_does_not_matter_in_which_pieces_requests_come() {
        for size in [1, 50, 8192] {
            let read = read_byte_by_byte(OFFERS.as_bytes(), size).await;
            assert_eq!(String::from_utf8(read).unwrap(), PLAIN, "byte by byte, read by {size}");
        }
        for at in 0..OFFERS.len() {
            let mut place = Place::Head;
            let mut held = OFFERS.as_bytes()[..at].to_vec();
            let passed = place.pass(&mut held);
            let mut rest = [&held[passed..], &OFFERS.as_bytes()[at..]].concat();
            assert_eq!(place.pass(&mut rest), rest.len(), "cut at {at}");
            let read = [&held[..passed], &rest].concat();
            assert_eq!(String::from_utf8(read).unwrap(), PLAIN, "cut at {at}");
        }
    }

    #[tokio::test]
    async fn what_is_no_request_comes_through_as_it_is() {
        let endless = format!("GET / HTTP/1.1\r\nUpgrade: h2c\r\nX: {}", "y".repeat(LONGEST_HEAD));
        let tls = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".as_slice();
        for odd in [
            tls,
            b"\r\n",
            b"",
            b"GET / HTTP/1.1\r\nUpgrade: h2c\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\nGET / HTTP/1.1\r\nUpgrade: h2c\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\nGET / HTTP/1.1\r\nUpgrade: h2c\r\n\r\n",
        ] {
            assert!(read_at_once(odd, 4096).await == odd, "{}", String::from_utf8_lossy(odd));
            assert!(read_byte_by_byte(odd, 4096).await == odd, "{}", String::from_utf8_lossy(odd));
        }
        assert!(read_at_once(endless.as_bytes(), 4096).await == endless.as_bytes());
    }

    #[tokio::test]
    async fn an_idle_connection_holds_no_buffer() {
        let mut server = PlainStream::new(OFFERS.as_bytes());
        let mut all = Vec::new();
        server.read_to_end(&mut all).await.unwrap();

        assert_eq!((server.held.capacity(), server.ready), (0, 0));
    }
}
