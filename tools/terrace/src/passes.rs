//! Pipelines of passes, and rules, run on modules.

use crate::{Module, REGISTRY, Report};
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Reported, Sources};
use terrace_ir::Ir;
use terrace_ir::verify::verify;
use terrace_pass::{
    Instance, Instrument, Pass, PassCx, PassInfo, PassOptions, Pipeline, Registry, Scope, Step,
};
use terrace_rewrite::{Greedy, Rule};
use terrace_text::{PrintOptions, print};

/// Passes in order, ready to run
#[derive(Clone)]
pub struct Passes {
    pipeline: Pipeline,
    threads: usize,
}

/// A pipeline of the passes in [`REGISTRY`]: `func.func(canonicalize,cse),symbol-dce`, or the name of one
pub fn passes(text: &str) -> Result<Passes, Report> {
    Passes::parse(text, &REGISTRY)
}

/// Apply these rules wherever they match, until none does; folding and the removal of dead ops are part of it
pub fn rules(rules: impl IntoIterator<Item = &'static dyn Rule>) -> Passes {
    let pass = Arc::new(Apply(rules.into_iter().collect()));
    let step = Instance { info: &APPLY, options: PassOptions::default(), pass, part: None };
    let pipeline = Pipeline { anchor: "builtin.module".into(), steps: vec![Step::Pass(step)] };
    Passes { pipeline, threads: 1 }
}

impl Passes {
    /// A pipeline of passes that a registry has: `REGISTRY.with(PASSES)` has yours as well
    pub fn parse(text: &str, registry: &Registry) -> Result<Passes, Report> {
        let (sources, mut diags) = (Sources::new(), Diags::default());
        let parsed = registry.check().map_err(|error| diags.emit(*error));
        match parsed.and_then(|()| Pipeline::parse(text, registry, &sources, &mut diags)) {
            Ok(pipeline) => Ok(Passes { pipeline, threads: 1 }),
            Err(_) => Err(Report::new(diags.into_vec(), &sources)),
        }
    }

    /// Run on so many threads; the result does not depend on it
    pub fn threads(self, threads: usize) -> Passes {
        Passes { threads: threads.max(1), ..self }
    }

    /// Run on a verified module, and verify; gives warnings and remarks
    ///
    /// After an error the module is what the passes before it made.
    pub fn run(&self, module: &mut Module) -> Result<Vec<Diagnostic>, Report> {
        let quiet = Instrument::quiet(|ir| {
            let mut text = String::new();
            print(ir, &PrintOptions::default(), &mut text);
            text
        });
        let instrument = Instrument { threads: self.threads, ..quiet };
        let (mut report, result) = terrace_pass::run(module, &self.pipeline, &instrument);
        if result.is_ok() {
            report.diags.append(verify(module, self.threads));
        }
        let failed = result.is_err() || report.diags.has_errors();
        let diags = report.diags.into_vec();
        if failed { Err(Report::new(diags, module.cx().sources())) } else { Ok(diags) }
    }
}

/// Rules that a caller has at hand
struct Apply(Vec<&'static dyn Rule>);

static APPLY: PassInfo = PassInfo {
    name: "apply",
    aliases: &[],
    summary: "Apply rules",
    docs: "Apply rules",
    scope: Scope::Unit,
    anchor: None,
    options: &[],
    stats: &[],
    make: |_| Ok(Box::new(Apply(Vec::new()))),
};

impl Pass for Apply {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let outcome = Greedy::new(unit.cx(), self.0.iter().copied()).run(unit);
        cx.set_changed(outcome.changed);
        outcome.diverged.map_or(Ok(()), |error| Err(cx.emit(*error)))
    }
}
