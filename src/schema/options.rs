use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::Misread;
use crate::service::Creation;
use crate::text::{Language, Message};
use engine::{FirstShot, Fleet, Grid, Options};
use record::{FirstShotWord, FleetWord, GridSize, LevelWord, Name};

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
    #[schema(value_type = Option<Name>)]
    pub name: Option<String>,
    /// Whether the game is offered to strangers. Default `false`.
    pub listed: Option<bool>,
    /// Seats the server as the guest, which joins and places at once and answers in the same reply.
    pub bot: Option<LevelWord>,
}

/// The options of a game to create. What is left out or `null` has its default.
#[derive(Deserialize, ToSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct OptionsRequest {
    /// Columns and rows. Default 10.
    #[schema(value_type = Option<GridSize>)]
    pub grid: Option<u8>,
    /// The ships of each side. Default `classic`.
    pub fleet: Option<FleetWord>,
    /// Whether each side hides mines: one on 8×8 and 10×10, two on 12×12, three on 15×15. Default `true`.
    pub mines: Option<bool>,
    /// Whether a turn has one shot per own ship afloat. Default `false`.
    pub salvo: Option<bool>,
    /// Whether a hit earns another shot. Default `false`.
    pub shoot_again: Option<bool>,
    /// Who shoots first. Default `random`.
    pub first: Option<FirstShotWord>,
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
            name: read_name(self.name)?,
            listed: self.listed.unwrap_or(false),
            bot: self.bot.map(|level| level.0),
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
            grid: read_grid(self.grid)?,
            fleet: self.fleet.map_or(default.fleet, |fleet| fleet.0),
            mines: self.mines.unwrap_or(default.mines),
            salvo: self.salvo.unwrap_or(default.salvo),
            shoot_again: self.shoot_again.unwrap_or(default.shoot_again),
            first: self.first.map_or(default.first, |first| first.0),
            turn_seconds: self.turn_seconds,
        })
    }
}

/// Reads the side of a grid; the default where it is left out.
pub(super) fn read_grid(side: Option<u8>) -> Result<Grid, Misread> {
    let Some(side) = side else { return Ok(Options::default().grid) };
    Grid::with_side(side).ok_or_else(|| Misread::at("grid", Message::IsGrid))
}

/// Reads a player's name, where one is given.
pub(super) fn read_name(name: Option<String>) -> Result<Option<String>, Misread> {
    let is_no_name = || Misread::at("name", Message::IsName { most: Name::LONGEST });
    name.map(|name| Name::parse(name).map(|name| name.0).ok_or_else(is_no_name)).transpose()
}

/// All options in words.
#[derive(Serialize)]
pub struct OptionTexts(Vec<OptionRules>);

/// How many options there are.
const OPTIONS: usize = 7;

impl PartialSchema for OptionTexts {
    fn schema() -> RefOr<Schema> {
        ArrayBuilder::new()
            .description(Some("The options in words, in the order of `defaults`."))
            .items(Ref::from_schema_name(OptionRules::name()))
            .min_items(Some(OPTIONS))
            .max_items(Some(OPTIONS))
            .into()
    }
}

impl ToSchema for OptionTexts {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((OptionRules::name().into(), OptionRules::schema()));
        OptionRules::schemas(schemas);
    }
}

/// An option in words.
#[derive(Serialize, ToSchema)]
pub(super) struct OptionRules {
    /// Its field in `options` of a new game.
    #[schema(examples("shoot_again"))]
    pub option: &'static str,
    /// What it is called.
    pub title: String,
    /// What it does.
    pub text: String,
    /// What its words mean, where it is one of several words.
    #[schema(max_items = 3)]
    pub words: Vec<OptionWord>,
}

/// A word that an option may be, in words.
#[derive(Serialize, ToSchema)]
pub(super) struct OptionWord {
    /// The word in `options`.
    #[schema(examples("russian"))]
    pub word: &'static str,
    /// What it is called.
    pub title: String,
}

/// Seconds in a day.
const DAY: u32 = 86_400;

impl OptionTexts {
    pub(super) fn new(language: Language) -> Self {
        let clock =
            Message::OptionTurnSecondsText { seconds: Options::SHORTEST_TURN, days: Options::LONGEST_TURN / DAY };
        let fleets = [(Fleet::Classic.word(), Message::FleetClassic), (Fleet::Russian.word(), Message::FleetRussian)];
        let firsts = [
            (FirstShot::Host.word(), Message::FirstHost),
            (FirstShot::Guest.word(), Message::FirstGuest),
            (FirstShot::Random.word(), Message::FirstRandom),
        ];
        let rules: [(_, _, _, &[_]); OPTIONS] = [
            ("grid", Message::OptionGrid, Message::OptionGridText, &[]),
            ("fleet", Message::OptionFleet, Message::OptionFleetText, &fleets),
            ("mines", Message::OptionMines, Message::OptionMinesText, &[]),
            ("salvo", Message::OptionSalvo, Message::OptionSalvoText, &[]),
            ("shoot_again", Message::OptionShootAgain, Message::OptionShootAgainText, &[]),
            ("first", Message::OptionFirst, Message::OptionFirstText, &firsts),
            ("turn_seconds", Message::OptionTurnSeconds, clock, &[]),
        ];
        let rules = rules.iter().map(|(option, title, text, words)| {
            let words = words.iter().map(|(word, title)| OptionWord { word, title: language.say(title) });
            OptionRules { option, title: language.say(title), text: language.say(text), words: words.collect() }
        });
        Self(rules.collect())
    }
}
