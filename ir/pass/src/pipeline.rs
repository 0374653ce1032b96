//! Pipelines as text: `builtin.module(func.func(canonicalize{rules=a},cse),symbol-dce)`.
//!
//! What is not nested in an op is nested in `builtin.module`. `to_text ∘ parse` gives a normal form that parses to itself.

use crate::codes;
use crate::pass::{NamedPipeline, OptionError, Pass, PassInfo, PassOptions, Registry};
use crate::watch::Part;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Reported, SourceId, Sources, Span};

/// A pass with its options, ready to run
#[derive(Clone)]
pub struct Instance {
    /// Which pass
    pub info: &'static PassInfo,
    /// Its options
    pub options: PassOptions,
    /// The pass
    pub pass: Arc<dyn Pass>,
    /// The step that it is a part of, for a [`Watch`](crate::Watch)
    pub part: Option<Part>,
}

impl Instance {
    /// A pass with its options; the error is what the pass says of them
    pub fn new(info: &'static PassInfo, options: PassOptions) -> Result<Instance, OptionError> {
        let pass = (info.make)(&options)?.into();
        Ok(Instance { info, options, pass, part: None })
    }
}

/// A step of a pipeline
#[derive(Clone)]
pub enum Step {
    /// Run a pass
    Pass(Instance),
    /// Run a pipeline on each unit of this kind directly inside
    Nest(Pipeline),
}

impl Step {
    /// How many passes it has
    pub fn passes(&self) -> usize {
        match self {
            Step::Pass(_) => 1,
            Step::Nest(inner) => inner.passes(),
        }
    }
}

/// Steps for units of one kind
#[derive(Clone)]
pub struct Pipeline {
    /// Name of the op whose units it runs on; inside of another, `any` for all of them
    pub anchor: String,
    /// Steps in order
    pub steps: Vec<Step>,
}

impl Pipeline {
    /// Parse; errors point into the text, which is kept among the sources under the name `pipeline`
    pub fn parse(
        text: &str,
        registry: &Registry,
        sources: &Sources,
        diags: &mut Diags,
    ) -> Result<Pipeline, Reported> {
        let source = sources.add("pipeline", text);
        let mut parser = Parser { text, at: 0, source, registry, diags, depth: 0, within: None };
        let steps = parser.steps("builtin.module")?;
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.error(parser.at, "expected `,` or the end of the pipeline"));
        }
        // One nest on the module alone is the pipeline itself.
        if let [Step::Nest(only)] = &steps[..]
            && only.anchor == "builtin.module"
        {
            return Ok(only.clone());
        }
        Ok(Pipeline { anchor: "builtin.module".into(), steps })
    }

    /// Set an option of each step that runs a pass; how many there are
    pub fn set(&mut self, pass: &str, option: &str, value: &str) -> Result<usize, OptionError> {
        let mut count = 0;
        for step in &mut self.steps {
            match step {
                Step::Nest(inner) => count += inner.set(pass, option, value)?,
                Step::Pass(instance) if instance.info.name == pass => {
                    instance.options.set(instance.info, option, value)?;
                    instance.pass = (instance.info.make)(&instance.options)?.into();
                    count += 1;
                }
                Step::Pass(_) => {}
            }
        }
        Ok(count)
    }

    /// How many passes it has, those in nests included
    pub fn passes(&self) -> usize {
        self.steps.iter().map(Step::passes).sum()
    }

    /// Each pass in a pipeline of its own, nested as here
    pub fn one_by_one(&self) -> Vec<Pipeline> {
        let alone = |step: Step| Pipeline { anchor: self.anchor.clone(), steps: vec![step] };
        let each = |step: &Step| match step {
            Step::Pass(_) => vec![alone(step.clone())],
            Step::Nest(inner) => inner.one_by_one().into_iter().map(|one| alone(Step::Nest(one))).collect(),
        };
        self.steps.iter().flat_map(each).collect()
    }

    /// Normal form
    pub fn to_text(&self) -> String {
        let steps: Vec<String> = self
            .steps
            .iter()
            .map(|step| match step {
                Step::Pass(instance) => {
                    format!("{}{}", instance.info.name, instance.options.to_text(instance.info))
                }
                Step::Nest(inner) => inner.to_text(),
            })
            .collect();
        format!("{}({})", self.anchor, steps.join(","))
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    source: SourceId,
    registry: &'a Registry,
    diags: &'a mut Diags,
    depth: usize,
    /// The named pipeline whose text this is, and where its name is written
    within: Option<(Span, &'static str)>,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn span(&self, start: usize) -> Span {
        match self.within {
            Some((span, _)) => span,
            None => Span::new(self.source, start as u32, self.at.max(start + 1) as u32),
        }
    }

    fn error(&mut self, start: usize, message: impl Into<String>) -> Reported {
        let span = self.span(start);
        self.diags.emit(Diagnostic::error(&codes::SYNTAX, message).at(span))
    }

    fn eat(&mut self, symbol: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }

    /// The letters, digits, dots and dashes that come next
    fn word(&mut self) -> &str {
        let start = self.at;
        let end = self.rest().find(|c: char| !(c.is_alphanumeric() || "._-".contains(c)));
        self.at += end.unwrap_or(self.rest().len());
        &self.text[start..self.at]
    }

    fn name(&mut self) -> Result<(usize, String), Reported> {
        self.skip_space();
        let start = self.at;
        if self.word().is_empty() {
            return Err(
                self.error(start, "expected a pass or an op, such as `canonicalize` or `func.func(cse)`")
            );
        }
        Ok((start, self.text[start..self.at].to_string()))
    }

    fn steps(&mut self, anchor: &str) -> Result<Vec<Step>, Reported> {
        let mut steps = Vec::new();
        self.skip_space();
        if self.rest().is_empty() || self.rest().starts_with(')') {
            return Ok(steps);
        }
        loop {
            let (start, name) = self.name()?;
            if self.eat('(') {
                self.depth += 1;
                if self.depth > 64 {
                    return Err(self.error(start, "pipelines nest to a depth of 64"));
                }
                let inner = self.steps(&name)?;
                self.depth -= 1;
                if !self.eat(')') {
                    return Err(self.error(self.at, format!("expected `,` or `)` to end `{name}(`")));
                }
                steps.push(Step::Nest(Pipeline { anchor: name, steps: inner }));
            } else if let Some(named) = self.registry.pipelines().find(|named| named.name == name) {
                let at = self.span(start);
                let inner = self.named(named, anchor, at)?;
                if self.eat('{') {
                    return Err(self.options_of_pipeline(named.name, &inner));
                }
                steps.extend(inner);
            } else {
                steps.push(Step::Pass(self.instance(start, &name, anchor)?));
            }
            if !self.eat(',') {
                return Ok(steps);
            }
        }
    }

    /// The steps of a named pipeline; mistakes are shown where its name is written
    fn named(
        &mut self,
        named: &'static NamedPipeline,
        anchor: &str,
        at: Span,
    ) -> Result<Vec<Step>, Reported> {
        let mut inner = Parser {
            text: named.text,
            at: 0,
            source: self.source,
            registry: self.registry,
            diags: self.diags,
            depth: self.depth,
            within: self.within.or(Some((at, named.name))),
        };
        let steps = inner.steps(anchor)?;
        Ok(match &steps[..] {
            [Step::Nest(only)] if only.anchor == "builtin.module" => only.steps.clone(),
            _ => steps,
        })
    }

    fn instance(&mut self, start: usize, name: &str, anchor: &str) -> Result<Instance, Reported> {
        let Some(info) = self.registry.find(name) else {
            return Err(self.diags.emit(self.registry.unknown(name).at(self.span(start))));
        };
        if let Some(wanted) = info.anchor.filter(|wanted| *wanted != anchor) {
            let (what, name) = self.within.map_or(("pass", name), |(_, pipeline)| ("pipeline", pipeline));
            let message = format!("{what} `{name}` works on '{wanted}', but is nested in '{anchor}'");
            let error = Diagnostic::error(&codes::ANCHOR, message).at(self.span(start));
            return Err(self.diags.emit(error.help(format!("write `{wanted}({name})`"))));
        }
        let mut options = PassOptions::default();
        if self.eat('{') {
            while !self.eat('}') {
                let (at, key) = self.key(info)?;
                let value = if self.eat('=') { self.value()? } else { "true".to_string() };
                if let Err(error) = options.set(info, &key, &value) {
                    let span = self.span(at);
                    return Err(self
                        .diags
                        .emit(Diagnostic::error(&codes::OPTION, error.to_string()).at(span)));
                }
            }
        }
        Instance::new(info, options).map_err(|error| {
            let span = self.span(start);
            self.diags.emit(Diagnostic::error(&codes::OPTION, error.to_string()).at(span))
        })
    }

    /// Name of an option, where one or the closing brace has to stand
    fn key(&mut self, info: &PassInfo) -> Result<(usize, String), Reported> {
        let start = self.at;
        if !self.word().is_empty() {
            return Ok((start, self.text[start..self.at].to_string()));
        }
        let span = self.span(start);
        let pass = info.name;
        let names: Vec<String> = info.options.iter().map(|option| format!("`{}`", option.name)).collect();
        let (message, help) = match &names[..] {
            [] => (format!("expected `}}` to end `{pass}{{`"), "the pass has no options".to_string()),
            names => {
                (format!("expected an option of `{pass}` or `}}`"), format!("it has {}", names.join(", ")))
            }
        };
        Err(self.diags.emit(Diagnostic::error(&codes::SYNTAX, message).at(span).help(help)))
    }

    /// Options behind the name of a pipeline, `{` being read: its passes have them, each its own
    fn options_of_pipeline(&mut self, name: &str, steps: &[Step]) -> Reported {
        self.at -= 1;
        let open = self.at;
        let inside = self.rest().split_once('}').map_or(self.rest(), |(inside, _)| inside);
        let inside = inside.trim_start_matches('{');
        let keys: Vec<String> = inside
            .split_whitespace()
            .map(|option| option.split('=').next().unwrap_or(option).to_string())
            .filter(|key| !key.is_empty())
            .collect();
        self.at += 1 + inside.len();
        let span = self.span(open);
        let message = format!("`{name}` names a pipeline, which has no options of its own");
        let mut error = Diagnostic::error(&codes::SYNTAX, message).at(span);
        let mut passes: Vec<&PassInfo> = Vec::new();
        let mut pending: Vec<&Step> = steps.iter().rev().collect();
        while let Some(step) = pending.pop() {
            match step {
                Step::Pass(instance) => passes.push(instance.info),
                Step::Nest(inner) => pending.extend(inner.steps.iter().rev()),
            }
        }
        for key in keys {
            let has = |pass: &&&PassInfo| pass.options.iter().any(|option| option.name == key);
            if let Some(pass) = passes.iter().find(has) {
                error = error.note(format!("its pass `{}` has an option `{key}`", pass.name));
            }
        }
        let written = Pipeline { anchor: "builtin.module".into(), steps: steps.to_vec() }.to_text();
        self.diags.emit(error.help(format!("write its passes, with the options behind theirs: {written}")))
    }

    /// Text up to a blank or the closing brace; brackets and quotes balance
    fn value(&mut self) -> Result<String, Reported> {
        let start = self.at;
        let mut depth = 0usize;
        let mut quoted = false;
        for (offset, c) in self.rest().char_indices() {
            match c {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '{' | '[' | '(' | '<' => depth += 1,
                '}' | ' ' if depth == 0 => {
                    let value = self.rest()[..offset].trim_matches('"').to_string();
                    self.at += offset;
                    return Ok(value);
                }
                '}' | ']' | ')' | '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Err(self.error(start, "expected `}` to end the pass's options"))
    }
}
