use std::sync::LazyLock;

use super::Message;
use super::bundle::Bundle;

/// The languages, each with its tag (RFC 5646), which also names its file.
macro_rules! languages {
    ($($name:ident $tag:literal;)+) => {
        /// A language that the texts are in.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "the word says it")]
        pub enum Language { $($name),+ }

        impl Language {
            /// Every language. The first is for those who ask for none of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The language's tag.
            pub fn tag(self) -> &'static str {
                match self { $(Self::$name => $tag),+ }
            }

            /// The language's texts, as they are written.
            pub fn source(self) -> &'static str {
                match self { $(Self::$name => include_str!(concat!($tag, ".ftl"))),+ }
            }

            /// The language's texts, read once.
            fn bundle(self) -> &'static Bundle {
                match self {
                    $(Self::$name => {
                        static BUNDLE: LazyLock<Bundle> = LazyLock::new(|| Bundle::new(Language::$name));
                        &BUNDLE
                    })+
                }
            }
        }
    };
}

languages! {
    English "en";
    German "de";
    Finnish "fi";
    Italian "it";
    Russian "ru";
}

impl Language {
    /// A message in this language.
    pub fn say(self, message: &Message) -> String {
        self.bundle().say(message)
    }
}
