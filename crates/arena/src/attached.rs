//! Agents on their way to another machine, with the files that they name.

use isrever_agent::{AgentSpec, Catalogue, Form};
use isrever_jobs::Attachment;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The files of agents that are sent.
#[derive(Debug, Default)]
pub struct Attached {
    files: RefCell<Vec<Attachment>>,
}

impl Attached {
    /// An agent as another machine knows it, its files attached; or why it cannot be sent.
    pub fn send(&self, agent: &AgentSpec, catalogue: &Catalogue) -> Result<AgentSpec, String> {
        let entry = catalogue.find(agent).map_err(|error| error.to_string())?;
        if entry.form() == Form::Command {
            return Err(format!(
                "{agent} runs a program of this machine; expected agents that other machines \
                 have, or Python files"
            ));
        }
        Ok(entry.rename_files(agent, |file| self.attach(file)))
    }

    /// The agent that was sent, here. `find` says where a file is that it names.
    pub fn receive(
        agent: &AgentSpec,
        catalogue: &Catalogue,
        find: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Result<AgentSpec, String> {
        let entry = catalogue.find(agent).map_err(|error| error.to_string())?;
        let path = |name: &str| find(name)?.into_os_string().into_string().ok();
        Ok(entry.rename_files(agent, path))
    }

    /// The files.
    pub fn into_files(self) -> Vec<Attachment> {
        self.files.into_inner()
    }

    /// The name of a file for another machine, if there is such a file here.
    fn attach(&self, file: &str) -> Option<String> {
        let path = Path::new(file);
        let mut files = self.files.borrow_mut();
        if let Some(known) = files.iter().find(|known| known.path == path) {
            return Some(known.name.clone());
        }
        let attachment = Attachment::new(files.len() + 1, path).filter(|_| path.is_file())?;
        let name = attachment.name.clone();
        files.push(attachment);
        Some(name)
    }
}
