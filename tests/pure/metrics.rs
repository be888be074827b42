//! What is counted, as it is written down.

use std::time::Duration;

use naval_battle::metrics::{Connections, Form, Metrics};

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
    metrics.came_unreadable();
    let write = |form| metrics.write(form, Connections { busy: 2, idle: 1 }).unwrap();
    let (classic, open) = (write(Form::Classic), write(Form::OpenMetrics));
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
        "naval_battle_unreadable_requests_total 1",
        r#"naval_battle_batch_moves_sum{step="write"} 3.0"#,
        r#"naval_battle_batch_moves_bucket{le="2.0",step="write"} 0"#,
        r#"naval_battle_batch_moves_bucket{le="4.0",step="write"} 1"#,
        r#"naval_battle_connections{state="busy"} 2"#,
        r#"naval_battle_connections{state="idle"} 1"#,
    ] {
        for page in [&classic, &open] {
            assert!(page.lines().any(|written| written == line), "{line} is not in\n{page}");
        }
    }
    for (classic_line, open_line) in [
        ("# TYPE naval_battle_moves_total counter", "# TYPE naval_battle_moves counter"),
        (
            "# HELP naval_battle_unreadable_requests_total What came in place of a request of HTTP.",
            "# HELP naval_battle_unreadable_requests What came in place of a request of HTTP.",
        ),
        ("# TYPE naval_battle_streams gauge", "# TYPE naval_battle_streams gauge"),
        (
            "# TYPE naval_battle_request_duration_seconds histogram",
            "# TYPE naval_battle_request_duration_seconds histogram",
        ),
    ] {
        assert!(classic.lines().any(|written| written == classic_line), "{classic_line} is not in\n{classic}");
        assert!(open.lines().any(|written| written == open_line), "{open_line} is not in\n{open}");
    }
    assert!(open.ends_with("# EOF\n"));
    assert!(!classic.contains("# EOF") && !classic.contains("# UNIT"), "{classic}");
}

#[test]
fn a_reader_of_the_classic_form_finds_the_type_of_every_series() {
    let metrics = Metrics::default();
    metrics.answered("GET", "/v1/rules", 200, Duration::from_millis(3));
    metrics.moved("fired");
    metrics.came_to("battle");
    metrics.batched("write", 3);
    let page = metrics.write(Form::Classic, Connections { busy: 2, idle: 1 }).unwrap();

    let mut family = ("", "");
    for line in page.lines() {
        if let Some(told) = line.strip_prefix("# TYPE ") {
            family = told.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&family.1), "{line}");
            continue;
        }
        if line.starts_with("# HELP ") {
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        let name = series.split('{').next().unwrap();
        let of_the_family = match family.1 {
            "histogram" => {
                ["_bucket", "_sum", "_count"].map(|end| format!("{}{end}", family.0)).contains(&name.to_owned())
            }
            _ => name == family.0,
        };
        assert!(of_the_family, "{line} is no {} called {}", family.1, family.0);
        assert_eq!(family.1 == "counter", name.ends_with("_total"), "{line}");
        value.parse::<f64>().unwrap();
    }
    assert!(page.contains("_total{"));
}
