//! What the passes of MLIR mean here: passes of this tool, with options translated.
//!
//! An option is refused where it would change the result and nothing here does that: none is read and ignored.

use super::dead_functions::DeadFunctions;
use super::passes::Known;
use super::pipeline::{Named, Nest, Node, Use};
use super::textual;
use super::unused_ops::UnusedOps;
use terrace_pass::{Instance, Part, PassInfo, PassOptions, Pipeline, Registry, Step};
use terrace_passes_general::canonicalize::Canonicalize;
use terrace_passes_general::cse::Cse;
use terrace_passes_general::inline::Inline;

/// A pipeline that can be run, and what its steps were named
pub struct Lowered {
    /// Passes of this tool
    pub pipeline: Pipeline,
    /// By number of the step
    pub steps: Vec<Named>,
    /// As the pipeline nests them
    pub rows: Vec<Row>,
}

/// A line of a report about a run
pub enum Row {
    /// A step, by number
    Step(usize),
    /// Steps on each op of a kind
    Nest(String, Vec<Row>),
}

/// Put passes of this tool in the place of those that are named
pub fn lower(nest: &Nest, registry: &Registry) -> Result<Lowered, String> {
    let mut lowering = Lowering { registry, steps: Vec::new() };
    let (pipeline, rows) = lowering.nest(nest)?;
    Ok(Lowered { pipeline, steps: lowering.steps, rows })
}

struct Lowering<'a> {
    registry: &'a Registry,
    steps: Vec<Named>,
}

impl Lowering<'_> {
    fn nest(&mut self, nest: &Nest) -> Result<(Pipeline, Vec<Row>), String> {
        let (mut steps, mut rows) = (Vec::new(), Vec::new());
        for node in &nest.steps {
            match node {
                Node::Nest(inner) => {
                    let (inner, inner_rows) = self.nest(inner)?;
                    rows.push(Row::Nest(inner.anchor.clone(), inner_rows));
                    steps.push(Step::Nest(inner));
                }
                Node::Pass(used) => {
                    let mut parts = self.pass(used)?;
                    let step = self.steps.len();
                    let last = parts.len().saturating_sub(1);
                    for (n, part) in parts.iter_mut().enumerate() {
                        if let Step::Pass(instance) = part {
                            instance.part = Some(Part { step, first: n == 0, last: n == last });
                        }
                    }
                    self.steps.push(used.pass);
                    rows.push(Row::Step(step));
                    steps.extend(parts);
                }
            }
        }
        Ok((Pipeline { anchor: nest.anchor.clone(), steps }, rows))
    }

    fn pass(&self, used: &Use) -> Result<Vec<Step>, String> {
        match used.pass {
            Named::Own(info) => Ok(vec![instance(info, used.given.iter().map(|(k, v)| (&**k, &**v)))?]),
            Named::Upstream(known) => match known.name {
                "canonicalize" => canonicalize(known, used),
                "cse" => Ok(vec![instance(Cse::INFO, [])?, instance(UnusedOps::INFO, [])?]),
                "inline" => self.inline(known, used),
                _ => self.same(known, used),
            },
        }
    }

    /// A pass of this tool that does what MLIR's pass of the same name does
    fn same(&self, known: &Known, used: &Use) -> Result<Vec<Step>, String> {
        let Some(info) = self.registry.find(known.name) else {
            let kind = if known.is_pipeline() { "pipeline" } else { "pass" };
            return Err(format!(
                "{kind} '{}' of MLIR is not in this tool{}",
                known.name,
                nearest(known.name)
            ));
        };
        let changed = changed(known, used).filter(|(key, _)| !WITHOUT_EFFECT.contains(&(known.name, key)));
        let mut options = Vec::new();
        for (key, value) in changed {
            if info.options.iter().all(|option| option.name != key) {
                let near =
                    NEAREST_OPTIONS.iter().find(|(pass, option, _)| (*pass, *option) == (known.name, key));
                return Err(refused(known, key, value, near.map_or("", |(_, _, near)| *near)));
            }
            options.push((key, value));
        }
        Ok(vec![instance(info, options)?])
    }

    /// Calls become bodies, callables are simplified, and private functions without a caller go
    fn inline(&self, known: &Known, used: &Use) -> Result<Vec<Step>, String> {
        for (key, value) in changed(known, used) {
            if key != "default-pipeline" {
                return Err(refused(known, key, value, ""));
            }
        }
        let text = used.value("default-pipeline").unwrap_or("");
        let simplify = textual::parse_steps(text, "func.func", self.registry).map_err(|bad| bad.error)?;
        let mut inner = Nest::new("func.func");
        inner.steps = simplify;
        let (inner, _) = Lowering { registry: self.registry, steps: Vec::new() }.nest(&inner)?;
        let mut steps = vec![instance(Inline::INFO, [])?];
        if !inner.steps.is_empty() {
            steps.push(Step::Nest(unwatched(inner)));
        }
        steps.push(instance(DeadFunctions::INFO, [])?);
        Ok(steps)
    }
}

/// A pipeline inside of a step: only the step is seen
fn unwatched(mut pipeline: Pipeline) -> Pipeline {
    fn hide(steps: &mut [Step]) {
        for step in steps {
            match step {
                Step::Pass(instance) => instance.part = None,
                Step::Nest(inner) => hide(&mut inner.steps),
            }
        }
    }
    hide(&mut pipeline.steps);
    pipeline
}

/// Options that only say how MLIR goes about it: the result does not depend on them
const WITHOUT_EFFECT: &[(&str, &str)] = &[("convert-scf-to-cf", "allow-pattern-rollback")];

fn canonicalize(known: &Known, used: &Use) -> Result<Vec<Step>, String> {
    let mut simplify = "true";
    for (key, value) in changed(known, used) {
        match (key, value) {
            // Always so: it is an error if rules do not come to an end.
            ("test-convergence", _) => {}
            ("region-simplify", "disabled") => simplify = "false",
            ("region-simplify", _) => {
                return Err(refused(known, key, value, "; nearest: 'region-simplify=normal'"));
            }
            _ => return Err(refused(known, key, value, "")),
        }
    }
    Ok(vec![instance(Canonicalize::INFO, [("simplify-regions", simplify)])?])
}

/// Options whose value is not the default
fn changed<'u>(known: &'u Known, used: &'u Use) -> impl Iterator<Item = (&'u str, &'u str)> {
    let is_default =
        |key: &str, value: &str| match known.option(key).map(|option| (option.kind, option.default)) {
            Some(("bool", Some(default))) => {
                super::words::truth("", Some(value)) == super::words::truth("", Some(default))
            }
            Some((_, default)) => default.unwrap_or("") == value,
            None => false,
        };
    let given = used.given.iter().map(|(key, value)| (&**key, &**value));
    given.filter(move |(key, value)| !is_default(key, value))
}

fn refused(known: &Known, key: &str, value: &str, why: &str) -> String {
    format!("option '{key}={value}' of pass '{}' is not in this tool{why}", known.name)
}

fn instance<'o>(
    info: &'static PassInfo,
    options: impl IntoIterator<Item = (&'o str, &'o str)>,
) -> Result<Step, String> {
    let mut set = PassOptions::default();
    for (key, value) in options {
        set.set(info, key, value).map_err(|error| error.to_string())?;
    }
    Instance::new(info, set).map(Step::Pass).map_err(|error| error.to_string())
}

/// What comes nearest to passes that are not here
const NEAREST: &[(&str, &str)] = &[
    ("affine-loop-invariant-code-motion", "loop-invariant-code-motion"),
    ("convert-parallel-loops-to-gpu", "sched-to-scf"),
    ("linalg-fuse-elementwise-ops", "mdh-inline"),
    ("one-shot-bufferize", "tensors-to-memory"),
    ("scf-for-loop-peeling", "scf-peel-first"),
];

/// What comes nearest to options of passes that are not here
const NEAREST_OPTIONS: &[(&str, &str, &str)] = &[
    (
        "arith-expand",
        "include-bf16",
        "; back ends convert bf16, and 'expand-floats' expands the floats that none has",
    ),
    ("arith-expand", "include-f4e2m1", "; nearest: 'expand-floats'"),
    ("arith-expand", "include-f8e8m0", "; nearest: 'expand-floats'"),
];

fn nearest(name: &str) -> String {
    let near = NEAREST.iter().find(|(other, _)| *other == name);
    near.map_or(String::new(), |(_, near)| format!("; nearest: '{near}'"))
}
