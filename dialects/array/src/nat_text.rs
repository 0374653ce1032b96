//! Sizes in the text of types and ops: `@n * 4 floordiv @m`, `min(@a, @b)`, `$l / 2`.
//!
//! The same language as `Nat`'s own text, read from the tokens of the file. As properties sizes are strings in canonical
//! form.

use terrace_analysis::nat::{Nat, NatError};
use terrace_diag::Reported;
use terrace_ir::attrs::AttrKind;
use terrace_ir::interface::Interface;
use terrace_ir::show::{CustomText, Shower};
use terrace_ir::{Attr, AttrForm, Context, attr_rules};
use terrace_macros::dialect_attr;
use terrace_text::{CustomParams, OpParser};

attr_rules! {
    /// A size as canonical text
    NatAttr "size in canonical form (`@n * 4`, `@n / @m`, `min(@a, @b)`, …)", AttrForm::Full,
        |cx, attr| nat_of(cx, attr).is_some_and(|nat| attr.as_str(cx) == Some(&nat.to_string()));
    /// Several sizes
    NatsAttr "list of sizes in canonical form", AttrForm::Full,
        |cx, attr| attr.as_array(cx).is_some_and(|all| {
            all.iter().all(|size| nat_of(cx, *size).is_some_and(|nat| size.as_str(cx) == Some(&nat.to_string())))
        });
    /// A size as canonical text that is a number from 0
    IndexNatAttr "number from 0 as text", AttrForm::Full,
        |cx, attr| nat_of(cx, attr).and_then(|nat| nat.as_constant()).is_some_and(|n| n >= 0);
}

/// A size under a name: `#ws = #array.nat<@K^2 * @C>`, to be written in sizes
#[dialect_attr("array.nat", interfaces(Spell, Read))]
pub struct NatValue {
    /// The size, as canonical text
    #[param]
    size: NatAttr,
}

trait Spell {
    fn spell(w: &mut Shower<'_>, params: &[Attr]);
    const ENTRY: Interface = Interface::new(const { &CustomText { print: Self::spell } });
}

trait Read {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported>;
    const ENTRY: Interface = Interface::new(const { &CustomParams { parse: Self::read } });
}

impl Spell for NatValue {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        let text = params.first().and_then(|size| size.as_str(w.cx)).unwrap_or("");
        w.out.push_str(&format!("<{text}>"));
    }
}

impl Read for NatValue {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        p.punct("<")?;
        let nat = parse_nat(p)?;
        p.punct(">")?;
        Ok(vec![nat_attr(p.cx(), &nat)])
    }
}

/// The size that an attribute stands for
fn named(cx: &Context, attr: Attr) -> Option<Nat> {
    match attr.kind(cx) {
        AttrKind::Dialect { def, params } if std::ptr::eq(*def, NatValue::DEF) => {
            nat_of(cx, *params.first()?)
        }
        _ => None,
    }
}

/// Deepest parentheses
const MAX_NESTING: usize = 200;

/// The size that a property holds
pub fn nat_of(cx: &Context, attr: Attr) -> Option<Nat> {
    attr.as_str(cx)?.parse().ok()
}

/// A size as a property
pub fn nat_attr(cx: &Context, nat: &Nat) -> Attr {
    cx.str_attr(&nat.to_string())
}

/// Does a size come next?
pub fn at_nat(p: &OpParser<'_, '_>) -> bool {
    let starts = ["#", "@", "$", "(", "-", "min(", "max(", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    starts.iter().any(|start| p.at_punct(start))
}

/// Read a size
pub fn parse_nat(p: &mut OpParser<'_, '_>) -> Result<Nat, Reported> {
    sum(p, 0)
}

fn check(p: &mut OpParser<'_, '_>, result: Result<Nat, NatError>) -> Result<Nat, Reported> {
    result.map_err(|error| p.error(error.to_string()))
}

fn sum(p: &mut OpParser<'_, '_>, depth: usize) -> Result<Nat, Reported> {
    if depth > MAX_NESTING {
        return Err(p.error("nested too deep"));
    }
    let mut sum = product(p, depth)?;
    loop {
        if p.punct_opt("+") {
            let next = product(p, depth)?;
            sum = check(p, sum.plus(&next))?;
        } else if p.punct_opt("-") {
            let next = product(p, depth)?;
            sum = check(p, sum.minus(&next))?;
        } else {
            return Ok(sum);
        }
    }
}

fn product(p: &mut OpParser<'_, '_>, depth: usize) -> Result<Nat, Reported> {
    type Join = fn(&Nat, &Nat) -> Result<Nat, NatError>;
    let words: [(&str, Join); 3] =
        [("floordiv", Nat::floor_div), ("ceildiv", Nat::ceil_div), ("mod", Nat::modulo)];
    let mut negative = false;
    while p.punct_opt("-") {
        negative = !negative;
    }
    let mut product = power(p, depth)?;
    loop {
        let join: Join = if p.punct_opt("*") {
            Nat::times
        } else if p.punct_opt("/") {
            Nat::exact_div
        } else if let Some((_, join)) = words.iter().find(|(word, _)| p.keyword_opt(word)) {
            *join
        } else if negative {
            return check(p, Nat::from(0).minus(&product));
        } else {
            return Ok(product);
        };
        let next = power(p, depth)?;
        product = check(p, join(&product, &next))?;
    }
}

fn power(p: &mut OpParser<'_, '_>, depth: usize) -> Result<Nat, Reported> {
    let base = primary(p, depth)?;
    if !p.punct_opt("^") {
        return Ok(base);
    }
    let exponent = primary(p, depth)?;
    check(p, base.pow(&exponent))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
}

fn primary(p: &mut OpParser<'_, '_>, depth: usize) -> Result<Nat, Reported> {
    if p.punct_opt("(") {
        let nat = sum(p, depth + 1)?;
        p.punct(")")?;
        return Ok(nat);
    }
    if p.at_punct("#") {
        let attr = p.attr()?;
        let message = "expected a size: the alias of an `#array.nat<…>`";
        return named(p.cx(), attr).ok_or_else(|| p.error(message));
    }
    if let Some(name) = p.symbol_name_opt()? {
        let name = p.cx().str(name);
        return if is_name(name) { Ok(Nat::symbol(name)) } else { Err(p.error("a size's name is one word")) };
    }
    if p.punct_opt("$") {
        return match p.any_keyword_opt() {
            Some(name) if is_name(name) => Ok(Nat::bound(name)),
            _ => Err(p.error("expected a name after `$`")),
        };
    }
    let is_min = p.keyword_opt("min");
    if is_min || p.keyword_opt("max") {
        p.punct("(")?;
        let mut args = vec![sum(p, depth + 1)?];
        while p.punct_opt(",") {
            args.push(sum(p, depth + 1)?);
        }
        p.punct(")")?;
        let found = if is_min { Nat::min(&args) } else { Nat::max(&args) };
        return match found {
            Ok(Some(nat)) => Ok(nat),
            Ok(None) => Err(p.error("expected an argument")),
            Err(error) => Err(p.error(error.to_string())),
        };
    }
    match p.int_opt()? {
        Some(number) => match i64::try_from(number) {
            Ok(number) => Ok(Nat::from(number)),
            Err(_) => Err(p.error("a size fits 64 bits")),
        },
        None => Err(p.error("expected a size: a number, `@name`, `$name`, `min(…)`, `max(…)` or `(…)`")),
    }
}
