//! The published perft tables, on every kernel and on the plain board. They are in
//! `testdata/perft/perft.csv`.

use isrever_board::{ArrayBoard, Isa, Passes, Position, Size, perft, perft_on};

struct Row {
    size: Size,
    passes: Passes,
    depth: u32,
    leaves: u64,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../../../testdata/perft/perft.csv");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Row> = lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let [size, passes, depth, leaves] = fields[..] else { panic!("four fields: {line}") };
            Row {
                size: size.parse().unwrap(),
                passes: passes.parse().unwrap(),
                depth: depth.parse().unwrap(),
                leaves: leaves.parse().unwrap(),
            }
        })
        .collect();
    assert_eq!(rows.len(), 94, "the whole table is there");
    rows
}

#[test]
fn the_tables_hold_on_this_machine() {
    for Row { size, passes, depth, leaves } in rows() {
        // The plain board of 10×10 has a test of its own.
        if size.has_bits() {
            assert_eq!(
                perft(&Position::start(size), depth, passes),
                leaves,
                "{size} {depth} {passes}"
            );
        }
    }
}

#[test]
fn the_tables_hold_on_every_kernel() {
    for Row { size, passes, depth, leaves } in rows() {
        if size.has_bits() && leaves < 30_000_000 {
            for isa in Isa::ALL {
                let found = perft_on(isa, &Position::start(size), depth, passes);
                assert_eq!(found, leaves, "{size} {depth} {passes} {isa}");
            }
        }
    }
}

/// Perft by its definition, through the plain board's public methods.
fn plain(board: &ArrayBoard, depth: u32, passes: Passes) -> u64 {
    if depth == 0 || board.is_over() {
        return 1;
    }
    if !board.has_move() {
        let depth = if passes == Passes::Ply { depth - 1 } else { depth };
        return plain(&board.pass(), depth, passes);
    }
    let children = board.moves().map(|square| board.play(square).unwrap());
    children.map(|child| plain(&child, depth - 1, passes)).sum()
}

#[test]
fn the_tables_hold_on_the_plain_board() {
    for Row { size, passes, depth, leaves } in rows() {
        if leaves < 100_000 {
            let found = plain(&ArrayBoard::start(size), depth, passes);
            assert_eq!(found, leaves, "{size} {depth} {passes}");
        }
    }
}

/// Ten plies on 10×10: there is no pass among them, so that both conventions agree.
#[test]
fn the_table_of_10x10_holds() {
    for Row { size, passes, depth, leaves } in rows() {
        if !size.has_bits() && (passes == Passes::Ply || depth < 9) {
            assert_eq!(perft(&Position::start(size), depth, passes), leaves, "{depth} {passes}");
        }
    }
}
