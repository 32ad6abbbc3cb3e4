//! Pictures of fits, as SVG. The only place that knows the plotting library.

use crate::fit::PhaseReport;
use isrever_arena::Elo;
use kuva::backend::svg::SvgBackend;
use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

/// The errors on the samples held out, by the number of discs, before and after.
pub fn errors(title: &str, reports: &[PhaseReport]) -> String {
    let seen = reports.iter().filter(|report| report.held_out > 0);
    let line = |name: &str, color: &str, error: fn(&PhaseReport) -> f64| {
        let points = seen.clone().map(|report| ((4 + 2 * report.phase) as f64, error(report)));
        let points: Vec<(f64, f64)> = points.collect();
        Plot::Line(LinePlot::new().with_data(points).with_color(color).with_legend(name))
    };
    let plots = vec![
        line("all worth nothing, root mean square", "#bbbbbb", |report| report.before.rmse),
        line("fitted, root mean square", "#4477aa", |report| report.after.rmse),
        line("fitted, mean distance", "#ee6677", |report| report.after.mae),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("discs on the board")
        .with_y_label("error on boards held out (discs)");
    SvgBackend.render_scene(&render_multiple(plots, layout))
}

/// Colours that are told apart by everybody, in turn.
const COLORS: [&str; 7] =
    ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888"];

/// What one generation of weights is like.
#[derive(Clone, Debug)]
pub struct Generation {
    /// Its number.
    pub number: u32,
    /// How its phases were fitted.
    pub reports: Vec<PhaseReport>,
    /// Its strength, all generations on one scale, if it was measured.
    pub elo: Option<Elo>,
}

/// The errors on boards held out by the number of discs, a line for each generation, and beside
/// them the strength of the generations with its bounds, as far as they are not infinite.
pub fn generations(title: &str, elo_label: &str, generations: &[Generation]) -> String {
    let errors = generations.iter().zip(COLORS.iter().cycle()).map(|(generation, &color)| {
        let seen = generation.reports.iter().filter(|report| report.held_out > 0);
        let points = seen.map(|report| ((4 + 2 * report.phase) as f64, report.after.rmse));
        let points: Vec<(f64, f64)> = points.collect();
        let name = format!("generation {}", generation.number);
        Plot::Line(LinePlot::new().with_data(points).with_color(color).with_legend(name))
    });
    let errors: Vec<Plot> = errors.collect();
    let measured = generations.iter().filter_map(|generation| {
        let elo = generation.elo?;
        elo.difference.is_finite().then_some((f64::from(generation.number), elo))
    });
    let line = |end: fn(&Elo) -> f64| {
        let ends = measured.clone().map(|(at, elo)| (at, end(&elo)));
        // What has no bound is drawn without one.
        let ends = ends.filter(|(_, elo)| elo.is_finite()).collect::<Vec<(f64, f64)>>();
        LinePlot::new().with_data(ends)
    };
    let bound = |end| Plot::Line(line(end).with_color("#bbbbbb").with_dashed());
    let strength = vec![
        Plot::Line(line(|elo| elo.difference).with_color(COLORS[0])),
        bound(|elo| elo.low),
        bound(|elo| elo.high),
    ];
    let layouts = vec![
        Layout::auto_from_plots(&errors)
            .with_x_label("discs on the board")
            .with_y_label("root mean square error on boards held out (discs)"),
        Layout::auto_from_plots(&strength).with_x_label("generation").with_y_label(elo_label),
    ];
    let figure = Figure::new(1, 2).with_title(title).with_keep_panel_legends();
    let figure = figure.with_plots(vec![errors, strength]).with_layouts(layouts);
    SvgBackend.render_scene(&figure.render())
}

/// Deviations by a formula against those that were measured; a good one lies on the diagonal.
pub fn deviations(title: &str, kinds: &[(&str, Vec<(f64, f64)>)]) -> String {
    let most = kinds.iter().flat_map(|(_, points)| points).map(|&(x, y)| x.max(y));
    let most = most.fold(1.0, f64::max);
    let diagonal = LinePlot::new().with_data([(0.0, 0.0), (most, most)]).with_color("#bbbbbb");
    let mut plots = vec![Plot::Line(diagonal)];
    for ((name, points), &color) in kinds.iter().zip(COLORS.iter().cycle()) {
        let points = ScatterPlot::new().with_data(points.iter().copied());
        let points = points.with_color(color).with_size(2.0).with_legend(*name);
        plots.push(Plot::Scatter(points));
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("deviation by the formula (discs)")
        .with_y_label("deviation measured (discs)");
    SvgBackend.render_scene(&render_multiple(plots, layout))
}

/// The best and the mean of each generation of a tuning; `label` says of what.
pub fn tuning(title: &str, label: &str, generations: &[(f64, f64)]) -> String {
    let line = |name: &str, color: &str, value: fn(&(f64, f64)) -> f64| {
        let points = generations.iter().enumerate();
        let points: Vec<(f64, f64)> = points.map(|(at, pair)| (at as f64, value(pair))).collect();
        Plot::Line(LinePlot::new().with_data(points).with_color(color).with_legend(name))
    };
    let plots = vec![
        line("best", COLORS[0], |(best, _)| *best),
        line("mean", COLORS[1], |(_, mean)| *mean),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("generation")
        .with_y_label(label);
    SvgBackend.render_scene(&render_multiple(plots, layout))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::Errors;

    fn report(phase: usize) -> PhaseReport {
        PhaseReport {
            phase,
            samples: 100,
            held_out: 2,
            iterations: 3,
            before: Errors { mae: 5.0, rmse: 7.0 },
            after: Errors { mae: 2.0, rmse: 3.0 },
        }
    }

    #[test]
    fn a_picture_is_drawn_of_many_phases_and_of_none() {
        let reports: Vec<PhaseReport> = (0..30).map(report).collect();
        for reports in [&reports[..], &reports[..1], &[]] {
            let svg = errors("Fit", reports);
            assert!(svg.starts_with("<svg") && svg.contains("discs on the board"), "{svg}");
        }
    }

    #[test]
    fn a_picture_is_drawn_of_generations_whatever_was_measured() {
        let endless = f64::INFINITY;
        let elos = [
            None,
            Some(Elo { difference: 0.0, low: 0.0, high: 0.0 }),
            Some(Elo { difference: 40.0, low: 10.0, high: endless }),
            Some(Elo { difference: endless, low: 10.0, high: endless }),
        ];
        let generation = |(elo, number)| Generation {
            number,
            reports: (0..10 * number as usize).map(report).collect(),
            elo,
        };
        let all: Vec<Generation> = elos.into_iter().zip(0..).map(generation).collect();
        for count in 1..=all.len() {
            let svg = generations("Weights", "Elo", &all[..count]);
            assert!(svg.starts_with("<svg") && svg.contains("discs on the board"), "{svg}");
            assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
            assert_eq!(svg.contains("generation 2"), count > 2);
        }
    }

    #[test]
    fn a_picture_is_drawn_of_a_tuning_from_its_first_generation_on() {
        for count in 1..4 {
            let svg = tuning("Squares", "share of the points", &vec![(0.5, 0.25); count]);
            assert!(svg.starts_with("<svg") && svg.contains("share of the points"), "{svg}");
            assert!(!svg.contains("NaN"), "{svg}");
        }
    }

    #[test]
    fn a_picture_is_drawn_of_deviations() {
        for points in [vec![(1.0, 1.2), (3.0, 2.5)], Vec::new()] {
            let svg =
                deviations("Deviations", &[("midgame", points), ("ending", vec![(2.0, 2.0)])]);
            assert!(svg.starts_with("<svg") && svg.contains("midgame"), "{svg}");
        }
    }
}
