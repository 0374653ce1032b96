//! `vector` between memory and registers: loads and stores of lanes that lie one after another, whole or under a mask.

use crate::buffer::{Dim, Space, View};
use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::helpers::Helpers;
use crate::language::VectorAccess;
use crate::refusal::Done;
use crate::vector_type::Vector;
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, OpId, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { vector:
    Load any, |e, op| e.vector_load(vector::Load(op));
    MaskedLoad any, |e, op| e.masked_load(vector::MaskedLoad(op));
    MaskedStore any, |e, op| e.masked_store(vector::MaskedStore(op));
    Store any, |e, op| e.vector_store(vector::Store(op));
};

impl Helpers {
    /// A parameter that points to elements in this memory
    pub(crate) fn pointer_param(&self, view: &View, vector: &Vector, written: bool) -> String {
        let constant = if written || view.space == Space::Constant { "" } else { "const " };
        format!("{}{constant}{} *at", self.lang.space(view.space), self.lang.lane_type(vector))
    }

    /// What a host does at once where no lane is left out: the usual case of a tail's mask
    pub fn if_whole(&mut self, masks: &Vector, then: &str) -> String {
        if !self.lang.is_host() || !self.lang.has(masks) {
            return String::new();
        }
        self.include("#include <string.h>");
        let c_type = self.vector_type(masks);
        let ones = vec!["1"; masks.lanes()].join(", ");
        format!(
            "  static const {c_type} all = {{{ones}}};\n  if (!memcmp(&mask, &all, sizeof mask)) {then}\n"
        )
    }

    /// `v` to `at`, which is aligned as a lane is
    ///
    /// Through a type of its own: GCC 12 with AVX-512 writes constants such as `{1, 1, 1, 0}` wrong where `memcpy` copies them.
    pub fn whole_store(&self, vector: &Vector, indent: &str) -> String {
        let (elem, lane) = (self.lang.lane_type(vector), vector.elem.bytes());
        let bytes = lane as usize * vector.lanes();
        let attributes = format!("vector_size({bytes}), aligned({lane}), may_alias");
        format!(
            "{indent}typedef {elem} anywhere __attribute__(({attributes}));\n{indent}*(anywhere *)at = v;"
        )
    }
}

impl Emit<'_> {
    /// The first element that an access reaches, as a pointer
    pub(crate) fn pointer_to(
        &mut self,
        op: OpId,
        view: &View,
        indices: &[Value],
        vector: &Vector,
    ) -> Done<Expr> {
        let rows =
            vector.shape.len() > 1 && vector.shape[..vector.shape.len() - 1].iter().any(|size| *size != 1);
        let innermost = view.strides.last().is_none_or(|stride| *stride == Dim::Const(1));
        if rows || !innermost {
            return self.no_op(op, "its lanes do not lie one after another", "vectors of one dimension do");
        }
        let indices: Vec<Expr> = indices.iter().map(|index| self.values.expr(*index)).collect();
        let place = self.element(view, &indices);
        Ok(Expr::new(format!("&{}", place.text), prec::UNARY).with(&[&place]))
    }

    /// Does an access state that it is aligned to all of its lanes, where that makes it one instruction?
    fn is_aligned(&self, alignment: Option<Attr>, vector: &Vector) -> bool {
        let bytes = vector.elem.bytes() as usize * vector.lanes();
        let stated = alignment.and_then(|bytes| bytes.as_i64(self.ir.cx())).unwrap_or(0);
        !self.lang.is_host()
            && bytes.is_power_of_two()
            && usize::try_from(stated).is_ok_and(|stated| stated >= bytes)
    }

    /// The type that has all lanes of an aligned access in one word, and a pointer to it
    fn word(&self, aligned: bool, vector: &Vector, param: &str) -> Option<(&'static str, String)> {
        let bytes = vector.elem.bytes() as usize * vector.lanes();
        let word = self.lang.word_of(bytes).filter(|_| aligned)?;
        let constant = if param.contains("const ") { "const " } else { "" };
        Some((word, format!("*({constant}{word} *)at")))
    }

    fn vector_load(&mut self, load: vector::Load) -> Done {
        let (ir, op, result) = (self.ir, load.id(), load.result(self.ir));
        let vector = self.vector(op, ir.ty(result))?;
        let view = self.values.view(load.base(ir))?;
        let c_type = self.helpers.vector_type(&vector);
        let params = [self.helpers.pointer_param(&view, &vector, false)];
        let aligned = self.is_aligned(load.alignment(ir), &vector);
        let body = match self.lang.vector_access(&vector) {
            VectorAccess::Copy => {
                self.helpers.include("#include <string.h>");
                format!("  {c_type} r;\n  memcpy(&r, at, sizeof r);\n  return r;")
            }
            VectorAccess::Functions if aligned => {
                format!("  return *({}const {c_type} *)at;", self.lang.space(view.space))
            }
            VectorAccess::Functions => format!("  return vload{}(0, at);", vector.lanes()),
            VectorAccess::Lanes => match self.word(aligned, &vector, &params[0]) {
                Some((word, at)) => {
                    format!(
                        "  {word} word = {at};\n  {c_type} r;\n  memcpy(&r, &word, sizeof r);\n  return r;"
                    )
                }
                None => self.helpers.lanes_body(&vector, &c_type, "", "at[l]"),
            },
        };
        let how = if aligned { "aligned_" } else { "" };
        let wanted = format!("load_{how}{}{}", vector.name(), self.lang.space_suffix(view.space));
        let function = self.helpers.vector_helper(&wanted, &c_type, &params, &body);
        let pointer = self.pointer_to(op, &view, &load.indices(ir), &vector)?;
        self.bind(op, result, Expr { reads: true, ..Expr::call(&function, &[&pointer]) })
    }

    fn masked_load(&mut self, load: vector::MaskedLoad) -> Done {
        let (ir, op, result) = (self.ir, load.id(), load.result(self.ir));
        let vector = self.vector(op, ir.ty(result))?;
        let view = self.values.view(load.base(ir))?;
        let c_type = self.helpers.vector_type(&vector);
        let (mask, pass) = (load.mask(ir), load.pass_thru(ir));
        let masks = self.vector(op, ir.ty(mask))?;
        let params = [
            self.helpers.pointer_param(&view, &vector, false),
            format!("{} mask", self.helpers.vector_type(&masks)),
            format!("{c_type} other"),
        ];
        let lane = format!(
            "{} ? at[l] : {}",
            self.lang.lane(&masks, "mask", "l"),
            self.lang.lane(&vector, "other", "l")
        );
        let whole = format!("{{ {c_type} whole; memcpy(&whole, at, sizeof whole); return whole; }}");
        let body =
            self.helpers.if_whole(&masks, &whole) + &self.helpers.lanes_body(&vector, &c_type, "", &lane);
        let wanted = format!("maskedload_{}{}", vector.name(), self.lang.space_suffix(view.space));
        let function = self.helpers.vector_helper(&wanted, &c_type, &params, &body);
        let pointer = self.pointer_to(op, &view, &load.indices(ir), &vector)?;
        let args = [pointer, self.values.expr(mask), self.values.expr(pass)];
        self.bind(op, result, Expr { reads: true, ..Expr::call(&function, &args.each_ref()) })
    }

    fn vector_store(&mut self, store: vector::Store) -> Done {
        let (ir, op, value) = (self.ir, store.id(), store.value_to_store(self.ir));
        let vector = self.vector(op, ir.ty(value))?;
        let view = self.written(op, store.base(ir))?;
        let c_type = self.helpers.vector_type(&vector);
        let aligned = self.is_aligned(store.alignment(ir), &vector);
        let params = [self.helpers.pointer_param(&view, &vector, true), format!("{c_type} v")];
        let body = match self.lang.vector_access(&vector) {
            VectorAccess::Copy if self.lang.has(&vector) => self.helpers.whole_store(&vector, "  "),
            VectorAccess::Copy => {
                self.helpers.include("#include <string.h>");
                "  memcpy(at, &v, sizeof v);".to_string()
            }
            VectorAccess::Functions if aligned => {
                format!("  *({}{c_type} *)at = v;", self.lang.space(view.space))
            }
            VectorAccess::Functions => format!("  vstore{}(v, 0, at);", vector.lanes()),
            VectorAccess::Lanes => match self.word(aligned, &vector, &params[0]) {
                Some((word, at)) => format!("  {word} word;\n  memcpy(&word, &v, sizeof v);\n  {at} = word;"),
                None => {
                    let lane = self.lang.lane(&vector, "v", "l");
                    format!("{}\n    at[l] = {lane};", self.helpers.lanes_loop(vector.lanes()))
                }
            },
        };
        let how = if aligned { "aligned_" } else { "" };
        let wanted = format!("store_{how}{}{}", vector.name(), self.lang.space_suffix(view.space));
        let function = self.helpers.vector_helper(&wanted, "void", &params, &body);
        let pointer = self.pointer_to(op, &view, &store.indices(ir), &vector)?;
        let value = self.values.expr(value);
        self.flush();
        self.text.line(&format!("{};", Expr::call(&function, &[&pointer, &value]).text));
        Ok(())
    }

    fn masked_store(&mut self, store: vector::MaskedStore) -> Done {
        let (ir, op) = (self.ir, store.id());
        let (value, mask) = (store.value_to_store(ir), store.mask(ir));
        let vector = self.vector(op, ir.ty(value))?;
        let view = self.written(op, store.base(ir))?;
        let c_type = self.helpers.vector_type(&vector);
        let masks = self.vector(op, ir.ty(mask))?;
        let params = [
            self.helpers.pointer_param(&view, &vector, true),
            format!("{} mask", self.helpers.vector_type(&masks)),
            format!("{c_type} v"),
        ];
        let whole = if self.lang.has(&vector) {
            format!("{{\n{}\n    return;\n  }}", self.helpers.whole_store(&vector, "    "))
        } else {
            "{ memcpy(at, &v, sizeof v); return; }".to_string()
        };
        let (test, lane) = (self.lang.lane(&masks, "mask", "l"), self.lang.lane(&vector, "v", "l"));
        let quick = self.helpers.if_whole(&masks, &whole);
        let body =
            format!("{quick}{}\n    if ({test}) at[l] = {lane};", self.helpers.lanes_loop(vector.lanes()));
        let wanted = format!("maskedstore_{}{}", vector.name(), self.lang.space_suffix(view.space));
        let function = self.helpers.vector_helper(&wanted, "void", &params, &body);
        let pointer = self.pointer_to(op, &view, &store.indices(ir), &vector)?;
        let args = [pointer, self.values.expr(mask), self.values.expr(value)];
        self.flush();
        self.text.line(&format!("{};", Expr::call(&function, &args.each_ref()).text));
        Ok(())
    }

    /// A buffer that the op writes to
    pub(crate) fn written(&mut self, op: OpId, buffer: Value) -> Done<View> {
        let view = self.values.view(buffer)?;
        match view.space {
            Space::Constant => self.no_op(op, "it writes to a constant", ""),
            _ => Ok(view),
        }
    }
}
