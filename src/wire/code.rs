use utoipa::ToSchema;

/// The codes, each with its word, its status, its title and an explanation.
macro_rules! codes {
    ($($name:ident $word:literal $status:literal $title:literal $explanation:literal;)+) => {
        /// The stable word for what is wrong with a request.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "the explanation is its documentation")]
        pub enum Code { $($name),+ }

        impl Code {
            /// Every code, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The word itself.
            pub fn word(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }

            /// The HTTP status that it comes with.
            pub fn status(self) -> u16 {
                match self { $(Self::$name => $status),+ }
            }

            /// What it is called (RFC 9457 §3.1.3).
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title),+ }
            }

            /// What it means and what to do about it, for the page that `type` leads to.
            pub fn explanation(self) -> &'static str {
                match self { $(Self::$name => $explanation),+ }
            }
        }
    };
}

codes! {
    Malformed "malformed" 400 "Malformed request"
        "The JSON, a field, a type, the spelling of a cell, the query or a header is not what the operation takes. `detail` says where.";
    Unauthorized "unauthorized" 401 "Unauthorized"
        "The operation needs the token of a seat of this game, as `Authorization: Bearer …`. A token of another game does not open it.";
    GameNotFound "game_not_found" 404 "Game not found"
        "There is no game with this id. An id has one spelling: lower case with dashes.";
    RouteNotFound "route_not_found" 404 "Route not found"
        "There is nothing at this path. The document at /openapi.json lists what there is.";
    MethodNotAllowed "method_not_allowed" 405 "Method not allowed"
        "The path exists and does not take this method. `Allow` lists those that it takes.";
    RequestTimeout "request_timeout" 408 "Request timeout"
        "The body that the headers promised did not come within 10 seconds. Send the request again.";
    BodyTooLarge "body_too_large" 413 "Body too large"
        "A body may have 16 KiB. No legal request is larger.";
    UnsupportedMediaType "unsupported_media_type" 415 "Unsupported media type"
        "A body is JSON, comes with `Content-Type: application/json` and without `Content-Encoding`.";
    GameFull "game_full" 409 "Game full"
        "Both seats are taken. Without a token you may watch.";
    OwnGame "own_game" 409 "Own game"
        "You have a seat in this game already. Send the link to somebody else.";
    AlreadyPlaced "already_placed" 409 "Already placed"
        "An accepted layout is final.";
    NotJoined "not_joined" 409 "Not joined"
        "The second seat is free. Placing begins when it is taken.";
    NotInBattle "not_in_battle" 409 "Not in battle"
        "Shots are fired once both sides have placed. `awaiting` says who owes what.";
    NotYourTurn "not_your_turn" 409 "Not your turn"
        "The other side is to act. `awaiting` says what is due.";
    RevealDue "reveal_due" 409 "Reveal due"
        "You struck a mine and owe cells of your own ships. `revealable` lists those that you can give.";
    NoRevealDue "no_reveal_due" 409 "No reveal due"
        "It is your turn to fire, and you owe no cell.";
    AlreadyFired "already_fired" 409 "Already fired"
        "Nobody fires at the same cell twice. `cells` lists those fired at before.";
    GameOver "game_over" 409 "Game over"
        "The game has ended. `result` in the game says how.";
    NotOver "not_over" 409 "Not over"
        "This is shown when the game is finished, and never after an abort.";
    InFlight "in_flight" 409 "In flight"
        "Another request for this game is being carried out. Look at the game, then decide.";
    StaleVersion "stale_version" 412 "Stale version"
        "The game has moved on since the version in `If-Match`. `version` is the current one.";
    IllegalLayout "illegal_layout" 422 "Illegal layout"
        "The ships and mines break the rules. `faults` lists every fault with the ship or mine it is about. Nothing was placed.";
    WrongShotCount "wrong_shot_count" 422 "Wrong number of shots"
        "A turn has one shot, with Salvo one for each of your ships afloat. `expected` says how many.";
    WrongRevealCount "wrong_reveal_count" 422 "Wrong number of cells"
        "All cells owed are given in one request. `expected` says how many.";
    RepeatedCell "repeated_cell" 422 "Repeated cell"
        "A cell may stand only once in a request. `cells` lists those that stand twice.";
    OutsideGrid "outside_grid" 422 "Outside the grid"
        "The grid of this game ends before these `cells`.";
    NotRevealable "not_revealable" 422 "Not revealable"
        "Only a cell of your own ships, neither hit nor given away yet, can be given away. `revealable` in the game lists them.";
    IdempotencyMismatch "idempotency_mismatch" 422 "Idempotency mismatch"
        "This key was sent before with another path or body. A key belongs to one request: choose a new one.";
    RateLimited "rate_limited" 429 "Rate limited"
        "You ask for too much at once. Wait for `Retry-After` seconds.";
    Internal "internal" 500 "Internal error"
        "Something is wrong with the server, not with your request.";
    Unavailable "unavailable" 503 "Unavailable"
        "The server cannot answer at the moment. Look at the game and try again after `Retry-After` seconds.";
}
