//! The preprocessor: `#define`, `#if`, `#pragma`; what is included is known by name and not read.

use super::{Done, Reader, named};
use crate::codes;
use crate::consts;
use tree_sitter::Node;

/// Headers whose names are known
const HEADERS: &[&str] = &[
    "<math.h>",
    "<stdint.h>",
    "<stddef.h>",
    "<stdbool.h>",
    "<stdlib.h>",
    "<float.h>",
    "<limits.h>",
    "<tgmath.h>",
];

impl Reader<'_> {
    /// A directive that defines, includes or says nothing to us; `true` if it was one
    pub(super) fn preproc(&mut self, node: Node<'_>) -> Done<bool> {
        let span = self.span(node);
        match node.kind() {
            "preproc_def" | "preproc_function_def" => {
                let name = self.field(node, "name");
                let text = self.field(node, "value");
                let params = node.child_by_field_name("parameters");
                let params = params
                    .map(|node| named(node).into_iter().map(|param| self.slice(param).to_string()).collect());
                self.define(name, params, &text);
            }
            "preproc_include" => {
                let path = self.field(node, "path");
                if !HEADERS.contains(&path.as_str()) {
                    let message =
                        format!("C-SYNTAX: {path} is not read here; known headers: {}", HEADERS.join(" "));
                    return self.fail(&codes::SYNTAX, span, message);
                }
            }
            "preproc_call" => match self.field(node, "directive").as_str() {
                "#undef" => {
                    let name = self.field(node, "argument").trim().to_string();
                    self.macros.remove(&name);
                }
                "#error" => {
                    let message = format!("C-SYNTAX: #error {}", self.field(node, "argument").trim());
                    return self.fail(&codes::SYNTAX, span, message);
                }
                _ => {}
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Nodes of the branch that holds; nothing if the node is no condition
    pub(super) fn chosen<'t>(&mut self, node: Node<'t>) -> Done<Option<Vec<Node<'t>>>> {
        let mut node = node;
        if !matches!(node.kind(), "preproc_if" | "preproc_ifdef") {
            return Ok(None);
        }
        loop {
            let holds = match node.kind() {
                "preproc_else" => true,
                "preproc_ifdef" | "preproc_elifdef" => {
                    let known = self.defined(&self.field(node, "name"));
                    let word = self.slice(node).trim_start_matches(['#', ' ']);
                    known != word.starts_with("ifndef")
                }
                _ => match node.child_by_field_name("condition") {
                    Some(condition) => self.condition(condition)?,
                    None => false,
                },
            };
            let skip = ["name", "condition", "alternative"].map(|field| node.child_by_field_name(field));
            if holds {
                let inside = named(node).into_iter().filter(|child| !skip.contains(&Some(*child))).collect();
                return Ok(Some(inside));
            }
            match node.child_by_field_name("alternative") {
                Some(next) => node = next,
                None => return Ok(Some(Vec::new())),
            }
        }
    }

    pub(super) fn defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || self.sets.contains_key(name)
    }

    fn condition(&mut self, node: Node<'_>) -> Done<bool> {
        let span = self.span(node);
        let (text, at) = self.replaced_condition(node)?;
        let value = self.expression_at(&text, at, span)?;
        match consts::fold(&value, &|_| Some(0)) {
            Some(value) => Ok(value != 0),
            None => self.fail(&codes::SYNTAX, span, "C-SYNTAX: the condition is no constant"),
        }
    }

    pub(super) fn field(&self, node: Node<'_>, name: &str) -> String {
        node.child_by_field_name(name).map_or(String::new(), |child| self.slice(child).to_string())
    }
}
