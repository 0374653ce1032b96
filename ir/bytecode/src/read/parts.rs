//! The parts of one op: attributes, properties, types of results.

use super::tables::Tables;
use crate::bytes::{Bytes, Read, Wrong};
use crate::codes;
use crate::layout::Property;
use crate::numbers::{part, since};
use terrace_ir::{Attr, AttrKind, Context, Loc, LocKind, OpDef, OpKind, Str, Type};

/// The parts of an op, but for operands and regions
#[derive(Default)]
pub struct Parts {
    pub slots: Vec<Option<Attr>>,
    pub dict: Vec<(Str, Attr)>,
    pub segments: Vec<u32>,
    pub result_segments: Vec<u32>,
    pub results: Vec<Type>,
    /// Properties of an op that is not registered
    pub raw_properties: Option<Attr>,
}

/// What upstream's verifier notes on an op and its printer leaves out: it follows from the op
const MEMO: &str = "linalg.memoized_indexing_maps";

/// A location as ops have it
pub fn location(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Loc> {
    let attr = tables.attr(bytes)?;
    match tables.cx.attr_kind(attr) {
        AttrKind::Loc(LocKind::Unknown) => Ok(Loc::UNKNOWN),
        AttrKind::Loc(_) => Ok(Loc::attr(attr)),
        _ => bytes.wrong("an op's location is no location"),
    }
}

impl Parts {
    /// Read attributes, properties and types of results of an op with this name
    pub fn read(
        &mut self,
        tables: &mut Tables<'_>,
        bytes: &mut Bytes<'_>,
        name: usize,
        mask: u8,
    ) -> Read<()> {
        let cx = tables.cx;
        let kind = tables.ops[name].kind;
        let def = kind.map(|kind| cx.def(kind));
        self.clear(def);
        if mask & part::ATTRS != 0 {
            let dict = tables.attr(bytes)?;
            self.entries(cx, def, dict, bytes)?;
        }
        if mask & part::PROPERTIES != 0 {
            if tables.version < since::PROPERTIES {
                return bytes.wrong("an op has properties, which this version does not have");
            }
            let index = bytes.index(tables.properties.len(), "property")?;
            let mut blob = tables.properties[index].clone();
            match def {
                Some(def) if tables.ops[name].was_registered => self.own(tables, def, name, &mut blob)?,
                None if tables.ops[name].was_registered => {
                    let message = format!(
                        "properties of `{}` are encoded as only its dialect knows, which is not registered",
                        tables.ops[name].name
                    );
                    let help = "write the file with `--emit-bytecode-version=4`, or as text";
                    return Err(Wrong::with(blob.at(), &codes::ENCODING, message).help(help));
                }
                Some(def) => {
                    let dict = tables.attr(&mut blob)?;
                    self.entries(cx, Some(def), dict, &blob)?;
                }
                None => self.raw_properties = Some(tables.attr(&mut blob)?),
            }
            if !blob.is_end() {
                let message = format!("bytes are left behind the properties of `{}`", tables.ops[name].name);
                return blob.wrong(message);
            }
        }
        if mask & part::RESULTS != 0 {
            for _ in 0..bytes.count()? {
                let ty = tables.ty(bytes)?;
                self.results.push(ty);
            }
        }
        self.leave_defaults(&tables.ops[name].defaults);
        Ok(())
    }

    fn clear(&mut self, def: Option<&OpDef>) {
        self.slots.clear();
        self.slots.resize(def.map_or(0, |def| def.attrs.len()), None);
        self.dict.clear();
        self.segments.clear();
        self.result_segments.clear();
        self.results.clear();
        self.raw_properties = None;
    }

    /// Attributes by name: the op's own to their slots
    fn entries(
        &mut self,
        cx: &Context,
        def: Option<&'static OpDef>,
        dict: Attr,
        bytes: &Bytes<'_>,
    ) -> Read<()> {
        let Some(entries) = dict.as_dict(cx) else {
            return bytes.wrong("attributes of an op are no dictionary");
        };
        for &(name, value) in entries {
            let text = cx.str(name);
            if text == MEMO {
                continue;
            }
            let slot = def.and_then(|def| def.attr_slot(text));
            match (slot, text, def) {
                (Some(slot), ..) => self.slots[slot] = Some(value),
                (_, "operandSegmentSizes" | "operand_segment_sizes", Some(def)) if def.operand_segments() => {
                    self.segments = sizes(cx, value, bytes)?;
                }
                (_, "resultSegmentSizes" | "result_segment_sizes", Some(def)) if def.result_segments() => {
                    self.result_segments = sizes(cx, value, bytes)?;
                }
                _ => self.dict.push((name, value)),
            }
        }
        Ok(())
    }

    /// Properties in the op's own order
    fn own(
        &mut self,
        tables: &mut Tables<'_>,
        def: &'static OpDef,
        name: usize,
        blob: &mut Bytes<'_>,
    ) -> Read<()> {
        let cx = tables.cx;
        for n in 0..tables.ops[name].layout.len() {
            match tables.ops[name].layout[n] {
                Property::Attr { slot, optional: true } => self.slots[slot] = tables.attr_opt(blob)?,
                Property::Attr { slot, optional: false } => self.slots[slot] = Some(tables.attr(blob)?),
                Property::Other { name, optional } => {
                    let value = if optional { tables.attr_opt(blob)? } else { Some(tables.attr(blob)?) };
                    self.dict.extend(value.map(|value| (cx.intern(name), value)));
                }
                Property::SegmentsAttr { operands } => {
                    let value = tables.attr(blob)?;
                    *self.sizes_of(operands) = sizes(cx, value, blob)?;
                }
                Property::Segments { operands } => {
                    let fields = if operands { def.operands.len() } else { def.results.len() };
                    *self.sizes_of(operands) = sparse(blob, fields)?;
                }
                Property::Flag { slot } => {
                    self.slots[slot] = (blob.byte()? != 0).then(|| cx.common().unit);
                }
            }
        }
        Ok(())
    }

    fn sizes_of(&mut self, operands: bool) -> &mut Vec<u32> {
        if operands { &mut self.segments } else { &mut self.result_segments }
    }

    /// What equals a default is left out, as in text
    fn leave_defaults(&mut self, defaults: &[Option<Attr>]) {
        for (slot, default) in self.slots.iter_mut().zip(defaults) {
            if slot == default {
                *slot = None;
            }
        }
    }

    /// Do sizes of fields fit the number of operands and results?
    pub fn check(&self, cx: &Context, kind: OpKind, operands: usize, bytes: &Bytes<'_>) -> Read<()> {
        let (facts, def) = (cx.facts(kind), cx.def(kind));
        let fields = [
            (facts.operand_segments, &self.segments, def.operands.len(), operands, "operand"),
            (facts.result_segments, &self.result_segments, def.results.len(), self.results.len(), "result"),
        ];
        for (stored, sizes, fields, total, what) in fields {
            let sum: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
            if stored && (sizes.len() != fields || sum != total as u64) {
                return bytes.wrong(format!(
                    "sizes of the {what} fields of `{}` add up to {sum}, and there are {total} {what}s",
                    def.name
                ));
            }
        }
        Ok(())
    }
}

/// `array<i32: …>` as sizes
fn sizes(cx: &Context, value: Attr, bytes: &Bytes<'_>) -> Read<Vec<u32>> {
    let sizes = value.as_dense_array(cx).map(|sizes| sizes.iter().map(|size| u32::try_from(*size)));
    match sizes.map(Iterator::collect) {
        Some(Ok(sizes)) => Ok(sizes),
        _ => bytes.wrong("sizes of fields are an array of numbers"),
    }
}

/// Numbers of which most are zero: all, or those that are not, each with its index in the lowest bits
fn sparse(bytes: &mut Bytes<'_>, len: usize) -> Read<Vec<u32>> {
    let mut all = vec![0; len];
    let (count, pairs) = bytes.flagged_count()?;
    let bits = if pairs && count > 0 { bytes.number()? } else { 0 };
    if bits > 8 {
        return bytes.wrong(format!("indices of {bits} bits"));
    }
    for n in 0..count {
        let number = bytes.number()?;
        let (index, value) =
            if pairs { ((number & ((1 << bits) - 1)) as usize, number >> bits) } else { (n, number) };
        let value = u32::try_from(value).ok();
        let (Some(place), Some(value)) = (all.get_mut(index), value) else {
            return bytes.wrong(format!("size {index} of {len} fields"));
        };
        *place = value;
    }
    Ok(all)
}
