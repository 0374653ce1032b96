//! C expressions as text with what is needed to put them into larger ones: precedence, what they read.

/// Precedence levels of C, higher binds tighter
pub(crate) mod prec {
    pub const COND: u8 = 3;
    pub const LOGIC_OR: u8 = 4;
    pub const LOGIC_AND: u8 = 5;
    pub const OR: u8 = 6;
    pub const XOR: u8 = 7;
    pub const AND: u8 = 8;
    pub const EQUAL: u8 = 9;
    pub const ORDER: u8 = 10;
    pub const SHIFT: u8 = 11;
    pub const SUM: u8 = 12;
    pub const PRODUCT: u8 = 13;
    pub const UNARY: u8 = 14;
    pub const ATOM: u8 = 16;
}

/// A C expression
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Expr {
    pub text: String,
    pub prec: u8,
    /// Reads memory: must be evaluated before the next write
    pub reads: bool,
    /// May have a narrower C type than the value: a small literal
    pub narrow: bool,
    /// Variables in it that are assigned more than once, by number
    pub vars: Vec<u32>,
}

impl Expr {
    pub fn new(text: impl Into<String>, prec: u8) -> Expr {
        Expr { text: text.into(), prec, reads: false, narrow: false, vars: Vec::new() }
    }

    /// A name, a call, or anything else that needs no parentheses anywhere
    pub fn atom(text: impl Into<String>) -> Expr {
        Expr::new(text, prec::ATOM)
    }

    /// The variable with this name and number
    pub fn var(name: &str, number: u32) -> Expr {
        Expr { vars: vec![number], ..Expr::atom(name) }
    }

    /// Text for a place where this precedence is needed
    pub fn at(&self, needed: u8) -> String {
        if self.prec < needed { format!("({})", self.text) } else { self.text.clone() }
    }

    /// Does evaluating it twice cost nothing?
    pub fn is_leaf(&self) -> bool {
        self.prec == prec::ATOM && !self.text.contains(['(', '['])
            || self.prec == prec::UNARY && self.text.starts_with('-') && self.text[1..].parse::<f64>().is_ok()
    }

    /// Take over what other expressions inside of this one read
    pub fn with(mut self, parts: &[&Expr]) -> Expr {
        for part in parts {
            self.reads |= part.reads;
            self.vars.extend_from_slice(&part.vars);
        }
        self
    }

    /// `a op b`, grouped to the left
    pub fn binary(op: &str, level: u8, a: &Expr, b: &Expr) -> Expr {
        // Compilers warn of mixtures of bitwise and other operators; so do readers.
        let (left, right) = if (prec::OR..=prec::SHIFT).contains(&level) {
            let bitwise = !(prec::EQUAL..=prec::ORDER).contains(&level);
            let least = if bitwise { prec::UNARY } else { prec::SUM };
            (if bitwise && a.prec == level && level != prec::SHIFT { level } else { least }, least)
        } else if level == prec::LOGIC_OR || level == prec::LOGIC_AND {
            (prec::EQUAL, prec::EQUAL)
        } else {
            (level, level + 1)
        };
        let narrow = a.narrow && b.narrow;
        Expr { narrow, ..Expr::new(format!("{} {op} {}", a.at(left), b.at(right)), level).with(&[a, b]) }
    }

    /// `f(a, b)`
    pub fn call(function: &str, args: &[&Expr]) -> Expr {
        let list: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
        Expr::atom(format!("{function}({})", list.join(", "))).with(args)
    }

    /// `(type)e`
    pub fn cast(ty: &str, e: &Expr) -> Expr {
        Expr::new(format!("({ty}){}", e.at(prec::UNARY)), prec::UNARY).with(&[e])
    }

    /// `-e`, `!e`
    pub fn unary(op: &str, e: &Expr) -> Expr {
        Expr::new(format!("{op}{}", e.at(prec::UNARY + 1)), prec::UNARY).with(&[e])
    }

    /// `c ? a : b`
    pub fn cond(c: &Expr, a: &Expr, b: &Expr) -> Expr {
        let text = format!("{} ? {} : {}", tested(c), a.at(prec::LOGIC_OR), b.at(prec::COND));
        Expr { narrow: a.narrow && b.narrow, ..Expr::new(text, prec::COND).with(&[c, a, b]) }
    }
}

/// A condition before `?`: compilers warn of `a & b ? c : d`, which readers take for `a & (b ? c : d)`
fn tested(c: &Expr) -> String {
    if (prec::OR..=prec::AND).contains(&c.prec) { format!("({})", c.text) } else { c.at(prec::LOGIC_OR) }
}

/// A string literal of C
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            // Three of them make another character.
            '?' => quoted.push_str("\\?"),
            ' '..='~' => quoted.push(c),
            other => {
                for byte in other.to_string().bytes() {
                    quoted.push_str(&format!("\\{byte:03o}"));
                }
            }
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_kept() {
        let [a, b, c] = ["a", "b", "c"].map(Expr::atom);
        let sum = Expr::binary("+", prec::SUM, &b, &c);
        assert_eq!(Expr::binary("+", prec::SUM, &a, &sum).text, "a + (b + c)");
        assert_eq!(Expr::binary("+", prec::SUM, &sum, &a).text, "b + c + a");
        assert_eq!(Expr::binary("*", prec::PRODUCT, &sum, &a).text, "(b + c) * a");
        assert_eq!(Expr::binary("&", prec::AND, &sum, &a).text, "(b + c) & a");
        assert_eq!(Expr::unary("-", &Expr::unary("-", &a)).text, "-(-a)");
    }

    #[test]
    fn conditions_nest_to_the_right() {
        let [a, b, c] = ["a", "b", "c"].map(Expr::atom);
        let inner = Expr::cond(&a, &b, &c);
        assert_eq!(Expr::cond(&a, &inner, &inner).text, "a ? (a ? b : c) : a ? b : c");
        let both = Expr::binary("&", prec::AND, &a, &b);
        assert_eq!(Expr::cond(&both, &b, &c).text, "(a & b) ? b : c");
    }

    #[test]
    fn variables_are_passed_on() {
        let x = Expr::var("x", 3);
        let sum = Expr::binary("+", prec::SUM, &x, &Expr::atom("1"));
        assert_eq!(sum.vars, [3]);
    }
}
