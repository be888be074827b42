//! How long anything is waited for, and why these times stand in this order.
//!
//! Whoever is nearer to the cause gives up first, so that what is told is what went wrong. Only
//! budgets, the turn clock and the expiry of a game that nobody joins are set elsewhere: they are
//! rules, not patience.

use std::time::Duration;

/// Postgres: how long a statement waits for a row that another session holds.
pub const LOCK: Duration = Duration::from_millis(500);

/// Postgres: how long a statement takes.
pub const STATEMENT: Duration = Duration::from_secs(2);

/// Postgres: how long a transaction that somebody began and left open is kept.
pub const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(5);

/// How long the database is waited for when the server starts.
pub const FIRST_CONNECTION: Duration = Duration::from_secs(10);

/// How long one waits for a connection of the pool.
pub const CONNECTION: Duration = Duration::from_secs(2);

/// How long until Postgres is asked for a connection again, after it let nobody in.
pub const NEW_CONNECTION: Duration = Duration::from_millis(100);

/// How long one of several hosts is waited for. It is told which was silent, before the whole time is over.
pub const HOST: Duration = Duration::from_secs(8);

/// How long one of several hosts is waited for before the next one is tried beside it.
pub const NEXT_HOST: Duration = Duration::from_millis(250);

/// How often it is looked whether a session is over whose connection is lost.
pub const LOOK_FOR_LOST: Duration = Duration::from_millis(250);

/// How long the lock is waited for under which one server after the other migrates.
pub const MIGRATION_LOCK: Duration = Duration::from_secs(30);

/// How often it is looked whether the database still keeps what it acknowledges.
pub const LOOK_AT_DATABASE: Duration = Duration::from_secs(1);

/// How long Postgres is taken to answer still on a connection on which it has just answered.
pub const FRESH: Duration = Duration::from_millis(250);

/// When a connection that nobody uses is closed.
pub const IDLE_CONNECTION: Duration = Duration::from_mins(10);

/// How long a session lasts, from before it is checked out to the answer of its last statement.
pub const SESSION: Duration = Duration::from_millis(2_500);

/// How long a change waits for its turn at its game.
pub const TURN: Duration = Duration::from_millis(1_500);

/// How long a caller waits for the answer to a change.
pub const ANSWER: Duration = Duration::from_millis(2_800);

/// An action that began in time may still be on its way for so long after the game's deadline. The
/// statement that lists the timers that went off has the same time in it.
pub const GRACE: Duration = Duration::from_secs(1);

/// For how long those whom nobody waits for keep no connection, after Postgres had no room for one.
pub const FULL: Duration = Duration::from_secs(5);

/// How often a server says that it reaches the database.
pub const BEAT: Duration = Duration::from_millis(250);

/// How often it says so of a node of several, where another server has just done so.
pub const BEAT_IN_COMPANY: Duration = Duration::from_millis(600);

/// How often it is looked which nodes a database has.
pub const PARTS: Duration = Duration::from_secs(10);

/// A time without a beat that is longer than this is a gap: nobody could act in it (R30).
pub const GAP: Duration = Duration::from_millis(900);

/// How often the clocks of games are looked at.
pub const SWEEP: Duration = Duration::from_millis(500);

/// How long the clocks wait for a connection of their own, before they take one that moves share.
pub const CLOCK_CONNECTION: Duration = Duration::from_millis(500);

/// How long a clock that one server has taken is left to it.
pub const LEASE: Duration = Duration::from_secs(3);

/// How long a clock that failed is put off at first; then for twice as long each time, up to a day.
pub const CLOCK_AGAIN: Duration = Duration::from_secs(2);

/// When it is first looked whether a game without a clock is over; after that when it is twice as old.
pub const FIRST_LOOK: Duration = Duration::from_hours(24);

/// How long packing is put off at first where it failed.
pub const PACK_AGAIN: Duration = Duration::from_mins(1);

/// How often it is looked whether there is something to pack or to delete.
pub const CHORES: Duration = Duration::from_millis(500);

/// What a statement that packs or deletes should take: it touches as many games as fit into it.
pub const CHORE: Duration = Duration::from_millis(100);

/// How often creations of more than a day ago are forgotten.
pub const FORGETTING: Duration = Duration::from_secs(5);

/// On a distributed database, how often it is looked which clocks go off until the next time: sooner than the shortest
/// clock.
pub const LOOK_AHEAD: Duration = Duration::from_secs(7);

/// On a distributed database, how often all nodes are asked for what nobody waits for.
pub const RARE_CHORES: Duration = Duration::from_mins(1);

/// How often it is looked how much there is to do, and what the tables take.
pub const GAUGES: Duration = Duration::from_secs(5);

/// How often the versions of the watched games are looked at where servers notify each other.
pub const LOOK: Duration = Duration::from_secs(1);

/// How often they are looked at where servers do not.
pub const LOOK_ALONE: Duration = Duration::from_millis(250);

/// Games that grew within this time go into one notification.
pub const GATHERING: Duration = Duration::from_millis(25);

/// How long until a log that could not be read is read again.
pub const READ_AGAIN: Duration = Duration::from_millis(200);

/// How long until notifications that broke off are listened to again.
pub const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// How long the head of a request is waited for.
pub const HEAD: Duration = Duration::from_secs(10);

/// How long the body of a request is waited for.
pub const BODY: Duration = Duration::from_secs(10);

/// How long a connection is kept for a next request, as each reply tells. Proxies and clients mostly keep theirs for a
/// minute or less, so they are first to close one.
pub const KEPT: Duration = Duration::from_secs(75);

/// How long a peer is given to take the last of a connection and close it.
pub const PARTING: Duration = Duration::from_secs(1);

/// After so long without an event a stream says that there was none.
pub const SILENCE: Duration = Duration::from_secs(15);

/// After so long it is worth asking again whether a game can be listed, where the address has too many that are open.
pub const LISTED_AGAIN: Duration = Duration::from_mins(1);

/// The longest that a client may ask to wait for an event.
pub const LONGEST_WAIT: Duration = Duration::from_secs(25);

/// A peer that takes nothing of what is sent for so long is gone.
pub const PEER_SILENCE: Duration = Duration::from_mins(1);

/// How long requests under way may still take once the server is told to stop.
pub const STOPPING: Duration = Duration::from_secs(5);

/// How long connections to Postgres are waited for after that.
pub const CLOSING: Duration = Duration::from_secs(2);

/// How long the last lines of the log are waited for after that, where somebody reads them.
pub const LAST_LINES: Duration = Duration::from_millis(500);

/// How long the server takes at most to leave, its embedded Postgres included.
pub const LEAVING: Duration = Duration::from_millis(8_500);

/// How long the embedded Postgres has to stop once the server is told to a second time, and at least.
pub const AT_ONCE: Duration = Duration::from_secs(1);

/// After so long without a byte common proxies give a reply up.
const PROXY: Duration = Duration::from_secs(30);

/// After so long without a request common proxies and clients close a connection that they kept.
const CLOSES_KEPT: Duration = Duration::from_mins(1);

/// After so long whoever stops the server, such as Docker, kills it.
const KILL: Duration = Duration::from_secs(10);

const fn is_before(one: Duration, other: Duration) -> bool {
    one.as_nanos() < other.as_nanos()
}

const _: () = {
    assert!(is_before(LOCK, STATEMENT), "a held row is told as such, not as a statement that took too long");
    assert!(is_before(STATEMENT, SESSION), "Postgres gives up before the session, which hears it and stays of use");
    assert!(is_before(SESSION, IDLE_IN_TRANSACTION), "Postgres never ends a session that somebody still uses");
    assert!(is_before(NEW_CONNECTION, CONNECTION), "there is time left to ask again");
    assert!(is_before(NEXT_HOST, HOST), "the others are tried while one is silent");
    assert!(is_before(HOST, FIRST_CONNECTION), "it is told which host was silent");
    assert!(is_before(CONNECTION, SESSION), "who gets no connection is told so, and not that no answer came");
    assert!(is_before(TURN, ANSWER), "who waits in vain for a turn is told so, and has time left after one that came");
    assert!(is_before(SESSION, ANSWER), "the session's own failure is told, and nothing is written after the answer");
    assert!(is_before(CLOSES_KEPT, KEPT), "a proxy closes a kept connection before its request could meet the end");
    assert!(is_before(ANSWER, STOPPING), "requests under way are answered before the server leaves");
    assert!(is_before(PARTING, STOPPING), "a connection that is closed in order is so before the server leaves");
    assert!(is_before(STOPPING.saturating_add(CLOSING), LEAVING), "there is time left to stop Postgres");
    assert!(
        !is_before(KILL, LEAVING.saturating_add(AT_ONCE).saturating_add(LAST_LINES)),
        "the server leaves by itself before it is killed"
    );
    assert!(is_before(SILENCE, PROXY), "a stream without events is kept by a proxy");
    assert!(is_before(LONGEST_WAIT.saturating_add(ANSWER), PROXY), "a wait is answered before a proxy gives it up");
    assert!(is_before(SILENCE, PEER_SILENCE), "a peer has had something to take before it counts as gone");
    assert!(is_before(GATHERING, LOOK_ALONE), "a notification comes before anybody would have looked");
    assert!(is_before(LOOK_ALONE, LOOK), "who is not notified looks more often");
    assert!(is_before(SWEEP, GRACE), "an end is written within twice the grace");
    assert!(is_before(BEAT.saturating_mul(3), GAP), "a beat that is late is no gap");
    assert!(is_before(BEAT_IN_COMPANY.saturating_add(BEAT), GAP), "a beat that is late is no gap in company either");
    assert!(is_before(GAP, GRACE), "an outage that keeps an action from being in time is a gap");
    assert!(is_before(NEW_CONNECTION, CLOCK_CONNECTION), "clocks mostly have a connection of their own");
    assert!(is_before(SESSION, LEASE), "a clock is taken from nobody who is still at it");
    assert!(is_before(GRACE, LEASE), "a lease is counted from when a clock went off");
    assert!(is_before(CHORE, LOCK), "whoever waits for a row that is packed or deleted gets it");
};
