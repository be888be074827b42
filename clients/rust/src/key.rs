use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::header::HeaderValue;

use crate::Error;

/// A key that a request counts once under, however often it is sent.
///
/// Whoever keeps it *before* they ask for a seat gets the same seat when they ask again, also after the program was
/// started anew. It is as secret as the token that it brings back, and is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(HeaderValue);

impl Key {
    /// A key that nobody else has.
    ///
    /// # Errors
    ///
    /// [`Error::NoEntropy`] where the system gives no random bytes.
    pub fn random() -> Result<Self, Error> {
        let mut bytes = [0; 24];
        getrandom::fill(&mut bytes).map_err(Error::NoEntropy)?;
        // Of 24 bytes base64 makes 32 characters, all of which a header may hold.
        Self::new(&URL_SAFE_NO_PAD.encode(bytes))
    }

    /// A key that was kept: at least 32 visible ASCII characters.
    ///
    /// # Errors
    ///
    /// [`Error::Header`] where it cannot stand in a header.
    pub fn new(text: &str) -> Result<Self, Error> {
        let mut key = HeaderValue::from_str(text).map_err(|_| Error::Header)?;
        key.to_str().map_err(|_| Error::Header)?;
        key.set_sensitive(true);
        Ok(Self(key))
    }

    /// The secret itself, for whoever keeps it.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(crate) fn header(&self) -> &HeaderValue {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_nobody_elses_and_is_never_printed() {
        let (one, other) = (Key::random().unwrap(), Key::random().unwrap());

        assert_ne!(one, other);
        assert_eq!(one.as_str().len(), 32);
        assert_eq!(Key::new(one.as_str()).unwrap(), one);
        assert_eq!(format!("{one:?}"), "Key(…)");
        assert!(matches!(Key::new("ключ"), Err(Error::Header)));
        assert!(matches!(Key::new("a\nb"), Err(Error::Header)));
    }
}
