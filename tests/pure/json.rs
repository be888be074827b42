//! Bodies: read in one way, and strictly.

use naval_battle::schema::read;

#[derive(serde::Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Point {
    x: u8,
    y: Option<u8>,
}

#[test]
fn an_object_is_read_by_its_keys() {
    assert_eq!(read(br#"{"x": 3, "y": 4}"#), Ok(Point { x: 3, y: Some(4) }));
    assert_eq!(read(br#"{"x": 3, "y": null}"#), Ok(Point { x: 3, y: None }));
    assert_eq!(read(br#"{"x": 3}"#), Ok(Point { x: 3, y: None }));
}

#[test]
fn a_number_is_the_integer_that_it_equals() {
    for text in ["10.0", "1e1", "10", "100e-1", "1.0E+1"] {
        assert_eq!(read(format!(r#"{{"x": {text}}}"#).as_bytes()), Ok(Point { x: 10, y: None }), "{text}");
    }
    assert_eq!(read(br#"{"x": -0.0}"#), Ok(Point { x: 0, y: None }));
}

#[test]
fn what_has_two_meanings_or_none_is_refused() {
    let deep = "[".repeat(100_000);
    for text in [
        r"[3, 4]",
        r#"{"x": 1, "x": 1}"#,
        r#"{"x": 1, "z": 1}"#,
        r#"{"x": 1.5}"#,
        r#"{"x": 256}"#,
        r#"{"x": -1}"#,
        r#"{"x": 1e400}"#,
        r#"{"x": 99999999999999999999999}"#,
        r#"{"x": "1"}"#,
        r#"{"x": true}"#,
        r#"{"x": null}"#,
        r#"{"x": [1]}"#,
        r#"{"x": {"x": 1}}"#,
        r#"{"x": 1} {}"#,
        "\u{feff}{\"x\": 1}",
        r#"{"x": 1,}"#,
        r"{'x': 1}",
        "",
        " ",
        "null",
        "NaN",
        deep.as_str(),
    ] {
        assert!(read::<Point>(text.as_bytes()).is_err(), "{text:.40}");
    }
    assert!(read::<Point>(b"{\"x\": 1, \"\xff\": 1}").is_err());
    assert!(read::<String>(br#""\ud800""#).is_err());
}
