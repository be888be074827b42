use engine::{Direction, Outcome};
use record::Happened;

/// An event that is read is written, and read again as the same event.
pub fn event(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut read = Err(record::Unreadable);
    let steps = allocation_counter::measure(|| read = record::read(text));
    let length = u64::try_from(text.len()).unwrap();
    assert!(steps.count_total <= 4 * length + 64, "{} allocations for {length} bytes", steps.count_total);
    let Ok(recorded) = read else { return };

    let body = recorded.write();

    assert_eq!(record::read(&body).as_ref(), Ok(&recorded));
    let canonical: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(serde_json_canonicalizer::to_string(&canonical).unwrap(), body, "it is written in canonical form");
    if let Happened::Fired { shots, .. } = &recorded.happened {
        for shot in shots.iter() {
            if let Outcome::Sunk(ship) = shot.outcome {
                assert!(ship.length() > 1 || ship.direction() == Direction::Across);
            }
        }
    }
}
