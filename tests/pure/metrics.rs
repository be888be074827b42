//! What is counted, as it is written down.

use std::time::Duration;

use naval_battle::metrics::{Connections, Metrics};

#[test]
fn what_is_counted_stands_in_the_page() {
    let metrics = Metrics::default();

    metrics.answered("GET", "/v1/rules", 200, Duration::from_millis(3));
    metrics.answered("BREW", "none", 404, Duration::ZERO);
    metrics.moved("fired");
    metrics.moved("fired");
    metrics.came_to("battle");
    metrics.batched("write", 3);
    metrics.lost(Duration::from_millis(2_500));
    let stream = metrics.open_stream();
    drop(metrics.open_stream());
    let page = metrics.write(Connections { busy: 2, idle: 1 }).unwrap();
    drop(stream);

    for line in [
        r#"naval_battle_requests_total{method="GET",route="/v1/rules",status="200"} 1"#,
        r#"naval_battle_requests_total{method="other",route="none",status="404"} 1"#,
        r#"naval_battle_request_duration_seconds_count{route="/v1/rules"} 1"#,
        r#"naval_battle_request_duration_seconds_bucket{le="0.002",route="/v1/rules"} 0"#,
        r#"naval_battle_request_duration_seconds_bucket{le="0.004",route="/v1/rules"} 1"#,
        r#"naval_battle_moves_total{type="fired"} 2"#,
        r#"naval_battle_games_total{status="battle"} 1"#,
        "naval_battle_streams 1",
        "naval_battle_outage_seconds_total 2.5",
        r#"naval_battle_batch_moves_sum{step="write"} 3.0"#,
        r#"naval_battle_batch_moves_bucket{le="2.0",step="write"} 0"#,
        r#"naval_battle_batch_moves_bucket{le="4.0",step="write"} 1"#,
        r#"naval_battle_connections{state="busy"} 2"#,
        r#"naval_battle_connections{state="idle"} 1"#,
    ] {
        assert!(page.lines().any(|written| written == line), "{line} is not in\n{page}");
    }
    assert!(page.ends_with("# EOF\n"));
}
