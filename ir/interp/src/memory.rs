//! Memory: numbered allocations of elements, each written or not, with who used them (`races`).
//!
//! Elements of at most 64 bits are kept as bits, since they are most; other values make a list of whole values. The number
//! of an allocation is never used twice, so that a view of freed memory is known as such.

use crate::lists::filled;
use crate::races::{Owner, Races, Shadow, Use};
use crate::trap::Fault;
use crate::value::{InBytes, MemRef, RtValue, Scalar};
use terrace_ir::FloatKind;

/// Who may use an allocation
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Space {
    /// Everybody
    #[default]
    Any,
    /// What runs inside of the member that allocated it: memory of a block or of a thread
    Owner,
    /// Kernels, not the host
    Device,
}

/// What elements there are; the first one written decides
#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementKind {
    Unset,
    Int(u32),
    Float(FloatKind),
}

enum Cells {
    Packed { kind: ElementKind, bits: Vec<u64>, known: Vec<Known> },
    Values(Vec<Option<RtValue>>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    No,
    Yes,
    Poison,
}

fn packed(value: &RtValue) -> Option<(ElementKind, u64)> {
    match value {
        RtValue::Int { bits, width } if *width <= 64 => Some((ElementKind::Int(*width), *bits as u64)),
        RtValue::Float { bits, kind } => Some((ElementKind::Float(*kind), *bits)),
        RtValue::Poison => Some((ElementKind::Unset, 0)),
        _ => None,
    }
}

impl Cells {
    /// Cells of which nothing was written; none where memory ends
    fn new(count: usize) -> Option<Cells> {
        Some(Cells::Packed {
            kind: ElementKind::Unset,
            bits: filled(count, 0)?,
            known: filled(count, Known::No)?,
        })
    }

    fn none() -> Cells {
        Cells::Values(Vec::new())
    }

    fn len(&self) -> usize {
        match self {
            Cells::Packed { bits, .. } => bits.len(),
            Cells::Values(all) => all.len(),
        }
    }

    #[inline]
    fn get(&self, at: usize) -> Option<RtValue> {
        match self {
            Cells::Packed { kind, bits, known } => match (known[at], kind) {
                (Known::No, _) => None,
                (Known::Poison, _) | (_, ElementKind::Unset) => Some(RtValue::Poison),
                (Known::Yes, ElementKind::Int(width)) => {
                    Some(RtValue::Int { bits: bits[at].into(), width: *width })
                }
                (Known::Yes, ElementKind::Float(kind)) => {
                    Some(RtValue::Float { bits: bits[at], kind: *kind })
                }
            },
            Cells::Values(all) => all[at].clone(),
        }
    }

    /// The element, if it is a number
    #[inline]
    fn scalar(&self, at: usize) -> Option<Scalar> {
        match self {
            Cells::Packed { kind, bits, known } if known[at] == Known::Yes => match *kind {
                ElementKind::Int(width) => Some(Scalar::Int { bits: bits[at], width }),
                ElementKind::Float(kind) => Some(Scalar::Float { bits: bits[at], kind }),
                ElementKind::Unset => None,
            },
            _ => None,
        }
    }

    /// Set the element to a number, if it is of the kind of the others
    #[inline]
    fn set_scalar(&mut self, at: usize, value: Scalar) -> Option<()> {
        let (new, raw) = match value {
            Scalar::Int { bits, width } => (ElementKind::Int(width), bits),
            Scalar::Float { bits, kind } => (ElementKind::Float(kind), bits),
        };
        match self {
            Cells::Packed { kind, bits, known } if *kind == new => {
                (bits[at], known[at]) = (raw, Known::Yes);
                Some(())
            }
            _ => None,
        }
    }

    /// As if it had not been written
    fn forget(&mut self, at: usize) {
        match self {
            Cells::Packed { known, .. } => known[at] = Known::No,
            Cells::Values(all) => all[at] = None,
        }
    }

    #[inline]
    fn set(&mut self, at: usize, value: RtValue) -> Result<(), Fault> {
        if let Cells::Packed { kind, bits, known } = self
            && let Some((new, raw)) = packed(&value)
        {
            if new == ElementKind::Unset {
                known[at] = Known::Poison;
                return Ok(());
            }
            if *kind == ElementKind::Unset {
                *kind = new;
            }
            if *kind == new {
                (bits[at], known[at]) = (raw, Known::Yes);
                return Ok(());
            }
        }
        if !matches!(self, Cells::Values(_)) {
            let mut all = Vec::new();
            all.try_reserve_exact(self.len()).map_err(|_| Fault::Limit)?;
            all.extend((0..self.len()).map(|at| self.get(at)));
            *self = Cells::Values(all);
        }
        if let Cells::Values(all) = self {
            all[at] = Some(value);
        }
        Ok(())
    }
}

struct Alloc {
    cells: Cells,
    /// How often the place was used for an allocation, this one included
    generation: u32,
    alive: bool,
    space: Space,
    owner: Owner,
    shadow: Shadow,
}

/// All allocations of an interpreter
pub struct Memory {
    allocs: Vec<Alloc>,
    unused: Vec<u32>,
    cells_left: usize,
    driver: bool,
    pub(crate) races: Races,
}

impl Memory {
    /// Empty, for at most so many elements in all
    pub fn new(limit: usize) -> Memory {
        let (allocs, unused, races) = (Vec::new(), Vec::new(), Races::default());
        Memory { allocs, unused, cells_left: limit, driver: false, races }
    }

    /// New elements, not written yet
    pub fn alloc(&mut self, sizes: &[i64]) -> Result<MemRef, Fault> {
        self.alloc_in(sizes, Space::Any)
    }

    /// New elements that not everybody may use
    pub fn alloc_in(&mut self, sizes: &[i64], space: Space) -> Result<MemRef, Fault> {
        let mut count = 1usize;
        for size in sizes {
            let size = usize::try_from(*size).map_err(|_| Fault::Bounds)?;
            count = count.checked_mul(size).ok_or(Fault::Limit)?;
        }
        let left = self.cells_left.checked_sub(count).ok_or(Fault::Limit)?;
        let cells = Cells::new(count).ok_or(Fault::Limit)?;
        self.cells_left = left;
        let at = match self.unused.pop() {
            Some(at) => at as usize,
            None => {
                self.allocs.push(Alloc {
                    cells: Cells::none(),
                    generation: 0,
                    alive: false,
                    space,
                    owner: Owner::NOBODY,
                    shadow: Shadow::default(),
                });
                self.allocs.len() - 1
            }
        };
        let owner = self.races.owner();
        let alloc = &mut self.allocs[at];
        alloc.generation += 1;
        (alloc.cells, alloc.alive, alloc.space, alloc.owner) = (cells, true, space, owner);
        Ok(MemRef::whole(number(at, alloc.generation), sizes))
    }

    /// An allocation becomes everybody's
    pub(crate) fn share(&mut self, view: &MemRef) {
        let (at, _) = place_of(view.alloc);
        if let Some(alloc) = self.allocs.get_mut(at) {
            alloc.owner = Owner::NOBODY;
        }
    }

    /// Free an allocation by any view of it
    pub fn free(&mut self, view: &MemRef) -> Result<(), Fault> {
        self.claim(view)?;
        self.release(view.alloc).ok_or(Fault::Freed)
    }

    /// While asynchronous work may run: an allocation is made or freed now, which is a write of all its elements
    pub fn claim(&mut self, view: &MemRef) -> Result<(), Fault> {
        let (at, generation) = place_of(view.alloc);
        if !self.races.any_tasks() {
            return Ok(());
        }
        let alloc = self.allocs.get_mut(at).filter(|alloc| alloc.alive && alloc.generation == generation);
        let alloc = alloc.ok_or(Fault::Freed)?;
        (0..alloc.cells.len()).try_for_each(|place| check(&mut self.races, alloc, place, Use::Write, true))
    }

    /// Free an allocation by its number
    pub(crate) fn release(&mut self, alloc: usize) -> Option<()> {
        let (at, generation) = place_of(alloc);
        let alloc = self.allocs.get_mut(at).filter(|alloc| alloc.alive && alloc.generation == generation)?;
        alloc.alive = false;
        self.cells_left += alloc.cells.len();
        alloc.cells = Cells::none();
        alloc.shadow = Shadow::default();
        // A place whose count is used up stays free for good.
        if generation < u32::MAX {
            self.unused.push(at as u32);
        }
        Some(())
    }

    /// Allocation and element, checked; of views of bytes nothing
    #[inline]
    fn cell(&mut self, view: &MemRef, at: &[i64], how: Use) -> Result<(&mut Alloc, usize), Fault> {
        let place = place_in(view, at)?;
        if view.bytes.is_some() {
            return Err(Fault::Bounds);
        }
        self.cell_at(view.alloc, place, how)
    }

    /// Bytes of an element, as numbers of the allocation's elements
    fn bytes_of(view: &MemRef, at: &[i64], all: InBytes) -> Result<impl Iterator<Item = i64>, Fault> {
        let place = place_in(view, at)?.checked_mul(all.width.into());
        let first = place.and_then(|place| place.checked_add(all.first)).ok_or(Fault::Bounds)?;
        let end = first.checked_add(all.width.into()).ok_or(Fault::Bounds)?;
        Ok(first..end)
    }

    fn load_bytes(&mut self, view: &MemRef, at: &[i64], all: InBytes, how: Use) -> Result<RtValue, Fault> {
        let mut whole = 0u64;
        let mut poison = false;
        for (n, place) in Memory::bytes_of(view, at, all)?.enumerate() {
            let (alloc, place) = self.cell_at(view.alloc, place, how)?;
            match alloc.cells.get(place).ok_or(Fault::Uninitialized)? {
                RtValue::Int { bits, .. } => whole |= (bits as u64 & 0xFF) << (8 * n),
                _ => poison = true,
            }
        }
        Ok(match (poison, all.float) {
            (true, _) => RtValue::Poison,
            (false, Some(kind)) => RtValue::Float { bits: whole, kind },
            (false, None) => RtValue::Int { bits: whole.into(), width: u32::from(all.width) * 8 },
        })
    }

    fn store_bytes(
        &mut self,
        view: &MemRef,
        at: &[i64],
        all: InBytes,
        (value, how): (&RtValue, Use),
    ) -> Result<(), Fault> {
        for (n, place) in Memory::bytes_of(view, at, all)?.enumerate() {
            let (alloc, place) = self.cell_at(view.alloc, place, how)?;
            let byte = match packed(value) {
                Some((ElementKind::Int(_) | ElementKind::Float(_), bits)) => {
                    RtValue::Int { bits: u128::from(bits >> (8 * n) & 0xFF), width: 8 }
                }
                _ => RtValue::Poison,
            };
            alloc.cells.set(place, byte)?;
        }
        Ok(())
    }

    #[inline]
    fn cell_at(&mut self, view: usize, place: i64, how: Use) -> Result<(&mut Alloc, usize), Fault> {
        let (index, generation) = place_of(view);
        let alloc = self.allocs.get_mut(index);
        let alloc =
            alloc.filter(|alloc| alloc.alive && alloc.generation == generation).ok_or(Fault::Freed)?;
        let len = alloc.cells.len();
        let place = usize::try_from(place).ok().filter(|place| *place < len).ok_or(Fault::Bounds)?;
        if alloc.space != Space::Any || self.races.active() {
            check(&mut self.races, alloc, place, how, self.driver)?;
        }
        Ok((alloc, place))
    }

    /// Read an element
    #[inline]
    pub fn load(&mut self, view: &MemRef, at: &[i64]) -> Result<RtValue, Fault> {
        if let Some(all) = view.bytes {
            return self.load_bytes(view, at, all, Use::Read);
        }
        let (alloc, place) = self.cell(view, at, Use::Read)?;
        alloc.cells.get(place).ok_or(Fault::Uninitialized)
    }

    /// Write an element
    #[inline]
    pub fn store(&mut self, view: &MemRef, at: &[i64], value: RtValue) -> Result<(), Fault> {
        if let Some(all) = view.bytes {
            return self.store_bytes(view, at, all, (&value, Use::Write));
        }
        let (alloc, place) = self.cell(view, at, Use::Write)?;
        alloc.cells.set(place, value)
    }

    /// Read an element that is a number; nothing where the access fails or it is something else
    #[inline]
    pub(crate) fn load_scalar(&mut self, view: &MemRef, at: &[i64]) -> Option<Scalar> {
        let (alloc, place) = self.cell(view, at, Use::Read).ok()?;
        alloc.cells.scalar(place)
    }

    /// Write a number over others of its kind; nothing happens where the access fails or they are something else
    #[inline]
    pub(crate) fn store_scalar(&mut self, view: &MemRef, at: &[i64], value: Scalar) -> Option<()> {
        let (alloc, place) = self.cell(view, at, Use::Write).ok()?;
        alloc.cells.set_scalar(place, value)
    }

    /// Copy an element; one that was never written leaves one that was never written
    pub fn carry(&mut self, from: (&MemRef, &[i64]), to: (&MemRef, &[i64])) -> Result<(), Fault> {
        match self.load(from.0, from.1) {
            Ok(value) => self.store(to.0, to.1, value),
            Err(Fault::Uninitialized) => {
                let bytes = to.0.bytes;
                let places: Vec<i64> = match bytes {
                    Some(all) => Memory::bytes_of(to.0, to.1, all)?.collect(),
                    None => vec![place_in(to.0, to.1)?],
                };
                for place in places {
                    let (alloc, place) = self.cell_at(to.0.alloc, place, Use::Write)?;
                    alloc.cells.forget(place);
                }
                Ok(())
            }
            Err(fault) => Err(fault),
        }
    }

    /// Copy an element, memory of a device included: what a driver does for the host
    pub fn transfer(&mut self, from: (&MemRef, &[i64]), to: (&MemRef, &[i64])) -> Result<(), Fault> {
        let value = self.as_driver(|memory| memory.load(from.0, from.1))?;
        self.set_as_driver(to.0, to.1, value)
    }

    /// Write an element, memory of a device included
    pub fn set_as_driver(&mut self, view: &MemRef, at: &[i64], value: RtValue) -> Result<(), Fault> {
        self.as_driver(|memory| memory.store(view, at, value))
    }

    /// Every element of the allocation behind a view, row by row; `None` where nothing was written
    pub fn elements(&self, view: &MemRef) -> Result<Vec<Option<RtValue>>, Fault> {
        let (index, generation) = place_of(view.alloc);
        let alloc = self.allocs.get(index);
        let alloc = alloc.filter(|alloc| alloc.alive && alloc.generation == generation);
        let alloc = alloc.ok_or(Fault::Freed)?;
        Ok((0..alloc.cells.len()).map(|at| alloc.cells.get(at)).collect())
    }

    /// Write elements of the allocation behind a view by their number: what a kernel has left
    pub fn set_elements(
        &mut self,
        view: &MemRef,
        elements: impl IntoIterator<Item = (usize, RtValue)>,
    ) -> Result<(), Fault> {
        let (index, generation) = place_of(view.alloc);
        let alloc = self.allocs.get_mut(index);
        let alloc = alloc.filter(|alloc| alloc.alive && alloc.generation == generation);
        let cells = &mut alloc.ok_or(Fault::Freed)?.cells;
        for (at, value) in elements {
            if at >= cells.len() {
                return Err(Fault::Bounds);
            }
            cells.set(at, value)?;
        }
        Ok(())
    }

    fn as_driver<T>(&mut self, act: impl FnOnce(&mut Memory) -> T) -> T {
        self.driver = true;
        let result = act(self);
        self.driver = false;
        result
    }

    /// Read an element as a part of an atomic update
    pub fn load_atomic(&mut self, view: &MemRef, at: &[i64]) -> Result<RtValue, Fault> {
        if let Some(all) = view.bytes {
            return self.load_bytes(view, at, all, Use::Atomic);
        }
        let (alloc, place) = self.cell(view, at, Use::Atomic)?;
        alloc.cells.get(place).ok_or(Fault::Uninitialized)
    }

    /// Write an element as a part of an atomic update
    pub fn store_atomic(&mut self, view: &MemRef, at: &[i64], value: RtValue) -> Result<(), Fault> {
        if let Some(all) = view.bytes {
            return self.store_bytes(view, at, all, (&value, Use::Atomic));
        }
        let (alloc, place) = self.cell(view, at, Use::Atomic)?;
        alloc.cells.set(place, value)
    }
}

/// The element of an allocation that a view's subscripts mean
#[inline]
fn place_in(view: &MemRef, at: &[i64]) -> Result<i64, Fault> {
    if at.len() != view.sizes.len() {
        return Err(Fault::Bounds);
    }
    let mut place = view.offset;
    for ((at, size), stride) in at.iter().zip(&*view.sizes).zip(&*view.strides) {
        if at < &0 || at >= size {
            return Err(Fault::Bounds);
        }
        let step = at.checked_mul(*stride);
        place = step.and_then(|step| place.checked_add(step)).ok_or(Fault::Bounds)?;
    }
    Ok(place)
}

fn number(at: usize, generation: u32) -> usize {
    (generation as usize) << 32 | at
}

fn place_of(alloc: usize) -> (usize, u32) {
    (alloc & 0xFFFF_FFFF, (alloc >> 32) as u32)
}

/// May what runs now use this element in this way?
fn check(races: &mut Races, alloc: &mut Alloc, place: usize, how: Use, driver: bool) -> Result<(), Fault> {
    let allowed = match alloc.space {
        Space::Any => true,
        Space::Owner => races.is_inside(alloc.owner),
        Space::Device => driver || races.in_grid(),
    };
    if !allowed {
        return Err(Fault::Scope);
    }
    // What only one member knows needs no notes.
    if !races.active() || alloc.owner != Owner::NOBODY && races.owner() == alloc.owner {
        return Ok(());
    }
    if races.full() {
        return Err(Fault::Limit);
    }
    let len = alloc.cells.len();
    match races.note(&mut alloc.shadow, place, len, how) {
        Some(true) => Ok(()),
        Some(false) => Err(Fault::Race),
        None => Err(Fault::Limit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::team::{Level, TeamSpec};
    use std::sync::Arc;

    #[test]
    fn every_access_is_checked() {
        let mut memory = Memory::new(100);
        let view = memory.alloc(&[2, 3]).expect("there is room");
        assert_eq!(memory.load(&view, &[1, 2]), Err(Fault::Uninitialized));
        assert_eq!(memory.store(&view, &[1, 3], RtValue::index(1)), Err(Fault::Bounds));
        assert_eq!(memory.store(&view, &[1, 2], RtValue::index(7)), Ok(()));
        assert_eq!(memory.load(&view, &[1, 2]), Ok(RtValue::index(7)));
        assert_eq!(memory.free(&view), Ok(()));
        assert_eq!(memory.load(&view, &[1, 2]), Err(Fault::Freed));
        assert_eq!(memory.free(&view), Err(Fault::Freed));
        assert_eq!(memory.alloc(&[101]), Err(Fault::Limit));
        let again = memory.alloc(&[2, 3]).expect("there is room again");
        assert_eq!(memory.load(&view, &[1, 2]), Err(Fault::Freed));
        assert_eq!(memory.load(&again, &[1, 2]), Err(Fault::Uninitialized));
    }

    #[test]
    fn elements_of_several_bytes_share_them() {
        let mut memory = Memory::new(100);
        let bytes = memory.alloc(&[16]).expect("there is room");
        let all = InBytes { first: 4, width: 4, float: None };
        // Every second number from byte 4 on.
        let view = MemRef { sizes: [2].into(), strides: [2].into(), bytes: Some(all), ..bytes.clone() };
        memory.store(&view, &[1], RtValue::int(0x0403_0201, 32)).expect("in bounds");
        assert_eq!(memory.load(&bytes, &[13]), Ok(RtValue::int(2, 8)));
        assert_eq!(memory.load(&view, &[1]), Ok(RtValue::int(0x0403_0201, 32)));
        assert_eq!(memory.load(&view, &[0]), Err(Fault::Uninitialized));
        let past = MemRef { offset: 2, ..view };
        assert_eq!(memory.load(&past, &[1]), Err(Fault::Bounds));
    }

    #[test]
    fn values_of_any_kind_are_kept() {
        let mut memory = Memory::new(100);
        let view = memory.alloc(&[4]).expect("there is room");
        let inner = memory.alloc(&[1]).expect("there is room");
        let values = [RtValue::f32(1.5), RtValue::Poison, RtValue::int(-1, 128), RtValue::MemRef(inner)];
        for (at, value) in values.iter().enumerate() {
            assert_eq!(memory.store(&view, &[at as i64], value.clone()), Ok(()));
        }
        for (at, value) in values.into_iter().enumerate() {
            assert_eq!(memory.load(&view, &[at as i64]), Ok(value));
        }
    }

    /// Uses of element 0 by members of one team, as (member, epoch, use)
    fn uses(all: &[(u64, u32, Use)]) -> Vec<bool> {
        let mut memory = Memory::new(10);
        let view = memory.alloc(&[1]).expect("there is room");
        memory.store(&view, &[0], RtValue::index(0)).expect("it is there");
        let team = memory.races.new_team(&Arc::new(TeamSpec::new(Level::Block, "thread", vec![4])));
        let one = |&(member, epoch, how): &(u64, u32, Use)| {
            memory.races.enter(team, member, epoch);
            memory.cell(&view, &[0], how).is_ok()
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn uses_in_one_epoch_conflict() {
        use Use::{Atomic, Read, Write};
        assert_eq!(uses(&[(0, 0, Write), (1, 0, Write)]), [true, false]);
        assert_eq!(uses(&[(0, 0, Write), (1, 1, Write)]), [true, true]);
        assert_eq!(uses(&[(0, 0, Write), (0, 0, Read), (1, 0, Read)]), [true, true, false]);
        assert_eq!(uses(&[(0, 0, Read), (1, 0, Read), (2, 0, Read)]), [true, true, true]);
        assert_eq!(uses(&[(0, 0, Read), (1, 0, Read), (1, 0, Write)]), [true, true, false]);
        assert_eq!(uses(&[(0, 0, Atomic), (1, 0, Atomic), (1, 0, Read)]), [true, true, false]);
        assert_eq!(uses(&[(0, 0, Read), (1, 0, Read), (1, 1, Read), (1, 1, Write)]), [true; 4]);
    }

    #[test]
    fn what_a_nested_team_did_is_done_by_its_member() {
        let mut memory = Memory::new(10);
        let view = memory.alloc(&[1]).expect("there is room");
        let spec = |word| Arc::new(TeamSpec::new(Level::Block, word, vec![2]));
        let outer = memory.races.new_team(&spec("block"));
        memory.races.enter(outer, 0, 0);
        let inner = memory.races.new_team(&spec("thread"));
        memory.races.enter(inner, 1, 0);
        assert_eq!(memory.store(&view, &[0], RtValue::index(0)), Ok(()));
        memory.races.leave(inner);
        assert_eq!(memory.load(&view, &[0]), Ok(RtValue::index(0)));
        memory.races.enter(outer, 1, 0);
        assert_eq!(memory.load(&view, &[0]), Err(Fault::Race));
        assert_eq!(
            memory.races.conflict().map(|(text, _)| text).as_deref(),
            Some("a read here and a write by thread (1) of block (0) are not ordered")
        );
        memory.races.leave(outer);
        assert_eq!(memory.load(&view, &[0]), Ok(RtValue::index(0)));
    }
}
