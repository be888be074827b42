use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// How often a request is sent again whose answer was lost, or that the server could not take.
///
/// It is the same request with the same `Idempotency-Key`, so it has one effect and one reply,
/// however often it is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retries {
    /// How often at most; 0 for never.
    pub most: u32,
    /// The pause before the first one. Each further pause is twice as long, and all are jittered.
    pub first_pause: Duration,
    /// The longest pause. A server that asks for a longer one is not asked again.
    pub longest_pause: Duration,
}

/// The longest pause of what goes on for as long as it takes.
const LONGEST_OF_A_STREAM: Duration = Duration::from_secs(30);

impl Default for Retries {
    fn default() -> Self {
        Self { most: 5, first_pause: Duration::from_millis(100), longest_pause: Duration::from_secs(10) }
    }
}

impl Retries {
    /// Nothing is sent again, and no key is sent.
    pub const NEVER: Self = Self { most: 0, first_pause: Duration::ZERO, longest_pause: Duration::ZERO };

    /// The pause before a stream is opened again: there is always a next time.
    pub(crate) fn pause_of_stream(&self, retry: u32, asked: Option<Duration>) -> Duration {
        asked.unwrap_or_default() + self.doubled(retry, LONGEST_OF_A_STREAM)
    }

    /// The pause before this retry, counted from 0; none where it is not to be made.
    pub(crate) fn pause(&self, retry: u32, asked: Option<Duration>) -> Option<Duration> {
        if retry >= self.most {
            return None;
        }
        let own = self.doubled(retry, self.longest_pause);
        match asked {
            None => Some(own),
            // Those who were turned away together do not come back together.
            Some(asked) => (asked <= self.longest_pause).then(|| asked + own),
        }
    }

    fn doubled(&self, retry: u32, longest: Duration) -> Duration {
        let whole = self.first_pause.saturating_mul(2_u32.saturating_pow(retry)).min(longest);
        whole.mul_f64(0.5 + fraction() / 2.0)
    }
}

/// The seconds of `Retry-After`; its other form, a date, is not one of this API's.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok().map(Duration::from_secs)
}

/// A random number from 0 to 1. Jitter needs no secret: without entropy it is the middle.
fn fraction() -> f64 {
    getrandom::u32().map_or(0.5, |number| f64::from(number) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_end() {
        let retries = Retries { most: 4, first_pause: Duration::from_secs(1), longest_pause: Duration::from_secs(3) };

        for (retry, whole) in [(0, 1), (1, 2), (2, 3), (3, 3)] {
            let pause = retries.pause(retry, None).unwrap();
            let whole = Duration::from_secs(whole);
            assert!(whole / 2 <= pause && pause <= whole, "{retry}: {pause:?}");
        }
        assert_eq!(retries.pause(4, None), None);
        assert_eq!(Retries::NEVER.pause(0, None), None);
    }

    #[test]
    fn a_stream_is_always_opened_again() {
        let retries = Retries { most: 0, first_pause: Duration::from_secs(1), longest_pause: Duration::ZERO };

        for (retry, whole) in [(0, 1), (1, 2), (4, 16), (5, 30), (40, 30)] {
            let pause = retries.pause_of_stream(retry, None);
            let whole = Duration::from_secs(whole);
            assert!(whole / 2 <= pause && pause <= whole, "{retry}: {pause:?}");
        }
        let asked = retries.pause_of_stream(0, Some(Duration::from_mins(1)));
        assert!(Duration::from_mins(1) < asked && asked <= Duration::from_secs(61));
    }

    #[test]
    fn a_server_that_asks_for_a_pause_has_it_or_is_left_alone() {
        let retries = Retries { most: 4, first_pause: Duration::from_secs(1), longest_pause: Duration::from_secs(3) };

        let pause = retries.pause(0, Some(Duration::from_secs(3))).unwrap();

        assert!(Duration::from_secs(3) < pause && pause <= Duration::from_secs(4));
        assert_eq!(retries.pause(0, Some(Duration::from_secs(4))), None);
    }
}
