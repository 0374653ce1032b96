//! Small functions that the text brings along, each only if it is used.

use crate::language::Lang;
use crate::types::Scalar;
use std::collections::BTreeMap;

/// The helper functions of a text, by name
pub(crate) struct Helpers {
    pub lang: Lang,
    /// In order of first use: a helper stands after those that it uses
    texts: Vec<(String, String)>,
    /// Headers and pragmas
    pub includes: BTreeMap<&'static str, ()>,
}

impl Helpers {
    pub fn new(lang: Lang) -> Helpers {
        Helpers { lang, texts: Vec::new(), includes: BTreeMap::new() }
    }

    /// Lines for the beginning of the text
    pub fn text(&self) -> String {
        let mut out = String::new();
        for line in self.includes.keys() {
            out.push_str(line);
            out.push('\n');
        }
        for (_, text) in &self.texts {
            out.push('\n');
            out.push_str(text);
            out.push('\n');
        }
        out
    }

    pub fn include(&mut self, line: &'static str) {
        self.includes.insert(line, ());
    }

    /// A helper by its name without prefix and the type it works on; `body` gets its parameters' type
    ///
    /// `params` are names of parameters of that type. Returns the name to call.
    pub fn scalar(&mut self, name: &str, ty: Scalar, params: &[&str], body: &str) -> String {
        let c_type = self.lang.scalar(ty);
        self.function(&format!("{name}_{}", ty.suffix()), c_type, c_type, params, body)
    }

    /// A helper of parameters of one type
    pub fn function(&mut self, name: &str, result: &str, param: &str, params: &[&str], body: &str) -> String {
        let name = format!("terrace_{name}");
        if self.texts.iter().all(|(other, _)| *other != name) {
            let gap = if param.ends_with('*') { "" } else { " " };
            let params: Vec<String> = params.iter().map(|p| format!("{param}{gap}{p}")).collect();
            let space = if result.ends_with('*') { "" } else { " " };
            let text =
                format!("{}{result}{space}{name}({}) {{\n{body}\n}}", self.lang.linkage(), params.join(", "));
            self.texts.push((name.clone(), text));
        }
        name
    }

    /// The text of a helper
    pub fn get(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|(other, _)| other == name).map(|(_, text)| text.as_str())
    }

    /// Any text that has to come before the functions
    pub fn declare(&mut self, name: &str, text: String) {
        if self.texts.iter().all(|(other, _)| other != name) {
            self.texts.push((name.to_string(), text));
        }
    }
}
