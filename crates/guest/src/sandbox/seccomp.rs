//! Seccomp filters: the system calls that a guest may not make.
//!
//! The filters refuse new processes (threads are fine), the network, signals,
//! changes to files by name that Landlock does not cover, memory that no limit
//! counts, kernel objects that outlive the process, and everything to do with
//! other processes. They also refuse call numbers above those known here, so
//! that a newer kernel opens no gap and no alternative numbering gets around
//! the list. They allow everything else, whatever Python, numpy and their
//! successors call. The lists are in [`calls`].
//!
//! Calls that change memory, files or programs and are allowed all the same:
//! `mremap` grows arrays, and the kernel counts the result against the limits on
//! data and address space; pages that `mprotect` makes read-only leave the limit
//! on data but stay resident, which the host watches; `ftruncate` and plain
//! `fallocate` need a file that the guest may write to, and its size shows;
//! `execve` needs a file that Landlock lets it execute, which only the
//! interpreter's are, and ends in the same sandbox.

mod calls;

use calls::{FLAGS, FORBIDDEN, FORKS, LAST_KNOWN, MEANINGS, OLD_FORBIDDEN, UNREADABLE};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};
use std::collections::BTreeMap;

/// The filters, to be applied in this order; `None` on a processor whose calls we do not know.
pub(crate) fn filters() -> Option<Vec<BpfProgram>> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).ok()?;
    let filter = |rules: Rules, error: i32| -> Option<BpfProgram> {
        let refuse = SeccompAction::Errno(error.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).ok()?;
        filter.try_into().ok()
    };
    let forbidden = forbidden()?;

    let thread = libc::CLONE_THREAD.unsigned_abs().into();
    let process = vec![condition(0, SeccompCmpOp::MaskedEq(thread), 0)?];
    let mut forks = whole(FORKS);
    forks.insert(libc::SYS_clone, vec![SeccompRule::new(process).ok()?]);

    // The last filter refuses the seccomp call, by which filters are added.
    Some(vec![
        beyond(LAST_KNOWN),
        filter(whole(UNREADABLE), libc::ENOSYS)?,
        filter(forks, libc::EAGAIN)?,
        filter(forbidden, libc::EPERM)?,
    ])
}

type Rules = BTreeMap<libc::c_long, Vec<SeccompRule>>;

/// Rules for calls that are refused whatever their arguments.
fn whole(calls: &[libc::c_long]) -> Rules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

/// The rules for all calls that are refused with "operation not permitted".
fn forbidden() -> Option<Rules> {
    let mut rules = whole(FORBIDDEN);
    rules.extend(whole(OLD_FORBIDDEN));
    for (call, argument, allowed) in MEANINGS {
        let is_other =
            |&meaning: &libc::c_int| condition(argument, SeccompCmpOp::Ne, number(meaning));
        let others: Option<Vec<_>> = allowed.iter().map(is_other).collect();
        rules.insert(call, vec![SeccompRule::new(others?).ok()?]);
    }
    for &(call, argument, mask, bits) in FLAGS {
        let mask = SeccompCmpOp::MaskedEq(number(mask));
        let rule = SeccompRule::new(vec![condition(argument, mask, number(bits))?]).ok()?;
        rules.entry(call).or_default().push(rule);
    }
    // A datagram to an address leaves the pair of sockets. The address is a pointer.
    let address = SeccompCondition::new(4, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0).ok()?;
    rules.insert(libc::SYS_sendto, vec![SeccompRule::new(vec![address]).ok()?]);
    // A thread with descriptors of its own would have as many again, where nobody counts them.
    let [thread, files] = [libc::CLONE_THREAD, libc::CLONE_FILES].map(number);
    let conditions = vec![
        condition(0, SeccompCmpOp::MaskedEq(thread), thread)?,
        condition(0, SeccompCmpOp::MaskedEq(files), 0)?,
    ];
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(conditions).ok()?]);
    Some(rules)
}

/// A meaning or flags as the filter compares them: 32 bits, without sign.
fn number(meaning: libc::c_int) -> u64 {
    meaning.cast_unsigned().into()
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Option<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).ok()
}

/// Answers ENOSYS to calls with a number above `last`. Programs are prepared for that, because
/// older kernels answer the same.
fn beyond(last: u32) -> BpfProgram {
    // Instructions of classic BPF: load a word, jump if greater, return.
    const LOAD: u16 = 0x20;
    const JUMP_IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    // The call's number is the first word of the filter's input.
    const NUMBER: u32 = 0;
    const ALLOW: u32 = 0x7fff_0000;
    const ERROR: u32 = 0x0005_0000;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        step(LOAD, 0, 0, NUMBER),
        step(JUMP_IF_GREATER, 0, 1, last),
        step(RETURN, 0, 0, ERROR | libc::ENOSYS.unsigned_abs()),
        step(RETURN, 0, 0, ALLOW),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_for_this_machine_exist_and_fit_the_kernel() {
        let filters = filters().expect("x86-64 and ARM are known");
        // The kernel takes at most 4096 instructions in one filter.
        assert!(filters.iter().all(|filter| (4..4096).contains(&filter.len())));
    }

    #[test]
    fn every_forbidden_call_is_below_the_last_known() {
        for &call in FORBIDDEN.iter().chain(OLD_FORBIDDEN).chain(FORKS) {
            assert!((0..=i64::from(LAST_KNOWN)).contains(&call), "{call}");
        }
    }
}
