use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::misread::Spelling;
use engine::{Cells, Coordinate};

/// A cell in the one spelling of R29, such as `B7`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(pub Coordinate);

impl Cell {
    /// The cells of a set, row by row.
    pub fn list(cells: Cells) -> Vec<Self> {
        cells.iter().map(Self).collect()
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Coordinate::parse(&text).map(Self).map_err(|_| D::Error::custom(Spelling::Cell))
    }
}

impl PartialSchema for Cell {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .pattern(Some("^[A-O]([1-9]|1[0-5])$"))
            .description(Some(
                "A cell: column A to O from the left, then row 1 to 15 from the top, in this one spelling.",
            ))
            .examples(["B7"])
            .into()
    }
}

impl ToSchema for Cell {}
