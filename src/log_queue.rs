//! The way of lines to standard error, which may be slow, full or gone: nobody but one thread waits for it.

use std::io::{self, ErrorKind, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use naval_battle::deadlines;
use naval_battle::metrics::DroppedLines;

/// How many lines may wait.
const LINES: usize = 4096;

/// Lines that wait are written together, up to so many bytes.
const TOGETHER: usize = 32 * 1024;

/// How long until a stream that takes nothing is tried again, and a queue that is full.
const NAP: Duration = Duration::from_millis(10);

/// Lines on their way. What finds no room is dropped and counted.
#[derive(Clone)]
pub(crate) struct LogQueue {
    steps: SyncSender<Step>,
    dropped: DroppedLines,
}

/// What the thread that writes is asked for.
enum Step {
    Write(Vec<u8>),
    /// To say that all before is written.
    Answer(SyncSender<()>),
}

/// A stream that is asked again where it does not block and has no room: whoever shares it may have made it so.
pub(crate) struct Patient<W>(pub(crate) W);

impl LogQueue {
    /// Starts the thread that writes. Once it can write again it tells how many lines were dropped.
    ///
    /// # Errors
    ///
    /// Those of the operating system, which may have no thread left.
    pub(crate) fn start(
        stream: impl Write + Send + 'static,
        dropped: DroppedLines,
        tell: impl Fn(u64) + Send + 'static,
    ) -> io::Result<Self> {
        let (steps, asked) = sync_channel(LINES);
        let queue = Self { steps, dropped: dropped.clone() };
        thread::Builder::new().name("log".to_owned()).spawn(move || write(&asked, stream, &dropped, tell))?;
        Ok(queue)
    }

    /// Puts a last line behind all others, and waits until they are written, but not for ever.
    pub(crate) fn finish(&self, line: Option<String>) {
        let end = Instant::now() + deadlines::LAST_LINES;
        let (answer, written) = sync_channel(1);
        for mut step in line.map(|line| Step::Write(line.into_bytes())).into_iter().chain([Step::Answer(answer)]) {
            while let Err(TrySendError::Full(refused)) = self.steps.try_send(step) {
                if Instant::now() >= end {
                    return;
                }
                step = refused;
                thread::sleep(NAP);
            }
        }
        // Nobody is left to tell that it took too long.
        written.recv_timeout(end.saturating_duration_since(Instant::now())).ok();
    }
}

/// Takes a line without waiting.
impl Write for LogQueue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.steps.try_send(Step::Write(line.to_vec())).is_err() {
            self.dropped.add(1);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes what comes until nobody is left who could send more.
fn write(asked: &Receiver<Step>, mut stream: impl Write, dropped: &DroppedLines, tell: impl Fn(u64)) {
    let mut told = 0;
    while let Ok(first) = asked.recv() {
        let (mut lines, mut count, mut answers) = (Vec::new(), 0, Vec::new());
        let mut next = Some(first);
        while let Some(step) = next {
            match step {
                Step::Write(line) => {
                    lines.extend(line);
                    count += 1;
                }
                Step::Answer(answer) => answers.push(answer),
            }
            next = if lines.len() < TOGETHER { asked.try_recv().ok() } else { None };
        }
        if stream.write_all(&lines).is_err() {
            dropped.add(count);
        } else if dropped.count() > told {
            let all = dropped.count();
            tell(all - told);
            told = all;
        }
        for answer in answers {
            // Whoever asked may have gone meanwhile.
            answer.send(()).ok();
        }
    }
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(NAP),
                outcome => return outcome,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, MutexGuard};

    use super::*;

    /// A stream that takes nothing while somebody holds what it wrote, and fails as often as it is told to.
    #[derive(Clone, Default)]
    struct Stream {
        written: Arc<Mutex<String>>,
        failures: Arc<Mutex<Vec<ErrorKind>>>,
    }

    impl Stream {
        fn block(&self) -> MutexGuard<'_, String> {
            self.written.lock().unwrap()
        }

        fn queue(&self, dropped: &DroppedLines) -> LogQueue {
            let own = self.clone();
            let tell = move |count: u64| own.block().extend([count.to_string().as_str(), " dropped\n"]);
            LogQueue::start(Patient(self.clone()), dropped.clone(), tell).unwrap()
        }
    }

    impl Write for Stream {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut written = self.written.lock().unwrap();
            if let Some(failure) = self.failures.lock().unwrap().pop() {
                return Err(failure.into());
            }
            written.push_str(str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn say(queue: &mut LogQueue, line: &str) {
        queue.write_all(line.as_bytes()).unwrap();
    }

    #[test]
    fn lines_are_written_in_their_order_and_none_is_lost() {
        let (stream, dropped) = (Stream::default(), DroppedLines::default());
        let mut queue = stream.queue(&dropped);

        let lines: Vec<String> = (0..3000).map(|number| format!("{number}\n")).collect();
        for line in &lines {
            say(&mut queue, line);
        }
        queue.finish(Some("last\n".to_owned()));

        assert_eq!(*stream.block(), format!("{}last\n", lines.concat()));
        assert_eq!(dropped.count(), 0);
    }

    #[test]
    fn what_finds_no_room_is_dropped_and_told_once_there_is_room_again() {
        let (stream, dropped) = (Stream::default(), DroppedLines::default());
        let mut queue = stream.queue(&dropped);

        let blocked = stream.block();
        let (line, sent) = ("x".repeat(1023) + "\n", LINES + 100);
        for _ in 0..sent {
            say(&mut queue, &line);
        }
        let lost = usize::try_from(dropped.count()).unwrap();
        // This returns.
        queue.finish(Some("in vain\n".to_owned()));
        drop(blocked);
        queue.finish(None);

        assert!((1..=100).contains(&lost), "{lost}");
        let written = stream.block();
        assert_eq!(written.matches(&line).count() + lost, sent);
        assert!(written.contains(&format!("x\n{lost} dropped\nx")), "it is told where it flows again");
    }

    #[test]
    fn a_stream_that_is_gone_costs_its_lines_and_one_that_would_block_none() {
        let (stream, dropped) = (Stream::default(), DroppedLines::default());
        let mut queue = stream.queue(&dropped);

        *stream.failures.lock().unwrap() = vec![ErrorKind::BrokenPipe, ErrorKind::WouldBlock, ErrorKind::Interrupted];
        say(&mut queue, "one\n");
        queue.finish(None);
        say(&mut queue, "two\n");
        queue.finish(None);

        assert_eq!(*stream.block(), "two\n1 dropped\n");
        assert_eq!(dropped.count(), 1);
    }
}
