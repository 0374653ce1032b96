//! The document as TOML and JSON: one tree, tokens are strings everywhere.
//!
//! A key that is missing stands for `^` (a label for the step's position); one that is not known is refused.

use crate::document::{Document, VERSION};
use crate::error::{Code, ViewError};
use serde_json::{Map, Value, json};
use terrace_dialect_mdh::schedule::{Entry, Field, OpenSchedule, Rule, ScheduleError, Spelled};

/// The tree
pub fn write(document: &Document) -> Value {
    fn texts<T: Spelled>(fields: &[Field<T>]) -> Value {
        fields.iter().map(Field::to_string).collect()
    }
    let tree_of = |entry: &Entry| {
        let mut tree = Map::new();
        tree.insert("region".into(), entry.region.to_string().into());
        if !entry.layout.is_empty() {
            tree.insert("layout".into(), texts(&entry.layout));
        }
        if !entry.words.is_empty() {
            tree.insert("words".into(), texts(&entry.words));
        }
        Value::Object(tree)
    };
    let steps = document.draft.steps.iter().map(|step| {
        let outs = document.outs.iter().map(|buffer| buffer.name.clone()).zip(&step.outs);
        let buffers = document.in_names(step.ins.len()).into_iter().zip(&step.ins).chain(outs);
        let mem: Map<String, Value> = buffers
            .filter(|(_, entry)| !entry.is_above())
            .map(|(name, entry)| (name, tree_of(entry)))
            .collect();
        json!({"label": step.label.to_string(), "size": texts(&step.sizes), "core": texts(&step.cores), "mem": mem})
    });
    let mut root = Map::new();
    root.insert("document".into(), VERSION.into());
    root.insert("compute".into(), document.compute.clone().into());
    if let Some(target) = &document.target {
        root.insert("target".into(), target.clone().into());
    }
    root.insert("dims".into(), document.dims.iter().map(|dim| dim.name.clone()).collect());
    root.insert("step".into(), steps.collect());
    Value::Object(root)
}

/// The draft that a tree says for this document's computation
pub fn read(tree: &Value, document: &Document) -> Result<OpenSchedule, ViewError> {
    let root = object(tree, "the document", &["document", "compute", "target", "dims", "step"])?;
    match root.get("document").and_then(Value::as_str) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(
                Code::Version.because(format!("the document is `{other}`; this program reads `{VERSION}`"))
            );
        }
        None => return Err(Code::Version.because(format!("`document = \"{VERSION}\"` is missing"))),
    }
    let dims = match root.get("dims") {
        Some(dims) => Some(texts(dims, "dims")?.join(",")),
        None => None,
    };
    document.reads(root.get("compute").and_then(Value::as_str), dims.as_deref())?;
    let mut draft = OpenSchedule::default();
    for (n, tree) in list(root.get("step"), "step")?.iter().enumerate() {
        let at = format!("step {}", n + 1);
        let tree = object(tree, &at, &["label", "size", "core", "mem"])?;
        let mut step = document.empty_step(n + 1);
        if let Some(label) = tree.get("label") {
            step.label = field(&text(label, &format!("label of {at}"))?, n)?;
        }
        per_dim(tree, "size", &mut step.sizes, n)?;
        per_dim(tree, "core", &mut step.cores, n)?;
        let outs: Vec<String> = document.outs.iter().map(|buffer| buffer.name.clone()).collect();
        let mut ins = document.in_names(document.ins.len());
        let groups = document.in_names(document.groups.buffers.len());
        let named = |name: &String| tree.get("mem").is_some_and(|mem| mem.get(name).is_some());
        if groups.iter().any(|group| !ins.contains(group) && named(group)) {
            step.ins = vec![Entry::above(); groups.len()];
            ins = groups;
        }
        let names: Vec<&str> = ins.iter().chain(&outs).map(String::as_str).collect();
        let mem = match tree.get("mem") {
            Some(mem) => object(mem, &format!("mem of {at}"), &names)?,
            None => &Map::new(),
        };
        fill(&ins, &mut step.ins, mem, n)?;
        fill(&outs, &mut step.outs, mem, n)?;
        draft.steps.push(step);
    }
    Ok(draft)
}

/// A list with one entry per dimension
fn per_dim<T: Spelled>(
    tree: &Map<String, Value>,
    key: &str,
    slots: &mut Vec<Field<T>>,
    n: usize,
) -> Result<(), ViewError> {
    let Some(found) = tree.get(key) else { return Ok(()) };
    let at = format!("step {}", n + 1);
    let found = texts(found, &format!("{key} of {at}"))?;
    if found.len() != slots.len() {
        let why = format!("{at} has {} entries in `{key}`, not {}", found.len(), slots.len());
        return Err(Rule::Arity.broken(why).into());
    }
    *slots = fields(&found, n)?;
    Ok(())
}

fn fill(
    buffers: &[String],
    slots: &mut [Entry],
    mem: &Map<String, Value>,
    n: usize,
) -> Result<(), ViewError> {
    for (buffer, slot) in buffers.iter().zip(slots) {
        let Some(tree) = mem.get(buffer) else { continue };
        let what = format!("mem.{buffer} of step {}", n + 1);
        let tree = object(tree, &what, &["region", "layout", "words"])?;
        if let Some(region) = tree.get("region") {
            slot.region = field(&text(region, &format!("region in {what}"))?, n)?;
        }
        if let Some(layout) = tree.get("layout") {
            slot.layout = fields(&texts(layout, &format!("layout in {what}"))?, n)?;
        }
        if let Some(words) = tree.get("words") {
            slot.words = fields(&texts(words, &format!("words in {what}"))?, n)?;
        }
    }
    Ok(())
}

/// A field of a step, from 0
fn field<T: Spelled>(text: &str, step: usize) -> Result<Field<T>, ViewError> {
    Field::read(text).map_err(|broken| ScheduleError { at: 0..0, step: Some(step + 1), broken }.into())
}

fn fields<T: Spelled>(texts: &[String], step: usize) -> Result<Vec<Field<T>>, ViewError> {
    texts.iter().map(|text| field(text, step)).collect()
}

fn object<'a>(tree: &'a Value, what: &str, known: &[&str]) -> Result<&'a Map<String, Value>, ViewError> {
    let map = tree.as_object().ok_or_else(|| Code::Field.because(format!("{what} must be a table")))?;
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => {
            Err(Code::Field.because(format!("`{key}` is not known in {what}; it has {}", known.join(", "))))
        }
        None => Ok(map),
    }
}

fn list<'a>(tree: Option<&'a Value>, what: &str) -> Result<&'a [Value], ViewError> {
    match tree {
        None => Ok(&[]),
        Some(tree) => tree
            .as_array()
            .map(Vec::as_slice)
            .ok_or_else(|| Code::Field.because(format!("{what} must be a list"))),
    }
}

fn texts(tree: &Value, what: &str) -> Result<Vec<String>, ViewError> {
    list(Some(tree), what)?.iter().map(|one| text(one, what)).collect()
}

/// A string; a bare number is one too, since people write it. What is empty says as little as what is missing: `^`
fn text(tree: &Value, what: &str) -> Result<String, ViewError> {
    match tree {
        Value::String(text) => {
            let text: String = text.split_whitespace().collect();
            Ok(if text.is_empty() { "^".into() } else { text })
        }
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Code::Field.because(format!("{what} must hold strings"))),
    }
}
