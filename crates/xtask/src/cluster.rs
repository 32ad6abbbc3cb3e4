//! `cargo xtask cluster`: a real server and workers on this machine, to try what a cluster does.

use crate::setup::{self, Need};
use crate::shell;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The server between the machines of a cluster.
pub(crate) const NATS: Need = Need { program: "nats-server", package: "nats-server" };

/// How long the server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many workers, and what to do with them.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Workers to start
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    workers: u16,

    /// Threads of each worker
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// What isrever is to do with them, such as `arena run --players greedy depth3`; without it they
    /// are there until Ctrl-C
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// A program that is killed with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server and workers, and does something with them or waits.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::install(&[NATS])?;
    let isrever = shell::release()?;
    let folder = shell::target_folder()?.join("cluster");
    fs::create_dir_all(&folder)?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let configuration =
        format!("host: 127.0.0.1\nport: {port}\njetstream {{ store_dir: \"streams\" }}\n");
    fs::write(folder.join("nats.conf"), configuration)?;
    let log = fs::File::create(folder.join("server.log"))?;
    let program = setup::find(NATS.program).context("it was just installed")?;
    let mut server = Running(
        Command::new(program)
            .args(["-c", "nats.conf"])
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?,
    );
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        ensure!(begin.elapsed() < PATIENCE, "no server; {}/server.log", folder.display());
        std::thread::sleep(Duration::from_millis(20));
    }
    let url = format!("nats://127.0.0.1:{port}");
    let mut workers = Vec::new();
    for number in 1..=options.workers {
        let log = fs::File::create(folder.join(format!("worker-{number}.log")))?;
        let (name, threads) = (format!("worker-{number}"), options.threads.to_string());
        let mut worker = Command::new(&isrever);
        worker.args(["worker", "--cluster", &url, "--name", &name, "--threads", &threads]);
        workers.push(Running(worker.stdin(Stdio::null()).stdout(log).spawn()?));
    }
    if options.command.is_empty() {
        println!("\nA server and {} workers, with logs in {}:", workers.len(), folder.display());
        println!("  isrever cluster status --cluster {url} --watch");
        println!("  isrever arena run --players greedy depth3 --cluster {url}");
        println!("Ctrl-C ends them.");
        let status = server.0.wait()?;
        bail!("the server ended with {status}; {}/server.log", folder.display());
    }
    shell::run(Command::new(&isrever).args(&options.command).args(["--cluster", &url]))
}
