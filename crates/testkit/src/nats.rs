//! A real NATS server with JetStream, on a port of its own and this machine alone.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take to start, on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where Debian's package puts it, which is not on everybody's search path.
const DEBIAN: &str = "/usr/sbin/nats-server";

/// A server that ends with this value.
pub struct NatsServer {
    folder: PathBuf,
    settings: String,
    port: Option<u16>,
    child: Option<Child>,
    disk: Option<SmallDisk>,
}

impl NatsServer {
    /// Starts a server that keeps its streams in `folder`, with further lines of configuration.
    ///
    /// # Panics
    /// If there is no `nats-server`, or it does not start.
    pub fn start(folder: &Path, settings: &str) -> NatsServer {
        fs::create_dir_all(folder).expect("the folder can be made");
        let (folder, settings) = (folder.to_owned(), settings.to_owned());
        let mut server = NatsServer { folder, settings, port: None, child: None, disk: None };
        server.restart();
        server
    }

    /// A server with JetStream and nothing else.
    pub fn plain(folder: &Path) -> NatsServer {
        NatsServer::start(folder, "jetstream { store_dir: \"streams\" }")
    }

    /// A server whose streams are on a disk of so many KiB, and which believes to have more; or why there
    /// is none.
    pub fn on_small_disk(folder: &Path, kib: u32) -> Result<NatsServer, String> {
        let streams = folder.join("streams");
        fs::create_dir_all(&streams).expect("the folder can be made");
        let (folder, disk) = (folder.to_owned(), Some(SmallDisk::new(&streams, kib)?));
        let settings =
            "jetstream { store_dir: \"streams\", max_file_store: 1000000000 }".to_owned();
        let mut server = NatsServer { folder, settings, port: None, child: None, disk };
        server.restart();
        Ok(server)
    }

    /// Gives its small disk so many KiB.
    ///
    /// # Panics
    /// If it has none.
    pub fn resize_disk(&self, kib: u32) {
        self.disk.as_ref().expect("it is on a small disk").resize(kib);
    }

    /// Its address; `secret` is what stands before the host.
    pub fn url(&self, secret: &str) -> String {
        format!("nats://{secret}127.0.0.1:{}", self.port.expect("it is started"))
    }

    /// The process id.
    ///
    /// # Panics
    /// If it was killed.
    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("it is started").id()
    }

    /// Starts it again with other lines of configuration.
    pub fn restart_with(&mut self, settings: &str) {
        settings.clone_into(&mut self.settings);
        self.restart();
    }

    /// Has it stand still, with its connections open.
    ///
    /// # Panics
    /// If it was killed.
    pub fn freeze(&self) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args(["-STOP", &id]).status();
        assert!(sent.expect("kill is there").success(), "it is ours");
    }

    /// Kills it as a power failure would.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("it is ours, dead or alive");
            child.wait().expect("it has ended");
        }
    }

    /// Starts it again, on the same port and with what it had stored.
    pub fn restart(&mut self) {
        self.kill();
        let listen = self.port.map_or(-1, i32::from);
        let configuration =
            format!("host: 127.0.0.1\nport: {listen}\nports_file_dir: \".\"\n{}\n", self.settings);
        fs::write(self.folder.join("nats.conf"), configuration).expect("the folder is ours");
        let log = fs::File::create(self.folder.join("log")).expect("the folder is ours");
        let program = if Path::new(DEBIAN).exists() { DEBIAN } else { "nats-server" };
        let mut command = match &self.disk {
            Some(disk) => disk.command(program, &self.folder),
            None => Command::new(program),
        };
        let child = command
            .args(["-c", "nats.conf"])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("nats-server starts; Debian's package nats-server has it");
        let ports = self.folder.join(format!("nats-server_{}.ports", child.id()));
        self.child = Some(child);
        let begin = Instant::now();
        while !self.is_ready(&ports) {
            let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(begin.elapsed() < PATIENCE, "nats-server does not start: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether somebody answers on the port that the server has written down.
    fn is_ready(&mut self, ports: &Path) -> bool {
        if self.port.is_none() {
            // {"nats":["nats://127.0.0.1:40000"]}
            let text = fs::read_to_string(ports).unwrap_or_default();
            let after = text.split("://127.0.0.1:").nth(1).unwrap_or_default();
            let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
            self.port = digits.parse().ok().filter(|_| after.len() > digits.len());
        }
        self.port.is_some_and(|port| TcpStream::connect(("127.0.0.1", port)).is_ok())
    }
}

/// A disk in memory that only processes of its own mount namespace see.
struct SmallDisk {
    /// Holds the namespace until its standard input is closed.
    holder: Child,
    folder: PathBuf,
}

impl SmallDisk {
    fn new(folder: &Path, kib: u32) -> Result<SmallDisk, String> {
        let script = "mount -t tmpfs -o size=\"$2k\" tmpfs \"$1\" && echo mounted && exec cat";
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-c", script, "sh"]).arg(folder).arg(kib.to_string());
        let (input, output) = (Stdio::piped(), Stdio::piped());
        let spawned = command.stdin(input).stdout(output).stderr(Stdio::null()).spawn();
        let mut holder = spawned.map_err(|error| format!("unshare does not start: {error}"))?;
        let mut line = String::new();
        let output = holder.stdout.as_mut().expect("it is piped");
        let _ = BufReader::new(output).read_line(&mut line);
        let disk = SmallDisk { holder, folder: folder.to_owned() };
        match line.as_str() {
            "mounted\n" => Ok(disk),
            _ => Err("no disk can be mounted here, which takes root".to_owned()),
        }
    }

    /// A program that sees it, in a folder.
    fn command(&self, program: &str, folder: &Path) -> Command {
        let mut command = Command::new("nsenter");
        let id = self.holder.id().to_string();
        // A process that enters a mount namespace is at its root.
        let script = "cd \"$1\" && shift && exec \"$@\"";
        command.args(["-t", &id, "-m", "sh", "-c", script, "sh"]).arg(folder).arg(program);
        command
    }

    fn resize(&self, kib: u32) {
        let mut command = self.command("mount", &self.folder);
        command.args(["-o", &format!("remount,size={kib}k")]).arg(&self.folder);
        assert!(command.status().expect("nsenter starts").success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}
