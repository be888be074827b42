use fluent_bundle::FluentArgs;

/// The messages: each with its name in the files and its arguments.
macro_rules! messages {
    ($($name:ident $id:literal $({ $($argument:ident: $kind:ty),+ })?;)+) => {
        /// A text with what is to be filled in.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "the English text says what each is")]
        pub enum Message { $($name $({ $($argument: $kind),+ })?),+ }

        impl Message {
            /// The name of each variant.
            pub const NAMES: &[&str] = &[$(stringify!($name)),+];

            /// The name in the files.
            pub fn id(&self) -> &'static str {
                match self { $(Self::$name { .. } => $id),+ }
            }

            /// What is filled in.
            pub fn arguments(&self) -> FluentArgs<'_> {
                let mut arguments = FluentArgs::new();
                match self {
                    $(Self::$name $({ $($argument),+ })? => { $($(arguments.set(stringify!($argument), $argument);)+)? })+
                }
                arguments
            }

            /// Every message, each of its arguments read from this number: what is tested of all.
            pub fn samples(number: &str) -> Option<Vec<Self>> {
                Some(vec![$(Self::$name $({ $($argument: number.parse().ok()?),+ })?),+])
            }
        }
    };
}

messages! {
    // What each code is called.
    TitleMalformed "title-malformed";
    TitleUnauthorized "title-unauthorized";
    TitleGameNotFound "title-game-not-found";
    TitleRouteNotFound "title-route-not-found";
    TitleMethodNotAllowed "title-method-not-allowed";
    TitleRequestTimeout "title-request-timeout";
    TitleBodyTooLarge "title-body-too-large";
    TitleUnsupportedMediaType "title-unsupported-media-type";
    TitleGameFull "title-game-full";
    TitleOwnGame "title-own-game";
    TitleAlreadyPlaced "title-already-placed";
    TitleNotJoined "title-not-joined";
    TitleNotInBattle "title-not-in-battle";
    TitleNotYourTurn "title-not-your-turn";
    TitleRevealDue "title-reveal-due";
    TitleNoRevealDue "title-no-reveal-due";
    TitleAlreadyFired "title-already-fired";
    TitleGameOver "title-game-over";
    TitleNotOver "title-not-over";
    TitleNothingToProve "title-nothing-to-prove";
    TitleNothingToAnalyse "title-nothing-to-analyse";
    TitleInFlight "title-in-flight";
    TitleStaleVersion "title-stale-version";
    TitleIllegalLayout "title-illegal-layout";
    TitleWrongShotCount "title-wrong-shot-count";
    TitleWrongRevealCount "title-wrong-reveal-count";
    TitleRepeatedCell "title-repeated-cell";
    TitleOutsideGrid "title-outside-grid";
    TitleNotRevealable "title-not-revealable";
    TitleIdempotencyMismatch "title-idempotency-mismatch";
    TitleRateLimited "title-rate-limited";
    TitleInternal "title-internal";
    TitleRecordDamaged "title-record-damaged";
    TitleUnavailable "title-unavailable";

    // What each code means and what to do about it.
    MeaningMalformed "meaning-malformed";
    MeaningUnauthorized "meaning-unauthorized";
    MeaningGameNotFound "meaning-game-not-found";
    MeaningRouteNotFound "meaning-route-not-found";
    MeaningMethodNotAllowed "meaning-method-not-allowed";
    MeaningRequestTimeout "meaning-request-timeout";
    MeaningBodyTooLarge "meaning-body-too-large";
    MeaningUnsupportedMediaType "meaning-unsupported-media-type";
    MeaningGameFull "meaning-game-full";
    MeaningOwnGame "meaning-own-game";
    MeaningAlreadyPlaced "meaning-already-placed";
    MeaningNotJoined "meaning-not-joined";
    MeaningNotInBattle "meaning-not-in-battle";
    MeaningNotYourTurn "meaning-not-your-turn";
    MeaningRevealDue "meaning-reveal-due";
    MeaningNoRevealDue "meaning-no-reveal-due";
    MeaningAlreadyFired "meaning-already-fired";
    MeaningGameOver "meaning-game-over";
    MeaningNotOver "meaning-not-over";
    MeaningNothingToProve "meaning-nothing-to-prove";
    MeaningNothingToAnalyse "meaning-nothing-to-analyse";
    MeaningInFlight "meaning-in-flight";
    MeaningStaleVersion "meaning-stale-version";
    MeaningIllegalLayout "meaning-illegal-layout";
    MeaningWrongShotCount "meaning-wrong-shot-count";
    MeaningWrongRevealCount "meaning-wrong-reveal-count";
    MeaningRepeatedCell "meaning-repeated-cell";
    MeaningOutsideGrid "meaning-outside-grid";
    MeaningNotRevealable "meaning-not-revealable";
    MeaningIdempotencyMismatch "meaning-idempotency-mismatch";
    MeaningRateLimited "meaning-rate-limited";
    MeaningInternal "meaning-internal";
    MeaningRecordDamaged "meaning-record-damaged";
    MeaningUnavailable "meaning-unavailable";

    // The game and its rules say no.
    NoSuchGame "no-such-game";
    NoSuchGames "no-such-games";
    NeedsToken "needs-token";
    MovedOn "moved-on" { version: u32 };
    ShownAtTheEnd "shown-at-the-end";
    EventAnswersNothing "event-answers-nothing";
    EventIsNoShot "event-is-no-shot";
    AnotherIsCarriedOut "another-is-carried-out";
    KeySentBefore "key-sent-before";
    SeatsTaken "seats-taken";
    SeatIsYours "seat-is-yours";
    LayoutIsFinal "layout-is-final";
    SeatIsFree "seat-is-free";
    BattleHasNotBegun "battle-has-not-begun";
    OthersTurn "others-turn";
    CellsOwed "cells-owed" { expected: u8 };
    NothingOwed "nothing-owed";
    GameHasEnded "game-has-ended";
    ShotsDue "shots-due" { expected: u8, sent: usize };
    CellsDue "cells-due" { expected: u8, sent: usize };
    CellStandsTwice "cell-stands-twice";
    BeyondTheGrid "beyond-the-grid";
    FiredAtBefore "fired-at-before";
    CannotBeGivenAway "cannot-be-given-away";
    LayoutHasFaults "layout-has-faults" { count: usize };
    LayoutHasMoreFaults "layout-has-more-faults" { count: usize };

    // What is wrong with a layout.
    ShipOutside "ship-outside" { length: u8, at: String };
    MineOutside "mine-outside" { mine: String };
    ShipSurplus "ship-surplus" { length: u8, at: String };
    ShipMissing "ship-missing" { length: u8 };
    ShipsOverlap "ships-overlap" { length: u8, at: String, other_length: u8, other_at: String };
    ShipsTouch "ships-touch" { length: u8, at: String, other_length: u8, other_at: String };
    MineOnShip "mine-on-ship" { mine: String, length: u8, at: String };
    MineTouchesShip "mine-touches-ship" { mine: String, length: u8, at: String };
    MinesTouch "mines-touch" { mine: String, other_mine: String };
    MinesDue "mines-due" { expected: u8 };
    NoRoomForMines "no-room-for-mines";

    // How a body is read.
    NotJson "not-json" { line: usize, column: usize };
    JsonEndsEarly "json-ends-early" { line: usize, column: usize };
    KeyTwice "key-twice" { line: usize, column: usize };
    NumberTooLarge "number-too-large" { line: usize, column: usize };
    UnknownField "unknown-field" { known: String };
    NoFields "no-fields";
    MissingField "missing-field" { field: String };
    OneOfWords "one-of-words" { words: String };
    NullAlone "null-alone";
    IsObject "is-object";
    IsList "is-list";
    IsText "is-text";
    IsWholeNumber "is-whole-number";
    IsTrueOrFalse "is-true-or-false";
    NumberOutOfRange "number-out-of-range";
    SomethingElseExpected "something-else-expected";
    IsCell "is-cell";
    IsGrid "is-grid";
    IsName "is-name" { most: usize };
    IsBetween "is-between" { min: u32, max: u32 };
    IsNullOrBetween "is-null-or-between" { min: u64, max: u64 };
    ListTooLong "list-too-long" { most: usize };
    ListHas "list-has" { min: usize, max: usize };
    BodyBrokeOff "body-broke-off";
    BodyIsLate "body-is-late" { seconds: u64 };
    BodyHasLimit "body-has-limit" { limit: usize };
    BodyWithoutEncoding "body-without-encoding";
    BodyIsJson "body-is-json";
    BodyNeedsType "body-needs-type";

    // How query and headers are read.
    ParameterTwice "parameter-twice" { name: String };
    NoParameters "no-parameters";
    UnknownParameter "unknown-parameter" { known: String };
    WholeNumberBetween "whole-number-between" { name: String, min: String, max: String };
    ParameterWords "parameter-words" { name: String, words: String };
    ParameterIs "parameter-is" { name: String, word: String };
    GamesAreListed "games-are-listed" { name: String, most: usize };
    IsPositions "is-positions" { name: String, count: usize };
    AfterIsNext "after-is-next";
    HeaderTwice "header-twice" { name: String };
    HeaderIsNoText "header-is-no-text" { name: String };
    KeyForm "key-form" { most: usize };
    KeyIsSecret "key-is-secret" { least: usize };
    IsEntityTags "is-entity-tags" { name: String };

    // What the server says.
    NothingHere "nothing-here";
    NoSuchFile "no-such-file";
    NoSuchProblem "no-such-problem";
    PathTakes "path-takes" { methods: String };
    BudgetSpent "budget-spent" { seconds: u64 };
    AddressAsksEnough "address-asks-enough";
    AddressFollowsEnough "address-follows-enough";
    AddressListsEnough "address-lists-enough" { most: usize };
    GameFollowedEnough "game-followed-enough";
    ServerIsBroken "server-is-broken";
    RecordIsDamaged "record-is-damaged";
    ServerIsBusy "server-is-busy";
    DatabaseIsAway "database-is-away";

    // What is wrong with a log.
    FlawNoObject "flaw-no-object";
    FlawNotCanonical "flaw-not-canonical";
    FlawUnreadable "flaw-unreadable";
    FlawOtherForm "flaw-other-form";
    FlawSeq "flaw-seq" { seq: u32, place: usize };
    FlawHead "flaw-head";
    FlawKeptHead "flaw-kept-head";
    FlawCreatedTwice "flaw-created-twice";
    FlawOtherGame "flaw-other-game";
    FlawBeginning "flaw-beginning";
    FlawFirst "flaw-first";
    FlawTime "flaw-time" { at: String, due: String };
    FlawLayout "flaw-layout" { seat: String };
    FlawCommitment "flaw-commitment" { seat: String };
    FlawDerived "flaw-derived" { field: String };
    FlawView "flaw-view" { field: String };
    FlawPhase "flaw-phase";
    FlawSeat "flaw-seat";
    FlawCount "flaw-count";
    FlawCell "flaw-cell";
    FlawAnswer "flaw-answer";
    FlawRow "flaw-row" { table: String, column: String };
    FlawRowMissing "flaw-row-missing" { table: String };
    FlawRowSurplus "flaw-row-surplus" { table: String };
    FlawProofOfNothing "flaw-proof-of-nothing";
    FlawProofSeat "flaw-proof-seat";
    FlawProofCells "flaw-proof-cells";
    FlawProofContent "flaw-proof-content" { cell: String };
    FlawProofAstray "flaw-proof-astray" { cell: String };
    FlawProofRoot "flaw-proof-root";

    // The words of the game.
    Columns "columns";
    AnswerMiss "answer-miss";
    AnswerHit "answer-hit";
    AnswerSunk "answer-sunk";
    AnswerMine "answer-mine";
    StatusWaiting "status-waiting";
    StatusPlacing "status-placing";
    StatusBattle "status-battle";
    StatusFinished "status-finished";
    StatusAborted "status-aborted";
    ActionJoin "action-join";
    ActionPlace "action-place";
    ActionFire "action-fire";
    ActionReveal "action-reveal";
    ReasonFleetSunk "reason-fleet-sunk";
    ReasonResigned "reason-resigned";
    ReasonTimedOut "reason-timed-out";
    ReasonAborted "reason-aborted";
    ReasonExpired "reason-expired";
    LevelEasy "level-easy";
    LevelMedium "level-medium";
    LevelHard "level-hard";

    // The options, each with its name and what it does.
    OptionGrid "option-grid";
    OptionGridText "option-grid-text";
    OptionFleet "option-fleet";
    OptionFleetText "option-fleet-text";
    OptionMines "option-mines";
    OptionMinesText "option-mines-text";
    OptionSalvo "option-salvo";
    OptionSalvoText "option-salvo-text";
    OptionShootAgain "option-shoot-again";
    OptionShootAgainText "option-shoot-again-text";
    OptionFirst "option-first";
    OptionFirstText "option-first-text";
    OptionTurnSeconds "option-turn-seconds";
    OptionTurnSecondsText "option-turn-seconds-text" { seconds: u32, days: u32 };
    FleetClassic "fleet-classic";
    FleetRussian "fleet-russian";
    FirstHost "first-host";
    FirstGuest "first-guest";
    FirstRandom "first-random";

    // The standard game.
    Standard "standard";

    // The Mines variant.
    What1 "what-1";
    What2 "what-2";
    What3 "what-3";
    SetupRule "setup-rule";
    SetupStandard "setup-standard";
    SetupMines "setup-mines";
    PlaceRule "place-rule";
    PlaceStandard "place-standard";
    PlaceMines "place-mines";
    StrikeRule "strike-rule";
    StrikeStandard "strike-standard";
    StrikeMines "strike-mines";
    TurnRule "turn-rule";
    TurnStandard "turn-standard";
    TurnMines "turn-mines";
    EndRule "end-rule";
    EndStandard "end-standard";
    EndMines "end-mines";
    OtherRule "other-rule";
    OtherStandard "other-standard";
    OtherMines "other-mines";
    History1 "history-1";
    History2 "history-2";
}
