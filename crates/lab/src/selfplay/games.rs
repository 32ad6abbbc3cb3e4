//! Self-play games as jobs, which any machine may play.

use super::{Plan, Player};
use crate::data::{Sample, read_records, records};
use crate::evaluator::{Evaluator, Find, Load, SentEvaluator};
use isrever_board::Size;
use isrever_jobs::{Crew, Failure, Manifest, Message, RunError, Work};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The number of games of a job.
const BATCH: u64 = 32;

/// Takes the samples of so many games.
pub type Take<'a, E> = dyn FnMut(u64, &[Sample]) -> Result<(), E> + 'a;

/// The games of a plan.
#[derive(Clone, Debug)]
pub struct Games {
    plan: Plan,
    /// The file of the plan's weights, unless they are those in the program.
    file: Option<PathBuf>,
}

/// The games in writing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    evaluator: SentEvaluator,
    player: String,
    random_plies: [u32; 2],
    solve_from: u32,
    lambda: f32,
    seed: u64,
}

/// The samples of some games as bytes: the size of the board, then records.
#[derive(Clone, PartialEq, Debug)]
pub struct Samples {
    size: Size,
    samples: Vec<Sample>,
}

impl Message for Samples {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.size.width()];
        bytes.extend(records(&self.samples));
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Samples> {
        let (width, records) = bytes.split_first()?;
        let size = Size::new((*width).into()).ok()?;
        Some(Samples { size, samples: read_records(records, size).ok()? })
    }
}

impl Games {
    /// What manifests of self-play say they are.
    pub const KIND: &'static str = "selfplay";

    /// The games of a plan whose weights are those of `file`, or those in the program.
    pub fn new(plan: Plan, file: Option<&Path>) -> Games {
        Games { plan, file: file.map(Path::to_owned) }
    }

    /// The games of a manifest's text. `find` says where a file is that it names, and `load` reads
    /// weights.
    pub fn read(text: &str, find: &Find<'_>, load: &Load<'_>) -> Result<Games, String> {
        let refused = |what: &str| format!("not self-play: {what}");
        let text: Text = serde_json::from_str(text).map_err(|why| refused(&why.to_string()))?;
        let player: Player = text.player.parse().map_err(|_| refused("no such player"))?;
        let evaluator = Evaluator::receive(&text.evaluator, find, load);
        let Evaluator { rule, size, weights, file } = evaluator.map_err(|why| refused(&why))?;
        let [least, most] = text.random_plies;
        let plan = Plan {
            player,
            random_plies: least..=most,
            weights,
            solve_from: text.solve_from,
            lambda: text.lambda,
            ..Plan::new(rule, size, text.seed)
        };
        Ok(Games { plan, file })
    }

    /// Has these games played. Hands on their samples in the order of the games, with the number of
    /// games they are from. `false` if it was stopped before the last.
    pub fn play<E>(
        &self,
        crew: &Crew,
        games: Range<u64>,
        take: &mut Take<'_, E>,
        stop: &AtomicBool,
    ) -> Result<bool, RunError<E>> {
        let first = |number: u64| games.start + number * BATCH;
        let job = |number: u64| [first(number), first(number + 1).min(games.end)];
        let count = games.end.saturating_sub(games.start).div_ceil(BATCH);
        let mut take = |number: u64, Samples { samples, .. }: Samples| {
            let [first, last] = job(number);
            take(last - first, &samples)
        };
        crew.in_order(self, 0..count, job, &mut take, stop)
    }
}

impl Work for Games {
    type Job = [u64; 2];
    type Output = Samples;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(
        &self,
        (): &mut (),
        &[first, last]: &[u64; 2],
        stop: &Arc<AtomicBool>,
    ) -> Result<Samples, Failure> {
        let mut samples = Vec::new();
        for number in first..last {
            if stop.load(Relaxed) {
                return Err(Failure::Stopped);
            }
            samples.extend(self.plan.game(number));
        }
        Ok(Samples { size: self.plan.size, samples })
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let plan = &self.plan;
        let Plan { rule, size, weights, .. } = *plan;
        let evaluator = Evaluator { rule, size, weights, file: self.file.clone() };
        let (evaluator, attached) = evaluator.send()?;
        let text = Text {
            evaluator,
            player: plan.player.to_string(),
            random_plies: [*plan.random_plies.start(), *plan.random_plies.end()],
            solve_from: plan.solve_from,
            lambda: plan.lambda,
            seed: plan.seed,
        };
        Ok(Manifest {
            attachments: attached.into_iter().collect(),
            ..Manifest::new(Games::KIND, &text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Rule;
    use isrever_eval::Weights;
    use std::convert::Infallible;

    fn plan(size: Size) -> Plan {
        Plan { solve_from: 8, ..Plan::new(Rule::Reversed, size, 1) }
    }

    #[test]
    fn games_come_in_order_however_many_threads_play_them() {
        for size in [Size::SIX, Size::EIGHT] {
            let plan = plan(size);
            let apart: Vec<Sample> = (5..75).flat_map(|number| plan.game(number)).collect();
            for threads in [1, 3] {
                let (mut count, mut together) = (0, Vec::new());
                let mut take = |games, samples: &[Sample]| {
                    count += games;
                    together.extend_from_slice(samples);
                    Ok::<(), Infallible>(())
                };
                let games = Games::new(plan.clone(), None);
                let stop = AtomicBool::new(false);
                assert!(games.play(&Crew::Here(threads), 5..75, &mut take, &stop).unwrap());
                assert_eq!((count, &together), (70, &apart));
            }
        }
    }

    #[test]
    fn what_is_written_for_other_machines_plays_the_same_games() {
        let path = Path::new("some/weights.bin");
        let embedded = Weights::embedded(Rule::Reversed, Size::EIGHT);
        for (weights, file) in [(None, None), (embedded, None), (embedded, Some(path))] {
            let player = weights.map_or(Player::Mobile, |_| Player::Engine { depth: 1 });
            let lambda = 0.7;
            let plan = Plan { weights, player, lambda, ..plan(Size::EIGHT) };
            let games = Games::new(plan, file);
            let manifest = games.manifest().unwrap();
            let attached: Vec<_> = manifest.attachments.iter().map(|one| &*one.path).collect();
            assert_eq!(attached, Vec::from_iter(file));
            let find = |name: &str| {
                assert_eq!(name, "attached-1/weights.bin");
                Some(path.to_owned())
            };
            let load = |found: &Path| {
                assert_eq!(found, path);
                Ok(embedded.unwrap())
            };
            let read = Games::read(&manifest.text, &find, &load).unwrap();
            let perform = |games: &Games| games.perform(&mut (), &[3, 6], &Arc::default()).unwrap();
            let samples = perform(&games);
            assert_eq!(perform(&read), samples);
            assert_eq!(Samples::from_bytes(&samples.to_bytes()), Some(samples));
        }
        assert!(Games::read("{}", &|_| None, &|_| unreachable!()).is_err());
        assert!(Samples::from_bytes(&[8, 1]).is_none() && Samples::from_bytes(&[7]).is_none());
    }
}
