use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::misread::Spelling;
use super::{FirstShot, Fleet, Level, Misread};
use crate::service::Creation;
use crate::text::Message;
use engine::{Grid, Options};

/// A game to create. `{}` is a 10×10 classic game with mines against whoever has the link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({
    "options": {"grid": 10, "fleet": "classic", "mines": true, "salvo": false, "shoot_again": false, "first": "random"},
    "name": "Anna"
})))]
pub struct CreateRequest {
    /// What is played. What is left out has its default.
    pub options: Option<OptionsRequest>,
    /// The host's name.
    pub name: Option<Name>,
    /// Whether the game is offered to strangers.
    #[schema(default = false)]
    pub listed: Option<bool>,
    /// Seats the server as the guest, which joins and places at once and answers in the same reply.
    pub bot: Option<Level>,
}

/// The options of a game to create. What is left out or `null` has its default.
#[derive(Deserialize, ToSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct OptionsRequest {
    /// Columns and rows. Default 10.
    pub grid: Option<GridSize>,
    /// The ships of each side. Default `classic`.
    pub fleet: Option<Fleet>,
    /// Whether each side hides mines: one on 8×8 and 10×10, two on 12×12, three on 15×15.
    #[schema(default = true)]
    pub mines: Option<bool>,
    /// Whether a turn has one shot per own ship afloat.
    #[schema(default = false)]
    pub salvo: Option<bool>,
    /// Whether a hit earns another shot.
    #[schema(default = false)]
    pub shoot_again: Option<bool>,
    /// Who shoots first. Default `random`.
    pub first: Option<FirstShot>,
    /// Seconds for each placing, firing and revealing; `null` without a clock.
    #[schema(minimum = 10, maximum = 1_209_600)]
    pub turn_seconds: Option<u32>,
}

impl CreateRequest {
    /// The game that is asked for.
    ///
    /// # Errors
    ///
    /// [`Misread`] for a value that is out of its bounds.
    pub fn read(self) -> Result<Creation, Misread> {
        Ok(Creation {
            options: self.options.unwrap_or_default().read().map_err(|misread| misread.below("options"))?,
            name: self.name.map(|name| name.0),
            listed: self.listed.unwrap_or(false),
            bot: self.bot.map(Into::into),
        })
    }
}

impl OptionsRequest {
    /// The options, defaults filled in.
    ///
    /// # Errors
    ///
    /// [`Misread`] for a value that is out of its bounds.
    pub fn read(self) -> Result<Options, Misread> {
        let default = Options::default();
        let clock = Options::SHORTEST_TURN..=Options::LONGEST_TURN;
        if self.turn_seconds.is_some_and(|seconds| !clock.contains(&seconds)) {
            let (min, max) = (u64::from(*clock.start()), u64::from(*clock.end()));
            return Err(Misread::at("turn_seconds", Message::IsNullOrBetween { min, max }));
        }
        Ok(Options {
            grid: self.grid.map_or(default.grid, |grid| grid.0),
            fleet: self.fleet.map_or(default.fleet, Into::into),
            mines: self.mines.unwrap_or(default.mines),
            salvo: self.salvo.unwrap_or(default.salvo),
            shoot_again: self.shoot_again.unwrap_or(default.shoot_again),
            first: self.first.map_or(default.first, Into::into),
            turn_seconds: self.turn_seconds,
        })
    }
}

/// The options of a game, every default filled in.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = Options)]
pub struct OptionsBody {
    /// Columns and rows.
    pub grid: GridSize,
    /// The ships of each side.
    pub fleet: Fleet,
    /// Whether each side hides mines.
    pub mines: bool,
    /// Whether a turn has one shot per own ship afloat.
    pub salvo: bool,
    /// Whether a hit earns another shot.
    pub shoot_again: bool,
    /// Who shoots first.
    pub first: FirstShot,
    /// Seconds for each placing, firing and revealing; `null` without a clock.
    #[schema(required, minimum = 10, maximum = 1_209_600)]
    pub turn_seconds: Option<u32>,
}

impl From<&Options> for OptionsBody {
    fn from(options: &Options) -> Self {
        Self {
            grid: GridSize(options.grid),
            fleet: options.fleet.into(),
            mines: options.mines,
            salvo: options.salvo,
            shoot_again: options.shoot_again,
            first: options.first.into(),
            turn_seconds: options.turn_seconds,
        }
    }
}

impl From<&OptionsBody> for Options {
    fn from(body: &OptionsBody) -> Self {
        Self {
            grid: body.grid.0,
            fleet: body.fleet.into(),
            mines: body.mines,
            salvo: body.salvo,
            shoot_again: body.shoot_again,
            first: body.first.into(),
            turn_seconds: body.turn_seconds,
        }
    }
}

/// How many columns and rows a grid has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridSize(pub Grid);

impl Serialize for GridSize {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u8(self.0.side())
    }
}

impl<'de> Deserialize<'de> for GridSize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let side = u8::deserialize(from)?;
        Grid::with_side(side).map(Self).ok_or_else(|| D::Error::custom(Spelling::Grid))
    }
}

impl PartialSchema for GridSize {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::Integer))
            .description(Some("How many columns, and as many rows."))
            .enum_values(Some(Grid::ALL.map(Grid::side)))
            .into()
    }
}

impl ToSchema for GridSize {}

/// A player's name: 1 to 32 characters, none of them a control character. It comes back as it
/// was sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Name(pub String);

/// The longest name, in Unicode scalar values.
pub(super) const LONGEST_NAME: usize = 32;

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        if (1..=LONGEST_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
            Ok(Self(name))
        } else {
            Err(D::Error::custom(Spelling::Name))
        }
    }
}

impl PartialSchema for Name {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .description(Some("A player's name, without control characters."))
            .min_length(Some(1))
            .max_length(Some(LONGEST_NAME))
            .pattern(Some(r"^[^\u0000-\u001f\u007f-\u009f]*$"))
            .examples(["Anna"])
            .into()
    }
}

impl ToSchema for Name {}
