//! A queue of work that shares time fairly among clients.
//!
//! Every client has an account of the time that its work took. The next turn
//! goes to the client that has used least. A new client starts a little behind
//! those being served. A returning one keeps a little of what it has not used:
//! who asks for little now and then is next, however many strangers came
//! meanwhile, but idle time cannot be saved up for a flood.
//! The queue reads no clock; the caller reports the time used.

use std::collections::HashMap;
use std::hash::Hash;

/// The most accounts to keep, apart from those with work.
const MOST_IDLE: usize = 1_024;

/// What a new client has used before it asks for anything, in microseconds. Without it, a flood of
/// ever new clients would always be first.
const ENTRANCE: u64 = 50_000;

/// The most that a returning client has left over, in microseconds.
const CREDIT: u64 = 200_000;

/// Work of several clients.
pub(super) struct Queue<C, T> {
    waiting: Vec<(C, T)>,
    accounts: HashMap<C, Account>,
    /// The account of the client served last, in microseconds.
    level: u64,
    /// How many tasks were taken.
    taken: u64,
}

#[derive(Clone, Copy)]
struct Account {
    used: u64,
    /// How many tasks wait or run.
    tasks: usize,
    /// How many tasks had been taken when it got its last one.
    seen: u64,
}

impl<C: Copy + Eq + Hash, T> Queue<C, T> {
    pub(super) fn new() -> Queue<C, T> {
        Queue { waiting: Vec::new(), accounts: HashMap::new(), level: 0, taken: 0 }
    }

    /// How many tasks wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The waiting tasks, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.waiting.iter().map(|(_, task)| task)
    }

    /// Adds a task.
    pub(super) fn push(&mut self, client: C, task: T) {
        let (level, seen) = (self.level, self.taken);
        let new = Account { used: level.saturating_add(ENTRANCE), tasks: 0, seen };
        let account = self.accounts.entry(client).or_insert(new);
        if account.tasks == 0 {
            account.used = account.used.max(level.saturating_sub(CREDIT));
        }
        account.tasks += 1;
        account.seen = seen;
        self.waiting.push((client, task));
    }

    /// Takes the oldest task of the client that has used least. Call `charge` when it is done.
    pub(super) fn take(&mut self) -> Option<(C, T)> {
        let used = |client: &C| self.accounts.get(client).map_or(0, |account| account.used);
        let places = 0..self.waiting.len();
        let place = places.min_by_key(|&place| used(&self.waiting[place].0))?;
        let (client, task) = self.waiting.remove(place);
        self.level = self.level.max(used(&client));
        self.taken += 1;
        Some((client, task))
    }

    /// Charges a client for a task that was taken.
    pub(super) fn charge(&mut self, client: C, micros: u64) {
        let Some(account) = self.accounts.get_mut(&client) else { return };
        // At least 1, or a client with many tiny tasks would always be first.
        account.used += micros.max(1);
        account.tasks -= 1;
        self.forget();
    }

    /// Removes unwanted tasks.
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

    /// If there are very many accounts, drops those idle ones that were not seen for longest.
    fn forget(&mut self) {
        if self.accounts.len() <= 2 * MOST_IDLE {
            return;
        }
        let idle = self.accounts.values().filter(|account| account.tasks == 0);
        let mut seen: Vec<u64> = idle.map(|account| account.seen).collect();
        let Some(unwanted) = seen.len().checked_sub(MOST_IDLE + 1) else { return };
        let (_, &mut last, _) = seen.select_nth_unstable(unwanted);
        self.accounts.retain(|_, account| account.tasks > 0 || account.seen > last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serves `turns` turns, where a task is its cost and returns to the queue; the time used by client.
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
    fn who_was_idle_is_next_but_has_saved_little_up() {
        let mut queue = Queue::new();
        queue.push('a', 1_000);
        queue.push('b', 1_000);
        let (client, _) = queue.take().unwrap();
        queue.charge(client, 1_000);
        serve(&mut queue, 10_000);
        queue.push(client, 1_000);
        let used = serve(&mut queue, 1_000);
        let ahead = used[&client] - used[&'b'].min(used[&client]);
        assert!((CREDIT - 2_000..=CREDIT + 1_000).contains(&ahead), "{used:?}");
    }

    #[test]
    fn a_light_client_that_returns_is_served_before_a_flood_of_strangers() {
        let mut queue = Queue::new();
        queue.push(0, 1_000);
        let (polite, _) = queue.take().unwrap();
        queue.charge(polite, 1_000);
        // Strangers come on ever new connections and ask for much more.
        for stranger in 1..5_000u32 {
            queue.push(stranger, 0);
            if stranger % 2 == 0 {
                let (client, _) = queue.take().unwrap();
                queue.charge(client, 150_000);
            }
            if stranger % 500 == 0 {
                queue.push(polite, 7);
                let (next, task) = queue.take().unwrap();
                assert_eq!((next, task), (polite, 7), "after {stranger} strangers");
                queue.charge(polite, 1_000);
            }
        }
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
