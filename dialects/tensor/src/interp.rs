//! What the ops mean: a tensor is its elements row by row, its sizes are in its type.

use super::{
    Cast, CollapseShape, Concat, Dim, Empty, ExpandShape, Extract, ExtractSlice, FromElements, Insert,
    InsertSlice, Pad, Splat, Yield,
};
use terrace_dialect_shapes::elements;
use terrace_dialect_shapes::slices;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes, room};
use terrace_ir::{DYNAMIC, Value};

terrace_interp::interpret_by_run!(Cast CollapseShape Concat Dim Empty ExpandShape Extract ExtractSlice FromElements Insert InsertSlice Splat);

/// Sizes of a tensor; they must be numbers
pub(super) fn sizes(m: &Machine<'_>, value: Value) -> Result<Vec<i64>, Trap> {
    let shape = m.ir().ty(value).shape(m.cx()).unwrap_or(&[]);
    let count = shape.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
    if shape.contains(&DYNAMIC) {
        return Err(Trap::new(&codes::UNSUPPORTED, "a size is in no type: the interpreter does not know it"));
    }
    room(count).map(|_| shape.to_vec())
}

fn len(sizes: &[i64]) -> usize {
    sizes.iter().product::<i64>() as usize
}

fn all(m: &Machine<'_>, value: Value) -> Result<(Vec<i64>, Vec<RtValue>), Trap> {
    let sizes = sizes(m, value)?;
    let all = elements(&m.value(value), len(&sizes));
    Ok((sizes, all))
}

/// So many elements of a tensor
pub(super) fn elements_of(m: &Machine<'_>, value: Value, count: usize) -> Vec<RtValue> {
    elements(&m.value(value), count)
}

fn point(mut n: usize, sizes: &[i64]) -> Vec<i64> {
    let mut at = vec![0; sizes.len()];
    for (at, size) in at.iter_mut().zip(sizes).rev() {
        *at = (n as i64) % size;
        n /= *size as usize;
    }
    at
}

/// Place of an element; nothing outside
fn offset(index: &[i64], sizes: &[i64]) -> Option<usize> {
    let mut at = 0;
    for (i, size) in index.iter().zip(sizes) {
        if !(0..*size).contains(i) {
            return None;
        }
        at = at * *size as usize + *i as usize;
    }
    Some(at)
}

fn outside() -> Trap {
    Trap::new(&codes::BOUNDS, "out of the tensor")
}

fn set(m: &mut Machine<'_>, all: Vec<RtValue>) {
    m.set_result(0, RtValue::Vector(all.into()));
}

impl Empty {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let count = len(&sizes(m, self.result(m.ir()))?);
        set(m, vec![RtValue::Poison; count]);
        Ok(())
    }
}

impl Splat {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let count = len(&sizes(m, self.aggregate(m.ir()))?);
        let value = m.operand(0);
        set(m, vec![value; count]);
        Ok(())
    }
}

impl FromElements {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let values = m.operands();
        set(m, values);
        Ok(())
    }
}

impl Cast {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let value = m.operand(0);
        // A type that does not fit what is there is undefined: caught where sizes are known.
        if let (RtValue::Vector(all), Ok(sizes)) = (&value, sizes(m, self.dest(m.ir())))
            && all.len() != len(&sizes)
        {
            return Err(Trap::new(&codes::BOUNDS, "the tensor has another size than the type says"));
        }
        m.set_result(0, value);
        Ok(())
    }
}

impl CollapseShape {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let value = m.operand(0);
        m.set_result(0, value);
        Ok(())
    }
}

impl ExpandShape {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let value = m.operand(0);
        m.set_result(0, value);
        Ok(())
    }
}

impl Dim {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let n = m.index(self.index(m.ir()))?;
        let shape = m.ir().ty(self.source(m.ir())).shape(m.cx()).unwrap_or(&[]);
        let size = usize::try_from(n).ok().and_then(|n| shape.get(n).copied());
        match size {
            None => Err(Trap::new(&codes::BOUNDS, "the tensor has no such dimension")),
            Some(DYNAMIC) => {
                Err(Trap::new(&codes::UNSUPPORTED, "a size is in no type: the interpreter does not know it"))
            }
            Some(size) => {
                m.set_result(0, RtValue::index(size));
                Ok(())
            }
        }
    }
}

fn indices(m: &Machine<'_>, values: Vec<Value>) -> Result<Vec<i64>, Trap> {
    values.into_iter().map(|value| m.index(value)).collect()
}

impl Extract {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let sizes = sizes(m, self.tensor(ir))?;
        let at = offset(&indices(m, self.indices(ir))?, &sizes).ok_or_else(outside)?;
        let value = match m.value(self.tensor(ir)) {
            RtValue::Vector(all) => all.get(at).cloned().unwrap_or(RtValue::Poison),
            _ => RtValue::Poison,
        };
        m.set_result(0, value);
        Ok(())
    }
}

impl Insert {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (sizes, mut values) = all(m, self.dest(ir))?;
        let at = offset(&indices(m, self.indices(ir))?, &sizes).ok_or_else(outside)?;
        values[at] = m.value(self.scalar(ir));
        set(m, values);
        Ok(())
    }
}

impl Concat {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let to = sizes(m, self.result(ir))?;
        let dim = self.dim(ir).as_i64(m.cx()).unwrap_or(0) as usize;
        let mut values = vec![RtValue::Poison; len(&to)];
        let mut first = 0;
        for input in self.inputs(ir) {
            let (from, given) = all(m, input)?;
            for (n, value) in given.into_iter().enumerate() {
                let mut index = point(n, &from);
                index[dim] += first;
                values[offset(&index, &to).ok_or_else(outside)?] = value;
            }
            first += from[dim];
        }
        set(m, values);
        Ok(())
    }
}

/// Places of a part's elements in the whole
pub(super) fn places(lists: &[Vec<i64>; 3], whole: &[i64]) -> Result<Vec<usize>, Trap> {
    let [offsets, sizes, steps] = lists;
    if sizes.iter().any(|size| *size < 0) {
        return Err(outside());
    }
    let mut found = Vec::new();
    for n in 0..len(sizes) {
        let index: Vec<i64> = point(n, sizes)
            .iter()
            .zip(offsets.iter().zip(steps))
            .map(|(i, (offset, step))| offset + i * step)
            .collect();
        found.push(offset(&index, whole).ok_or_else(outside)?);
    }
    Ok(found)
}

impl ExtractSlice {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (whole, values) = all(m, self.source(m.ir()))?;
        let places = places(&slices::numbers(m, 1)?, &whole)?;
        set(m, places.into_iter().map(|at| values[at].clone()).collect());
        Ok(())
    }
}

impl InsertSlice {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (whole, mut values) = all(m, self.dest(ir))?;
        let places = places(&slices::numbers(m, 2)?, &whole)?;
        let part = elements(&m.value(self.source(ir)), places.len());
        for (at, value) in places.into_iter().zip(part) {
            values[at] = value;
        }
        set(m, values);
        Ok(())
    }
}

/// State: the number of the element in progress, then the elements found
impl Interpret for Pad {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        *m.state() = vec![RtValue::index(0)];
        self.go(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        m.state().extend(values.into_iter().take(1));
        self.go(m).into()
    }
}

impl Pad {
    fn go(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let (from, values) = (sizes(m, self.source(ir))?, m.value(self.source(ir)));
        let to = sizes(m, self.result(ir))?;
        let fixed = self.static_low(ir).as_dense_array(m.cx()).unwrap_or(&[]);
        let mut operands = self.low(ir).into_iter();
        let mut low = Vec::new();
        for number in fixed {
            let value = if *number == DYNAMIC { operands.next() } else { None };
            low.push(match value {
                Some(value) => m.index(value)?,
                None => *number,
            });
        }
        loop {
            let n = m.state().len() - 1;
            if n >= len(&to) {
                let found = std::mem::take(m.state()).into_iter().skip(1).collect();
                m.set_result(0, RtValue::Vector(found));
                return Ok(Step::Next);
            }
            let index = point(n, &to);
            let inner: Vec<i64> = index.iter().zip(&low).map(|(i, low)| i - low).collect();
            match offset(&inner, &from) {
                Some(at) => {
                    let value = match &values {
                        RtValue::Vector(all) => all.get(at).cloned().unwrap_or(RtValue::Poison),
                        _ => RtValue::Poison,
                    };
                    m.state().push(value);
                }
                None => {
                    let args = index.into_iter().map(RtValue::index).collect();
                    return Ok(Step::Enter { region: self.region(ir), args });
                }
            }
        }
    }
}

impl Interpret for Yield {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}
