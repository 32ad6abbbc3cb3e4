//! The members of a simulated class: they join, submit, challenge, and keep account of what they did.

use super::agents::Agent;
use super::campus::{Campus, Line};
use crate::hash;
use crate::http::Answer;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};

const PASSWORD: &str = "correct horse";

/// Somebody who has joined.
pub(super) struct Person {
    pub(super) name: String,
    pub(super) account: i64,
    /// What is in all their sources and nobody else may read.
    pub(super) mark: String,
    /// Lines of the head of every request of their page.
    page: String,
    /// The same of their programs.
    program: String,
}

/// What came of a submission.
pub(super) struct Submission {
    pub(super) person: usize,
    pub(super) kind: super::agents::Kind,
    pub(super) about: String,
    pub(super) digest: String,
    /// The reason, if it was refused.
    pub(super) refusal: Option<String>,
}

/// What everybody did.
#[derive(Default)]
pub(super) struct Deeds {
    pub(super) submissions: Mutex<Vec<Submission>>,
    /// The numbers of the battles that were asked for.
    pub(super) challenges: Mutex<Vec<i64>>,
    /// Why others were refused.
    pub(super) refused_challenges: Mutex<Vec<String>>,
}

/// The words of a refusal, if an answer is one.
pub(super) fn refusal(answer: &Answer) -> Option<String> {
    if (200..300).contains(&answer.status) {
        return None;
    }
    let message = answer.json().ok().and_then(|body| {
        let message = body["error"]["message"].as_str()?;
        Some(message.to_owned())
    });
    Some(format!("{} {}", answer.status, message.unwrap_or_default()).trim_end().to_owned())
}

/// The body of an answer that must not be a refusal.
pub(super) fn granted(answer: &Answer) -> Result<Value> {
    if let Some(words) = refusal(answer) {
        anyhow::bail!("refused: {words}");
    }
    if answer.status == 204 { Ok(Value::Null) } else { answer.json() }
}

impl Person {
    /// Joins by the code of an invitation, and makes a token.
    pub(super) fn join(campus: &Campus, code: &str, name: &str, mark: &str) -> Result<Person> {
        let mut line = Line::default();
        let body = json!({"name": name, "password": PASSWORD}).to_string();
        let path = format!("/api/club/invitations/{code}");
        let answer = line.insist(campus, "POST", &path, "", &body)?;
        let visitor = granted(&answer).with_context(|| format!("{name} cannot join"))?;
        let cookie = answer.cookie.as_deref().context("a cookie")?;
        let form = visitor["form"].as_str().context("a form's code")?;
        let page = format!("cookie: {cookie}\r\nx-form-code: {form}\r\n");
        let body = json!({"label": "class"}).to_string();
        let token = granted(&line.insist(campus, "POST", "/api/club/tokens", &page, &body)?)?;
        let token = token["token"].as_str().context("a token")?;
        Ok(Person {
            name: name.to_owned(),
            account: visitor["account"]["id"].as_i64().context("an account")?,
            mark: mark.to_owned(),
            page,
            program: format!("authorization: Bearer {token}\r\n"),
        })
    }

    /// What the head of a request of this person's page says.
    pub(super) fn page(&self) -> &str {
        &self.page
    }

    /// What a program of this person's is answered.
    pub(super) fn get(&self, campus: &Campus, path: &str) -> Result<Value> {
        granted(&Line::default().insist(campus, "GET", path, &self.program, "")?)
            .with_context(|| path.to_owned())
    }

    /// The bytes of a file that a program of this person's gets.
    pub(super) fn file(&self, campus: &Campus, path: &str) -> Result<Vec<u8>> {
        let answer = Line::default().insist(campus, "GET", path, &self.program, "")?;
        ensure!(answer.status == 200, "{path}: {}", answer.status);
        Ok(answer.bytes().to_owned())
    }

    /// Changes something, which must be granted.
    pub(super) fn change(
        &self,
        campus: &Campus,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Result<Value> {
        let body = body.to_string();
        granted(&Line::default().insist(campus, method, path, &self.program, &body)?)
            .with_context(|| format!("{method} {path}"))
    }

    /// Sends something that is no JSON.
    pub(super) fn send(&self, campus: &Campus, path: &str, body: &str) -> Result<Answer> {
        Line::default().insist(campus, "POST", path, &self.program, body)
    }

    /// Submits an agent. If the server is killed meanwhile, the second attempt may be told that the
    /// first one was successful.
    pub(super) fn submit(
        &self,
        campus: &Campus,
        number: usize,
        agent: Agent,
        deeds: &Deeds,
    ) -> Result<()> {
        let answer = self.send(campus, "/api/club/versions?file=my_ai.py", &agent.source)?;
        let words = refusal(&answer);
        let is_known = words.as_ref().is_some_and(|words| words.contains("already; make that one"));
        let submission = Submission {
            person: number,
            kind: agent.kind,
            about: agent.about,
            digest: hash::hash(agent.source.as_bytes()),
            refusal: words.filter(|_| !is_known),
        };
        add(&deeds.submissions, submission);
        Ok(())
    }

    /// Asks for a battle that does not count.
    pub(super) fn challenge(&self, campus: &Campus, body: &Value, deeds: &Deeds) -> Result<()> {
        let answer = self.send(campus, "/api/club/battles", &body.to_string())?;
        match refusal(&answer) {
            None => add(&deeds.challenges, answer.json()?["id"].as_i64().context("a number")?),
            Some(words) => add(&deeds.refused_challenges, words),
        }
        Ok(())
    }
}

fn add<T>(list: &Mutex<Vec<T>>, one: T) {
    list.lock().unwrap_or_else(PoisonError::into_inner).push(one);
}
