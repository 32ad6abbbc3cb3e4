//! Draws a tuning in letters: the best and the mean of every generation.

use isrever_lab::tune::Generation;

const WIDTH: usize = 60;
const HEIGHT: usize = 8;

/// `HEIGHT` lines, or none as long as there is nothing to see.
pub(super) fn chart(history: &[Generation]) -> String {
    if history.len() < 2 {
        return String::new();
    }
    // Few generations have a column each, many share one, of which the last is drawn.
    let columns = history.len().min(WIDTH);
    let at = |column: usize| &history[(column + 1) * history.len() / columns - 1];
    let all = (0..columns).flat_map(|column| [at(column).best, at(column).mean]);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let spread = if high > low { high - low } else { 1.0 };
    #[expect(clippy::cast_sign_loss, reason = "no value is less than the least")]
    let row = |value: f64| ((value - low) / spread * (HEIGHT - 1) as f64).round() as usize;
    let mut rows = vec![vec![' '; columns]; HEIGHT];
    for column in 0..columns {
        rows[row(at(column).mean)][column] = '·';
        rows[row(at(column).best)][column] = '•';
    }
    let line = |(place, row): (usize, &Vec<char>)| {
        let label = match place {
            0 => format!("{low:8.4}"),
            place if place == HEIGHT - 1 => format!("{high:8.4}"),
            _ => " ".repeat(8),
        };
        format!("{label} │{}", row.iter().collect::<String>().trim_end())
    };
    rows.iter().enumerate().rev().map(line).collect::<Vec<String>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generation(best: f64, mean: f64) -> Generation {
        Generation {
            generation: 0,
            games: 1,
            best,
            mean,
            fitness: vec![best],
            values: vec![vec![0.0]],
            results: Vec::new(),
            ages: Vec::new(),
        }
    }

    #[test]
    fn it_rises_from_left_to_right() {
        let history: Vec<Generation> =
            (0..8).map(|n| generation(f64::from(n) / 7.0, f64::from(n) / 14.0)).collect();
        let drawn = chart(&history);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), HEIGHT);
        assert_eq!(lines[0], "  1.0000 │       •");
        assert!(lines[HEIGHT - 1].starts_with("  0.0000 │•"), "{drawn}");
        assert_eq!(drawn.matches('•').count(), 8);
    }

    #[test]
    fn many_generations_fit_and_few_or_equal_ones_do_no_harm() {
        let flat = vec![generation(0.5, 0.5); 1_000];
        let drawn = chart(&flat);
        assert!(drawn.lines().all(|line| line.chars().count() <= WIDTH + 10), "{drawn}");
        assert_eq!(drawn.matches('•').count(), WIDTH);
        assert_eq!(chart(&flat[..1]), "");
    }
}
