//! Pictures of fits, as SVG. The only place that knows the plotting library.

use crate::fit::PhaseReport;
use kuva::backend::svg::SvgBackend;
use kuva::plot::LinePlot;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::Errors;

    #[test]
    fn a_picture_is_drawn_of_many_phases_and_of_none() {
        let report = |phase| PhaseReport {
            phase,
            samples: 100,
            held_out: 2,
            iterations: 3,
            before: Errors { mae: 5.0, rmse: 7.0 },
            after: Errors { mae: 2.0, rmse: 3.0 },
        };
        let reports: Vec<PhaseReport> = (0..30).map(report).collect();
        for reports in [&reports[..], &reports[..1], &[]] {
            let svg = errors("Fit", reports);
            assert!(svg.starts_with("<svg") && svg.contains("discs on the board"), "{svg}");
        }
    }
}
