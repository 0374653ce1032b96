//! C++ predicates as constraints, as far as they are of the common forms.
//!
//! ODS and `irdl.c_pred` have conditions as C++ text. This is a parser of the forms that MLIR's own constraints have:
//! `isa<…>(…)`, `isSignlessInteger(32)`, ranks, sizes, element types, and `&&`, `||`, `!`. Everything else is kept as
//! [`Rule::Unknown`], which accepts anything.

use crate::constraint::{Graph, NodeId, Rule};
use crate::test::{Class, Compare, Number, Part, Test};
use terrace_ir::Sign;
use terrace_support::HashMap;

/// Classes of dialects by C++ name without `mlir::`: `shape::SizeType` is `!shape.size`
pub type Classes = HashMap<String, String>;

/// Deepest nesting of parentheses
const NESTING: usize = 40;

/// Add the constraint that a C++ condition on `$_self` is
pub fn read(graph: &mut Graph, classes: &Classes, text: &str) -> NodeId {
    let text = normal(text);
    let mut parser =
        Parser { text: &text, at: 0, names: vec!["$_self".to_string()], graph, classes, depth: 0 };
    let node = parser.any_of();
    parser.skip_space();
    if parser.at == parser.text.len() {
        return node;
    }
    parser.unknown(0, text.len())
}

/// One blank for runs of white space, without the namespaces that every project leaves out or writes
pub fn normal(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut text = words.join(" ");
    for prefix in ["::mlir::", "mlir::", "::llvm::", "llvm::"] {
        text = text.replace(prefix, "");
    }
    text
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// What the value is called; the last is the innermost
    names: Vec<String>,
    graph: &'a mut Graph,
    classes: &'a Classes,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, what: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    fn word(&mut self) -> &'a str {
        self.skip_space();
        let end = self.rest().find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | ':')));
        let word = &self.rest()[..end.unwrap_or(self.rest().len())];
        self.at += word.len();
        word
    }

    fn unknown(&mut self, start: usize, end: usize) -> NodeId {
        let text = self.text.get(start..end).unwrap_or_default().trim().to_string();
        self.graph.add(Rule::Unknown(text), false)
    }

    fn any_of(&mut self) -> NodeId {
        let mut nodes = vec![self.all_of()];
        while self.eat("||") {
            nodes.push(self.all_of());
        }
        if nodes.len() == 1 { nodes[0] } else { self.graph.add(Rule::AnyOf(nodes), false) }
    }

    fn all_of(&mut self) -> NodeId {
        let mut nodes = vec![self.one()];
        while self.eat("&&") {
            nodes.push(self.one());
        }
        if nodes.len() == 1 { nodes[0] } else { self.graph.add(Rule::AllOf(nodes), false) }
    }

    /// One condition; what is not understood is skipped up to the next operator or closing bracket
    fn one(&mut self) -> NodeId {
        self.skip_space();
        let start = self.at;
        self.depth += 1;
        let node = if self.depth > NESTING { None } else { self.condition() };
        self.depth -= 1;
        self.skip_space();
        let over =
            self.rest().is_empty() || ["&&", "||", ")", ";"].iter().any(|end| self.rest().starts_with(end));
        match node {
            Some(node) if over => node,
            _ => {
                self.at = start;
                self.skip_condition();
                self.unknown(start, self.at)
            }
        }
    }

    fn skip_condition(&mut self) {
        let mut open = 0_usize;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' if open == 0 => return,
                ')' | ']' | '}' => open -= 1,
                ';' if open == 0 => return,
                '&' | '|' if open == 0 && self.rest().len() > 1 && self.rest()[1..].starts_with(c) => return,
                _ => {}
            }
            self.at += c.len_utf8();
        }
    }

    fn condition(&mut self) -> Option<NodeId> {
        if self.eat("!") {
            let inner = self.one();
            return Some(self.graph.add(Rule::Not(inner), false));
        }
        if self.eat("(") {
            let inner = self.any_of();
            return self.eat(")").then_some(inner);
        }
        for (word, rule) in [("true", Rule::Any), ("false", Rule::AnyOf(Vec::new()))] {
            let rest = self.rest();
            if rest.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric())) {
                self.at += word.len();
                return Some(self.graph.add(rule, false));
            }
        }
        if self.eat("all_of(") {
            return self.items();
        }
        if self.rest().starts_with("[](") || self.rest().starts_with("[&](") {
            let inner = self.lambda(false)?;
            self.expect("(")?;
            let parts = self.path()?;
            self.expect(")")?;
            return Some(self.on_parts(parts, inner));
        }
        if self.eat("isa<") || self.eat("isa_and_nonnull<") {
            return self.isa();
        }
        self.method()
    }

    fn expect(&mut self, what: &str) -> Option<()> {
        self.eat(what).then_some(())
    }

    /// The condition of `[](Type name) { return condition; }`, behind `name &&` if there is a guard
    fn lambda(&mut self, guard: bool) -> Option<NodeId> {
        if !self.eat("[](") {
            self.expect("[&](")?;
        }
        self.word();
        let name = self.word().to_string();
        self.expect(")")?;
        self.expect("{")?;
        self.expect("return")?;
        if guard && self.eat(&name) {
            self.expect("&&")?;
        }
        self.names.push(name);
        let inner = self.any_of();
        self.names.pop();
        self.eat(";");
        self.expect("}")?;
        Some(inner)
    }

    /// `all_of(cast<ArrayAttr>($_self), [&](Attribute attr) { return attr && (…); })`
    fn items(&mut self) -> Option<NodeId> {
        let parts = self.path()?;
        self.expect(",")?;
        let inner = self.lambda(true)?;
        self.expect(")")?;
        let items = self.graph.add(Rule::Items(inner), false);
        Some(self.on_parts(parts, items))
    }

    fn on_parts(&mut self, parts: Vec<Part>, node: NodeId) -> NodeId {
        parts.into_iter().rev().fold(node, |node, part| self.graph.add(Rule::Part(part, node), false))
    }

    /// `isa<A, B>(value)`, behind the bracket
    fn isa(&mut self) -> Option<NodeId> {
        let mut nodes = Vec::new();
        loop {
            let name = self.word();
            let rule = class_rule(self.classes, name)?;
            nodes.push(self.graph.add(rule, false));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(">")?;
        self.expect("(")?;
        let parts = self.path()?;
        self.expect(")")?;
        let node = if nodes.len() == 1 { nodes[0] } else { self.graph.add(Rule::AnyOf(nodes), false) };
        Some(self.on_parts(parts, node))
    }

    /// A value: its name, `cast<Class>(value)`, and getters of parts
    fn path(&mut self) -> Option<Vec<Part>> {
        self.skip_space();
        let mut parts = if ["cast<", "dyn_cast<"].iter().any(|cast| self.eat(cast)) {
            self.word();
            self.expect(">")?;
            self.expect("(")?;
            let parts = self.path()?;
            self.expect(")")?;
            parts
        } else {
            let word = self.word();
            if word == "getElementTypeOrSelf" {
                return None;
            }
            self.names.last().is_some_and(|name| name == word).then_some(Vec::new())?
        };
        loop {
            let before = self.at;
            match self.getter() {
                Some(part) => parts.push(part),
                None => {
                    self.at = before;
                    return Some(parts);
                }
            }
        }
    }

    /// `.getElementType()`
    fn getter(&mut self) -> Option<Part> {
        if !self.eat(".") {
            self.expect("->")?;
        }
        let name = self.word().strip_prefix("get")?;
        self.expect("()")?;
        // What is tested of a number is no part.
        match name {
            "ElementType" => Some(Part::Element),
            "Type" => Some(Part::TypeOf),
            "Rank" | "Int" | "Shape" | "NumElements" => None,
            "Value"
                if self.rest().starts_with(".is")
                    || self.rest().trim_start().starts_with(['<', '>', '=', '!']) =>
            {
                None
            }
            "Value" => Some(Part::Held),
            _ => {
                let mut letters = name.chars();
                let first = letters.next()?.to_lowercase().to_string();
                Some(Part::Param(first + letters.as_str()))
            }
        }
    }

    /// `value.isF32()`, `value.getRank() == 2`
    fn method(&mut self) -> Option<NodeId> {
        let parts = self.path()?;
        if !self.eat(".") {
            self.expect("->")?;
        }
        let name = self.word();
        self.expect("(")?;
        let argument = self.number();
        self.expect(")")?;
        let rule = match (name, argument) {
            ("getRank", None) => self.compared(Number::Rank)?,
            ("size", None) => self.compared(Number::Size)?,
            ("getInt", None) => self.compared(Number::Value)?,
            ("getValue", None) => {
                self.expect(".")?;
                let name = self.word();
                self.expect("()")?;
                let zero = |compare| Rule::Test(Test::Number(Number::Value, compare, 0));
                match name {
                    "isStrictlyPositive" => zero(Compare::Greater),
                    "isNonNegative" => zero(Compare::GreaterEqual),
                    "isNegative" => zero(Compare::Less),
                    _ => return None,
                }
            }
            (name, argument) => return self.named(name, argument).map(|node| self.on_parts(parts, node)),
        };
        let node = self.graph.add(rule, false);
        Some(self.on_parts(parts, node))
    }

    fn number(&mut self) -> Option<i128> {
        self.skip_space();
        let len = self.rest().find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(self.rest().len());
        let number = self.rest()[..len].parse().ok()?;
        self.at += len;
        Some(number)
    }

    fn compared(&mut self, number: Number) -> Option<Rule> {
        let operators = [
            ("==", Compare::Equal),
            ("!=", Compare::NotEqual),
            ("<=", Compare::LessEqual),
            (">=", Compare::GreaterEqual),
            ("<", Compare::Less),
            (">", Compare::Greater),
        ];
        let compare = operators.iter().find(|(text, _)| self.eat(text))?.1;
        Some(Rule::Test(Test::Number(number, compare, self.number()?)))
    }

    /// A test of types by name
    fn named(&mut self, name: &str, argument: Option<i128>) -> Option<NodeId> {
        let width = argument.and_then(|width| u32::try_from(width).ok());
        if argument.is_some() && width.is_none() {
            return None;
        }
        let int = |sign| Test::Int(sign, width);
        let isa = |class| Test::Isa(class);
        let signless = Test::Int(Some(Sign::Signless), None);
        let any_int = Test::Int(None, None);
        let (index, float) = (isa(Class::Index), isa(Class::Float));
        let tests = match name {
            "isSignlessInteger" => vec![int(Some(Sign::Signless))],
            "isSignedInteger" => vec![int(Some(Sign::Signed))],
            "isUnsignedInteger" => vec![int(Some(Sign::Unsigned))],
            "isInteger" => vec![int(None)],
            "isIndex" => vec![index],
            "isIntOrIndex" => vec![any_int, index],
            "isIntOrFloat" => vec![any_int, float],
            "isIntOrIndexOrFloat" => vec![any_int, index, float],
            "isSignlessIntOrIndex" => vec![signless, index],
            "isSignlessIntOrFloat" => vec![signless, float],
            "isSignlessIntOrIndexOrFloat" => vec![signless, index, float],
            "isBF16" => vec![isa(Class::find("BFloat16Type")?)],
            "isTF32" => vec![isa(Class::find("FloatTF32Type")?)],
            "hasRank" => vec![Test::HasRank],
            "hasStaticShape" => vec![Test::StaticShape],
            _ => {
                let bits = name.strip_prefix("isF")?;
                vec![isa(Class::OneFloat(format!("f{bits}").parse().ok()?))]
            }
        };
        let nodes: Vec<NodeId> =
            tests.into_iter().map(|test| self.graph.add(Rule::Test(test), false)).collect();
        Some(if nodes.len() == 1 { nodes[0] } else { self.graph.add(Rule::AnyOf(nodes), false) })
    }
}

/// Values of a C++ class
pub fn class_rule(classes: &Classes, name: &str) -> Option<Rule> {
    if matches!(name, "Type" | "Attribute") {
        return Some(Rule::Any);
    }
    let own = classes.get(name).map(|name| Rule::Base(name.clone()));
    own.or_else(|| Class::find(name).map(|class| Rule::Test(Test::Isa(class))))
}
