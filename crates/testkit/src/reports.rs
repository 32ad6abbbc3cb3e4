//! Agents of the course's form, as five reports describe theirs.

/// The files of the agents, in the order of the reports.
pub const REPORTS: [&str; 5] = [
    include_str!("../../../testdata/agents/report000.py"),
    include_str!("../../../testdata/agents/report001.py"),
    include_str!("../../../testdata/agents/report002.py"),
    include_str!("../../../testdata/agents/report003.py"),
    include_str!("../../../testdata/agents/report004.py"),
];
