//! Shapes that stand in one order in a reply, and in that of RFC 8785 where they are hashed.

use serde::{Serialize, Serializer};

/// A shape that can be written with its keys in the order of RFC 8785.
pub(crate) trait Canonical {
    /// Writes it so.
    fn write<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error>;
}

impl<T: Canonical> Canonical for Option<T> {
    fn write<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => value.write(out),
            None => out.serialize_none(),
        }
    }
}

/// A shape that is always written so.
pub(crate) struct InOrder<T>(pub(crate) T);

impl<T: Canonical> Serialize for InOrder<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.0.write(out)
    }
}

/// Gives a shape its canonical form: all its fields, sorted.
macro_rules! canonical {
    ($type:ident { $($field:ident),+ }) => {
        impl $crate::canonical::Canonical for $type {
            fn write<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct as _;
                let Self { $($field),+ } = self;
                let mut object = out.serialize_struct(stringify!($type), [$(stringify!($field)),+].len())?;
                $(object.serialize_field(stringify!($field), $field)?;)+
                object.end()
            }
        }
    };
}

pub(crate) use canonical;
