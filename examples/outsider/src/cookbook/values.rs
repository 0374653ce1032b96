//! Values of one's own type while interpreting: any type of Rust that can be compared and shown.

use std::fmt;
use terrace_interp::{Interpret, Machine, ReadValue, RtValue, Step};
use terrace_ir::rules::{I64, StrAttr};
use terrace_ir::{Attr, Context};
use terrace_macros::{dialect_type, op};

/// A label, `!shop.label`
#[dialect_type("shop.label", interfaces(ReadValue))]
pub struct Label;

/// What a label is where it runs
#[derive(Clone, PartialEq, Debug)]
pub struct Text(String);

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

// `eval: @f() == "tea"`
impl ReadValue for Label {
    fn read(_: &Context, _: &[Attr], text: &str) -> Option<RtValue> {
        let text = text.strip_prefix('"')?.strip_suffix('"')?;
        Some(RtValue::own(Text(text.to_string())))
    }
}

terrace_ir::type_rules! {
    /// A label
    AnyLabel "label", |cx, ty| Label::cast(cx, ty).is_some(), only Label::get;
}

/// A label with this text
#[op("shop.write", traits(Pure), interfaces(Interpret))]
#[asm("$text attr-dict")]
pub struct Write {
    #[attr]
    text: StrAttr,
    #[result]
    label: AnyLabel,
}

/// Two labels as one
#[op("shop.join", traits(Pure), interfaces(Interpret))]
#[asm("$a `,` $b attr-dict")]
pub struct Join {
    a: AnyLabel,
    b: AnyLabel,
    #[result]
    label: AnyLabel,
}

/// How many letters a label has
#[op("shop.length", traits(Pure), interfaces(Interpret))]
#[asm("$label attr-dict")]
pub struct Length {
    label: AnyLabel,
    #[result]
    letters: I64,
}

impl Interpret for Write {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let text = self.text(m.ir()).as_str(m.cx()).unwrap_or("").to_string();
        m.set_result(0, RtValue::own(Text(text)));
        Step::Next
    }
}

impl Interpret for Join {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let (a, b) = (m.operand(0), m.operand(1));
        let both = a.as_own::<Text>().zip(b.as_own::<Text>());
        let joined = both.map(|(a, b)| RtValue::own(Text(format!("{}{}", a.0, b.0))));
        m.set_result(0, joined.unwrap_or(RtValue::Poison));
        Step::Next
    }
}

impl Interpret for Length {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let letters =
            m.operand(0).as_own::<Text>().map(|text| RtValue::int(text.0.chars().count() as i128, 64));
        m.set_result(0, letters.unwrap_or(RtValue::Poison));
        Step::Next
    }
}
