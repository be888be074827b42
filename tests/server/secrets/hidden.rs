//! What is hidden, in every form in which it could show.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use sqlx::PgConnection;

use ground::table::Table;
use testing::model::{LayoutSent, Options, name};

/// Secrets as text, each with what it is for messages.
#[derive(Default)]
pub(crate) struct Hidden {
    texts: Vec<(String, String)>,
    cells: Vec<String>,
}

impl Hidden {
    /// Something that must not show as it is.
    pub(crate) fn text(&mut self, what: &str, text: &str) {
        assert!(text.len() >= 5, "{text} could show by chance");
        self.texts.push((what.to_owned(), text.to_owned()));
    }

    /// Bytes that must not show, whoever printed them: in hex, in base64, as a list, or escaped.
    pub(crate) fn bytes(&mut self, what: &str, bytes: &[u8]) {
        assert!(bytes.len() >= 16, "{what} is short");
        let escaped = |bytes: &[u8]| bytes.escape_ascii().to_string();
        let list = |bytes: &[u8]| bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        // A part of them is too much as well.
        for part in [&bytes[..16], &bytes[bytes.len() - 16..]] {
            if part.iter().filter(|byte| **byte != 0).count() < 4 {
                continue;
            }
            for form in [hex::encode(part), hex::encode_upper(part), list(part), escaped(part)] {
                self.text(what, &form);
            }
        }
        for form in [STANDARD.encode(bytes), STANDARD_NO_PAD.encode(bytes), URL_SAFE_NO_PAD.encode(bytes)] {
            self.text(what, &form);
        }
    }

    /// A token, and the bytes that it stands for.
    pub(crate) fn token(&mut self, token: &str) {
        self.text("a token", token);
        self.bytes("the bytes of a token", &URL_SAFE_NO_PAD.decode(token).unwrap());
    }

    /// Every cell of a grid, by its name.
    pub(crate) fn cells_of(&mut self, options: &Options) {
        self.cells.extend(options.cells().into_iter().map(name));
    }

    /// The ships and mines of a layout as JSON, and as they are printed.
    pub(crate) fn layout(&mut self, layout: &LayoutSent) {
        for ship in &layout.ships {
            self.text("a ship", &format!("\"start\":\"{}\"", ship.start));
            self.text("a ship", &format!("\"start\": \"{}\"", ship.start));
            self.text("a ship", &format!("start: \"{}\"", ship.start));
            for (row, column) in ship.cells() {
                self.text("a ship's cell", &format!("column: {column}, row: {row}"));
            }
        }
        self.text("a layout", &layout.to_json().to_string());
        for word in ["\"ships\"", "\"mines\"", "\"shots\"", "\"cells\""] {
            self.text("a body", word);
        }
    }

    /// Everything about a game that lies in the database and is not for everybody.
    pub(crate) async fn rows(&mut self, connection: &mut PgConnection, table: &Table) {
        let layouts: Vec<(Vec<u8>, Vec<u8>)> =
            sqlx::query_as("select salt, cells from layouts where game_id = $1::text::uuid")
                .bind(&table.id)
                .fetch_all(&mut *connection)
                .await
                .unwrap();
        let game: (Vec<u8>, Vec<u8>, Option<Vec<u8>>) =
            sqlx::query_as("select state, host_token, guest_token from games where game_id = $1::text::uuid")
                .bind(&table.id)
                .fetch_one(connection)
                .await
                .unwrap();
        for (salt, cells) in &layouts {
            self.bytes("a salt", salt);
            self.bytes("a packed layout", cells);
        }
        self.bytes("a packed game", &game.0);
        self.bytes("the hash of a token", &game.1);
        if let Some(guest) = &game.2 {
            self.bytes("the hash of a token", guest);
        }
    }

    /// Insists that a text shows nothing of it.
    #[track_caller]
    pub(crate) fn does_not_show_in(&self, text: &str) {
        assert!(self.texts.len() > 50 && self.cells.len() >= 100, "there is little to look for");
        for (what, secret) in &self.texts {
            if let Some(at) = text.find(secret) {
                let line = text[..at].matches('\n').count();
                panic!("{what} shows, {secret}: {}", text.lines().nth(line).unwrap_or_default());
            }
        }
        let words: std::collections::HashSet<&str> =
            text.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
        for cell in &self.cells {
            assert!(!words.contains(cell.as_str()), "the cell {cell} shows");
        }
        let lower = text.to_ascii_lowercase();
        for word in ["authorization", "bearer", "cookie"] {
            assert!(!lower.contains(word), "a header shows: {word}");
        }
    }
}
