//! The commands, one file each: what the arguments mean together, then the work.

pub(crate) mod about;
pub(crate) mod agents;
pub(crate) mod convert;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod show;

use crate::fault::Fault;
use crate::input::Place;
use isrever_board::text::Record;

/// Takes every game back to the position after move number `ply`.
fn stop_at(records: &mut [Record], ply: usize, place: &Place) -> Result<(), Fault> {
    for (record, number) in records.iter_mut().zip(1..) {
        let moves = record.game.ply();
        if ply > moves {
            let offence =
                format_args!("game {number} has {moves} moves; expected --at 0 to {moves}");
            return Err(Fault::input(place, offence));
        }
        if ply < moves {
            // What is known of the end is not known of the way there.
            record.scores.clear();
            record.notes.truncate(ply);
            record.tags.retain(|(name, _)| name != "RE");
        }
        for _ in ply..moves {
            record.game.undo();
        }
    }
    Ok(())
}
