//! `gpu`: where a thread is, barriers, what a subgroup exchanges. A table says how each language names things.

use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec, quoted};
use crate::language::ThreadId;
use crate::literals::integers;
use crate::names::identifier;
use crate::refusal::Done;
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_gpu::format::{PrintedArg, adapted};
use terrace_dialect_gpu::{self as gpu, Dimension};
use terrace_dialect_llvm as llvm;
use terrace_ir::OpId;
use terrace_lowering_table::{Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { gpu:
    Barrier any, |e, _| e.barrier();
    BlockDim any, |e, op| e.id_of_thread(op, ThreadId::BlockSize);
    BlockId any, |e, op| e.id_of_thread(op, ThreadId::Block);
    GlobalId any, |e, op| e.id_of_thread(op, ThreadId::Global);
    GridDim any, |e, op| e.id_of_thread(op, ThreadId::GridSize);
    Return any, |e, op| e.return_op(op);
    ThreadId any, |e, op| e.id_of_thread(op, ThreadId::Thread);
};

pub(crate) static FENCE: &[Lowering] = rows! { llvm:
    Fence |c, _| match c.lang.fence() {
        Some(_) => Ok(()),
        None => Err(Refusal::new("nothing orders memory between work-groups", "let a second kernel join the parts")),
    }, |e, _| e.fence();
};

pub(crate) static PRINTF: &[Lowering] = rows! { gpu:
    Printf any, |e, op| e.printf(gpu::Printf(op));
};

/// Most threads of a block, and blocks of a grid, on any device
const THREADS: i128 = 1024;
const BLOCKS: i128 = (1 << 31) - 1;

impl Emit<'_> {
    fn fence(&mut self) -> Done {
        self.flush();
        if let Some(line) = self.lang.fence() {
            self.text.line(line);
        }
        Ok(())
    }

    fn barrier(&mut self) -> Done {
        self.flush();
        self.text.line(self.lang.barrier(self.frame.shares));
        Ok(())
    }

    /// Bounds of an id from the op or the kernel's attributes
    fn limit(&self, op: OpId, hint: &str, dim: usize, most: i128) -> i128 {
        let ir = self.ir;
        let bound = ir.attr(op, "upper_bound").and_then(|attr| attr.as_i64(self.ir.cx())).map(i128::from);
        let known = ir.attr(ir.root(), hint).and_then(|attr| integers(self.ir.cx(), attr));
        let known = known.and_then(|sizes| sizes.get(dim).copied());
        [bound, known].into_iter().flatten().filter(|n| *n > 0).fold(most, i128::min)
    }

    fn id_of_thread(&mut self, op: OpId, id: ThreadId) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        if !ir.is_used(result) {
            return Ok(());
        }
        let dim = ir.attr(op, "dimension").and_then(|attr| Dimension::of(self.ir.cx(), attr));
        let dim = dim.unwrap_or(Dimension::X);
        let (axis, dim) = (dim.word(), dim as usize);
        let known = |hint: &str| {
            let sizes = ir.attr(ir.root(), hint).and_then(|attr| integers(self.ir.cx(), attr));
            sizes.and_then(|sizes| sizes.get(dim).copied())
        };
        let fixed = if id.is_size() { known(id.hint()) } else { None };
        if let Some(fixed) = fixed {
            self.values.set_range(result, (fixed, fixed));
            let number = self.helpers.integer(Scalar::Int(64), fixed);
            self.values.set(result, Val::Expr(number));
            return Ok(());
        }
        let most = match id {
            ThreadId::Thread | ThreadId::BlockSize => THREADS,
            ThreadId::Block | ThreadId::GridSize => BLOCKS,
            ThreadId::Global => BLOCKS * THREADS,
        };
        let most = self.limit(op, id.hint(), dim, most);
        self.values.set_range(result, if id.is_size() { (1, most) } else { (0, most - 1) });
        let text = self.lang.thread_id(id, axis, dim);
        let wanted = format!("{}_{axis}", self.mnemonic(op));
        self.declare_id(result, &wanted, text);
        Ok(())
    }

    /// A variable for an id, which the languages give as another type
    pub(crate) fn declare_id(&mut self, result: terrace_ir::Value, wanted: &str, text: String) {
        let ty = Scalar::of(self.ir.cx(), self.ir.ty(result)).unwrap_or(Scalar::Int(64));
        let given = self.ir.value_name(result).and_then(identifier);
        let name = self.text.names.fresh(&given.unwrap_or_else(|| wanted.to_string()));
        // All fit 32 bits but places in the whole grid.
        let e = Expr { narrow: ty == Scalar::Int(64), ..Expr::new(text, prec::SUM) };
        self.define(result, self.lang.scalar(ty), &name, &e);
    }

    /// Numbers are printed as what the languages make of them anyway: small integers as `int`, small floats as `float`
    fn printf(&mut self, printf: gpu::Printf) -> Done {
        let op = printf.id();
        let format = printf.format(self.ir).as_str(self.ir.cx()).unwrap_or("");
        let (mut args, mut kinds) = (Vec::new(), Vec::new());
        for value in printf.args(self.ir) {
            let e = self.values.expr(value);
            let ty = self.scalar_of(op, value)?;
            kinds.push(match ty {
                _ if ty.is_float() => PrintedArg::Float,
                _ if ty.width() > 32 => PrintedArg::Long,
                _ => PrintedArg::Int,
            });
            args.push(match ty {
                Scalar::F16 | Scalar::Bf16 => self.helpers.widened(ty, &e).text,
                Scalar::Bool => Expr::cast("int", &e).text,
                _ if ty == Scalar::Int(64)
                    && let Some(long) = self.lang.printed_long() =>
                {
                    Expr::cast(long, &e).text
                }
                _ if e.narrow || ty.width() < 32 => Expr::cast(self.lang.scalar(ty), &e).text,
                _ => e.text,
            });
        }
        let format = match adapted(format, &kinds, self.lang.printf_long()) {
            Ok(format) => format,
            Err(error) => return self.no_op(op, &error.to_string(), "say one conversion for each operand"),
        };
        args.insert(0, quoted(&format));
        if self.lang.is_host() {
            self.helpers.include("#include <stdio.h>");
        }
        self.flush();
        self.text.line(&format!("printf({});", args.join(", ")));
        Ok(())
    }
}
