//! `gpu`: where a thread is, barriers, what a subgroup exchanges. A table says how each language names things.

use crate::Flavor;
use crate::emit::{Done, Emit};
use crate::expr::{Expr, prec};
use crate::types::Scalar;
use terrace_dialect_upstream::gpu::format::{PrintedArg, adapted};
use terrace_dialect_upstream::gpu::{Dimension, Shuffle, ShuffleMode};
use terrace_ir::OpId;

/// Most threads of a block, and blocks of a grid, on any device
const THREADS: i128 = 1024;
const BLOCKS: i128 = (1 << 31) - 1;

impl Emit<'_> {
    /// An op of `gpu` inside of a kernel
    pub(crate) fn gpu(&mut self, op: OpId, name: &str) -> Done {
        if self.flavor == Flavor::OpenMp && name != "printf" {
            return self.unknown(op);
        }
        match name {
            "thread_id" | "block_id" | "block_dim" | "grid_dim" | "global_id" => {
                self.place_of_thread(op, name)
            }
            "barrier" => {
                self.flush();
                self.line(match (self.flavor, self.shares) {
                    (Flavor::Cuda, _) => "__syncthreads();",
                    (_, true) => "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
                    (_, false) => "barrier(CLK_GLOBAL_MEM_FENCE);",
                });
                Ok(())
            }
            "lane_id" | "subgroup_id" | "subgroup_size" | "num_subgroups" => self.subgroup(op, name),
            "shuffle" => self.shuffle(op),
            "subgroup_reduce" => self.subgroup_reduce(op),
            "subgroup_broadcast" => self.broadcast_lane(op),
            "rotate" => self.rotate_lanes(op),
            "dynamic_shared_memory" => self.dynamic_memory(op),
            "printf" => self.printf(op),
            _ => self.unknown(op),
        }
    }

    /// Bounds of an id from the op or the kernel's attributes
    fn limit(&self, op: OpId, hint: &str, dim: usize, most: i128) -> i128 {
        let ir = self.ir;
        let bound = ir.attr(op, "upper_bound").and_then(|attr| attr.as_i64(self.cx)).map(i128::from);
        let known = ir.attr(ir.root(), hint).and_then(|attr| crate::arith::integers(self.cx, attr));
        let known = known.and_then(|sizes| sizes.get(dim).copied());
        [bound, known].into_iter().flatten().filter(|n| *n > 0).fold(most, i128::min)
    }

    fn place_of_thread(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        if !ir.is_used(result) {
            return Ok(());
        }
        let dim = ir.attr(op, "dimension").and_then(|attr| Dimension::of(self.cx, attr));
        let dim = dim.unwrap_or(Dimension::X);
        let (axis, dim) = (dim.word(), dim as usize);
        let known = |hint: &str| {
            let sizes = ir.attr(ir.root(), hint).and_then(|attr| crate::arith::integers(self.cx, attr));
            sizes.and_then(|sizes| sizes.get(dim).copied())
        };
        let fixed = match name {
            "block_dim" => known("known_block_size"),
            "grid_dim" => known("known_grid_size"),
            _ => None,
        };
        if let Some(fixed) = fixed {
            self.set_range(result, (fixed, fixed));
            let number = self.integer(Scalar::Int(64), fixed);
            self.set(result, crate::emit::Val::Expr(number));
            return Ok(());
        }
        let (least, most) = match name {
            "thread_id" => (0, self.limit(op, "known_block_size", dim, THREADS) - 1),
            "block_id" => (0, self.limit(op, "known_grid_size", dim, BLOCKS) - 1),
            "block_dim" => (1, self.limit(op, "known_block_size", dim, THREADS)),
            "grid_dim" => (1, self.limit(op, "known_grid_size", dim, BLOCKS)),
            _ => (0, self.limit(op, "", dim, BLOCKS * THREADS) - 1),
        };
        self.set_range(result, (least, most));
        let text = match (self.flavor, name) {
            (Flavor::Cuda, "thread_id") => format!("threadIdx.{axis}"),
            (Flavor::Cuda, "block_id") => format!("blockIdx.{axis}"),
            (Flavor::Cuda, "block_dim") => format!("blockDim.{axis}"),
            (Flavor::Cuda, "grid_dim") => format!("gridDim.{axis}"),
            (Flavor::Cuda, _) => format!("(long long)blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}"),
            (_, "thread_id") => format!("get_local_id({dim})"),
            (_, "block_id") => format!("get_group_id({dim})"),
            (_, "block_dim") => format!("get_local_size({dim})"),
            (_, "grid_dim") => format!("get_num_groups({dim})"),
            (_, _) => format!("get_global_id({dim})"),
        };
        self.declare_id(result, &format!("{name}_{axis}"), text);
        Ok(())
    }

    /// A variable for an id, which the languages give as another type
    fn declare_id(&mut self, result: terrace_ir::Value, wanted: &str, text: String) {
        let ty = Scalar::of(self.cx, self.ir.ty(result)).unwrap_or(Scalar::Int(64));
        let given = self.ir.value_name(result).and_then(crate::names::identifier);
        let name = self.names.fresh(&given.unwrap_or_else(|| wanted.to_string()));
        // All fit 32 bits but places in the whole grid.
        let e = Expr { narrow: ty == Scalar::Int(64), ..Expr::new(text, prec::SUM) };
        self.define(result, self.flavor.scalar(ty), &name, &e);
    }

    fn subgroup(&mut self, op: OpId, name: &str) -> Done {
        let result = self.ir.result(op, 0);
        if self.flavor != Flavor::Cuda {
            let help = "choose a schedule without subgroups, or print CUDA C";
            return self.no_op(op, "OpenCL C 1.2 has no subgroups", help);
        }
        let thread = "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)";
        let (range, text) = match name {
            "lane_id" => ((0, 31), format!("({thread}) % 32")),
            "subgroup_id" => ((0, 31), format!("({thread}) / 32")),
            "subgroup_size" => ((32, 32), "32".to_string()),
            _ => ((1, 32), "(blockDim.x * blockDim.y * blockDim.z + 31) / 32".to_string()),
        };
        self.set_range(result, range);
        self.declare_id(result, name, text);
        Ok(())
    }

    fn shuffle(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        if self.flavor != Flavor::Cuda {
            let help = "exchange through workgroup memory, or print CUDA C";
            return self.no_op(op, "OpenCL C 1.2 has no shuffles", help);
        }
        let (result, valid) = (ir.result(op, 0), ir.result(op, 1));
        let ty = self.scalar_of(op, result)?;
        if ty.width() < 32 {
            return self.no_op(op, "shuffles exchange 32 or 64 bits", "extend the value first");
        }
        let (value, offset, width) = (ir.operand(op, 0), ir.operand(op, 1), ir.operand(op, 2));
        let range = self.range(width);
        if range.0 == range.1 && !(1..=32).contains(&range.0) {
            let why = format!("it exchanges among {} lanes, and there are 32", range.0);
            return self.no_op(op, &why, "choose subgroups of 32 threads at most");
        }
        let value = self.expr(value);
        let (offset, width) = (self.leaf(offset), self.leaf(width));
        let mode = Shuffle(op).mode(ir);
        let function = match mode {
            ShuffleMode::Idx => "__shfl_sync".to_string(),
            mode => format!("__shfl_{}_sync", mode.word()),
        };
        let mask = match range {
            (low, high) if low == high && low < 32 && low > 0 => format!("0x{:x}", (1u64 << low) - 1),
            _ => "0xffffffff".to_string(),
        };
        let args = [&Expr::atom(mask), &value, &offset, &width];
        self.flush();
        self.bind_now(result, Expr::call(&function, &args));
        if ir.is_used(valid) {
            let lane = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32";
            let lane = self.variable("int", "lane", &Expr::new(lane, prec::PRODUCT));
            let (offset, width) = (offset.at(prec::SUM), width.at(prec::SUM));
            let text = match mode {
                ShuffleMode::Xor => format!("({lane} ^ {offset}) < {width}", lane = lane.text),
                ShuffleMode::Up => format!("{} >= {offset}", lane.text),
                ShuffleMode::Down => format!("{} + {offset} < {width}", lane.text),
                ShuffleMode::Idx => format!("{offset} < {width}"),
            };
            self.bind_now(valid, Expr::new(text, prec::ORDER));
        }
        Ok(())
    }

    /// Numbers are printed as what the languages make of them anyway: small integers as `int`, small floats as `float`
    fn printf(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let format = ir.attr(op, "format").and_then(|attr| attr.as_str(self.cx)).unwrap_or("");
        let (mut args, mut kinds) = (Vec::new(), Vec::new());
        for value in ir.operands(op).collect::<Vec<_>>() {
            let e = self.expr(value);
            let ty = self.scalar_of(op, value)?;
            kinds.push(match ty {
                _ if ty.is_float() => PrintedArg::Float,
                _ if ty.width() > 32 => PrintedArg::Long,
                _ => PrintedArg::Int,
            });
            args.push(match ty {
                Scalar::F16 | Scalar::Bf16 => self.widened(ty, &e).text,
                Scalar::Bool => Expr::cast("int", &e).text,
                _ if self.flavor == Flavor::OpenMp && ty == Scalar::Int(64) => {
                    Expr::cast("long long", &e).text
                }
                _ if e.narrow || ty.width() < 32 => Expr::cast(self.flavor.scalar(ty), &e).text,
                _ => e.text,
            });
        }
        let long = if self.flavor == Flavor::OpenCl { "l" } else { "ll" };
        let format = match adapted(format, &kinds, long) {
            Ok(format) => format,
            Err(why) => return self.no_op(op, &why, "say one conversion for each operand"),
        };
        args.insert(0, quoted(&format));
        if self.flavor == Flavor::OpenMp {
            self.helpers.include("#include <stdio.h>");
        }
        self.flush();
        self.line(&format!("printf({});", args.join(", ")));
        Ok(())
    }
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
