//! Memory: buffers of places, and destinations of what a function returns.

use crate::codes;
use crate::destination::Dst;
use crate::layout::{Memory, Path, path_of, path_of_none};
use crate::lower::{Binding, Done, Lower, MOST};
use crate::reads::Found;
use std::sync::Arc;
use terrace_analysis::Range;
use terrace_dialect_gpu::AddressSpace;
use terrace_dialect_sched::{Alloc, By};
use terrace_ir::{Attr, InsertPoint, Name, OpId, Type, TypeKind, Value};
use terrace_support::affine::AffineExpr;

/// A memory by any of its names
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MemoryKind {
    /// Of the whole program
    Main,
    /// Of a block
    Shared,
    /// Of a thread
    Private,
    /// A cache or registers of the host
    Host,
}

impl Lower<'_> {
    /// The memory that a place names, and the space of its buffers
    pub fn memory_kind(&self, space: Attr) -> Done<(MemoryKind, Option<Attr>)> {
        let gpu = |space: AddressSpace| Some(space.attr(&self.cx));
        if let Some(named) = AddressSpace::of(&self.cx, space) {
            return Ok(match named {
                AddressSpace::Private => (MemoryKind::Private, Some(space)),
                AddressSpace::Workgroup => (MemoryKind::Shared, Some(space)),
                AddressSpace::Global => (MemoryKind::Main, None),
            });
        }
        Ok(match space.as_str(&self.cx).unwrap_or("") {
            "global" | "dm" | "dev" | "device" | "main" | "mm" | "ddr" => (MemoryKind::Main, None),
            "local" | "sm" | "shr" | "shared" | "workgroup" => {
                (MemoryKind::Shared, gpu(AddressSpace::Workgroup))
            }
            "private" | "rm" => (MemoryKind::Private, gpu(AddressSpace::Private)),
            "reg" | "l1" | "l2" | "l3" => (MemoryKind::Host, Some(space)),
            word => {
                let words = ["global", "local", "private", "reg", "l1", "l2", "l3"];
                let near = terrace_diag::nearest(word, words).unwrap_or("global".into());
                return self.stop(
                    &codes::PLACE,
                    format!("names a memory '{word}' that no device has"),
                    format!("did you mean `{near}`? There are global, local, private, and of the host reg, l1, l2, l3"),
                );
            }
        })
    }

    /// Buffers for a type, made here
    pub fn allocate(&mut self, ty: Type, space: Option<Attr>, name: &str) -> Done<Memory> {
        self.buffers(ty, space, name, Vec::new())
    }

    /// Buffers of the whole program for a type that each iteration of the loops around has for itself: kernels make none, so that
    /// they are made before the nest, with a part for each iteration
    pub fn allocate_outside(&mut self, ty: Type, name: &str) -> Done<Memory> {
        let root = self.ir.root();
        let mut top = match self.at {
            InsertPoint::Before(op) => Some(op),
            InsertPoint::End(block) => self.ir.block_parent(block),
        };
        while let Some(outer) = top.and_then(|op| self.ir.parent(op)).filter(|outer| *outer != root) {
            top = Some(outer);
        }
        let back = self.at;
        self.at = top.map_or(back, InsertPoint::Before);
        let own = self.own_iteration();
        let most =
            own.iter().try_fold(1i64, |all, (_, size)| all.checked_mul(*size).filter(|all| *all <= MOST));
        let done = match most {
            Some(_) => self.buffers(ty, None, name, own),
            None => self.stop(
                &codes::NO_LOOP,
                format!("is in device memory for each of more than {MOST} iterations"),
                "use `local` or `private` memory, which iterations give back",
            ),
        };
        self.at = back;
        done
    }

    fn buffers(
        &mut self,
        ty: Type,
        space: Option<Attr>,
        name: &str,
        own: Vec<(AffineExpr, i64)>,
    ) -> Done<Memory> {
        let leaves = self.leaves(ty)?;
        let mut buffers = Vec::new();
        for leaf in &leaves {
            let shape: Vec<i64> =
                own.iter().map(|(_, size)| *size).chain(leaf.shape.iter().copied()).collect();
            let ty =
                TypeKind::MemRef { shape: shape.as_slice().into(), elem: leaf.elem, layout: None, space };
            let ty = self.cx.ty(ty);
            let alloc = Alloc::build(&mut self.b(), ty);
            let buffer = alloc.memref(self.ir);
            let name = Name::Str(self.cx.intern(name));
            self.ir.set_value_name(buffer, name);
            buffers.push(buffer);
        }
        let device = space.is_none() && own.is_empty();
        Ok(Memory { leaves, buffers, device, own })
    }

    /// Fill a place where it stands
    pub fn place(&mut self, op: OpId) -> Done<()> {
        let place = terrace_dialect_array::Place(op);
        let (x, result) = (place.x(self.ir), place.result(self.ir));
        let Some(space) = self.ir.attr(op, "space") else {
            return self.stop(&codes::PLACE, "names no memory", "");
        };
        let (mut kind, mut attr) = self.memory_kind(space)?;
        if !self.on_grid && matches!(kind, MemoryKind::Shared | MemoryKind::Private) {
            // Without blocks and threads: plain memory, or registers of the host.
            attr = (kind == MemoryKind::Private).then(|| self.cx.str_attr("reg"));
            kind = MemoryKind::Host;
        }
        let ty = self.ir.ty(result);
        let top = self.ir.parent(op) == Some(self.ir.root());
        if self.is_numbers(ty) && matches!(kind, MemoryKind::Private | MemoryKind::Host) {
            // A number in a register is a number.
            let mut all = Vec::new();
            for leaf in self.leaves(ty)? {
                all.push(self.read(x, path_of_none(&leaf))?);
            }
            self.bind(result, Binding::Numbers(all));
            return Ok(());
        }
        let wanted = self.dests.get(&result).is_some_and(|all| !all.is_empty());
        if kind == MemoryKind::Main
            && top
            && !wanted
            && let Some(memory) = self.as_it_is(x)?
        {
            // Nothing changes on the way: no copy.
            self.bind(result, Binding::Memory(memory));
            return Ok(());
        }
        let memory = match self
            .dests
            .get_mut(&result)
            .filter(|all| top && kind == MemoryKind::Main && !all.is_empty())
        {
            Some(all) => all.remove(0),
            None => {
                let name = self.ir.value_name(result).unwrap_or("buffer").to_string();
                let outside = kind == MemoryKind::Main && !top && self.on_grid;
                Arc::new(match outside {
                    true => self.allocate_outside(ty, &name)?,
                    false => self.allocate(ty, attr, &name)?,
                })
            }
        };
        let mut dst = Dst::new(memory.clone());
        dst.by = self.by_words(op);
        self.write(x, Path::default(), &dst)?;
        self.bind(result, Binding::Memory(memory));
        Ok(())
    }

    /// The buffer of the whole program that holds a value, element for element where the value has it
    fn as_it_is(&mut self, value: Value) -> Done<Option<Arc<Memory>>> {
        let leaves = self.leaves(self.ir.ty(value))?;
        let [leaf] = leaves.as_slice() else { return Ok(None) };
        let (vars, quiet, back, start) = (self.vars(), self.quiet, (self.op, self.loc), self.sums.len());
        self.quiet = true;
        let ranges = leaf.shape.iter().map(|size| Range::below(*size).unwrap_or(Range::one(0)));
        let indices: Vec<_> = ranges.map(|range| self.var(None, range)).collect();
        let (mut value, mut path, mut guards) = (value, path_of(leaf, &indices), Vec::new());
        let found = self.follow(&mut value, &mut path, &mut guards);
        let same = match &found {
            Ok(Found::Memory(memory)) if memory.device && guards.is_empty() && memory.leaves.len() == 1 => {
                memory.find(&path).is_some_and(|(_, from, at)| {
                    from.shape == leaf.shape && at.iter().zip(&indices).all(|(a, b)| self.simple(a) == *b)
                })
            }
            _ => false,
        };
        (self.quiet, _) = (quiet, self.sums.truncate(start));
        self.leave(back);
        self.forget(vars);
        Ok(match found {
            Ok(Found::Memory(memory)) if same => Some(memory),
            _ => None,
        })
    }

    /// How the copy of a place runs, if it says so
    fn by_words(&self, op: OpId) -> Vec<By> {
        let all = self.ir.attr(op, "by").and_then(|attr| attr.as_array(&self.cx)).unwrap_or(&[]);
        let words = all.iter().filter_map(|word| word.as_str(&self.cx));
        words
            .filter_map(|word| match word.strip_prefix("vector ") {
                Some(lanes) => lanes.parse().ok().map(By::Vector),
                None => word.parse().ok().map(By::Level),
            })
            .collect()
    }

    /// Write what an op gives to where the function returns it, if it computes it
    pub fn deliver(&mut self, op: OpId) -> Done<()> {
        let results: Vec<Value> = self.ir.results(op).collect();
        for value in results {
            if self.ir.parent(op) != Some(self.ir.root()) || self.is_view(value) {
                continue;
            }
            let Some(memory) =
                self.dests.get_mut(&value).filter(|all| !all.is_empty()).map(|all| all.remove(0))
            else {
                continue;
            };
            self.write(value, Path::default(), &Dst::new(memory.clone()))?;
            self.bind(value, Binding::Memory(memory));
        }
        Ok(())
    }
}
