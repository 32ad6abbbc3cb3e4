//! A queue of work that shares time fairly among clients.
//!
//! Every client has an account of the time that its work took. The next turn
//! goes to the client that has used least. A new or returning client starts at
//! the level of those being served, so idle time is neither saved nor charged.
//! The queue reads no clock; the caller reports the time used.

use std::collections::HashMap;
use std::hash::Hash;

/// So many idle accounts are kept before they are forgotten.
const MOST_IDLE: usize = 1_024;

/// Work of several clients.
pub(super) struct Queue<C, T> {
    waiting: Vec<(C, T)>,
    accounts: HashMap<C, Account>,
    /// The account of who was served last, in microseconds.
    level: u64,
}

#[derive(Clone, Copy, Default)]
struct Account {
    used: u64,
    /// Work that waits or is done at the moment.
    tasks: usize,
}

impl<C: Copy + Eq + Hash, T> Queue<C, T> {
    pub(super) fn new() -> Queue<C, T> {
        Queue { waiting: Vec::new(), accounts: HashMap::new(), level: 0 }
    }

    /// How much waits.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// All that waits, in the order it came.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.waiting.iter().map(|(_, task)| task)
    }

    /// Puts work at the end.
    pub(super) fn push(&mut self, client: C, task: T) {
        let level = self.level;
        let account = self.accounts.entry(client).or_default();
        if account.tasks == 0 {
            account.used = account.used.max(level);
        }
        account.tasks += 1;
        self.waiting.push((client, task));
    }

    /// The next work: of whoever has used least, what waits longest. Charge it when it is done.
    pub(super) fn take(&mut self) -> Option<(C, T)> {
        let used = |client: &C| self.accounts.get(client).map_or(0, |account| account.used);
        let places = 0..self.waiting.len();
        let place = places.min_by_key(|&place| used(&self.waiting[place].0))?;
        let (client, task) = self.waiting.remove(place);
        self.level = self.level.max(used(&client));
        Some((client, task))
    }

    /// Work of `client` that was taken has used so many microseconds.
    pub(super) fn charge(&mut self, client: C, micros: u64) {
        let Some(account) = self.accounts.get_mut(&client) else { return };
        // Nothing is for free, else a client with many tiny tasks is always first.
        account.used += micros.max(1);
        account.tasks -= 1;
        self.forget();
    }

    /// Takes out what is not wanted any longer.
    pub(super) fn remove(&mut self, mut is_unwanted: impl FnMut(&T) -> bool) -> Vec<T> {
        let (out, waiting) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition::<Vec<_>, _>(|(_, task)| is_unwanted(task));
        self.waiting = waiting;
        for (client, _) in &out {
            if let Some(account) = self.accounts.get_mut(client) {
                account.tasks -= 1;
            }
        }
        out.into_iter().map(|(_, task)| task).collect()
    }

    /// An idle account at the level of all says nothing; if there are very many, none does.
    fn forget(&mut self) {
        if self.accounts.len() > MOST_IDLE {
            let level = self.level;
            self.accounts.retain(|_, account| account.tasks > 0 || account.used > level);
        }
        if self.accounts.len() > 2 * MOST_IDLE {
            self.accounts.retain(|_, account| account.tasks > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serves `turns` turns, the task being its cost, and puts each back: time used by client.
    fn serve(queue: &mut Queue<char, u64>, turns: usize) -> HashMap<char, u64> {
        let mut used = HashMap::new();
        for _ in 0..turns {
            let (client, cost) = queue.take().unwrap();
            *used.entry(client).or_default() += cost;
            queue.charge(client, cost);
            queue.push(client, cost);
        }
        used
    }

    #[test]
    fn each_client_gets_the_same_time_whatever_its_tasks_are_like() {
        let mut queue = Queue::new();
        queue.push('a', 50_000);
        for _ in 0..10 {
            queue.push('b', 50_000);
        }
        queue.push('c', 1_000);
        let used = serve(&mut queue, 5_000);
        let [a, b, c] = ['a', 'b', 'c'].map(|client| used[&client]);
        assert!(a.abs_diff(b) <= 50_000 && a.abs_diff(c) <= 50_000, "{a} {b} {c}");
    }

    #[test]
    fn who_was_idle_is_next_but_has_saved_nothing_up() {
        let mut queue = Queue::new();
        queue.push('a', 1_000);
        serve(&mut queue, 1_000);
        queue.push('b', 1_000);
        let used = serve(&mut queue, 100);
        assert!(used[&'a'].abs_diff(used[&'b']) <= 1_000, "{used:?}");
    }

    #[test]
    fn what_is_unwanted_goes_and_accounts_do_not_pile_up() {
        let mut queue = Queue::new();
        for client in 0..10_000u32 {
            queue.push(client, client);
            let (client, _) = queue.take().unwrap();
            queue.charge(client, 5);
        }
        assert!(queue.accounts.len() <= 2 * MOST_IDLE, "{}", queue.accounts.len());
        queue.push(1, 1);
        queue.push(2, 2);
        assert_eq!(queue.remove(|&task| task == 1), [1]);
        assert_eq!(queue.iter().collect::<Vec<_>>(), [&2]);
        assert_eq!(queue.take(), Some((2, 2)));
        assert!(queue.is_empty());
    }
}
