//! A definition with its sizes and types filled in: a function of one computation

use super::parse::wrong_steps;
use super::{Access, Buffer, Comb, Definition, Done, File, Fun};
use crate::codes;
use crate::index::{affine, conditions, scalar};
use crate::model::MOST;
use crate::model::{
    Bin, Computation, Count, Dim, DimCombine, Elem, Function, Input, Op, Output, Scalar, Size, ends,
};
use crate::operators::elem;
use crate::syntax::{Expr, ExprKind, Words};
use std::collections::BTreeMap;
use terrace_diag::{Span, nearest};
use terrace_dialect_mdh::view::Condition;
use terrace_support::affine::AffineExpr;

/// Buffers by name, with element type and declared sizes
type Tensors = Vec<(String, Elem, Option<Vec<i64>>)>;

/// The function that a definition is with these values of its parameters
pub(super) fn instance(
    w: &mut Words<'_>,
    definition: &Definition,
    file: &File,
    with: &BTreeMap<String, String>,
) -> Done<Function> {
    let accesses = definition.outs.iter().chain(&definition.inps).flat_map(|buffer| buffer.accesses.first());
    let Some(first) = accesses.into_iter().next() else {
        return Err(w.error(&codes::D_ARITY, definition.span, "there is no access"));
    };
    Instance { w, d: definition, file, with, names: &first.ids, sizes: Vec::new() }.function()
}

/// A definition, the values of its parameters, and the names of its dimensions
struct Instance<'a, 'w> {
    w: &'a mut Words<'w>,
    d: &'a Definition,
    file: &'a File,
    with: &'a BTreeMap<String, String>,
    names: &'a [String],
    /// Sizes that are known at run time
    sizes: Vec<Size>,
}

impl Instance<'_, '_> {
    fn function(mut self) -> Done<Function> {
        self.same_rank()?;
        self.open_sizes()?;
        let counts = self.d.extents.iter().map(|e| self.extent(e)).collect::<Done<Vec<_>>>()?;
        let tensors = self.tensors()?;
        let inputs = self.inputs()?;
        let outputs = self.outputs()?;
        let conditions = ends(&counts).chain(self.conditions()?).collect();
        let yields = outputs.iter().map(|output| output.maps.len()).sum();
        let body = self.body(inputs.len(), yields)?;
        let dims = self.dims(&counts, outputs.len())?;
        let name = function_name(&self.d.name);
        let schedule = self.d.schedule.as_ref();
        let one = Computation {
            name: name.clone(),
            dims,
            inputs,
            outputs,
            conditions,
            body,
            schedule: schedule.map(|(draft, _)| draft.clone()),
            offset: self.d.span.start,
        };
        if let Some((draft, place)) = schedule
            && let Err(error) = one.check_schedule(draft)
        {
            return Err(wrong_steps(self.w, *place, &error));
        }
        let (sizes, offset) = (self.sizes, self.d.span.start);
        Ok(Function { name, sizes, tensors, below: Default::default(), computations: vec![one], offset })
    }

    fn rank(&self) -> usize {
        self.d.extents.len()
    }

    /// The number that a parameter stands for
    fn constant(&self, name: &str) -> Option<AffineExpr> {
        let open = self.d.open.iter().any(|(other, _)| other == name);
        let given = self.with.get(name).or_else(|| self.file.with.get(name).filter(|_| open));
        given.and_then(|text| text.parse::<i64>().ok()).map(AffineExpr::from)
    }

    /// One of these names of dimensions, or a parameter
    fn coordinate(&self, ids: &[String], text: &str) -> Option<AffineExpr> {
        let dim = ids.iter().position(|id| id == text);
        dim.map(|n| AffineExpr::Dim(n as u32)).or_else(|| self.constant(text))
    }

    /// Sizes that are known at run time: those with a bound, and no number from outside
    fn open_sizes(&mut self) -> Done<()> {
        for (name, bound) in &self.d.open {
            let most = affine(bound, &|name: &str| self.constant(name)).and_then(|e| e.as_constant());
            let Some(most) = most.filter(|most| (1..=MOST).contains(most)) else {
                let message = format!("the bound of {name} is no number from 1 to 2^40");
                return Err(self.w.error(&codes::D_TYPE, bound.span, message));
            };
            match self.constant(name).and_then(|e| e.as_constant()) {
                Some(given) if given > most => {
                    let message = format!("{name} is {given}; it is at most {most}");
                    return Err(self.w.error(&codes::D_TYPE, bound.span, message));
                }
                Some(_) => {}
                None => self.sizes.push(Size { name: name.clone(), most }),
            }
        }
        Ok(())
    }

    /// Which size that is known at run time has this name?
    fn size_named(&self, name: &str) -> Option<usize> {
        self.sizes.iter().position(|size| size.name == *name)
    }

    /// A size that is known at run time, and stands alone
    fn open(&self, e: &Expr) -> Option<Count> {
        let ExprKind::Name(name) = &e.kind else { return None };
        let n = self.size_named(name)?;
        Some(Count { most: self.sizes[n].most, open: Some(n) })
    }

    /// There are as many sizes as operators and names
    fn same_rank(&mut self) -> Done<()> {
        let (rank, combs, names) = (self.rank(), self.d.combs.len(), self.names.len());
        if names == rank && combs == rank {
            return Ok(());
        }
        let message = format!("{rank} sizes, {combs} operators, {names} names of dimensions");
        Err(self.w.error(&codes::D_ARITY, self.d.span, message))
    }

    /// The points of a dimension
    fn extent(&mut self, e: &Expr) -> Done<Count> {
        if let Some(count) = self.open(e) {
            return Ok(count);
        }
        match affine(e, &|name: &str| self.constant(name)).and_then(|e| e.as_constant()) {
            Some(size) if size > 0 => Ok(Count::of(size)),
            Some(size) => {
                let message = format!("a dimension has {size} points, not one or more");
                Err(self.w.error(&codes::D_TYPE, e.span, message))
            }
            None => {
                let name = match &e.kind {
                    ExprKind::Name(name) => Some(name),
                    _ => None,
                };
                let message =
                    name.map_or("this size is not known".into(), |name| format!("size {name} is not known"));
                let (known, text) = (&self.d.name, name.map_or("N", String::as_str));
                let help = match self.sizes.first() {
                    Some(size) if name.is_none() => {
                        format!("a size that is known at run time stands alone: `{}`", size.name)
                    }
                    _ => format!(
                        "`with {text} = 16;`, `{known}<…>;`, or `--set {text}=16`; or `int {text} <= 4096` for a number that is known at run time"
                    ),
                };
                let help = Some(help);
                Err(self.w.error_with_help(&codes::D_TYPE, e.span, &message, help))
            }
        }
    }

    fn tensors(&mut self) -> Done<Tensors> {
        let d = self.d;
        let mut tensors = Tensors::new();
        for (types, buffers, what) in [(&d.inp_types, &d.inps, "inputs"), (&d.out_types, &d.outs, "outputs")]
        {
            if types.len() != buffers.len() {
                let message = format!("{} types for {} {what}", types.len(), buffers.len());
                return Err(self.w.error(&codes::D_ARITY, d.span, message));
            }
            for (ty, buffer) in types.iter().zip(buffers) {
                let elem = elem(self.w, self.with, ty, buffer.span)?;
                let shape = self.shape(buffer)?;
                self.add_tensor(&mut tensors, buffer, elem, shape)?;
            }
        }
        Ok(tensors)
    }

    /// The sizes that a buffer is declared with
    fn shape(&mut self, buffer: &Buffer) -> Done<Option<Vec<i64>>> {
        let Some(all) = &buffer.shape else { return Ok(None) };
        let mut sizes = Vec::new();
        for e in all {
            let number = affine(e, &|name: &str| self.constant(name)).and_then(|e| e.as_constant());
            match number.or(self.open(e).map(|count| count.most)) {
                Some(size) => sizes.push(size),
                None => return Err(self.w.error(&codes::D_TYPE, e.span, "this size is not known")),
            }
        }
        Ok(Some(sizes))
    }

    /// A buffer, and in front of it the one that it starts from
    fn add_tensor(
        &mut self,
        tensors: &mut Tensors,
        buffer: &Buffer,
        elem: Elem,
        shape: Option<Vec<i64>>,
    ) -> Done<()> {
        let start = buffer.into.as_ref().map(|(name, _)| name);
        let own = start == Some(&buffer.name);
        if !own && tensors.iter().any(|(name, ..)| *name == buffer.name) {
            let message = format!("{} is input and output", buffer.name);
            return Err(self.w.error(&codes::D_DUP, buffer.span, message));
        }
        if let Some(name) = start
            && !tensors.iter().any(|(other, ..)| other == name)
        {
            tensors.push((name.clone(), elem, None));
        }
        match tensors.iter_mut().find(|(name, ..)| own && *name == buffer.name) {
            Some(known) => known.2 = known.2.take().or(shape),
            None => tensors.push((buffer.name.clone(), elem, shape)),
        }
        Ok(())
    }

    fn index(&mut self, access: &Access, e: &Expr) -> Done<AffineExpr> {
        match affine(e, &|text: &str| self.coordinate(&access.ids, text)) {
            Some(e) => Ok(e),
            None => {
                let message = "this is not affine in the names of the access";
                Err(self.w.error(&codes::D_INDEX, e.span, message))
            }
        }
    }

    fn map(&mut self, access: &Access) -> Done<Vec<AffineExpr>> {
        if access.ids.len() != self.rank() {
            let message = format!("{} names for {} dimensions", access.ids.len(), self.rank());
            return Err(self.w.error(&codes::D_ARITY, access.span, message));
        }
        access.index.iter().map(|e| self.index(access, e)).collect()
    }

    fn inputs(&mut self) -> Done<Vec<Input>> {
        let mut inputs = Vec::new();
        for buffer in &self.d.inps {
            for access in &buffer.accesses {
                let guard = access.guard.as_ref().map(|e| self.index(access, e)).transpose()?;
                let map = self.map(access)?;
                let tensor = buffer.name.clone();
                inputs.push(Input { tensor, map, other: access.other, guard, whole: false });
            }
        }
        Ok(inputs)
    }

    fn outputs(&mut self) -> Done<Vec<Output>> {
        let mut outputs = Vec::new();
        for buffer in &self.d.outs {
            let maps = buffer.accesses.iter().map(|access| self.map(access)).collect::<Done<Vec<_>>>()?;
            let init = match &buffer.into {
                Some((name, access)) => {
                    let map = access.as_ref().map(|access| self.map(access)).transpose()?;
                    Some((name.clone(), map))
                }
                None => None,
            };
            outputs.push(Output { tensor: buffer.name.clone(), maps, init, inner: false });
        }
        Ok(outputs)
    }

    fn conditions(&mut self) -> Done<Vec<Condition>> {
        let mut all = Vec::new();
        for e in &self.d.conditions {
            let size = |text: &str| self.size_named(text).map(|n| AffineExpr::Symbol(n as u32));
            match conditions(e, &|text: &str| self.coordinate(self.names, text).or_else(|| size(text))) {
                Some(found) => all.extend(found),
                None => {
                    let message = "a condition compares sums of names of dimensions";
                    return Err(self.w.error(&codes::D_INDEX, e.span, message));
                }
            }
        }
        Ok(all)
    }

    fn dims(&mut self, counts: &[Count], outputs: usize) -> Done<Vec<Dim>> {
        let mut dims = Vec::new();
        for ((name, count), comb) in self.names.iter().zip(counts).zip(&self.d.combs) {
            let kind = match comb {
                Comb::Keep => DimCombine::Cc,
                Comb::Point(words, span) => {
                    DimCombine::Pw(operators(self.w, words, *span, self.file, outputs)?, self.d.order)
                }
                Comb::Prefix(words, span) => {
                    DimCombine::Ps(operators(self.w, words, *span, self.file, outputs)?)
                }
            };
            dims.push(Dim { name: name.clone(), size: count.most, kind });
        }
        Ok(dims)
    }

    /// The scalar function for so many inputs and results
    fn body(&mut self, inputs: usize, yields: usize) -> Done<Vec<Scalar>> {
        match &self.d.function {
            Fun::Mark(mark, span) => self.marked(mark, *span, inputs, yields),
            Fun::Lambda(params, body, span) => {
                if params.len() != inputs {
                    let message = format!("{} parameters for {inputs} accesses of inputs", params.len());
                    return Err(self.w.error(&codes::D_ARITY, *span, message));
                }
                match (body.as_slice(), yields) {
                    ([one], n) if n > 1 => Ok(vec![self.value(params, one)?; n]),
                    (all, n) if all.len() == n => all.iter().map(|e| self.value(params, e)).collect(),
                    (all, n) => {
                        let message = format!("{} values for {n} accesses of outputs", all.len());
                        Err(self.w.error(&codes::D_ARITY, *span, message))
                    }
                }
            }
        }
    }

    /// An operator between all inputs
    fn marked(&mut self, mark: &str, span: Span, inputs: usize, yields: usize) -> Done<Vec<Scalar>> {
        let bin = match mark {
            "*" | "mul" => Bin::Mul,
            "+" | "add" => Bin::Add,
            "-" | "sub" => Bin::Sub,
            "min" => Bin::Min,
            "max" => Bin::Max,
            "id" if inputs == 1 => return Ok(vec![Scalar::Arg(0); yields]),
            other => {
                return Err(self.w.error(&codes::D_NAME, span, format!("`{other}` is no scalar function")));
            }
        };
        if inputs < 2 || yields != 1 {
            let message = format!("`{mark}` of {inputs} inputs for {yields} outputs; say `(x) -> …`");
            return Err(self.w.error(&codes::D_ARITY, span, message));
        }
        let with_next = |a, n| Scalar::Op(bin, Box::new(a), Box::new(Scalar::Arg(n)));
        Ok(vec![(1..inputs).fold(Scalar::Arg(0), with_next)])
    }

    /// An expression over parameters, names of dimensions and numbers
    fn value(&mut self, params: &[String], e: &Expr) -> Done<Scalar> {
        let mut leaf = |e: &Expr| match &e.kind {
            ExprKind::Name(name) => {
                let param = params.iter().position(|param| param == name).map(Scalar::Arg);
                let dim = self.names.iter().position(|dim| dim == name).map(Scalar::Index);
                let number = self.constant(name).and_then(|e| e.as_constant()).map(Scalar::Int);
                let size = self.size_named(name).map(Scalar::Size);
                Ok(param.or(dim).or(number).or(size))
            }
            _ => Ok(None),
        };
        match scalar(e, &mut leaf) {
            Ok(found) => Ok(found),
            Err(wrong) => Err(self.w.error(&codes::D_NAME, wrong.at, wrong.why)),
        }
    }
}

/// `MatMul` is `matmul` as a symbol
fn function_name(name: &str) -> String {
    name.to_lowercase()
}

fn operators(w: &mut Words<'_>, words: &[String], span: Span, file: &File, outputs: usize) -> Done<Vec<Op>> {
    let mut all = Vec::new();
    for word in words {
        let text = match word.as_str() {
            "+" => "add",
            "*" => "mul",
            "&" => "and",
            "|" => "or",
            "^" => "xor",
            other => other,
        };
        if let Ok(builtin) = text.parse() {
            all.push(Op::Builtin(builtin));
        } else if file.operators.iter().any(|operator| operator.name == *text) {
            all.push(Op::Named(text.to_string()));
        } else {
            let names = file.operators.iter().map(|operator| operator.name.as_str());
            let near = nearest(text, names.chain(["add", "mul", "min", "max", "and", "or", "xor"]));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            return Err(w.error_with_help(&codes::D_NAME, span, &format!("`{word}` is no operator"), help));
        }
    }
    let joint = all.len() == 1 && matches!(&all[0], Op::Named(_));
    if all.len() == 1 && outputs > 1 && !joint {
        // The same for every output.
        all = vec![all[0].clone(); outputs];
    }
    if all.len() != outputs && !joint {
        let message = format!("{} operators for {outputs} outputs", all.len());
        return Err(w.error(&codes::D_ARITY, span, message));
    }
    Ok(all)
}
