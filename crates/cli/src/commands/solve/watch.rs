//! The progress line of a running solve.

use super::report::outcome;
use crate::messages::grouped;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use isrever_search::Progress;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(100);

/// The line on standard error, if that is a terminal.
pub(super) struct Watch {
    sight: Arc<Sight>,
    bar: ProgressBar,
}

/// What can be seen of a running solve.
struct Sight {
    /// The boards visited for the present position.
    nodes: AtomicU64,
    scene: Mutex<Scene>,
    wld: bool,
}

/// Where it is.
#[derive(Clone)]
struct Scene {
    begin: Instant,
    /// The number of the position, and how many there are.
    position: [usize; 2],
    /// The number of the move that is solved, and how many there are, if each is.
    moves: Option<[usize; 2]>,
    progress: Option<Progress>,
}

impl Watch {
    /// Watches the solving of `count` positions.
    pub(super) fn new(count: usize, wld: bool) -> Watch {
        let scene =
            Scene { begin: Instant::now(), position: [0, count], moves: None, progress: None };
        let sight = Sight { nodes: AtomicU64::new(0), scene: Mutex::new(scene), wld };
        let sight = Arc::new(sight);
        let shown = Arc::clone(&sight);
        let style = ProgressStyle::with_template("{spinner} {sight}")
            .expect("a template")
            .with_key("sight", move |_: &_, out: &mut dyn Write| {
                // A line that cannot be drawn is not missed.
                let _ = out.write_str(&shown.line(Instant::now()));
            });
        // It is drawn on a terminal only, and taken away in the end.
        let bar =
            ProgressBar::new_spinner().with_style(style).with_finish(ProgressFinish::AndClear);
        bar.enable_steady_tick(TICK);
        Watch { sight, bar }
    }

    /// The next position begins, each of `moves` solved on its own if they are given.
    pub(super) fn begin(&self, moves: Option<usize>) {
        self.sight.nodes.store(0, Relaxed);
        let mut scene = self.sight.scene();
        scene.begin = Instant::now();
        scene.position[0] += 1;
        scene.moves = moves.map(|count| [0, count]);
        scene.progress = None;
    }

    /// An iteration begins.
    pub(super) fn tell(&self, progress: Progress) {
        let mut scene = self.sight.scene();
        if let Some([number, _]) = &mut scene.moves
            && progress.iteration == 1
        {
            *number += 1;
        }
        scene.progress = Some(progress);
    }

    /// Where the solver adds its nodes.
    pub(super) fn nodes(&self) -> &AtomicU64 {
        &self.sight.nodes
    }

    /// Takes the line away while something else is said.
    pub(super) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.bar.suspend(say)
    }
}

impl Sight {
    fn scene(&self) -> MutexGuard<'_, Scene> {
        // Nothing is half done in it, whoever panicked.
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line: which position, which iteration, the best so far, nodes, speed and time.
    fn line(&self, now: Instant) -> String {
        let Scene { begin, position, moves, progress } = self.scene().clone();
        let mut parts = Vec::new();
        let [number, count] = position;
        if count > 1 {
            parts.push(format!("position {number} of {count}"));
        }
        if let Some([number, count]) = moves {
            parts.push(format!("move {number} of {count}"));
        }
        if let Some(Progress { iteration, iterations, guess, .. }) = progress {
            parts.push(if iteration < iterations {
                format!("guess {iteration}")
            } else {
                "proof".to_owned()
            });
            if let Some((score, best)) = guess {
                let best = best.map_or(String::new(), |mv| format!(" with {mv}"));
                parts.push(format!("so far {}{best}", outcome(score, self.wld)));
            }
        }
        let (nodes, elapsed) = (self.nodes.load(Relaxed), now.duration_since(begin));
        parts.push(format!("{} M nodes", grouped(&(nodes / 1_000_000).to_string())));
        let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
        parts.push(format!("{speed:.1} M/s"));
        parts.push(clock(elapsed));
        parts.join(", ")
    }
}

/// Minutes and seconds, and hours if there are any.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Move;

    /// The first of three iterations begins.
    const BEGUN: Progress =
        Progress { iteration: 1, iterations: 3, guess: None, depth: 0, confidence: 0, nodes: 0 };

    #[test]
    fn the_line_says_where_the_solve_is() {
        let watch = Watch::new(1, false);
        watch.begin(None);
        let begin = watch.sight.scene().begin;
        let line = |seconds| watch.sight.line(begin + Duration::from_secs(seconds));
        assert_eq!(line(0), "0 M nodes, 0.0 M/s, 0:00");
        watch.tell(BEGUN);
        watch.nodes().fetch_add(1_234_567_890, Relaxed);
        assert_eq!(line(100), "guess 1, 1,234 M nodes, 12.3 M/s, 1:40");
        let best = Some(Move::Place("c2".parse().unwrap()));
        watch.tell(Progress { iteration: 3, guess: Some((-4, best)), ..BEGUN });
        let words = "proof, so far loss by 4 with c2, 1,234 M nodes, 0.3 M/s, 1:00:59";
        assert_eq!(line(3659), words);
    }

    #[test]
    fn positions_and_moves_are_counted() {
        let watch = Watch::new(7, true);
        watch.begin(None);
        watch.begin(Some(9));
        let begin = watch.sight.scene().begin;
        for (iteration, guess) in [(1, None), (2, Some((3, None))), (1, None), (2, Some((3, None)))]
        {
            watch.tell(Progress { iteration, guess, ..BEGUN });
        }
        let words = "position 2 of 7, move 2 of 9, guess 2, so far win, 0 M nodes, 0.0 M/s, 0:00";
        assert_eq!(watch.sight.line(begin), words);
    }
}
