//! An agent in a catalogue: what it is, what can be set, what it takes of the machine, as data.

use crate::Agent;
use crate::form::Form;
use crate::limited::Limited;
use crate::needs::{Kind, Needs};
use crate::parameters::Parameters;
use crate::preset::Preset;
use crate::settings::{Key, Settings};
use crate::spec::{AgentSpec, SpecError};
use isrever_board::{Rule, Size};

/// Makes an agent from a spec and a seed.
type Maker = dyn Fn(&AgentSpec, u64) -> Result<Box<dyn Agent>, SpecError> + Send + Sync;

/// Reads an agent's parameters from its settings; `None` if the settings leave it none.
type ParameterReader = fn(&mut Settings<'_>) -> Result<Option<Parameters>, SpecError>;

/// Reads what an agent takes of the machine from its settings. The catalogue reads the time.
type NeedsReader = fn(&mut Settings<'_>) -> Result<Needs, SpecError>;

/// Reads what an agent will do without from its settings.
type RemarkReader = fn(&mut Settings<'_>) -> Result<Option<String>, SpecError>;

/// An agent in a catalogue.
pub struct Entry {
    name: &'static str,
    about: &'static str,
    kind: Kind,
    form: Form,
    keys: &'static [Key],
    presets: &'static [Preset],
    parameters: Option<ParameterReader>,
    needs: Option<NeedsReader>,
    remark: Option<RemarkReader>,
    make: Box<Maker>,
}

impl Entry {
    /// A simple agent called `name` without settings; `about` says in one line how it plays, and
    /// `make` makes it from a spec and a seed.
    pub fn new(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&AgentSpec, u64) -> Result<Box<dyn Agent>, SpecError> + Send + Sync + 'static,
    ) -> Entry {
        Entry {
            name,
            about,
            kind: Kind::Simple,
            form: Form::Settings,
            keys: &[],
            presets: &[],
            parameters: None,
            needs: None,
            remark: None,
            make: Box::new(make),
        }
    }

    /// An agent that searches, made from the parameters that `read` returns. Its spec can set each
    /// of them and the limits `time`, `depth` and `nodes`.
    pub fn of_parameters<A: Agent + 'static>(
        name: &'static str,
        about: &'static str,
        read: ParameterReader,
        make: fn(Parameters) -> A,
    ) -> Entry {
        let make = move |spec: &AgentSpec, _| -> Result<Box<dyn Agent>, SpecError> {
            let mut settings = Settings::new(spec)?;
            let parameters = read(&mut settings)?.expect("the agent has parameters");
            Limited::wrap(Box::new(make(parameters)), settings)
        };
        Entry::new(name, about, make).with_keys(&Key::LIMITS).with_parameters(read)
    }

    /// The same agent, of this kind.
    #[must_use]
    pub fn of_kind(self, kind: Kind) -> Entry {
        Entry { kind, ..self }
    }

    /// The same agent, whose specs have this form.
    #[must_use]
    pub fn of_form(self, form: Form) -> Entry {
        Entry { form, ..self }
    }

    /// The same agent, with `keys` for settings. One that has `time` keeps limits of time.
    #[must_use]
    pub fn with_keys(self, keys: &'static [Key]) -> Entry {
        Entry { keys, ..self }
    }

    /// The same agent, with parameters that `read` reads from its settings.
    #[must_use]
    pub fn with_parameters(self, read: ParameterReader) -> Entry {
        Entry { parameters: Some(read), ..self }
    }

    /// The same agent, with `presets`.
    #[must_use]
    pub fn with_presets(self, presets: &'static [Preset]) -> Entry {
        Entry { presets, ..self }
    }

    /// The same agent, which takes of the machine what `read` reads from its settings.
    #[must_use]
    pub fn with_needs(self, read: NeedsReader) -> Entry {
        Entry { needs: Some(read), ..self }
    }

    /// The same agent, about whose settings `read` has a remark: what it must do without.
    #[must_use]
    pub fn with_remark(self, read: RemarkReader) -> Entry {
        Entry { remark: Some(read), ..self }
    }

    /// The name in specs.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One line on how it plays.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// What kind of agent it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What the text behind the colon of its specs is.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The keys of its settings. Its parameters are keys too, and so is `preset` if it has presets.
    pub fn keys(&self) -> &'static [Key] {
        self.keys
    }

    /// Whether it keeps limits of time.
    pub fn is_timed(&self) -> bool {
        self.keys.contains(&Key::TIME)
    }

    /// Named sets of parameter values, for `preset=NAME`.
    pub fn presets(&self) -> &'static [Preset] {
        self.presets
    }

    /// The tunable parameters with the values that `spec` sets. Each parameter is a key of the
    /// spec. `None` if the agent has none.
    pub fn parameters(&self, spec: &AgentSpec) -> Result<Option<Parameters>, SpecError> {
        self.parameters_in(spec, Rule::default(), Size::EIGHT)
    }

    /// The same with the defaults for games of this rule and size, where they depend on them.
    pub fn parameters_in(
        &self,
        spec: &AgentSpec,
        rule: Rule,
        size: Size,
    ) -> Result<Option<Parameters>, SpecError> {
        let Some(read) = self.parameters else { return Ok(None) };
        let (settings, _) = self.form.read(spec, self.keys)?;
        read(&mut settings.in_game(rule, size))
    }

    /// What the agent of `spec` takes of the machine.
    pub fn needs(&self, spec: &AgentSpec) -> Result<Needs, SpecError> {
        let (mut settings, _) = self.form.read(spec, self.keys)?;
        let time = if self.is_timed() { settings.time()? } else { None };
        let needs = self.needs.map_or_else(|| Ok(Needs::default()), |read| read(&mut settings))?;
        Ok(Needs { time, ..needs })
    }

    /// What its user should know of the agent of `spec`, which can be made and plays: what it must
    /// do without in games of this rule and size.
    pub fn remark(&self, spec: &AgentSpec, rule: Rule, size: Size) -> Option<String> {
        let (settings, _) = self.form.read(spec, self.keys).ok()?;
        self.remark?(&mut settings.in_game(rule, size)).ok()?
    }

    /// Refuses games that the agent of `spec` does not play.
    pub fn check_game(&self, spec: &AgentSpec, rule: Rule, size: Size) -> Result<(), SpecError> {
        match self.needs(spec)?.only {
            Some((own, width)) if (own, width) != (rule, size) => {
                let offence = format!("it plays {own} on {width}x{width}; expected such games");
                Err(SpecError::other(spec.name(), offence))
            }
            _ => Ok(()),
        }
    }

    /// Makes the agent of `spec`. All its random choices come from `seed`.
    pub fn make(&self, spec: &AgentSpec, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        (self.make)(spec, seed)
    }

    /// `spec` with other names for the files that it names: `rename` says what a file is called, or
    /// that it keeps its name.
    #[must_use]
    pub fn rename_files(
        &self,
        spec: &AgentSpec,
        rename: impl Fn(&str) -> Option<String>,
    ) -> AgentSpec {
        self.form.rename_files(spec, self.keys, rename)
    }
}
