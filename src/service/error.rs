use super::Declined;
use crate::entropy::NoEntropy;
use crate::store::Failure;
use crate::text::Message;

/// Why a request was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request cannot be read.
    #[error("the request is not what its operation takes: {0:?}")]
    Malformed(Malformed),
    /// The contract or the rules say no.
    #[error(transparent)]
    Declined(#[from] Declined),
    /// The machine is broken.
    #[error(transparent)]
    Failure(#[from] Failure),
}

/// A request that is not what its operation takes. Whoever reads it says so at once; it is looked at
/// once the game and the token are known to be good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// Something in it has no meaning.
    Content {
        /// Where it stands, such as `ships[1].start`; none for the request as a whole.
        place: Option<String>,
        /// What is wrong with it, or what is expected there.
        message: Message,
    },
    /// The body is written in something else than JSON.
    MediaType(Message),
}

impl Malformed {
    /// Something about the request as a whole.
    pub(crate) fn content(message: Message) -> Self {
        Self::Content { place: None, message }
    }
}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<NoEntropy> for Failure {
    fn from(_: NoEntropy) -> Self {
        Self::Unavailable("the operating system gave no randomness")
    }
}

impl From<NoEntropy> for Error {
    fn from(error: NoEntropy) -> Self {
        Self::Failure(error.into())
    }
}
