//! The text of one function's body: lines, C blocks, names of variables.

use crate::expr::Expr;
use crate::language::Lang;
use crate::names::Names;

/// A variable that is assigned more than once
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub name: String,
    pub number: u32,
}

/// Lines, and the C block that they are in
pub(crate) struct Text {
    pub out: String,
    /// C blocks around the next line
    pub depth: usize,
    pub names: Names,
}

impl Text {
    /// A body in which these names are taken
    pub fn new<'a>(lang: Lang, taken: impl Iterator<Item = &'a str>) -> Text {
        let mut names = Names::new(lang.words());
        names.push();
        for name in taken {
            names.take(name);
        }
        names.push();
        Text { out: String::new(), depth: 1, names }
    }

    /// A line
    pub fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A line that opens a C block
    pub fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
        self.names.push();
    }

    /// A line that closes a C block
    pub fn close(&mut self, text: &str) {
        self.names.pop();
        self.depth -= 1;
        self.line(text);
    }

    /// A new variable of a type with this value
    pub fn variable(&mut self, ty: &str, wanted: &str, expr: &Expr) -> Expr {
        if expr.is_leaf() {
            return expr.clone();
        }
        let name = self.names.fresh(wanted);
        self.line(&format!("{ty} {name} = {};", expr.text));
        Expr::atom(name)
    }

    /// Assign to variables at once: in order where none reads what an earlier one has written, else through copies
    pub fn assign(&mut self, slots: &[Slot], types: &[String], values: Vec<Expr>) {
        let clash = (0..slots.len())
            .any(|n| values[n + 1..].iter().any(|later| later.vars.contains(&slots[n].number)));
        let mut values = values;
        if clash {
            for (n, value) in values.iter_mut().enumerate() {
                let text = format!("{}_next", slots[n].name);
                let name = self.names.fresh(&text);
                self.line(&format!("{} {name} = {};", types[n], value.text));
                *value = Expr::atom(name);
            }
        }
        for (slot, value) in slots.iter().zip(values) {
            if value.text != slot.name {
                self.line(&format!("{} = {};", slot.name, value.text));
            }
        }
    }
}
