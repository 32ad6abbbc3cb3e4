//! Games and positions survive a round trip through every format, and the format is detected.

use isrever_board::text::{Defaults, Format, Note, Record, detect, read, write, write_moves};
use isrever_board::{Game, Move, Position, Rule, Size};
use rand::Rng;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const GAMES: u64 = 10_000;

/// A source of random choices.
struct RandomChoices(Xoshiro256PlusPlus);

impl RandomChoices {
    fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// One time in `times`.
    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A random value, in quarters of a disc.
    fn number(&mut self) -> Option<f64> {
        (!self.one_in(4)).then(|| self.below(1000) as f64 / 4.0)
    }
}

/// Plays at most `plies` random moves; passes are among them.
fn play(game: &mut Game, plies: usize, random: &mut RandomChoices) {
    for _ in 0..plies {
        let moves = game.position().moves();
        let mv = if !moves.is_empty() {
            Move::Place(random.pick(&moves))
        } else if game.position().must_pass() {
            Move::Pass
        } else {
            return;
        };
        game.play(mv).unwrap();
    }
}

/// A random game: mostly on 8×8 from the start, some on other boards or from other positions, some
/// unfinished.
fn game(random: &mut RandomChoices) -> Game {
    let size = match random.below(100) {
        0..80 => Size::EIGHT,
        80..96 => random.pick(&[Size::FOUR, Size::SIX]),
        _ => random.pick(&Size::ALL[3..]),
    };
    let rule = random.pick(&Rule::ALL);
    let mut game = Game::new(rule, size);
    if random.one_in(5) {
        let plies = random.below(size.cells());
        play(&mut game, plies, random);
        let position = game.position();
        // May also swap the sides: such starts cannot occur in a game.
        let start = if random.one_in(2) { position.pass() } else { position.clone() };
        game = Game::from_position(rule, start);
    }
    let plies = if random.one_in(3) { random.below(size.cells()) } else { usize::MAX };
    play(&mut game, plies, random);
    game
}

/// The game with some notes and tags that do not follow from it; GGF has no comments.
fn annotated(game: &Game, random: &mut RandomChoices, format: Format) -> Record {
    let mut record = Record::from(game.clone());
    if random.one_in(2) {
        let mut note = |_: &Move| {
            let comment = random.pick(&[None, None, Some("x"), Some(" two\n]lines\\ ")]);
            let comment = comment.filter(|_| format == Format::Sgf).map(str::to_owned);
            Note { value: random.number(), seconds: random.number(), comment }
        };
        record.notes = game.moves().iter().map(&mut note).collect();
    }
    if record.notes.iter().all(|note| *note == Note::default()) {
        record.notes.clear();
    }
    for (name, value) in
        [("PB", "ann"), ("PW", "b\\o]b[ é"), ("C", "two\nlines"), ("C", ""), ("XY1", "1;2)(")]
    {
        if random.one_in(3) {
            record.tags.push((name.to_owned(), value.to_owned()));
        }
    }
    record
}

/// Writes and reads the records; records and bytes must come back equal, and the format must be
/// detected.
fn survive(records: &[Record], format: Format) {
    let defaults = Defaults { rule: records[0].game.rule(), ..Defaults::default() };
    let bytes = write(records, format).unwrap();
    assert_eq!(detect(&bytes, defaults), format, "{:?}", String::from_utf8_lossy(&bytes));
    let back = read(&bytes, Some(format), defaults).unwrap();
    assert!(back == records, "{format}: {:?}", String::from_utf8_lossy(&bytes));
    assert!(write(&back, format).unwrap() == bytes, "{format}");
}

#[test]
fn games_survive_every_format() {
    let mut random = RandomChoices(Xoshiro256PlusPlus::seed_from_u64(1));
    let mut sizes = [0; 17];
    let mut passes = 0;
    let mut databases: [Vec<Record>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..GAMES {
        let game = game(&mut random);
        sizes[usize::from(game.size().width())] += 1;
        passes += game.moves().iter().filter(|mv| **mv == Move::Pass).count();

        for format in [Format::Ggf, Format::Sgf] {
            survive(&[annotated(&game, &mut random, format)], format);
        }

        let plain = Record::from(game.clone());
        if !game.moves().is_empty() {
            survive(std::slice::from_ref(&plain), Format::Moves);
            let defaults = Defaults { rule: game.rule(), ..Defaults::default() };
            let with_passes = write_moves(&game, true);
            assert_eq!(read(with_passes.as_bytes(), None, defaults).as_deref(), Ok(&[plain][..]));
        }

        let is_cut_at_a_pass = game.moves().last() == Some(&Move::Pass);
        let is_standard = *game.start() == *Game::new(game.rule(), Size::EIGHT).start();
        if is_standard && !is_cut_at_a_pass {
            databases[usize::from(game.rule() == Rule::Normal)].push(game.into());
        }
    }
    assert!(databases.iter().all(|records| records.len() > 3000));
    for records in databases {
        survive(&records, Format::Wthor);
        survive(&records[..1], Format::Wthor);
    }
    assert!(Size::ALL.iter().all(|size| sizes[usize::from(size.width())] >= 50), "{sizes:?}");
    assert!(passes > 1000, "{passes}");
}

/// Each position of the random games, as the record of a game without moves.
fn positions(game: &Game) -> Vec<Record> {
    let record = |position: &Position| Game::from_position(game.rule(), position.clone()).into();
    game.positions().iter().map(record).collect()
}

#[test]
fn positions_survive_as_boards_and_bitboards() {
    let mut random = RandomChoices(Xoshiro256PlusPlus::seed_from_u64(1));
    for _ in 0..GAMES {
        let game = game(&mut random);
        let records = positions(&game);
        survive(&records, Format::Board);
        if game.size().has_bits() {
            survive(&records, Format::Hex);
        }
    }
}

#[test]
fn positions_survive_as_problems() {
    let mut random = RandomChoices(Xoshiro256PlusPlus::seed_from_u64(1));
    for _ in 0..GAMES {
        let mut records = positions(&game(&mut random));
        for record in &mut records {
            let limit = i32::from(record.game.size().width()).pow(2);
            let mut score = || random.pick(&[-limit, -3, 0, 2, limit]);
            let position = record.game.position();
            record.scores.extend(position.must_pass().then(|| (Some(Move::Pass), score())));
            if let Some(&square) = position.moves().last() {
                record.scores.push((Some(Move::Place(square)), score()));
            }
            record.scores.push((None, score()));
            // The rule of the scores may change from line to line, and is the game's here.
            record.scores_rule = random.one_in(2).then(|| record.game.rule());
        }
        survive(&records, Format::Obf);
    }
}

#[test]
fn several_games_share_a_file() {
    let mut random = RandomChoices(Xoshiro256PlusPlus::seed_from_u64(3));
    for rule in Rule::ALL {
        let mut records = Vec::new();
        while records.len() < 50 {
            let game = game(&mut random);
            if game.rule() == rule && !game.moves().is_empty() {
                records.push(Record::from(game));
            }
        }
        for format in [Format::Moves, Format::Ggf, Format::Sgf] {
            survive(&records, format);
        }
    }
}

#[test]
fn formats_convert_into_each_other() {
    let ggf = "1 (;GM[Othello]PC[GGS]DT[2003.12.15_12:33:18.MST]PB[ann]PW[bob]RB[2196.37]\
               TI[15:00//02:00]TY[s8ar18]RE[-40.00:r]B[F5/1.5/2]W[d6//3.95];)";
    let records = read(ggf.as_bytes(), None, Defaults::default()).unwrap();
    let record = &records[0];
    assert_eq!(record.game.rule(), Rule::Reversed);
    assert_eq!(record.tag("TY"), Some("s8ar18"));
    assert_eq!(record.notes[1], Note { seconds: Some(3.95), ..Note::default() });
    let to = |format| String::from_utf8(write(&records, format).unwrap()).unwrap();
    assert_eq!(
        to(Format::Sgf),
        "(;GM[2]FF[4]SZ[8]RU[anti]PC[GGS]DT[2003.12.15_12:33:18.MST]PB[ann]PW[bob]RB[2196.37]\
         TI[15:00//02:00]TY[s8ar18]RE[W+R];B[f5]V[1.5]TS[2];W[d6]TS[3.95])\n"
    );
    assert_eq!(
        to(Format::Ggf),
        "(;GM[Othello]PC[GGS]DT[2003.12.15_12:33:18.MST]PB[ann]PW[bob]RB[2196.37]\
         TI[15:00//02:00]TY[s8ar18]RE[-40.00:r]\
         BO[8 ---------------------------O*------*O--------------------------- *]\
         B[F5/1.5/2]W[D6//3.95];)\n"
    );
    assert_eq!(to(Format::Moves), "f5d6\n");
    assert_eq!(
        to(Format::Board),
        "---------------------------OX------OXX-----O-------------------- X\n"
    );
    let wthor = write(&records, Format::Wthor).unwrap();
    assert_eq!((wthor[15], u16::from_le_bytes([wthor[10], wthor[11]])), (b'a', 2003));
}

/// Reads a text and writes it in `format`.
fn converted(text: &str, format: Format) -> String {
    let records = read(text.as_bytes(), None, Defaults::default()).unwrap();
    String::from_utf8(write(&records, format).unwrap()).unwrap()
}

#[test]
fn a_property_occurs_in_a_node_only_once() {
    for (ggf, sgf) in [
        ("RU[x]RU[y]", "RU[x]"),
        ("RU[x][y]", "RU[x]"),
        ("RU[x]PB[a]RU[y]", "RU[x]PB[a]"),
        ("RU[anti]RU[y]", "RU[y]"),
        ("PB[a]PW[b]PB[c]C[1]PB[d]C[2]", "PB[a][c][d]PW[b]C[1][2]"),
    ] {
        let text = converted(&format!("(;GM[Othello]TY[8]{ggf};)"), Format::Sgf);
        assert_eq!(text, format!("(;GM[2]FF[4]SZ[8]{sgf})\n"));
        assert_eq!(converted(&text, Format::Sgf), text);
    }
    let text = converted("(;GM[Othello]TY[8a]RU[x]RU[y];)", Format::Sgf);
    assert_eq!(text, "(;GM[2]FF[4]SZ[8]RU[anti])\n");
    let text = converted("(;GM[2]PB[a]PW[b]PB[c])", Format::Sgf);
    assert_eq!(text, "(;GM[2]FF[4]SZ[8]PB[a][c]PW[b])\n");
}

#[test]
fn comments_stay_with_their_moves() {
    let text =
        "(;GM[2]FF[4]SZ[8]C[the game];B[f5]C[safe \\] so far\n];W[d6]V[2]TS[1]C[hm];B[c3])\n";
    assert_eq!(converted(text, Format::Sgf), text);
    let records = read(text.as_bytes(), None, Defaults::default()).unwrap();
    let comments: Vec<_> = records[0].notes.iter().map(|note| note.comment.as_deref()).collect();
    assert_eq!(comments, [Some("safe ] so far\n"), Some("hm"), None]);
    assert_eq!(records[0].tag("C"), Some("the game"));
    let ggf = converted(text, Format::Ggf);
    assert!(ggf.ends_with("B[F5]W[D6/-2/1]B[C3];)\n"), "{ggf}");
    for (node, kept) in [
        ("C[a]B[f5]C[b][c]", "B[f5]C[a\nb\nc]"),
        ("B[f5]C[]", "B[f5]"),
        ("B[f5];C[of no move]", "B[f5]"),
        ("B[f5](;C[of no move])(;W[d6]C[of a variation])", "B[f5]"),
    ] {
        let text = converted(&format!("(;GM[2];{node})"), Format::Sgf);
        assert_eq!(text, format!("(;GM[2]FF[4]SZ[8];{kept})\n"));
    }
    let first = converted("(;GM[2]B[f5]C[of the game])", Format::Sgf);
    assert_eq!(first, "(;GM[2]FF[4]SZ[8]C[of the game];B[f5])\n");
}
