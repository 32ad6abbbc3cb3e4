//! The screen of a running tuning: its progress and the chart so far.

use super::chart::chart;
use crate::progress::style;
use indicatif::ProgressBar;
use isrever_lab::tune::{Generation, Tuning};

/// Lines on standard error, if somebody is watching.
pub(super) struct Screen {
    bar: ProgressBar,
}

impl Screen {
    /// The screen of a tuning that has come as far as it has: the bar is full when all generations
    /// and the matches at the end are done.
    pub(super) fn new(tuning: &Tuning<'_>) -> Screen {
        let bar = ProgressBar::new(tuning.steps_left());
        bar.set_style(style("{msg}{bar:40} {percent} %, {time}"));
        let screen = Screen { bar };
        screen.turn(tuning.history());
        screen
    }

    /// Something is done.
    pub(super) fn step(&self) {
        self.bar.inc(1);
    }

    /// Draws the picture anew.
    pub(super) fn turn(&self, history: &[Generation]) {
        let drawn = chart(history);
        let message = match drawn.is_empty() {
            true => drawn,
            false => format!("{drawn}\n         • best, · mean\n"),
        };
        self.bar.set_message(message);
    }

    /// Lets something be printed above.
    pub(super) fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Leaves nothing behind.
    pub(super) fn close(&self) {
        self.bar.finish_and_clear();
    }
}
