//! Helper functions on vectors: their types, loops over lanes, all lanes alike, lists of lanes.

use crate::expr::{Expr, prec};
use crate::extrema::Extremum;
use crate::helpers::Helpers;
use crate::types::Scalar;
use crate::vector_type::Vector;

impl Helpers {
    /// C type of a vector, declared
    pub fn vector_type(&mut self, vector: &Vector) -> String {
        let (name, lanes, elem) = (vector.name(), vector.lanes(), self.lang.lane_type(vector));
        let own = self.lang.has(vector);
        if own && let Some(name) = self.lang.vector_name(vector) {
            return name;
        }
        let text = match own {
            true => {
                let bytes = vector.elem.bytes() as usize * lanes;
                format!("typedef {elem} {name} __attribute__((vector_size({bytes})));")
            }
            false => format!("typedef struct {{\n  {elem} lane[{lanes}];\n}} {name};"),
        };
        self.declare(&name, text);
        name
    }

    /// A helper function on vectors; its name, with a number where another one has it already
    pub fn vector_helper(&mut self, wanted: &str, result: &str, params: &[String], body: &str) -> String {
        let mut name = format!("terrace_{wanted}");
        let mut n = 1;
        loop {
            let text =
                format!("{}{result} {name}({}) {{\n{body}\n}}", self.lang.inlined(), params.join(", "));
            match self.get(&name) {
                None => {
                    self.declare(&name, text);
                    return name;
                }
                Some(other) if other == text => return name,
                Some(_) => n += 1,
            }
            name = format!("terrace_{wanted}_{n}");
        }
    }

    /// First line of a loop over lanes
    pub fn lanes_loop(&self, lanes: usize) -> String {
        let unroll = self.lang.unroll().map_or(String::new(), |line| format!("{line}\n  "));
        format!("  {unroll}for (int l = 0; l < {lanes}; l++)")
    }

    /// Body of a helper that computes a vector lane by lane
    pub fn lanes_body(&self, vector: &Vector, c_type: &str, before: &str, lane: &str) -> String {
        let header = self.lanes_loop(vector.lanes());
        let target = self.lang.lane(vector, "r", "l");
        match before.is_empty() {
            true => format!("  {c_type} r;\n{header}\n    {target} = {lane};\n  return r;"),
            false => {
                format!("  {c_type} r;\n{header} {{\n{before}    {target} = {lane};\n  }}\n  return r;")
            }
        }
    }

    /// All lanes are this number
    pub(crate) fn splat(&mut self, vector: &Vector, e: &Expr) -> Expr {
        let c_type = self.vector_type(vector);
        if let Some(splat) = self.lang.splat(vector, &c_type, e) {
            return splat;
        }
        let own = self.lang.has(vector) && !self.lang.widens(vector.elem);
        let body = if own { self.lang.splat_body(vector, &c_type) } else { None };
        let body = body.unwrap_or_else(|| self.lanes_body(vector, &c_type, "", "x"));
        let param = format!("{} x", self.lang.lane_type(vector));
        let function = self.vector_helper(&format!("splat_{}", vector.name()), &c_type, &[param], &body);
        Expr::call(&function, &[e])
    }

    /// A vector of these lanes
    pub(crate) fn list(&mut self, vector: &Vector, lanes: &[Expr]) -> Expr {
        let c_type = self.vector_type(vector);
        let parts: Vec<&Expr> = lanes.iter().collect();
        let texts: Vec<&str> = lanes.iter().map(|e| e.text.as_str()).collect();
        let text = self.lang.vector_literal(vector, &c_type, &texts.join(", "));
        Expr::new(text, prec::UNARY).with(&parts)
    }

    /// How a kind combines `$a` and `$b`
    pub(crate) fn combined(&mut self, kind: &str, ty: Scalar) -> Option<String> {
        let (c_type, u) = (self.lang.scalar(ty), self.lang.unsigned(ty));
        let wide = if ty.width() < 32 { self.lang.unsigned(Scalar::Int(32)) } else { u };
        if ty == Scalar::Bool {
            // Signed, true is −1.
            return Some(
                match kind {
                    "add" | "xor" => "$a != $b",
                    "mul" | "and" | "minui" | "maxsi" => "$a && $b",
                    "or" | "maxui" | "minsi" => "$a || $b",
                    _ => return None,
                }
                .to_string(),
            );
        }
        Some(match kind {
            "add" | "mul" if self.lang.soft(ty) => {
                let (wide, narrow) = (self.widening(ty), self.narrowing(ty));
                format!("{narrow}({wide}($a) {} {wide}($b))", if kind == "add" { '+' } else { '*' })
            }
            "add" | "mul" if self.lang.widens(ty) => {
                format!("({c_type})((float)$a {} (float)$b)", if kind == "add" { '+' } else { '*' })
            }
            "add" if ty.is_float() => "$a + $b".to_string(),
            "mul" if ty.is_float() => "$a * $b".to_string(),
            "add" => format!("({c_type})(({wide})$a + ({wide})$b)"),
            "mul" => format!("({c_type})(({wide})$a * ({wide})$b)"),
            "and" => "$a & $b".to_string(),
            "or" => "$a | $b".to_string(),
            "xor" => "$a ^ $b".to_string(),
            "minsi" => "$a < $b ? $a : $b".to_string(),
            "maxsi" => "$a > $b ? $a : $b".to_string(),
            "minui" => format!("({u})$a < ({u})$b ? $a : $b"),
            "maxui" => format!("({u})$a > ({u})$b ? $a : $b"),
            _ => format!("{}($a, $b)", self.extremum(Extremum::of_kind(kind)?, ty)),
        })
    }
}
