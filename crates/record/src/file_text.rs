use std::borrow::Cow;

/// The bytes of a file are no text, or nothing that could be one of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoText {
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// It is packed.
    #[error("it is packed with {0}; unpack it first (curl does with --compressed)")]
    Packed(&'static str),
    /// It is a page for people.
    #[error("it is a web page, not what an address below /v1/games gives")]
    Page,
    /// Its characters are in no encoding that is read.
    #[error("it is neither UTF-8 nor UTF-16; have it written as UTF-8, as curl does with --output")]
    OtherEncoding,
}

/// How files begin that are packed.
const PACKED: [(&[u8], &str); 5] = [
    (&[0x1f, 0x8b], "gzip"),
    (b"PK\x03\x04", "zip"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "zstd"),
    (b"BZh", "bzip2"),
    (&[0xfd, b'7', b'z', b'X', b'Z'], "xz"),
];

/// The text of a file, however it was saved: UTF-8 with a byte order mark or without, or UTF-16 as
/// PowerShell writes it with `>`.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, NoText> {
    if let Some((_, how)) = PACKED.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(NoText::Packed(how));
    }
    let text = match bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) {
        [0xff, 0xfe, utf16 @ ..] => from_utf16(utf16, u16::from_le_bytes),
        [0xfe, 0xff, utf16 @ ..] => from_utf16(utf16, u16::from_be_bytes),
        // Every text of ours begins with a character of ASCII.
        utf16 @ [first, 0, ..] if *first != 0 => from_utf16(utf16, u16::from_le_bytes),
        utf16 @ [0, second, ..] if *second != 0 => from_utf16(utf16, u16::from_be_bytes),
        utf8 => std::str::from_utf8(utf8).ok().map(Cow::Borrowed),
    };
    let text = text.ok_or(NoText::OtherEncoding)?;
    match text.trim_ascii_start().chars().next() {
        None => Err(NoText::Empty),
        Some('<') => Err(NoText::Page),
        Some(_) => Ok(text),
    }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Cow<'_, str>> {
    let (units, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = units.iter().copied().map(unit).collect();
    rest.is_empty().then(|| String::from_utf16(&units).ok()).flatten().map(Cow::Owned)
}
