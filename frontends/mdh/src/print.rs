//! MDH text from a definition: what reading gives again.

use crate::syntax::{Expr, ExprKind};
use crate::text::{Access, Buffer, Comb, Definition, Fun};
use std::fmt;
use terrace_dialect_mdh::view::Order;

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let bounded = self.open.iter().map(|(name, most)| format!("{name} <= {}", expr(most, 5)));
        let sizes: Vec<String> = self.sizes.iter().cloned().chain(bounded).collect();
        if !self.types.is_empty() || !sizes.is_empty() {
            let types: Vec<String> = self.types.iter().map(|name| format!("Type {name}")).collect();
            write!(f, "<{}", types.join(", "))?;
            if !sizes.is_empty() {
                let gap = if types.is_empty() { "" } else { " " };
                write!(f, "{gap}| int {}", sizes.join(","))?;
            }
            f.write_str(">")?;
        }
        let extents: Vec<String> = self.extents.iter().map(|e| expr(e, 5)).collect();
        let combs: Vec<String> = self.combs.iter().map(comb).collect();
        write!(f, " :=\n  out_view<{}>({})", self.out_types.join(","), buffers(&self.outs))?;
        write!(
            f,
            "\n  o md_hom<{}>({}, ({}))",
            extents.join(","),
            function(&self.function),
            combs.join(", ")
        )?;
        if !self.conditions.is_empty() {
            let all: Vec<String> = self.conditions.iter().map(|e| expr(e, 0)).collect();
            write!(f, " where {}", all.join(", "))?;
        }
        if self.order != Order::Fixed {
            write!(f, " order({})", self.order)?;
        }
        write!(f, "\n  o inp_view<{}>({})", self.inp_types.join(","), buffers(&self.inps))?;
        let Some((draft, _)) = &self.schedule else { return Ok(()) };
        f.write_str("\n  schedule(\n")?;
        draft.to_string().lines().try_for_each(|step| writeln!(f, "    {step}"))?;
        f.write_str("  )")
    }
}

fn buffers(all: &[Buffer]) -> String {
    let texts: Vec<String> = all
        .iter()
        .map(|buffer| {
            let shape = match &buffer.shape {
                Some(sizes) => {
                    format!(" [{}]", sizes.iter().map(|e| expr(e, 0)).collect::<Vec<_>>().join(","))
                }
                None => String::new(),
            };
            let accesses: Vec<String> = buffer.accesses.iter().map(access).collect();
            let into = match &buffer.into {
                Some((name, Some(own))) => format!(" into {name} {}", access(own)),
                Some((name, None)) => format!(" into {name}"),
                None => String::new(),
            };
            format!("{}{shape}: {}{into}", buffer.name, accesses.join(", "))
        })
        .collect();
    texts.join(", ")
}

fn access(one: &Access) -> String {
    let index: Vec<String> = one.index.iter().map(|e| expr(e, 0)).collect();
    let other = one.other.map_or(String::new(), |value| format!(" else {}", number(value)));
    let guard = one.guard.as_ref().map_or(String::new(), |e| format!(" if {} == 0", expr(e, 3)));
    format!("({})->({}){other}{guard}", one.ids.join(","), index.join(","))
}

fn comb(one: &Comb) -> String {
    let list = |words: &[String]| words.join(", ");
    match one {
        Comb::Keep => "++".into(),
        Comb::Point(words, _) if words.len() == 1 => words[0].clone(),
        Comb::Point(words, _) => format!("({})", list(words)),
        Comb::Prefix(words, _) => format!("ps({})", list(words)),
    }
}

pub(crate) fn function(one: &Fun) -> String {
    match one {
        Fun::Mark(mark, _) => mark.clone(),
        Fun::Lambda(params, body, _) => {
            let body: Vec<String> = body.iter().map(|e| expr(e, 0)).collect();
            let body = if body.len() == 1 { body[0].clone() } else { format!("({})", body.join(", ")) };
            format!("({}) -> {body}", params.join(", "))
        }
    }
}

fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 { format!("{value:.1}") } else { format!("{value}") }
}

/// With parentheses where the context binds tighter
pub(crate) fn expr(e: &Expr, tight: u32) -> String {
    let (text, level) = match &e.kind {
        ExprKind::Int(value) => (value.to_string(), if *value < 0 { 5 } else { 6 }),
        ExprKind::Float(value) => (number(*value), if *value < 0.0 { 5 } else { 6 }),
        ExprKind::Name(name) => (name.clone(), 6),
        ExprKind::Neg(a) => (format!("-{}", expr(a, 6)), 5),
        ExprKind::Op(op, a, b) => {
            let level = match *op {
                "||" => 1,
                "&&" => 2,
                "<" | "<=" | ">" | ">=" | "==" | "!=" => 3,
                "+" | "-" => 4,
                _ => 5,
            };
            (format!("{} {op} {}", expr(a, if level == 3 { 4 } else { level }), expr(b, level + 1)), level)
        }
        ExprKind::Call(name, all) => (format!("{name}({})", list(all)), 6),
        ExprKind::Access(name, subs, other) => {
            let other = other.map_or(String::new(), |value| format!(" else {}", number(value)));
            (format!("{name}[{}]{other}", list(subs)), 6)
        }
        ExprKind::Cond(test, a, b) => (format!("{} ? {} : {}", expr(test, 1), expr(a, 0), expr(b, 0)), 0),
        ExprKind::Tuple(all) => (format!("({})", list(all)), 6),
        ExprKind::Iverson(inner) => (format!("[{}]", expr(inner, 0)), 6),
    };
    if level < tight { format!("({text})") } else { text }
}

fn list(all: &[Expr]) -> String {
    all.iter().map(|e| expr(e, 0)).collect::<Vec<_>>().join(", ")
}
