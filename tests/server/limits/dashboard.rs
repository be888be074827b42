//! What is asked of the counts, in the dashboard, in the alerts and in the page about them, is told by a server.

use std::collections::BTreeSet;

use serde_json::Value;
use yaml_rust2::YamlLoader;

use ground::server::Server;

const DASHBOARD: &str = include_str!("../../../docs/grafana.json");
const ALERTS: &str = include_str!("../../../docs/alerts.yml");
const OPERATIONS: &str = include_str!("../../../docs/operations.md");

/// The labels by which a query may choose.
const LABELS: [&str; 5] = ["instance", "kind", "route", "state", "status"];

/// The series that a query names.
fn names(query: &str) -> Vec<String> {
    let words = query.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("naval_battle_")).map(str::to_owned).collect()
}

/// The labels by which it chooses: what stands in braces before `=`.
fn labels(query: &str) -> Vec<String> {
    let chosen = query.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let label = |choice: &str| choice.split(['=', '!']).next().unwrap_or_default().trim().to_owned();
    chosen.flat_map(|choices| choices.split(',').map(label).collect::<Vec<_>>()).collect()
}

fn of_dashboard() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    // What Grafana fills in.
    targets.map(|target| target["expr"].as_str().unwrap().replace("$__rate_interval", "5m")).collect()
}

fn of_alerts() -> Vec<String> {
    let alerts = &YamlLoader::load_from_str(ALERTS).unwrap()[0];
    let rules = alerts["groups"][0]["rules"].as_vec().unwrap();
    rules.iter().map(|rule| rule["expr"].as_str().unwrap().to_owned()).collect()
}

/// The families that a server tells, with their types.
async fn told() -> Vec<(String, String)> {
    let server = Server::on_new_database().await;
    // A family is told once something of it was counted.
    super::metrics::play_a_little(&server, "A1").await;
    let page = server.get("/metrics", None).await.text;
    let types = page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    types.map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect()
}

/// The series of a family.
fn series((name, kind): &(String, String)) -> Vec<String> {
    match kind.as_str() {
        "histogram" => ["bucket", "sum", "count"].map(|part| format!("{name}_{part}")).to_vec(),
        "counter" => vec![format!("{}_total", name.trim_end_matches("_total"))],
        _ => vec![name.clone()],
    }
}

#[tokio::test]
async fn every_query_of_the_dashboard_and_of_the_alerts_names_what_a_server_tells() {
    let there: BTreeSet<String> = told().await.iter().flat_map(series).collect();

    for queries in [of_dashboard(), of_alerts()] {
        assert!(queries.len() >= 8);
        for query in queries {
            assert!(!names(&query).is_empty(), "{query} asks for nothing of ours");
            for name in names(&query) {
                assert!(there.contains(&name), "{name} of {query} is not told");
            }
            for label in labels(&query) {
                assert!(LABELS.contains(&label.as_str()), "{label} of {query} is no label of these");
            }
        }
    }
}

#[tokio::test]
async fn the_page_about_operations_explains_every_count() {
    for family in told().await {
        let name = format!("`{}`", series(&family)[0].trim_end_matches("_bucket"));
        assert!(OPERATIONS.contains(&name), "{name} is not explained");
    }
}
