/// Reads a stream of server-sent events (WHATWG HTML §9.2), as far as this API has them: lines end
/// with LF or CR LF, and blocks have an `id`, `data`, and comments.
#[derive(Default, Debug)]
pub(crate) struct Lines {
    unread: Vec<u8>,
    block: Block,
}

/// What stood between two empty lines.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// What stood behind `data:`, lines joined by LF; none in a block of comments.
    pub(crate) data: Option<String>,
}

impl Lines {
    /// Takes what came.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.unread.extend_from_slice(bytes);
    }

    /// The next block that is whole.
    pub(crate) fn next(&mut self) -> Option<Block> {
        let mut read = 0;
        let mut whole = None;
        while let Some((line, rest)) = split_line(self.unread.get(read..).unwrap_or_default()) {
            read = self.unread.len() - rest.len();
            if line.is_empty() {
                whole = Some(std::mem::take(&mut self.block));
                break;
            }
            self.block.take(line);
        }
        self.unread.drain(..read);
        whole
    }
}

impl Block {
    fn take(&mut self, line: &[u8]) {
        let Some(data) = line.strip_prefix(b"data:") else { return };
        let text = String::from_utf8_lossy(data.strip_prefix(b" ").unwrap_or(data));
        match &mut self.data {
            None => self.data = Some(text.into_owned()),
            Some(before) => {
                before.push('\n');
                before.push_str(&text);
            }
        }
    }
}

/// The first line without its end, and what follows.
fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = bytes.split_at_checked(end)?;
    Some((line.strip_suffix(b"\r").unwrap_or(line), rest.strip_prefix(b"\n").unwrap_or(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(stream: &str, chunk: usize) -> Vec<Option<String>> {
        let mut lines = Lines::default();
        let mut blocks = Vec::new();
        for bytes in stream.as_bytes().chunks(chunk) {
            lines.push(bytes);
            blocks.extend(std::iter::from_fn(|| lines.next()).map(|block| block.data));
        }
        blocks
    }

    #[test]
    fn blocks_are_read_whole_however_they_come_in_pieces() {
        let stream = "id: 1\ndata: {\"a\":\"ü\"}\n\n:\n\n:a\r\ndata:b\r\ndata: c\r\n\r\nid: 3\ndata: torn\n";
        let whole = [Some("{\"a\":\"ü\"}".to_owned()), None, Some("b\nc".to_owned())];

        for chunk in 1..=stream.len() {
            assert_eq!(blocks(stream, chunk), whole, "in pieces of {chunk}");
        }
    }
}
