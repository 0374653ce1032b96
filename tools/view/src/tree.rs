//! The document as TOML and JSON: one tree, tokens are strings everywhere.
//!
//! A key that is missing stands for `^` (a label for the step's position); one that is not known is refused.

use crate::document::{Buffer, Document, VERSION};
use serde_json::{Map, Value, json};
use terrace_dialect_mdh::schedule::{Draft, Memory, Token};

/// The tree
pub fn write(document: &Document) -> Value {
    let texts = |tokens: &[Token]| -> Value { tokens.iter().map(|token| token.text.clone()).collect() };
    let entry = |memory: &Memory| {
        let mut tree = Map::new();
        tree.insert("region".into(), memory.region.text.clone().into());
        for (key, tokens) in [("layout", &memory.layout), ("words", &memory.words)] {
            if !tokens.is_empty() {
                tree.insert(key.into(), texts(tokens));
            }
        }
        Value::Object(tree)
    };
    let says = |memory: &Memory| {
        memory.region != Token::above() || !memory.layout.is_empty() || !memory.words.is_empty()
    };
    let steps = document.draft.steps.iter().map(|step| {
        let buffers = document.ins.iter().zip(&step.ins).chain(document.outs.iter().zip(&step.outs));
        let mem: Map<String, Value> = buffers
            .filter(|(_, memory)| says(memory))
            .map(|(b, memory)| (b.name.clone(), entry(memory)))
            .collect();
        json!({"label": step.label.text, "size": texts(&step.sizes), "core": texts(&step.cores), "mem": mem})
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
pub fn read(tree: &Value, document: &Document) -> Result<Draft, String> {
    let root = object(tree, "the document", &["document", "compute", "target", "dims", "step"])?;
    match root.get("document").and_then(Value::as_str) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(format!("V-VERSION: the document is `{other}`; this program reads `{VERSION}`"));
        }
        None => return Err(format!("V-VERSION: `document = \"{VERSION}\"` is missing")),
    }
    let dims = match root.get("dims") {
        Some(dims) => {
            Some(texts(dims, "dims")?.iter().map(|dim| dim.text.clone()).collect::<Vec<_>>().join(","))
        }
        None => None,
    };
    document.reads(root.get("compute").and_then(Value::as_str), dims.as_deref())?;
    let mut draft = Draft::default();
    for (n, tree) in list(root.get("step"), "step")?.iter().enumerate() {
        let at = format!("step {}", n + 1);
        let tree = object(tree, &at, &["label", "size", "core", "mem"])?;
        let mut step = document.empty_step(n + 1);
        if let Some(label) = tree.get("label") {
            step.label = token(label, &format!("label of {at}"))?;
        }
        for (key, slots) in [("size", &mut step.sizes), ("core", &mut step.cores)] {
            let Some(found) = tree.get(key) else { continue };
            let found = texts(found, &format!("{key} of {at}"))?;
            if found.len() != slots.len() {
                return Err(format!(
                    "S-ARITY: {at} has {} entries in `{key}`, not {}",
                    found.len(),
                    slots.len()
                ));
            }
            *slots = found;
        }
        let names: Vec<&str> = document.ins.iter().chain(&document.outs).map(|b| b.name.as_str()).collect();
        let mem = match tree.get("mem") {
            Some(mem) => object(mem, &format!("mem of {at}"), &names)?,
            None => &Map::new(),
        };
        fill(&document.ins, &mut step.ins, mem, &at)?;
        fill(&document.outs, &mut step.outs, mem, &at)?;
        draft.steps.push(step);
    }
    Ok(draft)
}

fn fill(buffers: &[Buffer], slots: &mut [Memory], mem: &Map<String, Value>, at: &str) -> Result<(), String> {
    for (buffer, slot) in buffers.iter().zip(slots) {
        let Some(tree) = mem.get(&buffer.name) else { continue };
        let what = format!("mem.{} of {at}", buffer.name);
        let tree = object(tree, &what, &["region", "layout", "words"])?;
        if let Some(region) = tree.get("region") {
            slot.region = token(region, &format!("region in {what}"))?;
        }
        if let Some(layout) = tree.get("layout") {
            slot.layout = texts(layout, &format!("layout in {what}"))?;
        }
        if let Some(words) = tree.get("words") {
            slot.words = texts(words, &format!("words in {what}"))?;
        }
    }
    Ok(())
}

fn object<'a>(tree: &'a Value, what: &str, known: &[&str]) -> Result<&'a Map<String, Value>, String> {
    let map = tree.as_object().ok_or_else(|| format!("V-FIELD: {what} must be a table"))?;
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("V-FIELD: `{key}` is not known in {what}; it has {}", known.join(", "))),
        None => Ok(map),
    }
}

fn list<'a>(tree: Option<&'a Value>, what: &str) -> Result<&'a [Value], String> {
    match tree {
        None => Ok(&[]),
        Some(tree) => {
            tree.as_array().map(Vec::as_slice).ok_or_else(|| format!("V-FIELD: {what} must be a list"))
        }
    }
}

fn texts(tree: &Value, what: &str) -> Result<Vec<Token>, String> {
    list(Some(tree), what)?.iter().map(|one| token(one, what)).collect()
}

/// A string; a bare number is one too, since people write it. What is empty says as little as what is missing: `^`
fn token(tree: &Value, what: &str) -> Result<Token, String> {
    match tree {
        Value::String(text) => {
            let text: String = text.split_whitespace().collect();
            Ok(if text.is_empty() { Token::above() } else { Token::new(text) })
        }
        Value::Number(number) => Ok(Token::new(number.to_string())),
        _ => Err(format!("V-FIELD: {what} must hold strings")),
    }
}
