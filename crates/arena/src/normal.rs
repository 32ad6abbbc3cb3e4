//! The normal distribution.

/// So many standard deviations to either side hold 95 % of it.
pub const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// How much of the standard normal distribution lies below `x`, to seven digits.
pub fn below(x: f64) -> f64 {
    let tail = 0.5 * complementary_error(x.abs() / std::f64::consts::SQRT_2);
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// The complementary error function of `x`, not negative, to seven digits.
///
/// Source: W. H. Press et al., *Numerical Recipes*, 2nd edition, section 6.2: a Chebyshev fit.
fn complementary_error(x: f64) -> f64 {
    const FIT: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x);
    let exponent = FIT.iter().rev().fold(0.0, |sum, term| sum * t + term);
    t * (exponent - x * x).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabled_values_are_found() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (-1.0, 0.158_655_254),
            (QUANTILE_95, 0.975),
            (2.5, 0.993_790_335),
            (-4.0, 0.000_031_671),
            (40.0, 1.0),
            (f64::NEG_INFINITY, 0.0),
        ] {
            assert!((below(x) - expected).abs() < 2e-7, "{x}: {}", below(x));
        }
    }
}
