//! Memory: numbered allocations of elements, each written or not.

use crate::value::{MemRef, RtValue};

struct Alloc {
    cells: Vec<Option<RtValue>>,
    alive: bool,
}

/// Why an access failed
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Outside of the view or the allocation
    Bounds,
    /// Never written
    Uninitialized,
    /// Freed
    Freed,
    /// Beyond the limit
    Limit,
}

/// All allocations of an interpreter
pub struct Memory {
    allocs: Vec<Alloc>,
    cells_left: usize,
}

impl Memory {
    /// Empty, for at most so many elements in all
    pub fn new(limit: usize) -> Memory {
        Memory { allocs: Vec::new(), cells_left: limit }
    }

    /// New elements, not written yet
    pub fn alloc(&mut self, sizes: &[i64]) -> Result<MemRef, Fault> {
        let mut count = 1usize;
        for size in sizes {
            let size = usize::try_from(*size).map_err(|_| Fault::Bounds)?;
            count = count.checked_mul(size).ok_or(Fault::Limit)?;
        }
        self.cells_left = self.cells_left.checked_sub(count).ok_or(Fault::Limit)?;
        self.allocs.push(Alloc { cells: vec![None; count], alive: true });
        Ok(MemRef::whole(self.allocs.len() - 1, sizes))
    }

    /// Free an allocation by any view of it
    pub fn free(&mut self, view: &MemRef) -> Result<(), Fault> {
        let alloc = self.allocs.get_mut(view.alloc).filter(|alloc| alloc.alive).ok_or(Fault::Freed)?;
        alloc.alive = false;
        self.cells_left += alloc.cells.len();
        alloc.cells = Vec::new();
        Ok(())
    }

    fn cell(&mut self, view: &MemRef, at: &[i64]) -> Result<&mut Option<RtValue>, Fault> {
        if at.len() != view.sizes.len()
            || at.iter().zip(&*view.sizes).any(|(at, size)| !(0..*size).contains(at))
        {
            return Err(Fault::Bounds);
        }
        let mut place = i128::from(view.offset);
        for (at, stride) in at.iter().zip(&*view.strides) {
            place += i128::from(*at) * i128::from(*stride);
        }
        let alloc = self.allocs.get_mut(view.alloc).filter(|alloc| alloc.alive).ok_or(Fault::Freed)?;
        usize::try_from(place).ok().and_then(|place| alloc.cells.get_mut(place)).ok_or(Fault::Bounds)
    }

    /// Read an element
    pub fn load(&mut self, view: &MemRef, at: &[i64]) -> Result<RtValue, Fault> {
        self.cell(view, at)?.clone().ok_or(Fault::Uninitialized)
    }

    /// Write an element
    pub fn store(&mut self, view: &MemRef, at: &[i64], value: RtValue) -> Result<(), Fault> {
        *self.cell(view, at)? = Some(value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
