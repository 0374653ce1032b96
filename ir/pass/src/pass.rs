//! What a pass is.

use crate::codes;
use crate::cx::PassCx;
use crate::option::{OptionKind, OptionValue};
use std::fmt;
use terrace_diag::{Diagnostic, Reported, nearest};
use terrace_ir::Ir;

/// A transformation of one unit, or of a tree of units
///
/// Shared between threads: what changes while it runs is in the `PassCx`.
pub trait Pass: Send + Sync {
    /// Transform the unit
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported>;

    /// Does it count its applications ([`PassCx::steps`]), and stop when no more may be made? Else all it does on a unit is one
    fn is_counted(&self) -> bool {
        false
    }
}

/// What one run of a pass works on
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// One unit's own ops. Nested in a module it runs on the module's and on every unit inside, in parallel
    Unit,
    /// A unit with all units inside: needs to see or change several (inlining, conversions)
    Tree,
}

/// A registered pass
pub struct PassInfo {
    /// Text name, kebab case
    pub name: &'static str,
    /// Other names it answers to (upstream's, where ours differs)
    pub aliases: &'static [&'static str],
    /// First line of documentation
    pub summary: &'static str,
    /// Documentation: what it does, what it keeps, what it does not do
    pub docs: &'static str,
    /// What a run works on
    pub scope: Scope,
    /// The op it must be nested in; `None` for any
    pub anchor: Option<&'static str>,
    /// Options with their defaults
    pub options: &'static [OptionSpec],
    /// Names of the numbers it counts
    pub stats: &'static [&'static str],
    /// Make it with checked options
    pub make: fn(&PassOptions) -> Result<Box<dyn Pass>, OptionError>,
}

/// Why a pass does not take its options
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// The pass has no option of this name
    Unknown {
        /// The pass
        pass: &'static str,
        /// The name
        option: String,
        /// Names of those that it has
        known: Vec<&'static str>,
    },
    /// An option does not take this value
    Value {
        /// The option
        option: String,
        /// What it takes
        wanted: String,
        /// The value
        text: String,
    },
    /// Values do not fit together, or one is missing
    Pass(String),
}

impl OptionError {
    /// Values do not fit together, one is missing, or one names what is not there
    pub fn because(why: impl fmt::Display) -> OptionError {
        OptionError::Pass(why.to_string())
    }

    /// An option does not take this value
    pub fn value(option: &str, wanted: impl Into<String>, text: &str) -> OptionError {
        OptionError::Value { option: option.into(), wanted: wanted.into(), text: text.into() }
    }
}

impl From<String> for OptionError {
    fn from(why: String) -> OptionError {
        OptionError::Pass(why)
    }
}

impl From<&str> for OptionError {
    fn from(why: &str) -> OptionError {
        OptionError::Pass(why.into())
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { pass, known, .. } if known.is_empty() => {
                write!(f, "`{pass}` takes no options")
            }
            OptionError::Unknown { pass, option, known } => {
                write!(f, "`{pass}` has no option `{option}`; it has {}", known.join(", "))
            }
            OptionError::Value { option, wanted, text } => {
                write!(f, "option `{option}` takes {wanted}, not `{text}`")
            }
            OptionError::Pass(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for OptionError {}

/// An option of a pass
pub struct OptionSpec {
    /// Kebab-case name
    pub name: &'static str,
    /// Kind of value
    pub kind: OptionKind,
    /// Text of the default
    pub default: &'static str,
    /// One line
    pub docs: &'static str,
}

/// Option values as text, checked against the specs
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct PassOptions {
    values: Vec<(&'static OptionSpec, String)>,
}

impl PartialEq for OptionSpec {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
impl Eq for OptionSpec {}
impl std::fmt::Debug for OptionSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PassOptions {
    /// Set a checked value; the error says what would be accepted
    pub fn set(&mut self, info: &'static PassInfo, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(spec) = info.options.iter().find(|spec| spec.name == name) else {
            let known = info.options.iter().map(|spec| spec.name).collect();
            return Err(OptionError::Unknown { pass: info.name, option: name.into(), known });
        };
        let ok = match spec.kind {
            OptionKind::Bool => matches!(value, "true" | "false"),
            OptionKind::Int => value.parse::<i64>().is_ok(),
            OptionKind::Text | OptionKind::List => true,
        };
        if !ok {
            let wants = if spec.kind == OptionKind::Bool { "`true` or `false`" } else { "an integer" };
            return Err(OptionError::value(name, wants, value));
        }
        self.values.retain(|(other, _)| *other != spec);
        self.values.push((spec, value.to_string()));
        Ok(())
    }

    /// Text of an option: as given, or the default
    pub fn text(&self, info: &'static PassInfo, name: &str) -> String {
        let given = self.values.iter().find(|(spec, _)| spec.name == name).map(|(_, value)| value.clone());
        given.unwrap_or_else(|| {
            info.options
                .iter()
                .find(|spec| spec.name == name)
                .map_or(String::new(), |spec| spec.default.to_string())
        })
    }

    /// A flag
    pub fn flag(&self, info: &'static PassInfo, name: &str) -> bool {
        self.text(info, name) == "true"
    }

    /// A number
    pub fn int(&self, info: &'static PassInfo, name: &str) -> i64 {
        self.text(info, name).parse().unwrap_or(0)
    }

    /// A list; an empty text is an empty list
    pub fn list(&self, info: &'static PassInfo, name: &str) -> Vec<String> {
        self.text(info, name)
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(String::from)
            .collect()
    }

    /// An option as its type; the error names the option and what it takes
    pub fn get<T: OptionValue>(&self, info: &'static PassInfo, name: &str) -> Result<T, OptionError> {
        let text = self.text(info, name);
        T::parse(&text).ok_or_else(|| OptionError::value(name, T::WANTS, &text))
    }

    /// `{a=1 b=2}` of what differs from the defaults, in order of definition; empty if nothing does
    pub fn to_text(&self, info: &'static PassInfo) -> String {
        let given: Vec<String> = info
            .options
            .iter()
            .filter_map(|spec| {
                let (_, value) = self.values.iter().find(|(other, _)| *other == spec)?;
                // Blanks and braces end a value that is not quoted.
                let quote = if value.contains([' ', '}', '\t', '\n']) { "\"" } else { "" };
                (value != spec.default).then(|| format!("{}={quote}{value}{quote}", spec.name))
            })
            .collect();
        if given.is_empty() { String::new() } else { format!("{{{}}}", given.join(" ")) }
    }
}

/// A pipeline under a name
pub struct NamedPipeline {
    /// Name as in `--pipeline=to-host`
    pub name: &'static str,
    /// Its text
    pub text: &'static str,
    /// One line
    pub summary: &'static str,
}

/// The passes and named pipelines a tool knows
#[derive(Clone, Copy)]
pub struct Registry {
    /// Passes, in groups, alphabetical in each
    pub passes: &'static [&'static [&'static PassInfo]],
    /// Named pipelines, in groups
    pub pipelines: &'static [&'static [NamedPipeline]],
}

impl Registry {
    /// This registry and one more group of passes, for a tool that knows what another does and more
    ///
    /// The list lives as long as the process, as a tool does: make it once.
    pub fn with(self, group: &'static [&'static PassInfo]) -> Registry {
        Registry { passes: Box::leak([self.passes, &[group]].concat().into_boxed_slice()), ..self }
    }

    /// Can all this be registered together? Each name once, and each default such as its option takes
    ///
    /// The error is E0116. A tool asks once, when it starts.
    pub fn check(&self) -> Result<(), Box<Diagnostic>> {
        let mut errors = Vec::new();
        let mut names: Vec<(&str, String)> = Vec::new();
        let mut name = |name: &'static str, what: String, errors: &mut Vec<String>| match names
            .iter()
            .find(|(other, _)| *other == name)
        {
            Some((_, first)) if *first == what => errors.push(format!("{what} is registered twice")),
            Some((_, first)) => errors.push(format!("`{name}` is the name of {first} and of {what}")),
            None => names.push((name, what)),
        };
        for info in self.all() {
            name(info.name, format!("pass `{}`", info.name), &mut errors);
            for alias in info.aliases {
                name(alias, format!("pass `{}` (an alias)", info.name), &mut errors);
            }
            // A pass may want an option to be given; a default that its own option does not take is another matter.
            if let Err(error) = (info.make)(&PassOptions::default())
                && matches!(error, OptionError::Value { .. })
            {
                errors.push(format!("pass `{}` with its defaults: {error}", info.name));
            }
            for (n, option) in info.options.iter().enumerate() {
                if info.options[..n].iter().any(|other| other.name == option.name) {
                    errors.push(format!("pass `{}` has option `{}` twice", info.name, option.name));
                }
            }
        }
        for named in self.pipelines() {
            name(named.name, format!("pipeline `{}`", named.name), &mut errors);
        }
        let mut errors = errors.into_iter();
        let Some(first) = errors.next() else { return Ok(()) };
        let error = Diagnostic::error(&terrace_ir::codes::REGISTRATION, first);
        Err(Box::new(errors.fold(error, Diagnostic::note)))
    }

    /// All passes
    pub fn all(&self) -> impl Iterator<Item = &'static PassInfo> {
        self.passes.iter().copied().flatten().copied()
    }

    /// All named pipelines, alphabetical
    pub fn pipelines(&self) -> impl Iterator<Item = &'static NamedPipeline> {
        let mut all: Vec<_> = self.pipelines.iter().copied().flatten().collect();
        all.sort_by_key(|named| named.name);
        all.into_iter()
    }

    /// A pass by name or alias
    pub fn find(&self, name: &str) -> Option<&'static PassInfo> {
        self.all().find(|info| info.name == name || info.aliases.contains(&name))
    }

    /// The error about a name that no pass has, with the nearest one
    pub fn unknown(&self, name: &str) -> Diagnostic {
        let pipelines = self.pipelines().map(|named| named.name);
        let names: Vec<&str> = self.all().map(|info| info.name).chain(pipelines).collect();
        let error = Diagnostic::error(&codes::UNKNOWN_PASS, format!("unknown pass `{name}`"));
        match nearest(name, names) {
            Some(close) => error.help(format!("did you mean `{close}`?")),
            None => error.help("`--list-passes` shows all passes and pipelines"),
        }
    }
}
