//! Prometheus' own readers of counts.

use std::io::Write as _;
use std::process::{Command, Stdio};

use reqwest::Method;

use ground::server::{Server, send};
use ground::table::Table;
use testing::model::Seat::{Guest, Host};

/// Prints name and type of each family that a reader of Prometheus' client finds.
const SCRIPT: &str = "
import sys
from prometheus_client.MODULE import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    print(family.name, family.type, len(family.samples))
";

/// What a reader finds in a page.
fn read(module: &str, page: &str) -> Vec<String> {
    // Debian's, whatever else there is: `.ci/neighbours` has its package installed.
    let mut reader = Command::new("/usr/bin/python3");
    let reader = reader.args(["-c", &SCRIPT.replace("MODULE", module)]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut reader = reader.spawn().unwrap();
    reader.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert!(output.status.success(), "it cannot be read:\n{page}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn each_form_of_the_counts_is_read_by_a_reader_of_that_form() {
    let server = Server::on_new_database().await;
    let table = Table::in_battle(&server).await;
    table.fire(&server, Host, "A1").await.expect(200);
    table.resign(&server, Guest).await.expect(200);
    let page = async |accept: &str| send(server.request(Method::GET, "/metrics").header("accept", accept)).await.text;

    let classic = read("parser", &page("text/plain").await);
    let open = read("openmetrics.parser", &page("application/openmetrics-text").await);

    for found in [&classic, &open] {
        for family in [
            "naval_battle_requests counter ",
            "naval_battle_moves counter ",
            "naval_battle_request_duration_seconds histogram ",
            "naval_battle_streams gauge 1",
            "naval_battle_unreadable_requests counter 1",
            "naval_battle_dropped_log_lines counter 1",
        ] {
            assert!(found.iter().any(|line| line.starts_with(family)), "{family} is not in {found:?}");
        }
        assert!(found.iter().all(|line| !line.contains(" unknown ") && !line.contains(" untyped ")), "{found:?}");
    }
    assert_eq!(classic.len(), open.len(), "{classic:?} {open:?}");
}
