//! Attributes with a syntax of their own: compiled objects and who chooses among them.

use terrace_diag::Reported;
use terrace_ir::interface::Interface;
use terrace_ir::rules::{AnyAttr, I64Attr, StrAttr};
use terrace_ir::show::{CustomText, Shower};
use terrace_ir::{Attr, AttrKind};
use terrace_macros::dialect_attr;
use terrace_text::{CustomParams, OpParser};

/// How the parameters of a type or attribute are printed
pub(super) trait Spell {
    /// Print what follows the mnemonic
    fn spell(w: &mut Shower<'_>, params: &[Attr]);
    const ENTRY: Interface = Interface::new(const { &CustomText { print: Self::spell } });
}

/// How they are read
pub(super) trait Read {
    /// Read what follows the mnemonic
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported>;
    const ENTRY: Interface = Interface::new(const { &CustomParams { parse: Self::read } });
}

/// A filter of processing units: a bit for each
#[dialect_attr("gpu.mask")]
pub struct Mask {
    #[param]
    mask: I64Attr,
}

const FORMATS: &[&str] = &["offload", "assembly", "bin"];

/// Code that was compiled for a target
///
/// `#gpu.object<#target, properties = {…}, bin = "…">`; without a format's name it holds code of several machines.
/// Tables of kernels are not known.
#[dialect_attr("gpu.object", interfaces(Spell, Read))]
pub struct Object {
    /// What it was compiled for
    #[param]
    target: AnyAttr,
    /// `offload`, `assembly`, `bin`, or nothing for code of several machines
    #[param]
    format: StrAttr,
    /// A dictionary; `unit` for none
    #[param]
    properties: AnyAttr,
    /// The code
    #[param]
    object: StrAttr,
}

impl Spell for Object {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        let &[target, format, properties, object] = params else { return };
        w.out.push('<');
        w.attr(target);
        w.out.push_str(", ");
        if properties != w.cx.common().unit {
            w.out.push_str("properties = ");
            w.attr(properties);
            w.out.push_str(", ");
        }
        if let Some(format) = format.as_str(w.cx).filter(|format| !format.is_empty()) {
            w.out.push_str(format);
            w.out.push_str(" = ");
        }
        w.attr(object);
        w.out.push('>');
    }
}

impl Read for Object {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        p.punct("<")?;
        let target = p.attr()?;
        p.punct(",")?;
        let mut properties = p.cx().common().unit;
        if p.keyword_opt("properties") {
            p.punct("=")?;
            properties = p.dictionary()?;
            p.punct(",")?;
        }
        let format = FORMATS.iter().find(|word| p.keyword_opt(word)).copied();
        if format.is_some() {
            p.punct("=")?;
        }
        let text = p.string()?;
        let (format, object) = (p.cx().str_attr(format.unwrap_or("")), p.cx().str_attr(&text));
        p.punct(">")?;
        Ok(vec![target, format, properties, object])
    }
}

/// Takes one object of a `gpu.binary`: the first, the n-th, or that of a target
#[dialect_attr("gpu.select_object", interfaces(Spell, Read))]
pub struct SelectObject {
    /// Number or target; `unit` for the first
    #[param]
    target: AnyAttr,
}

impl Spell for SelectObject {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        if let Some(target) = params.first().filter(|target| **target != w.cx.common().unit) {
            w.out.push('<');
            w.attr(*target);
            w.out.push('>');
        }
    }
}

impl Read for SelectObject {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        if !p.punct_opt("<") {
            return Ok(vec![p.cx().common().unit]);
        }
        let target = p.attr()?;
        p.punct(">")?;
        Ok(vec![target])
    }
}

/// Is it an array of objects?
pub(super) fn is_objects(cx: &terrace_ir::Context, attr: Attr) -> bool {
    matches!(attr.kind(cx), AttrKind::Array(items) if items.iter().all(|item| Object::cast(cx, *item).is_some()))
}

terrace_ir::attr_rules! {
    /// `[#gpu.object<…>, …]`
    ObjectsAttr "an array of GPU object attributes with at least 1 elements", terrace_ir::AttrForm::Full,
        |cx, attr| is_objects(cx, attr) && attr.as_array(cx).is_some_and(|items| !items.is_empty());
}
