//! A cache of one value: what an agent derives from its parameters for a board and a rule.

use isrever_board::{Rule, Size};

/// A value derived from parameters, a size and a rule.
#[derive(Clone, Debug)]
pub(crate) struct Cached<T>(Option<(Size, Rule, T)>);

impl<T> Default for Cached<T> {
    fn default() -> Cached<T> {
        Cached(None)
    }
}

impl<T> Cached<T> {
    /// The value for this board and rule. Calls `make` only if they differ from the last ones.
    pub(crate) fn get(&mut self, size: Size, rule: Rule, make: impl FnOnce() -> T) -> &T {
        let is_other = |cached: &(Size, Rule, T)| (cached.0, cached.1) != (size, rule);
        if self.0.as_ref().is_none_or(is_other) {
            self.0 = Some((size, rule, make()));
        }
        &self.0.as_ref().expect("a value was just made").2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_again_only_for_another_board_or_rule() {
        let mut cached = Cached::default();
        let mut made = 0;
        let mut ask = |size, rule| {
            *cached.get(size, rule, || {
                made += 1;
                made
            })
        };
        assert_eq!((ask(Size::SIX, Rule::Normal), ask(Size::SIX, Rule::Normal)), (1, 1));
        assert_eq!((ask(Size::SIX, Rule::Reversed), ask(Size::FOUR, Rule::Reversed)), (2, 3));
    }
}
