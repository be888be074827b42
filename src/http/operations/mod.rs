//! The operations. Each is declared beside its handler, which takes what came, asks the service and answers.

mod analysis;
mod check_layout;
mod create;
mod events;
mod feed;
mod health;
mod join;
mod list;
pub(super) mod metrics;
pub(super) mod moves;
mod proof;
mod random_layout;
mod rematch;
mod replay;
mod rules;
mod show;
mod status;
mod stream;
mod verify;

use super::operation::Operation;

/// Every operation, in the order of the document. Those of one path are neighbours, and a path of words stands before one
/// with a parameter in their place.
pub(super) static OPERATIONS: [&Operation; 24] = [
    &create::CREATE,
    &list::LIST,
    &status::STATUS,
    &show::SHOW,
    &join::JOIN,
    &moves::PLACE,
    &moves::FIRE,
    &moves::REVEAL,
    &moves::RESIGN,
    &rematch::REMATCH,
    &events::EVENTS,
    &stream::STREAM,
    &feed::FEED,
    &proof::PROOF,
    &replay::REPLAY,
    &verify::VERIFY,
    &analysis::ANALYSIS,
    &analysis::TURN_ANALYSIS,
    &random_layout::RANDOM_LAYOUT,
    &check_layout::CHECK_LAYOUT,
    &rules::RULES,
    &health::ALIVE,
    &health::READY,
    &metrics::METRICS,
];
