//! A real NATS server with JetStream, on a port of its own and this machine alone.

use std::fs;
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
}

impl NatsServer {
    /// Starts a server that keeps its streams in `folder`, with further lines of configuration.
    ///
    /// # Panics
    /// If there is no `nats-server`, or it does not start.
    pub fn start(folder: &Path, settings: &str) -> NatsServer {
        fs::create_dir_all(folder).expect("the folder can be made");
        let (folder, settings) = (folder.to_owned(), settings.to_owned());
        let mut server = NatsServer { folder, settings, port: None, child: None };
        server.restart();
        server
    }

    /// A server with JetStream and nothing else.
    pub fn plain(folder: &Path) -> NatsServer {
        NatsServer::start(folder, "jetstream { store_dir: \"streams\" }")
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
        let child = Command::new(program)
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

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}
