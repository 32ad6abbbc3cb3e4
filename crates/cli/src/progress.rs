//! Progress bars on standard error: how much is done, and how much time is left.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;

/// A bar for `length` things called `unit`, drawn if a person is watching.
pub(crate) fn progress_bar(length: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    bar.set_style(style(&format!("{{bar:40}} {{pos}} of {{len}} {unit}, {{time}}")));
    bar
}

/// The look of a bar by a template in which `{time}` is the time that is spent and left.
pub(crate) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a template").with_key(
        "time",
        |state: &ProgressState, out: &mut dyn Write| {
            let is_done = state.len().is_some_and(|length| state.pos() >= length);
            // A bar that cannot be drawn is not missed.
            let _ = out.write_str(&time(state.elapsed(), state.eta(), is_done));
        },
    )
}

/// The time that is spent and left. No time left before the end means that it cannot be told yet.
fn time(spent: Duration, left: Duration, is_done: bool) -> String {
    let spent = words(spent);
    match left {
        Duration::ZERO if is_done => format!("{spent} in all"),
        Duration::ZERO => format!("{spent} so far"),
        left => format!("{spent} so far, about {} left", words(left)),
    }
}

/// A time with one unit or two: `42 s`, `2 min`, `1 h 20 min`.
pub(crate) fn words(time: Duration) -> String {
    // Whole minutes are enough for more than one of them.
    let (seconds, minutes) = (time.as_secs(), (time.as_secs() + 30) / 60);
    match (seconds, minutes) {
        (0..60, _) => format!("{seconds} s"),
        (_, 0..60) => format!("{minutes} min"),
        (_, minutes) => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_with_their_units() {
        let said = |seconds| words(Duration::from_secs(seconds));
        assert_eq!([0, 59, 60, 89, 90].map(said), ["0 s", "59 s", "1 min", "1 min", "2 min"]);
        assert_eq!([3569, 3570, 90_000].map(said), ["59 min", "1 h 0 min", "25 h 0 min"]);
    }

    #[test]
    fn the_time_left_is_told_once_it_is_known() {
        let [none, minute] = [0, 60].map(Duration::from_secs);
        assert_eq!(time(none, none, false), "0 s so far");
        assert_eq!(time(minute, 2 * minute, false), "1 min so far, about 2 min left");
        assert_eq!(time(minute, none, true), "1 min in all");
    }

    #[test]
    fn every_bar_has_a_template_that_can_be_drawn() {
        let bar = progress_bar(3, "games");
        bar.inc(1);
        assert_eq!((bar.position(), bar.length()), (1, Some(3)));
    }
}
