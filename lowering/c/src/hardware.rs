//! What text for high-level synthesis has besides C: arrays with their dimensions, and pragmas from the marks that `lowering/hls` leaves.
//!
//! A pragma is a comment to other compilers, so the text means the same to them.

use crate::buffer::{Shape, View};
use crate::emit::Emit;
use crate::expr::Expr;
use crate::language::Lang;
use crate::signature::{Param, Part};
use terrace_dialect_builtin::marks::{DATAFLOW, PARTITION, PIPELINE, UNROLL};
use terrace_ir::{Attr, Context, OpId};

/// Banks of an array along each dimension, from the attribute; none if it is printed as a pointer
pub(crate) fn banks(cx: &Context, lang: Lang, attr: Option<Attr>, shape: &Shape) -> Option<Vec<i64>> {
    let banks = attr?.as_dense_array(cx)?.to_vec();
    // An array of no dimension is a number.
    let fits = banks.len() == shape.sizes.len() && shape.identity && shape.count().is_some();
    (lang.is_hardware() && !banks.is_empty() && fits).then_some(banks)
}

impl Emit<'_> {
    /// Banks of the array that an op makes, where it is printed as one
    pub fn banks_of(&self, op: OpId, shape: &Shape) -> Option<Vec<i64>> {
        banks(self.ir.cx(), self.lang, self.ir.discardable(op, PARTITION), shape)
    }

    /// Banks of the array that an argument is, from its attributes
    pub fn banks_of_argument(&self, attrs: Option<&Attr>, shape: &Shape) -> Option<Vec<i64>> {
        let attr = attrs.and_then(|attrs| attrs.entry(self.ir.cx(), PARTITION));
        banks(self.ir.cx(), self.lang, attr, shape)
    }

    /// Lines behind the declaration of an array
    pub fn partition(&mut self, name: &str, banks: &[i64]) {
        for (dim, factor) in banks.iter().enumerate().filter(|(_, banks)| **banks > 1) {
            let dim = dim + 1;
            self.text.line(&format!(
                "#pragma HLS ARRAY_PARTITION variable={name} cyclic factor={factor} dim={dim}"
            ));
        }
    }

    /// Lines at the start of a loop's body
    pub fn loop_pragmas(&mut self, op: OpId) {
        if !self.lang.is_hardware() {
            return;
        }
        let (ir, cx) = (self.ir, self.ir.cx());
        if let Some(cycles) = ir.discardable(op, PIPELINE).and_then(|attr| attr.as_i64(cx)) {
            self.text.line(&format!("#pragma HLS PIPELINE II={cycles}"));
        }
        for (mark, word) in [(UNROLL, "UNROLL"), (DATAFLOW, "DATAFLOW")] {
            if ir.discardable(op, mark).is_some() {
                self.text.line(&format!("#pragma HLS {word}"));
            }
        }
    }

    /// Lines at the start of a function: how a public one is connected; one that has arrays is hardware of its own
    pub fn function_pragmas(&mut self, public: bool, params: &[Param], arrays: bool) {
        if !self.lang.is_hardware() {
            return;
        }
        if !public {
            if arrays {
                self.text.line("#pragma HLS INLINE off");
            }
            return;
        }
        let mut bundle = 0;
        for param in params {
            let name = &param.name;
            if param.part == Part::Pointer {
                self.text.line(&format!(
                    "#pragma HLS INTERFACE m_axi port={name} offset=slave bundle=gmem{bundle}"
                ));
                bundle += 1;
            }
            self.text.line(&format!("#pragma HLS INTERFACE s_axilite port={name}"));
        }
        self.text.line("#pragma HLS INTERFACE s_axilite port=return");
    }

    /// A buffer as a pointer to its first element: what is not a whole array has strides of its own
    pub fn flat(&mut self, view: View) -> View {
        if !view.array {
            return view;
        }
        let name = self.text.names.fresh(&format!("{}_flat", view.pointer));
        let words = self.pointer_words(&view);
        let first = "[0]".repeat(view.sizes.len());
        self.text.line(&format!("{words} *{name} = &{}{first};", view.pointer));
        View { pointer: name.clone(), allocated: name, array: false, ..view }
    }

    /// `a[i][j]`, of a buffer that is an array with its dimensions
    pub fn array_element(&self, view: &View, indices: &[Expr]) -> Expr {
        let places: String = indices.iter().map(|index| format!("[{}]", index.text)).collect();
        let parts: Vec<&Expr> = indices.iter().collect();
        Expr::atom(format!("{}{places}", view.pointer)).with(&parts)
    }
}
