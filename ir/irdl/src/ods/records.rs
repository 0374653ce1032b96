//! Records of `llvm-tblgen --dump-json`, read without panics: what is not there is empty.

use serde_json::{Map, Value};

/// Deepest chain of records that refer to each other
const DEPTH: usize = 60;

/// All records of a dump
pub struct Records {
    all: Map<String, Value>,
}

/// One record
#[derive(Clone, Copy)]
pub struct Record<'a> {
    records: &'a Records,
    /// Name of its `def`
    pub name: &'a str,
    fields: &'a Map<String, Value>,
}

/// A value with the name that it has in a DAG
pub struct Arg<'a> {
    /// Its record, if it is one
    pub record: Option<Record<'a>>,
    /// Its text, if it is a string
    pub text: Option<&'a str>,
    /// Name
    pub name: String,
}

impl Records {
    /// Read a dump, or say why it is none
    pub fn read(text: &str) -> Result<Records, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))?;
        match value {
            Value::Object(all) if all.get("!instanceof").is_some_and(Value::is_object) => Ok(Records { all }),
            _ => Err("this JSON is no dump of records: `!instanceof` is missing".to_string()),
        }
    }

    /// A record by name
    pub fn get<'a>(&'a self, name: &str) -> Option<Record<'a>> {
        let (name, value) = self.all.get_key_value(name)?;
        Some(Record { records: self, name, fields: value.as_object()? })
    }

    /// Records of a class, in the order of the dump
    pub fn of_class<'a>(&'a self, class: &str) -> Vec<Record<'a>> {
        let names =
            self.all.get("!instanceof").and_then(|classes| classes.get(class)).and_then(Value::as_array);
        names.into_iter().flatten().filter_map(|name| self.get(name.as_str()?)).collect()
    }
}

impl<'a> Record<'a> {
    /// Is it of a class?
    pub fn is_a(self, class: &str) -> bool {
        let classes = self.fields.get("!superclasses").and_then(Value::as_array);
        classes.is_some_and(|classes| classes.iter().any(|one| one.as_str() == Some(class)))
    }

    /// A string field; empty if it is not there
    pub fn text(self, field: &str) -> &'a str {
        self.fields.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    /// A string field that has something in it
    pub fn some_text(self, field: &str) -> Option<&'a str> {
        Some(self.text(field)).filter(|text| !text.trim().is_empty())
    }

    /// A bit
    pub fn flag(self, field: &str) -> bool {
        self.number(field) == Some(1)
    }

    /// A number
    pub fn number(self, field: &str) -> Option<i64> {
        self.fields.get(field).and_then(Value::as_i64)
    }

    /// The record that a field refers to
    pub fn def(self, field: &str) -> Option<Record<'a>> {
        self.records.reference(self.fields.get(field)?)
    }

    /// Records of a list
    pub fn defs(self, field: &str) -> Vec<Record<'a>> {
        let list = self.fields.get(field).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|value| self.records.reference(value)).collect()
    }

    /// Strings of a list
    pub fn texts(self, field: &str) -> Vec<&'a str> {
        let list = self.fields.get(field).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Arguments of a DAG
    pub fn args(self, field: &str) -> Vec<Arg<'a>> {
        let list = self.fields.get(field).and_then(|dag| dag.get("args")).and_then(Value::as_array);
        let pairs = list.into_iter().flatten().filter_map(Value::as_array);
        pairs
            .enumerate()
            .filter_map(|(n, pair)| {
                let value = pair.first()?;
                let name = pair
                    .get(1)
                    .and_then(Value::as_str)
                    .map_or_else(|| format!("{}{n}", field.trim_end_matches('s')), str::to_string);
                Some(Arg { record: self.records.reference(value), text: value.as_str(), name })
            })
            .collect()
    }

    /// The C++ text of a predicate, as MLIR's generator writes it; `None` if it is too deep or not there
    pub fn predicate(self) -> Option<String> {
        self.def("predicate")?.condition(&[], 0)
    }

    fn condition(self, replaced: &[(&str, &str)], depth: usize) -> Option<String> {
        if depth > DEPTH {
            return None;
        }
        if self.is_a("CPred") {
            let text = self.text("predExpr").to_string();
            return Some(replaced.iter().rev().fold(text, |text, (from, to)| text.replace(from, to)));
        }
        let pair = [(self.text("pattern"), self.text("replacement"))];
        let inner: Vec<(&str, &str)> = match self.is_a("SubstLeaves") && !pair[0].0.is_empty() {
            true => replaced.iter().copied().chain(pair).collect(),
            false => replaced.to_vec(),
        };
        let mut parts = Vec::new();
        for child in self.defs("children") {
            parts.push(child.condition(&inner, depth + 1)?);
            // A damaged dump may refer to records in circles: text would grow without end.
            if parts.iter().map(String::len).sum::<usize>() > 1 << 16 {
                return None;
            }
        }
        let joined = |parts: Vec<String>, between: &str| match parts.is_empty() {
            true => None,
            false => Some(format!("({})", parts.join(between))),
        };
        let outside = |text: &str| {
            replaced.iter().rev().fold(text.to_string(), |text, (from, to)| text.replace(from, to))
        };
        match self.def("kind")?.name {
            "PredCombinerAnd" => joined(parts, " && "),
            "PredCombinerOr" => joined(parts, " || "),
            "PredCombinerNot" => parts.first().map(|part| format!("!({part})")),
            "PredCombinerSubstLeaves" => parts.into_iter().next(),
            "PredCombinerConcat" => {
                let part = parts.first()?;
                Some(format!("{}{part}{}", outside(self.text("prefix")), outside(self.text("suffix"))))
            }
            _ => None,
        }
    }

    /// The C++ class of an op: the name behind the first `_`
    pub fn class_name(self) -> &'a str {
        match self.name.split_once('_') {
            Some((_, class)) if !class.is_empty() => class,
            _ => self.name,
        }
    }
}

impl Records {
    fn reference<'a>(&'a self, value: &'a Value) -> Option<Record<'a>> {
        self.get(value.get("def")?.as_str()?)
    }
}
