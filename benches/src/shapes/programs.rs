//! The programs: a table per class, and the text of each.
//!
//! ```toml
//! [product]                                    # product.tensor in the folder of the class
//! sizes = ["M=509 N=521 K=503"]                # a row each; without it one row of the text's own sizes
//! small = "M=5 N=7 K=3"                        # for the comparison with the interpreter in tests; or several of them
//! labels = ["C1"]                              # names of the rows
//! python = "A @ B"                             # numpy, torch and jax; `numpy`, `torch`, `jax` for one of them
//! ranges = { T = "0, V" }                      # bounds of random elements: the upper one is not among integers
//! tolerance = 1e-3                             # largest difference divided by the largest element
//! ```
//!
//! `formula` (what numpy computes in tests) and `paper` (what a paper says of the program) are for tests alone.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use toml::Table;

use super::demand;
use super::signature::{self, Signature};
use crate::Done;
use crate::bound::Demand;

/// Libraries whose expressions a table has
const LIBRARIES: [&str; 3] = ["numpy", "torch", "jax"];

/// Keys of a program
const KEYS: [&str; 11] = [
    "sizes",
    "labels",
    "small",
    "python",
    "numpy",
    "torch",
    "jax",
    "ranges",
    "tolerance",
    "formula",
    "paper",
];

/// The key of a program's rows
const ROWS: &str = "sizes";

/// A program with its sizes
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of its table
    pub class: String,
    /// Name of the file and sizes
    pub name: String,
    /// The text
    pub file: PathBuf,
    /// Sizes that are set
    pub sizes: Vec<(String, String)>,
    /// What it takes and gives
    pub signature: Signature,
    /// What it has to do at least
    pub demand: Demand,
    /// Whether it is of a paper's table
    pub is_printed: bool,
    /// All sizes, set and the text's own
    numbers: Vec<(String, i64)>,
    /// Library and expression
    expressions: Vec<(&'static str, String)>,
    ranges: Vec<(String, String)>,
    tolerance: Option<f64>,
}

impl Program {
    /// Whether one of the words is its class or a part of its name; no words are all
    pub fn named_by(&self, only: &[String]) -> bool {
        only.is_empty() || only.iter().any(|word| self.class == *word || self.name.contains(word.as_str()))
    }

    /// What the peers' process prepares it from
    pub fn request(&self) -> Value {
        let inputs =
            self.signature.inputs.iter().map(|tensor| json!([tensor.name, tensor.elem, tensor.shape]));
        let outputs = self.signature.outputs.iter().map(|tensor| &tensor.elem);
        let expressions: Map<String, Value> =
            self.expressions.iter().map(|(library, text)| ((*library).to_owned(), json!(text))).collect();
        let ranges: Map<String, Value> =
            self.ranges.iter().map(|(name, text)| (name.clone(), json!(text))).collect();
        let numbers: Map<String, Value> =
            self.numbers.iter().map(|(name, number)| (name.clone(), json!(number))).collect();
        json!({ "written": {
            "inputs": inputs.collect::<Vec<_>>(), "outputs": outputs.collect::<Vec<_>>(), "sizes": numbers,
            "expressions": expressions, "ranges": ranges, "tolerance": self.tolerance,
        } })
    }
}

/// All classes of a folder
pub fn read(folder: &Path) -> Done<Vec<Program>> {
    rows(folder, ROWS)
}

/// The same with the sizes of another key
pub fn rows(folder: &Path, key: &str) -> Done<Vec<Program>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut tables: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    tables.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    tables.sort();
    let mut all = Vec::new();
    for path in tables {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let table: Table = text.parse().map_err(|e| format!("{}: {e}", path.display()))?;
        for (name, entry) in &table {
            let entry = entry.as_table().ok_or_else(|| format!("{}: {name} is no table", path.display()))?;
            let rows = program(&path.with_extension(""), name, entry, key);
            all.extend(rows.map_err(|why| format!("{}: {name}: {why}", path.display()))?);
        }
    }
    Ok(all)
}

/// The rows of one program
fn program(folder: &Path, name: &str, entry: &Table, key: &str) -> Done<Vec<Program>> {
    if let Some(key) = entry.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("`{key}` is none of {}", KEYS.join(", ")).into());
    }
    let file = folder.join(format!("{name}.tensor"));
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let said = |key: &str| entry.get(key).and_then(toml::Value::as_str);
    let expression = |library: &'static str| {
        said(library).or_else(|| said("python")).map(|text| (library, text.trim().to_owned()))
    };
    let expressions: Vec<_> = LIBRARIES.into_iter().filter_map(expression).collect();
    let ranges = entry.get("ranges").and_then(toml::Value::as_table).into_iter().flatten();
    let ranges: Vec<_> =
        ranges.filter_map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned()))).collect();
    let rows = entry.get(key).and_then(toml::Value::as_array);
    let rows: Vec<&str> = match rows {
        Some(rows) => rows.iter().filter_map(toml::Value::as_str).collect(),
        None => vec![""],
    };
    let labels = entry.get("labels").filter(|_| key == ROWS).and_then(toml::Value::as_array);
    let labels: Vec<&str> = labels.into_iter().flatten().filter_map(toml::Value::as_str).collect();
    if !labels.is_empty() && labels.len() != rows.len() {
        return Err(format!("{} labels for {} rows", labels.len(), rows.len()).into());
    }
    let class = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let one = |(n, row): (usize, &&str)| -> Done<Program> {
        let sizes = sizes(row)?;
        let (signature, module) = signature::read(&file, &text, &sizes)?;
        let demand = demand::of(&module, &signature);
        let words = [name].into_iter().chain(labels.get(n).copied()).chain([*row]);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        Ok(Program {
            class: class.clone(),
            name: words.join(" "),
            file: file.clone(),
            signature,
            demand,
            is_printed: entry.contains_key("paper"),
            numbers: numbers(&text, &sizes),
            sizes,
            expressions: expressions.clone(),
            ranges: ranges.clone(),
            tolerance: entry.get("tolerance").and_then(toml::Value::as_float),
        })
    };
    rows.iter().enumerate().map(one).collect()
}

/// `M=509 K=503`
fn sizes(row: &str) -> Done<Vec<(String, String)>> {
    let one = |word: &str| -> Done<(String, String)> {
        let (name, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is no NAME=NUMBER"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    row.split_whitespace().map(one).collect()
}

/// The `let`s of a text, and what is set instead
fn numbers(text: &str, sizes: &[(String, String)]) -> Vec<(String, i64)> {
    let own = text.split(';').filter_map(|statement| {
        let (name, value) = statement.rsplit_once("let ")?.1.split_once('=')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    });
    let set = |(name, value): (String, String)| {
        let set = sizes.iter().find(|(other, _)| *other == name);
        let value = set.map_or(value, |(_, value)| value.clone());
        Some((name, value.parse().ok()?))
    };
    own.filter_map(set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDERS: [&str; 2] = ["shapes", "operators"];

    fn of(folder: &str) -> Vec<Program> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        read(&folder).expect("the front end takes every program")
    }

    fn all() -> Vec<Program> {
        FOLDERS.into_iter().flat_map(of).collect()
    }

    #[test]
    fn there_are_sixty() {
        let programs = of("shapes");
        let files: std::collections::BTreeSet<&PathBuf> =
            programs.iter().map(|program| &program.file).collect();
        assert!(files.len() >= 60, "{}", files.len());
    }

    #[test]
    fn every_text_is_in_a_table() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let programs = all();
        let entries =
            FOLDERS.into_iter().map(|folder| std::fs::read_dir(root.join(folder)).expect("it is there"));
        for class in entries.flatten().filter_map(Result::ok) {
            for text in std::fs::read_dir(class.path()).into_iter().flatten().filter_map(Result::ok) {
                let path = text.path();
                assert!(programs.iter().any(|program| program.file == path), "{}", path.display());
            }
        }
    }

    #[test]
    fn every_program_has_a_reference_and_known_sizes() {
        for program in all() {
            let libraries: Vec<&str> = program.expressions.iter().map(|(library, _)| *library).collect();
            assert!(libraries.contains(&"numpy") || libraries.contains(&"torch"), "{}", program.name);
            for (name, _) in &program.sizes {
                assert!(program.numbers.iter().any(|(known, _)| known == name), "{}: {name}", program.name);
            }
            for (name, _) in &program.ranges {
                let mut inputs = program.signature.inputs.iter();
                assert!(inputs.any(|tensor| tensor.name == *name), "{}: {name}", program.name);
            }
        }
    }

    #[test]
    fn d27_the_operators_of_flextensor_have_120_rows() {
        let programs = of("operators");
        assert_eq!(programs.len(), 110 + 6 + 4);
        let named = |word: &str| programs.iter().filter(|program| program.named_by(&[word.into()])).count();
        assert_eq!((named("c2d C1 "), named("flextensor"), named("t2d C15 ")), (1, 120, 1));
    }

    #[test]
    fn what_is_set_wins() {
        let text = "// let them be\nlet M = 4; let N = 5;\nA : f32 [M, N];";
        let sizes = sizes("N=7").expect("it is one");
        assert_eq!(numbers(text, &sizes), [("M".to_owned(), 4), ("N".to_owned(), 7)]);
    }
}
