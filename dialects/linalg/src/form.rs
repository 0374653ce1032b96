//! Structured ops as maps, iterators and a body, whatever their syntax.

use super::no_form::{NoForm, OwnMap};
use super::spec::Spec;
use super::{Contract, Generic, IteratorType};
use terrace_ir::{Attr, AttrKind, DYNAMIC, Ir, OpDef, OpId, Value, attrs::DenseData};
use terrace_support::affine::{AffineExpr, AffineMap};

/// An op over an indexed space
#[derive(Clone, Debug)]
pub struct Form {
    /// Which iterators reduce
    pub reduces: Vec<bool>,
    /// Operands with their maps; a scalar's map has no results
    pub operands: Vec<(Value, AffineMap)>,
    /// How many of them are inputs; the others are outputs
    pub inputs: usize,
}

type Done<T> = Result<T, NoForm>;

fn d(n: usize) -> AffineExpr {
    AffineExpr::Dim(n as u32)
}

fn map(rank: usize, all: Vec<AffineExpr>) -> Done<AffineMap> {
    AffineMap::new(rank as u32, 0, all).ok_or(NoForm::Rank)
}

/// A list of numbers, whatever attribute holds it
pub fn numbers(ir: &Ir, op: OpId, name: &str) -> Option<Vec<i64>> {
    let cx = ir.cx();
    let attr = ir.attr(op, name)?;
    if let Some(all) = attr.as_dense_array(cx) {
        return Some(all.to_vec());
    }
    let AttrKind::Dense { ty, data } = attr.kind(cx) else { return None };
    let count = usize::try_from(ty.shape(cx)?.iter().product::<i64>()).ok()?;
    let (bytes, splat): (&[u8], bool) = match data {
        DenseData::Splat(bytes) => (bytes, true),
        DenseData::Raw(bytes) => (bytes, false),
        _ => return None,
    };
    let number = |n: usize| {
        let at = if splat { 0 } else { n * 8 };
        bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map(i64::from_le_bytes)
    };
    if count > 16 { None } else { (0..count).map(number).collect() }
}

/// Is it an op that [`Form::of`] reads?
pub fn is_structured(def: &'static OpDef) -> bool {
    matches!(
        def.name,
        "linalg.generic"
            | "linalg.contract"
            | "linalg.map"
            | "linalg.reduce"
            | "linalg.transpose"
            | "linalg.broadcast"
            | "linalg.fill"
    ) || Spec::of(def).is_some()
}

impl Form {
    /// Read an op
    pub fn of(ir: &Ir, op: OpId) -> Done<Form> {
        let operands: Vec<Value> = ir.operands(op).collect();
        let rank_of =
            |n: usize| operands.get(n).and_then(|value| ir.ty(*value).shape(ir.cx())).map_or(0, <[i64]>::len);
        let last = operands.len().saturating_sub(1);
        match ir.op_name(op) {
            "linalg.generic" => {
                let generic = Generic::cast(ir, op).ok_or(NoForm::Incomplete)?;
                let mut reduces = Vec::new();
                for kind in generic.iterator_types(ir).as_array(ir.cx()).unwrap_or(&[]) {
                    reduces.push(match IteratorType::of(ir.cx(), *kind) {
                        Some(IteratorType::Parallel) => false,
                        Some(IteratorType::Reduction) => true,
                        _ => return Err(NoForm::Iterator),
                    });
                }
                let (inputs, maps) = (generic.inputs(ir).len(), generic.indexing_maps(ir));
                with_maps(ir, reduces, maps, operands, inputs)
            }
            "linalg.contract" => {
                let maps = Contract::cast(ir, op).ok_or(NoForm::Incomplete)?.indexing_maps(ir);
                // What the result does not have is summed up.
                let kept = maps.as_array(ir.cx()).and_then(|all| all.last()?.as_affine_map(ir.cx()));
                let kept = kept.ok_or(NoForm::Maps)?;
                let reduces = (0..kept.dims).map(|n| !kept.results.iter().any(|e| e.uses_dim(n))).collect();
                with_maps(ir, reduces, maps, operands, last)
            }
            "linalg.map" | "linalg.fill" => {
                let rank = rank_of(last);
                let own = |value: &Value| match ir.ty(*value).shape(ir.cx()) {
                    Some(_) => AffineMap::identity(rank as u32),
                    None => AffineMap { dims: rank as u32, symbols: 0, results: Vec::new() },
                };
                let operands = operands.iter().map(|value| (*value, own(value))).collect();
                Ok(Form { reduces: vec![false; rank], operands, inputs: last })
            }
            "linalg.reduce" => {
                let folded = numbers(ir, op, "dimensions").unwrap_or_default();
                let (inputs, rank) = (operands.len() / 2, rank_of(0));
                let reduces: Vec<bool> = (0..rank).map(|n| folded.contains(&(n as i64))).collect();
                let whole = AffineMap::identity(rank as u32);
                let kept = map(rank, (0..rank).filter(|n| !reduces[*n]).map(d).collect())?;
                let pick = |n: usize| if n < inputs { whole.clone() } else { kept.clone() };
                let operands = operands.into_iter().enumerate().map(|(n, value)| (value, pick(n))).collect();
                Ok(Form { reduces, operands, inputs })
            }
            "linalg.transpose" => {
                let order = numbers(ir, op, "permutation").unwrap_or_default();
                // Dimension n of the result is dimension order[n] of the input.
                let mut from: Vec<Option<AffineExpr>> = vec![None; order.len()];
                for (n, source) in order.iter().enumerate() {
                    let slot = usize::try_from(*source).ok().and_then(|at| from.get_mut(at));
                    *slot.ok_or(NoForm::Permutation)? = Some(d(n));
                }
                let from = from.into_iter().collect::<Option<Vec<_>>>().ok_or(NoForm::Permutation)?;
                two(order.len(), from, operands)
            }
            "linalg.broadcast" => {
                let added = numbers(ir, op, "dimensions").unwrap_or_default();
                let rank = rank_of(1);
                two(rank, (0..rank).filter(|n| !added.contains(&(*n as i64))).map(d).collect(), operands)
            }
            _ => match Spec::of(ir.def(op)) {
                Some(spec) => of_spec(ir, op, spec, operands),
                None => Err(NoForm::Unknown),
            },
        }
    }

    /// The inputs
    pub fn ins(&self) -> &[(Value, AffineMap)] {
        &self.operands[..self.inputs]
    }

    /// The outputs
    pub fn outs(&self) -> &[(Value, AffineMap)] {
        &self.operands[self.inputs..]
    }

    /// Extent of each iterator: the size of a dimension that it alone indexes; [`DYNAMIC`] where no type has it
    pub fn extents(&self, ir: &Ir) -> Vec<i64> {
        let mut sizes = vec![DYNAMIC; self.reduces.len()];
        for (value, map) in &self.operands {
            for (e, size) in map.results.iter().zip(ir.ty(*value).shape(ir.cx()).unwrap_or(&[])) {
                if let AffineExpr::Dim(n) = e
                    && let Some(slot) = sizes.get_mut(*n as usize)
                    && *slot == DYNAMIC
                {
                    *slot = *size;
                }
            }
        }
        sizes
    }
}

fn with_maps(ir: &Ir, reduces: Vec<bool>, maps: Attr, operands: Vec<Value>, inputs: usize) -> Done<Form> {
    let cx = ir.cx();
    let maps = maps.as_array(cx).unwrap_or(&[]);
    if maps.len() != operands.len() {
        return Err(NoForm::MapCount { maps: maps.len(), operands: operands.len() });
    }
    let mut all = Vec::new();
    for (n, (value, attr)) in operands.into_iter().zip(maps).enumerate() {
        let map = attr.as_affine_map(cx).ok_or(NoForm::NoMap(n))?;
        if map.symbols != 0 {
            return Err(NoForm::Symbols(n));
        }
        if map.dims as usize != reduces.len() {
            return Err(NoForm::MapRank { map: n, loops: reduces.len() });
        }
        all.push((value, map.clone()));
    }
    Ok(Form { reduces, operands: all, inputs })
}

fn two(rank: usize, from: Vec<AffineExpr>, operands: Vec<Value>) -> Done<Form> {
    let (from, to) = (map(rank, from)?, AffineMap::identity(rank as u32));
    Ok(Form {
        reduces: vec![false; rank],
        operands: operands.into_iter().zip([from, to]).collect(),
        inputs: 1,
    })
}

fn of_spec(ir: &Ir, op: OpId, spec: &Spec, operands: Vec<Value>) -> Done<Form> {
    if operands.len() != spec.maps.len() {
        return Err(NoForm::Operands(spec.maps.len()));
    }
    let last = operands.len() - 1;
    let rank = match spec.iterators {
        "*" => ir.ty(operands[last]).shape(ir.cx()).map_or(0, <[i64]>::len),
        all => all.len(),
    };
    let reduces: Vec<bool> = if spec.iterators == "*" {
        vec![false; rank]
    } else {
        spec.iterators.bytes().map(|c| c == b'r').collect()
    };
    if let Some(maps) =
        ir.attr(op, "indexing_maps").filter(|maps| maps.as_array(ir.cx()).is_some_and(|all| !all.is_empty()))
    {
        let form = with_maps(ir, reduces, maps, operands, last)?;
        for (n, ((_, map), text)) in form.operands.iter().zip(spec.maps).enumerate() {
            own_dims(map, &spec.subscripts(text, rank, &[], &[]), &form.reduces, n == last)
                .map_err(|why| NoForm::MapOf(n, why))?;
        }
        return Ok(form);
    }
    let windows = spec.windows();
    let steps = |name: &str| -> Done<Vec<i64>> {
        match ir.attr(op, name) {
            None => Ok(vec![1; windows]),
            Some(_) => match numbers(ir, op, name).filter(|all| all.len() == windows) {
                Some(all) => Ok(all),
                None => Err(NoForm::Steps { name: name.into(), windows }),
            },
        }
    };
    let (strides, dilations) = (steps("strides")?, steps("dilations")?);
    let mut all = Vec::new();
    for (value, text) in operands.into_iter().zip(spec.maps) {
        all.push((value, map(rank, spec.subscripts(text, rank, &strides, &dilations))?));
    }
    Ok(Form { reduces, operands: all, inputs: last })
}

/// May a map stand for the op's own one? Other orders may, and inputs that are the same along what is kept
fn own_dims(map: &AffineMap, own: &[AffineExpr], reduces: &[bool], output: bool) -> Result<(), OwnMap> {
    let known = map.results.iter().enumerate().all(|(n, e)| own.contains(e) && !map.results[..n].contains(e));
    if !known {
        return Err(OwnMap::Foreign);
    }
    if output && map.results.len() != own.len() {
        return Err(OwnMap::OutputPart);
    }
    let folded = |e: &&AffineExpr| matches!(e, AffineExpr::Dim(n) if reduces.get(*n as usize) == Some(&true));
    match own.iter().filter(folded).all(|e| map.results.contains(e)) {
        true => Ok(()),
        false => Err(OwnMap::Folded),
    }
}
