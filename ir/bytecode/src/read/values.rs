//! Which value a number stands for.
//!
//! A value is a number in its isolated region: those of a region follow those of the regions around it, in order of definition. An operand may come
//! before its definition; until then an op in no block stands for it.

use crate::bytes::{Bytes, Read, Wrong};
use crate::codes;
use terrace_ir::{Attr, Ir, NewOp, OpId, OpKind, Value};
use terrace_support::HashMap;

/// Values of one region
struct Region {
    /// The number of the first one, and what is behind the last one
    numbers: std::ops::Range<usize>,
    /// Those that are defined
    values: Vec<Value>,
    /// Used and not defined yet, by number: the results of these ops
    awaited: HashMap<usize, OpId>,
}

/// Values of an isolated region
struct Scope {
    /// The number of the first one
    first: usize,
    /// Regions in progress, from the outside in
    regions: Vec<Region>,
}

/// Values of all isolated regions in progress
pub struct Values {
    scopes: Vec<Scope>,
}

impl Values {
    pub fn new() -> Values {
        Values { scopes: vec![Scope { first: 0, regions: Vec::new() }] }
    }

    /// An isolated region begins; in one that the writer did not know to be isolated numbers go on
    pub fn open_scope(&mut self, goes_on: bool) {
        let first = if goes_on { self.end() } else { 0 };
        self.scopes.push(Scope { first, regions: Vec::new() });
    }

    pub fn close_scope(&mut self) {
        self.scopes.pop();
    }

    /// The number that is free
    fn end(&self) -> usize {
        let Some(scope) = self.scopes.last() else { return 0 };
        scope.regions.last().map_or(scope.first, |region| region.numbers.end)
    }

    /// A region begins that defines so many values
    pub fn open_region(&mut self, count: usize) {
        let start = self.end();
        if let Some(scope) = self.scopes.last_mut() {
            scope.regions.push(Region {
                numbers: start..start + count,
                values: Vec::new(),
                awaited: HashMap::default(),
            });
        }
    }

    pub fn close_region(&mut self, bytes: &Bytes<'_>) -> Read<()> {
        let region = self.scopes.last_mut().and_then(|scope| scope.regions.pop());
        match region {
            Some(region) if !region.awaited.is_empty() => {
                bytes.wrong("a region uses a value that nothing defines")
            }
            _ => Ok(()),
        }
    }

    /// The next number of the region stands for this value
    #[inline]
    pub fn define(&mut self, ir: &mut Ir, value: Value, bytes: &Bytes<'_>) -> Read<()> {
        let region = self.scopes.last_mut().and_then(|scope| scope.regions.last_mut());
        let Some(region) = region.filter(|region| region.values.len() < region.numbers.len()) else {
            return bytes.wrong("a region defines more values than it says");
        };
        let number = region.numbers.start + region.values.len();
        region.values.push(value);
        if !region.awaited.is_empty()
            && let Some(op) = region.awaited.remove(&number)
        {
            let awaited = ir.result(op, 0);
            ir.replace_all_uses(awaited, value);
            ir.erase(op);
        }
        Ok(())
    }

    /// The value of the next number
    #[inline]
    pub fn read(&mut self, ir: &mut Ir, bytes: &mut Bytes<'_>) -> Read<Value> {
        let at = bytes.at();
        let number = bytes.number()?;
        let scope = self.scopes.last_mut();
        let region = usize::try_from(number).ok().and_then(|number| {
            let regions = &mut scope?.regions;
            let index = regions.partition_point(|region| region.numbers.end <= number);
            let region = regions.get_mut(index).filter(|region| region.numbers.contains(&number))?;
            Some((region, number))
        });
        let Some((region, number)) = region else {
            let message = format!("value {number} is none of this region");
            return Err(Wrong::with(at, &codes::DAMAGED, message));
        };
        match region.values.get(number - region.numbers.start) {
            Some(value) => Ok(*value),
            None => {
                let op = *region.awaited.entry(number).or_insert_with(|| stand_in(ir));
                Ok(ir.result(op, 0))
            }
        }
    }
}

/// An op in no block that stands for one that follows
#[cold]
fn stand_in(ir: &mut Ir) -> OpId {
    let name = Attr::from_raw(ir.cx().intern("forward reference").raw());
    let none = [ir.cx().common().none];
    ir.create(&NewOp { results: &none, slots: &[name, None], ..NewOp::new(OpKind::UNREGISTERED) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_that_say_they_have_many_values_take_no_memory() {
        let mut values = Values::new();
        // Room for each would be more than any machine has.
        (0..100_000).for_each(|_| values.open_region(1 << 40));
        let bytes = Bytes::new(&[]);
        (0..100_000).for_each(|_| assert!(values.close_region(&bytes).is_ok()));
        assert_eq!(values.end(), 0);
    }
}
