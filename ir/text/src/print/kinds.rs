//! What the printer wants to know of each op kind, looked up once per print instead of once per op.

use super::steps::{self, Step};
use crate::CustomAsmTable;
use crate::names::NameTable;
use std::sync::OnceLock;
use terrace_ir::asm::Asm;
use terrace_ir::{Attr, Context, OpDef, OpKind, Traits};

/// An entry of the properties dictionary
#[derive(Clone, Copy)]
pub(super) enum Property {
    Slot(usize),
    OperandSegments,
    ResultSegments,
}

pub(super) struct KindInfo {
    pub def: &'static OpDef,
    pub custom: Option<&'static CustomAsmTable>,
    pub names: Option<&'static NameTable>,
    /// Has names of its own for its results
    suggests: bool,
    /// Named like upstream's constants
    pub constant: bool,
    /// Ops of this dialect print without prefix directly in its regions
    pub default_dialect: &'static str,
    /// Attribute slots that the format shows
    pub shown: u64,
    /// Properties in order of their names
    pub properties: Box<[(&'static str, Property)]>,
    /// Defaults of the attribute slots
    pub defaults: Box<[Option<Attr>]>,
    /// Those that generic form has
    pub stored: Box<[Option<Attr>]>,
    /// The assembly format, made ready
    pub format: Box<[Step]>,
}

impl KindInfo {
    fn new(cx: &Context, def: &'static OpDef) -> KindInfo {
        let mut properties: Vec<_> =
            def.attrs.iter().enumerate().map(|(slot, spec)| (spec.name, Property::Slot(slot))).collect();
        if def.operand_segments() {
            properties.push(("operandSegmentSizes", Property::OperandSegments));
        }
        if def.result_segments() {
            properties.push(("resultSegmentSizes", Property::ResultSegments));
        }
        properties.sort_by_key(|(name, _)| *name);
        KindInfo {
            def,
            custom: def.interface(),
            names: def.interface(),
            suggests: def.traits.has(Traits::ConstantLike)
                || def.interface::<NameTable>().is_some()
                || def.results.len() > 1
                || super::suggested::names(def.name),
            constant: def.traits.has(Traits::ConstantLike),
            default_dialect: default_dialect(def),
            shown: shown(def.asm),
            properties: properties.into(),
            defaults: def.attrs.iter().map(|spec| spec.default.map(|make| make(cx))).collect(),
            stored: def.attrs.iter().map(|spec| spec.stored_default(cx)).collect(),
            format: steps::compile(def),
        }
    }

    /// Has the op names of its own for its results?
    pub(super) fn names_results(&self) -> bool {
        self.suggests
    }

    /// Has it no syntax but the generic one?
    pub(super) fn only_generic(&self) -> bool {
        self.custom.is_none() && self.def.asm.is_empty()
    }
}

/// Dialect whose ops need no prefix directly in regions of this op
///
/// Upstream asks an interface that only modules and functions of these two dialects implement.
pub fn default_dialect(def: &OpDef) -> &'static str {
    match def.name {
        "builtin.module" => "builtin",
        "func.func" => "func",
        _ => "",
    }
}

fn shown(pieces: &[Asm]) -> u64 {
    pieces.iter().fold(0, |bits, piece| {
        bits | match piece {
            Asm::Attr(slot) => 1 << (slot & 63),
            Asm::Optional { then, otherwise, .. } => shown(then) | shown(otherwise),
            _ => 0,
        }
    })
}

/// Table of all kinds of a context; of each the entry is made when it is first met
pub(super) struct Kinds(Box<[OnceLock<Box<KindInfo>>]>);

impl Kinds {
    pub(super) fn new(cx: &Context) -> Kinds {
        Kinds((0..cx.num_kinds()).map(|_| OnceLock::new()).collect())
    }

    #[inline]
    pub(super) fn of(&self, cx: &Context, kind: OpKind) -> &KindInfo {
        self.0[kind.0 as usize].get_or_init(|| Box::new(KindInfo::new(cx, cx.def(kind))))
    }
}
