//! What an agent makes of its parameters for one board and rule, made once and not at every move.

use isrever_board::{Rule, Size};

/// Something that follows from parameters, a size and a rule.
#[derive(Clone, Debug)]
pub(crate) struct Kept<T>(Option<(Size, Rule, T)>);

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept(None)
    }
}

impl<T> Kept<T> {
    /// What `make` gives for this board and rule, which are mostly those it was last asked for.
    pub(crate) fn get(&mut self, size: Size, rule: Rule, make: impl FnOnce() -> T) -> &T {
        let is_other = |kept: &(Size, Rule, T)| (kept.0, kept.1) != (size, rule);
        if self.0.as_ref().is_none_or(is_other) {
            self.0 = Some((size, rule, make()));
        }
        &self.0.as_ref().expect("it was made").2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_again_only_for_another_board_or_rule() {
        let mut kept = Kept::default();
        let mut made = 0;
        let mut ask = |size, rule| {
            *kept.get(size, rule, || {
                made += 1;
                made
            })
        };
        assert_eq!((ask(Size::SIX, Rule::Normal), ask(Size::SIX, Rule::Normal)), (1, 1));
        assert_eq!((ask(Size::SIX, Rule::Reversed), ask(Size::FOUR, Rule::Reversed)), (2, 3));
    }
}
