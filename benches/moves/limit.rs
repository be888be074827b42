//! What Postgres can do at most: pgbench with the statements of a fire, on the same database.

use std::path::{Path, PathBuf};
use std::process::Command;

use tokio::task::spawn_blocking;

use crate::course::{BEFORE_BATTLE, Course, Match};
use crate::figures::number;
use crate::machine::Spent;
use crate::postgres::{Age, Event};
use ground::cluster::{Database, USER, scratch_folder};
use ground::statements::Statements;

/// After so many moves a client of pgbench goes on to the next game.
const MOVES: u32 = 80;

/// Threads of pgbench.
const THREADS: u32 = 2;

/// What pgbench does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Load {
    /// Reads a game and adds a move to it: two statements, as a fire does.
    Moves,
    /// Reads a game.
    Reads,
}

/// pgbench, with games of its own in the database of the servers.
pub(crate) struct Limit {
    binaries: PathBuf,
    folder: PathBuf,
    database: Database,
    model: Match,
    /// What the moves write, as pgbench is told it.
    variables: Vec<String>,
    /// How many games there are for it.
    games: u32,
    /// The first game that was not played yet.
    next: u32,
}

/// What pgbench came to.
pub(crate) struct Ran {
    /// Transactions.
    pub(crate) count: f64,
    /// Transactions in a second.
    pub(crate) rate: f64,
    /// What it took.
    pub(crate) spent: Spent,
}

impl Limit {
    /// Prepares it. The moves that it makes are two that follow each other in a game that was
    /// really played, and have bodies of the usual length.
    pub(crate) async fn new(course: &mut Course, binaries: &Path) -> Self {
        let folder = scratch_folder("pgbench");
        course.stock_up(1).await;
        let model = course.stock.front().expect("a game was set up").clone();
        let (played, at) = usual_moves(course).await;
        let mut variables = values(course, &played, at, "even").await.to_vec();
        variables.extend(values(course, &played, at + 1, "odd").await);
        let statements = Statements::read();
        let turn = format!(
            "\\set number (:first + :client_id + :clients * (:made / {MOVES})) % :games\n\
             \\if :made % {MOVES} = 0\n\
             select l.game_id as id, g.version from limit_games l join games g using (game_id)\n \
             where l.number = :number \\gset\n\
             \\endif\n\\set made :made + 1\n"
        );
        let load = statements.load_script();
        let [even, odd] = ["even", "odd"].map(|which| statements.append_script(which));
        let moves = format!(
            "{turn}{load};\n\\set next :version + 1\n\\if :version % 2 = 0\n{even};\n\\else\n{odd};\n\\endif\n\\set version :next\n"
        );
        std::fs::write(folder.join("moves.sql"), moves).expect("the folder can be written");
        std::fs::write(folder.join("reads.sql"), format!("{turn}{load};\n")).expect("the folder can be written");
        course.postgres.run("create table limit_games (number int4 primary key, game_id uuid not null)").await;
        let database = course.postgres.database.clone();
        Self { binaries: binaries.to_owned(), folder, database, model, variables, games: 0, next: 0 }
    }

    /// Runs it for so many seconds.
    pub(crate) async fn run(&mut self, course: &mut Course, load: Load, clients: u32, seconds: u32) -> Ran {
        self.provide(course, clients).await;
        let count = "select count(*) from events e join limit_games using (game_id)";
        let before = course.postgres.number(count).await;
        let mut command = self.command(load, clients, seconds);
        let processes = course.processes().clone();
        let (output, spent) = spawn_blocking(move || {
            let before = processes.usage();
            let output = command.output().expect("pgbench lies beside postgres");
            (output, processes.usage().since(&before))
        })
        .await
        .expect("pgbench ran");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let ran = Ran {
            count: figure(&text, "number of transactions actually processed: "),
            rate: figure(&text, "tps = "),
            spent,
        };
        let written = course.postgres.number(count).await - before;
        let due = if load == Load::Moves { ran.count } else { 0.0 };
        let written = number(usize::try_from(written).expect("the log grew"));
        assert!((written - due).abs() < 0.5, "pgbench made {due} moves, of which {written} are there");
        ran
    }

    /// Sees to it that there are games enough that nobody has played yet.
    async fn provide(&mut self, course: &mut Course, clients: u32) {
        let fresh = (clients * 8).max(1_000);
        let copies = course.postgres.copy(self.model.uuid(), fresh, Age::New).await;
        let ids: Vec<String> =
            copies.iter().zip(self.games..).map(|(id, number)| format!("({number}, '{id}')")).collect();
        course.postgres.run(&format!("insert into limit_games (number, game_id) values {}", ids.join(", "))).await;
        course.postgres.run("analyze limit_games").await;
        self.next = self.games;
        self.games += fresh;
    }

    fn command(&self, load: Load, clients: u32, seconds: u32) -> Command {
        let script = if load == Load::Moves { "moves.sql" } else { "reads.sql" };
        let mut command = Command::new(self.binaries.join("pgbench"));
        command.args(["--no-vacuum", "--protocol", "prepared", "--username", USER, "--port", "5432"]);
        command.arg("--host").arg(self.database.socket_file().parent().expect("the socket lies in a folder"));
        command.arg("--file").arg(self.folder.join(script));
        for (flag, value) in [("--client", clients), ("--jobs", THREADS.min(clients)), ("--time", seconds)] {
            command.args([flag, &value.to_string()]);
        }
        for variable in &self.variables {
            command.args(["--define", variable]);
        }
        for (name, value) in [("made", 0), ("clients", clients), ("games", self.games), ("first", self.next)] {
            command.args(["--define", &format!("{name}={value}")]);
        }
        command.arg(self.database.name());
        command
    }
}

/// A game that was played, and which of its moves has a body of the usual length, as has the next.
async fn usual_moves(course: &mut Course) -> (Match, usize) {
    let usual = "select avg(length(body))::int8 from events where body like '%\"fired\"%'";
    let usual = course.postgres.number(usual).await;
    let mut best: Option<(u64, Match, usize)> = None;
    for game in course.over.iter().take(5) {
        let mut lengths = Vec::new();
        for at in 0..game.done {
            let event = course.postgres.event(game.uuid(), seq(at)).await;
            lengths.push(i64::try_from(event.body.len()).expect("a body is short"));
        }
        for (at, pair) in lengths.windows(2).enumerate() {
            let off: u64 = pair.iter().map(|length| length.abs_diff(usual)).sum();
            if best.as_ref().is_none_or(|(least, ..)| off < *least) {
                best = Some((off, game.clone(), at));
            }
        }
    }
    let (_, game, at) = best.expect("a game was played before");
    (game, at)
}

/// What a move of a game writes, as pgbench takes it.
async fn values(course: &mut Course, game: &Match, at: usize, which: &str) -> [String; 4] {
    let Event { body, head, awaits } = course.postgres.event(game.uuid(), seq(at)).await;
    let state = hex::encode(&game.script.moves[at].state);
    [
        format!("head_{which}=\\x{head}"),
        format!("state_{which}=\\x{state}"),
        format!("awaits_{which}={awaits}"),
        format!("body_{which}={body}"),
    ]
}

fn seq(at: usize) -> i32 {
    i32::try_from(at + 1).expect("a game is short") + i32::try_from(BEFORE_BATTLE).expect("few")
}

/// A figure that pgbench tells.
fn figure(text: &str, name: &str) -> f64 {
    let line =
        text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name} is not in {text}"));
    let word = line.split([' ', '/']).next().expect("a word");
    word.parse().unwrap_or_else(|_| panic!("no number: {line}"))
}
