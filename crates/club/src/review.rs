//! Reviews: what each move of a game was worth, found out when there is time.

use crate::club::{Club, ClubError};
use crate::queue::{self, Job};
use rusqlite::params;
use serde::{Deserialize, Serialize};

/// What a move was worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// The discs that the side to move would have won by, had both sides gone on as well as the
    /// review knows; none for passes and the opening.
    pub best: Option<f64>,
    /// How many of them the move gave away.
    pub loss: Option<f64>,
    /// The best move, such as `d3`.
    pub better: Option<String>,
    /// Whether these are proved.
    pub is_exact: bool,
}

/// What all moves of a game were worth.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Review {
    /// Move by move.
    pub moves: Vec<Judged>,
}

/// A loss of fewer discs is not called a mistake.
const MISTAKE: f64 = 2.0;

impl Review {
    pub(crate) fn read(text: &str) -> Result<Review, ClubError> {
        serde_json::from_str(text).map_err(|error| ClubError::Damaged(format!("a review: {error}")))
    }

    /// The move that lost the game: the last one of the loser's that turned a game which was not
    /// lost into a lost one, or its worst mistake if there is none such. `is_loser` says which moves
    /// are the loser's.
    pub fn losing_move(&self, is_loser: impl Fn(usize) -> bool) -> Option<usize> {
        let own = || self.moves.iter().enumerate().filter(|(ply, _)| is_loser(*ply));
        let turned = own().filter(|(_, judged)| match (judged.best, judged.loss) {
            (Some(best), Some(loss)) => best >= 0.0 && best - loss < 0.0,
            _ => false,
        });
        let worst = || {
            own()
                .filter(|(_, judged)| judged.loss.is_some_and(|loss| loss >= MISTAKE))
                .max_by(|(_, a), (_, b)| a.loss.unwrap_or(0.0).total_cmp(&b.loss.unwrap_or(0.0)))
        };
        turned.last().or_else(worst).map(|(ply, _)| ply)
    }
}

impl Club {
    /// Keeps the review of a game.
    pub fn finish_review(&self, job: &Job, review: &Review) -> Result<(), ClubError> {
        let text = serde_json::to_string(review).expect("a review is plain data");
        self.transaction(|connection| {
            queue::finish(connection, job)?;
            connection
                .prepare_cached("UPDATE game SET review = ?2 WHERE id = ?1 AND state = 'played'")?
                .execute(params![job.subject, text])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(best: f64, loss: f64) -> Judged {
        Judged { best: Some(best), loss: Some(loss), better: None, is_exact: true }
    }

    #[test]
    fn the_losing_move_is_the_last_that_turned_the_game() {
        let pass = Judged { best: None, loss: None, better: None, is_exact: false };
        let review = |moves: &[(f64, f64)]| Review {
            moves: moves
                .iter()
                .flat_map(|&(best, loss)| [judged(best, loss), pass.clone()])
                .collect(),
        };
        let is_loser = |ply: usize| ply.is_multiple_of(2);
        let lost = |moves: &[(f64, f64)]| review(moves).losing_move(is_loser);
        // Thrown away, given back by the other side, and thrown away for good.
        assert_eq!(lost(&[(4.0, 8.0), (2.0, 0.0), (2.0, 6.0), (-4.0, 20.0)]), Some(4));
        assert_eq!(
            lost(&[(-4.0, 2.0), (-6.0, 10.0), (-16.0, 1.0)]),
            Some(2),
            "lost from the start"
        );
        assert_eq!(lost(&[(-4.0, 0.0), (-4.0, 1.0)]), None, "nothing to reproach it with");
        assert_eq!(Review::default().losing_move(|_| true), None);
    }
}
