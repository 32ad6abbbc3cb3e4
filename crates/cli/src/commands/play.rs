//! `isrever play`: a game against an agent, on a board in the terminal.
//!
//! The dialogue reads lines and writes lines, so it works through pipes as
//! well as for a person. A wrong line is answered and asked for again; the end
//! of input ends the dialogue, not in error.

mod order;

use crate::book::remark;
use crate::draw::{self, Style};
use crate::error::Error;
use crate::input::Input;
use crate::messages;
use crate::options::{DefaultArgs, color, text};
use crate::plain::plain;
use crate::players::catalogue;
use isrever_agent::{Agent, AgentSpec, Forfeit, Limits};
use isrever_board::{Color, Game, Marks, Move, Position, text};
use order::{Line, Order, read_line};
use std::ffi::OsString;
use std::io::{BufRead, Write};

/// Play on a board in the terminal
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever play                            black against greedy; the player with fewer discs wins
  isrever play --against random --size 6  a smaller board, a weaker opponent
  isrever play --against maximax:time=2s  a stronger one, two seconds a move
  isrever play --color white --seed 7     the agent begins; another seed, another game
  isrever play --position f5d6c3          goes on from these moves
While playing: a square such as f5, or undo, redo, hint, moves, help, quit.")]
pub(crate) struct PlayArgs {
    /// The opponent: a name that `isrever agents` lists, and settings behind a colon
    #[arg(long, default_value = "greedy", value_name = "NAME[:KEY=VALUE,…]")]
    pub(crate) against: AgentSpec,

    /// Your discs: black moves first
    #[arg(long, default_value = "black", value_parser = color, value_name = "black|white")]
    pub(crate) color: Color,

    /// Where the agent's random choices come from: the same seed, the same choices
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// A position or a game to go on from: its text, or a file
    #[arg(long, value_name = "TEXT|FILE", allow_hyphen_values = true, value_parser = text())]
    pub(crate) position: Option<OsString>,

    /// Letters X and O instead of ● and ○
    #[arg(long)]
    pub(crate) ascii: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// Plays until the game ends, the person leaves, or the input does.
pub(crate) fn run(args: &PlayArgs, input: impl BufRead, out: &mut dyn Write) -> Result<(), Error> {
    let catalogue = catalogue();
    let refused = |error| Error::input("--against", error);
    let entry = catalogue.find(&args.against).map_err(refused)?;
    let agent = entry.make(&args.against, args.seed).map_err(refused)?;
    let game = meaning(args)?;
    entry.check_game(&args.against, game.rule(), game.size()).map_err(refused)?;
    remark(&catalogue, &args.against, (game.rule(), game.size()));
    let style = Style::of_stdout(args.ascii);
    Table { game, human: args.color, agent, style, input, out }.play()
}

/// The game that the arguments ask for.
fn meaning(args: &PlayArgs) -> Result<Game, Error> {
    let Some(argument) = &args.position else { return Ok(args.defaults.start()) };
    if argument == "-" {
        let offence = "standard input is for your moves; expected the position's text or a file";
        return Err(Error::input("--position -", offence));
    }
    let input = Input::read(argument)?;
    let record = input.record(args.defaults.defaults())?;
    Ok(args.defaults.settled(&input.place, record)?.game)
}

/// What happens after the person's turn.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Leave,
}

/// A person and an agent at a board.
struct Table<'a, R> {
    game: Game,
    human: Color,
    agent: Box<dyn Agent>,
    style: Style,
    input: R,
    out: &'a mut dyn Write,
}

impl<R: BufRead> Table<'_, R> {
    fn play(mut self) -> Result<(), Error> {
        self.greet()?;
        while let Some(turn) = self.game.turn() {
            if self.game.position().must_pass() {
                self.pass(turn)?;
            } else if turn != self.human {
                if let Err(forfeit) = self.answer()? {
                    return self.won(&forfeit);
                }
            } else if self.ask()? == Next::Leave {
                return self.leave();
            }
        }
        self.finish()
    }

    fn greet(&mut self) -> Result<(), Error> {
        let (human, other) = (self.human, self.human.other());
        let (yours, theirs) = (self.style.disc(human), self.style.disc(other));
        let agent = self.agent.name();
        let objective = messages::objective(self.game.rule());
        writeln!(self.out, "You are {human} {yours}, {agent} is {other} {theirs}: {objective}.")?;
        writeln!(self.out, "Type a square such as {}, or help.", self.example())?;
        Ok(())
    }

    /// A square to name in messages: one that can be played on, if there is one.
    fn example(&self) -> String {
        let position = self.game.position();
        let other = position.pass();
        let square = position.moves().first().or(other.moves().first()).copied();
        square.map_or_else(|| "a1".to_owned(), |square| square.to_string())
    }

    fn pass(&mut self, turn: Color) -> Result<(), Error> {
        if turn == self.human {
            writeln!(self.out, "You have no legal square and must pass.")?;
        } else {
            writeln!(self.out, "{} has no legal square and must pass.", self.agent.name())?;
        }
        self.game.play(Move::Pass).expect("the pass is forced");
        Ok(())
    }

    /// The agent's turn. Within, how it loses the game.
    fn answer(&mut self) -> Result<Result<(), Forfeit>, Error> {
        let square = match self.agent.choose(&self.game, &Limits::default()) {
            Ok(choice) => choice.square,
            Err(forfeit) => return Ok(Err(forfeit)),
        };
        let turned = messages::list(&self.game.position().flips(square));
        self.game.play(Move::Place(square)).expect("agents play legal squares");
        writeln!(self.out, "{} plays {square} and turns {turned}.", self.agent.name())?;
        Ok(Ok(()))
    }

    /// The person's turn: asks until the game has changed or they leave.
    fn ask(&mut self) -> Result<Next, Error> {
        self.draw()?;
        loop {
            write!(self.out, "{}, your move: ", messages::name(self.human))?;
            self.out.flush()?;
            let line =
                read_line(&mut self.input).map_err(|error| Error::io("standard input", &error))?;
            let order = match line {
                Line::End => {
                    writeln!(self.out)?;
                    return Ok(Next::Leave);
                }
                Line::Text(text) if text.trim().is_empty() => continue,
                Line::Text(text) => text.trim().parse::<Order>(),
                Line::TooLong => Err("the line is too long".to_owned()),
            };
            let done = match order {
                Ok(Order::Quit) => return Ok(Next::Leave),
                Ok(order) => self.obey(order)?,
                Err(offence) => {
                    let example = self.example();
                    Err(format!("{offence}; expected a square such as {example}, or help"))
                }
            };
            match done {
                Ok(true) => return Ok(Next::GoOn),
                Ok(false) => {}
                Err(offence) => writeln!(self.out, "{offence}")?,
            }
        }
    }

    /// Does what was ordered. Within, whether the game has changed, or what is wrong.
    fn obey(&mut self, order: Order) -> Result<Result<bool, String>, Error> {
        let changed = match order {
            Order::Place(square) => {
                let turned = messages::list(&self.game.position().flips(square));
                match self.game.play(Move::Place(square)) {
                    Ok(()) => writeln!(self.out, "You play {square} and turn {turned}.")?,
                    Err(error) => return Ok(Err(error.to_string())),
                }
                true
            }
            Order::Pass => match self.game.play(Move::Pass) {
                Ok(()) => true,
                Err(error) => return Ok(Err(error.to_string())),
            },
            Order::Undo if self.undo() => true,
            Order::Undo => return Ok(Err("there is no move of yours to take back".to_owned())),
            Order::Redo if self.redo() => true,
            Order::Redo => return Ok(Err("there is no move to play again".to_owned())),
            Order::Hint => {
                let moves = messages::list(&self.game.position().moves());
                writeln!(self.out, "You may play {moves}.")?;
                false
            }
            Order::Moves => {
                self.transcript()?;
                false
            }
            Order::Help => {
                let example = self.example();
                write!(self.out, "{}", order::help(&example))?;
                false
            }
            Order::Quit => false,
        };
        Ok(Ok(changed))
    }

    /// Goes back to the person's last turn; the agent's moves since then are taken back too.
    fn undo(&mut self) -> bool {
        let before = &self.game.positions()[..self.game.ply()];
        let Some(ply) = before.iter().rposition(|position| self.is_asked(position)) else {
            return false;
        };
        while self.game.ply() > ply {
            self.game.undo();
        }
        true
    }

    /// Goes forward to the person's next turn, or as far as moves were taken back.
    fn redo(&mut self) -> bool {
        let mut redone = false;
        while self.game.redo().is_some() {
            redone = true;
            if self.is_asked(self.game.position()) {
                break;
            }
        }
        redone
    }

    /// Whether the person chooses a move in `position`.
    fn is_asked(&self, position: &Position) -> bool {
        position.turn() == self.human && position.has_move()
    }

    fn draw(&mut self) -> Result<(), Error> {
        writeln!(self.out)?;
        draw::board(self.out, self.game.position(), &Marks::of_last_disc(&self.game), self.style)?;
        let (position, rule) = (self.game.position(), self.game.rule());
        writeln!(self.out, "{}", messages::standing(position, rule, self.style))?;
        Ok(())
    }

    fn transcript(&mut self) -> Result<(), Error> {
        match self.game.ply() {
            0 => writeln!(self.out, "No moves yet.")?,
            // The line says the whole game: a board comes first where one is needed.
            _ => writeln!(self.out, "Moves: {}", text::write_moves(&self.game, false))?,
        }
        Ok(())
    }

    fn leave(mut self) -> Result<(), Error> {
        writeln!(self.out, "You leave the game unfinished.")?;
        self.transcript()
    }

    /// The agent has lost without being beaten.
    fn won(mut self, forfeit: &Forfeit) -> Result<(), Error> {
        let forfeit = plain(&forfeit.to_string());
        writeln!(self.out, "You won: {} {forfeit}.", self.agent.name())?;
        self.transcript()
    }

    fn finish(mut self) -> Result<(), Error> {
        self.draw()?;
        let score = self.game.score(self.human);
        let agent = self.agent.name();
        match score {
            0 => writeln!(self.out, "Neither you nor {agent} won.")?,
            1.. => writeln!(self.out, "You won by {score} against {agent}.")?,
            _ => writeln!(self.out, "You lost by {} against {agent}.", -score)?,
        }
        self.transcript()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Draft, Rule, Size};

    /// What is said at a table where `lines` are typed.
    fn dialogue(game: Game, human: Color, lines: &str) -> String {
        let mut out = Vec::new();
        let agent = catalogue().make("greedy", 1).unwrap();
        let style = Style::PLAIN;
        let input = lines.as_bytes();
        Table { game, human, agent, style, input, out: &mut out }.play().unwrap();
        String::from_utf8(out).unwrap()
    }

    fn new_game() -> Game {
        Game::new(Rule::Reversed, Size::EIGHT)
    }

    #[test]
    fn undo_goes_back_to_the_person_s_own_turn_and_redo_forward() {
        let played = dialogue(new_game(), Color::Black, "f5\nundo\nmoves\nredo\nmoves\n");
        assert!(played.contains("No moves yet."), "{played}");
        let last = played.lines().last().unwrap();
        assert!(last.starts_with("Moves: f5") && last.len() == "Moves: f5d6".len(), "{played}");
        let played = dialogue(new_game(), Color::White, "undo\nredo\n");
        assert!(played.contains("there is no move of yours to take back"), "{played}");
        assert!(played.contains("there is no move to play again"), "{played}");
    }

    #[test]
    fn what_is_wrong_is_said_and_asked_again() {
        let lines = format!("zz\nd4\npass\na9\n\n{}\nhint\nhelp\nquit\n", "x".repeat(100_000));
        let played = dialogue(new_game(), Color::Black, &lines);
        for said in [
            "\"zz\" is neither a square nor an order; expected a square such as d3, or help",
            "d4 is occupied; expected d3, c4, f5 or e6",
            "black may not pass, having a move; expected d3, c4, f5 or e6",
            "a9 is off the 8x8 board; expected d3, c4, f5 or e6",
            "the line is too long; expected a square such as d3, or help",
            "\n  d3           play on this square",
            "You may play d3 c4 f5 e6.",
            "\n  hint         list the squares",
            "You leave the game unfinished.",
        ] {
            assert!(played.contains(said), "{said} not in {played}");
        }
        assert_eq!(played.matches("your move: ").count(), 9);
    }

    #[test]
    fn forced_passes_are_announced() {
        let discs = "XO--------------".chars().map(Color::from_letter).collect();
        let draft = Draft { size: Size::FOUR, discs, turn: Color::White };
        let game = Game::from_position(Rule::Reversed, draft.check().unwrap());
        let played = dialogue(game.clone(), Color::Black, "c1\n");
        assert!(played.contains("greedy has no legal square and must pass."), "{played}");
        assert!(played.contains("You lost by 16 against greedy."), "{played}");
        let played = dialogue(game, Color::White, "");
        assert!(played.contains("You have no legal square and must pass."), "{played}");
        assert!(played.contains("You won by 16 against greedy."), "{played}");
    }

    #[test]
    fn the_moves_say_the_whole_game_whatever_its_size() {
        let played = dialogue(Game::new(Rule::Reversed, Size::FOUR), Color::Black, "a2\n");
        let line = played.lines().last().and_then(|line| line.strip_prefix("Moves: ")).unwrap();
        assert!(line.starts_with("-----OX--XO----- X a2"), "{played}");
        let read = text::read(line.as_bytes(), None, text::Defaults::default()).unwrap();
        assert_eq!((read[0].game.size(), read[0].game.ply()), (Size::FOUR, 2));
    }

    #[test]
    fn the_end_of_input_ends_politely() {
        let played = dialogue(new_game(), Color::Black, "f5");
        assert!(played.contains("You play f5 and turn e5."), "{played}");
        assert!(played.contains("You leave the game unfinished."), "{played}");
    }
}
