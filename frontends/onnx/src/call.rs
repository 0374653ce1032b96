//! A node with its tensors, as the tables of operators see it.

use crate::emit::{Emit, Tensor};
use crate::graph::Node;
use crate::listing::operator;
use crate::literal::Literal;
use crate::types::Elem;
use crate::wrong::{Done, Wrong};
use crate::{attributes, codes};
use terrace_diag::Code;
use terrace_dialect_stablehlo as stablehlo;
use terrace_dialect_stablehlo::ComparisonDirection;
use terrace_frontend_graph::{Start, broadcast_shape};
use terrace_ir::{OpDef, Type, Value};

/// A node that is made into ops
pub(crate) struct Call<'c, 'a> {
    pub e: &'c mut Emit<'a>,
    pub node: &'c Node<'c>,
    /// `None` for those that are left out
    pub inputs: Vec<Option<Tensor>>,
}

impl Call<'_, '_> {
    /// The operator's name
    pub fn op(&self) -> String {
        operator(self.node.proto)
    }

    pub fn version(&self) -> i64 {
        self.e.version
    }

    pub fn wrong(&self, code: Code, message: impl std::fmt::Display) -> Wrong {
        Wrong::new(code, format!("node `{}`: {message}", self.node.label)).at(self.node.at)
    }

    /// Ranks, sizes, types
    pub fn shape_wrong(&self, message: impl std::fmt::Display) -> Wrong {
        self.wrong(&codes::SHAPE, message)
    }

    /// An input that must be there
    pub fn input(&self, n: usize) -> Done<Tensor> {
        let found = self.inputs.get(n).cloned().flatten();
        found.ok_or_else(|| self.shape_wrong(format!("input {n} of `{}` is left out", self.op())))
    }

    /// An input that may be left out
    pub fn optional(&self, n: usize) -> Option<Tensor> {
        self.inputs.get(n).cloned().flatten()
    }

    /// An input and its value
    pub fn value(&mut self, n: usize) -> Done<(Tensor, Value)> {
        let tensor = self.input(n)?;
        let value = self.e.read(&tensor);
        Ok((tensor, value))
    }

    /// An input that must be of floats
    pub fn float_input(&self, n: usize) -> Done<Tensor> {
        let tensor = self.input(n)?;
        match tensor.elem.is_float() {
            true => Ok(tensor),
            false => {
                Err(self.shape_wrong(format!("`{}` takes floats, not {}", self.op(), tensor.elem.name())))
            }
        }
    }

    /// An input that must be of a type, and its value
    pub fn value_of(&mut self, n: usize, elem: Elem) -> Done<Value> {
        let (tensor, value) = self.value(n)?;
        if tensor.elem == elem {
            return Ok(value);
        }
        let (a, b) = (elem.name(), tensor.elem.name());
        Err(self.shape_wrong(format!("inputs are of one type, found {a} and {b}")))
    }

    /// Integers that must be known now
    pub fn known_ints(&self, n: usize, what: &str) -> Done<Vec<i64>> {
        let tensor = self.input(n)?;
        let ints = tensor.known().and_then(|known| known.ints());
        ints.ok_or_else(|| {
            let message =
                format!("input {n} of `{}`, {what}, is not known before the program runs", self.op());
            self.wrong(&codes::UNKNOWN, message).help("make it an initializer or a constant of the model")
        })
    }

    /// As [`Self::known_ints`], nothing if it is left out
    pub fn known_ints_if(&self, n: usize, what: &str) -> Done<Option<Vec<i64>>> {
        match self.optional(n) {
            Some(_) => self.known_ints(n, what).map(Some),
            None => Ok(None),
        }
    }

    pub fn int(&self, name: &str, default: i64) -> Done<i64> {
        Ok(attributes::int(self.node, name)?.unwrap_or(default))
    }

    pub fn float(&self, name: &str, default: f64) -> Done<f64> {
        Ok(attributes::float(self.node, name)?.unwrap_or(default))
    }

    pub fn ints(&self, name: &str) -> Done<Option<Vec<i64>>> {
        Ok(attributes::ints(self.node, name)?.map(<[i64]>::to_vec))
    }

    pub fn text(&self, name: &str, default: &'static str) -> Done<&str> {
        Ok(attributes::text(self.node, name)?.unwrap_or(default))
    }

    /// A value of an attribute that has no form here
    pub fn no_form(&self, name: &str, value: impl std::fmt::Display) -> Wrong {
        let message = format!("`{name} = {value}` of `{}` has no form here", self.op());
        self.wrong(&codes::ATTRIBUTE, message)
    }

    /// A dimension, from the end where it is negative
    pub fn axis(&self, axis: i64, rank: usize) -> Done<usize> {
        let place = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
        match (0..rank as i64).contains(&place) {
            true => Ok(place as usize),
            false => {
                Err(self.shape_wrong(format!("axis {axis} is out of range: there are {rank} dimensions")))
            }
        }
    }

    /// Dimensions, each once, in rising order
    pub fn axes(&self, axes: &[i64], rank: usize) -> Done<Vec<i64>> {
        let mut all = Vec::new();
        for axis in axes {
            let place = self.axis(*axis, rank)? as i64;
            if all.contains(&place) {
                return Err(self.shape_wrong(format!("axis {axis} is there twice")));
            }
            all.push(place);
        }
        all.sort_unstable();
        Ok(all)
    }

    pub fn ty(&self, elem: Elem, shape: &[i64]) -> Done<Type> {
        self.e.ty(elem, shape, self.node.at)
    }

    /// One number in a shape
    pub fn splat(&mut self, number: f64, elem: Elem, shape: &[i64]) -> Done<Value> {
        let ty = self.ty(elem, shape)?;
        self.e.splat(number, ty).ok_or_else(|| {
            self.shape_wrong(format!("it needs the number {number}, which {} does not have", elem.name()))
        })
    }

    /// The value of an op on values of one type
    pub fn same(&mut self, def: &'static OpDef, operands: &[Value]) -> Value {
        let ty = self.e.ir.ty(operands[0]);
        self.e.value(def, operands, ty)
    }

    /// An op on a value and one number
    pub fn with(&mut self, def: &'static OpDef, value: Value, number: f64, elem: Elem) -> Done<Value> {
        let shape = self.e.shape(value);
        let number = self.splat(number, elem, &shape)?;
        Ok(self.same(def, &[value, number]))
    }

    pub fn compare(&mut self, a: Value, b: Value, direction: ComparisonDirection) -> Value {
        let cx = self.e.cx();
        let ty = cx.tensor(&self.e.shape(a), cx.common().i1);
        let made = stablehlo::Compare::build(&mut self.e.b(), a, b, direction, ty);
        made.result(self.e.ir)
    }

    /// A value in a shape that it is broadcast to
    pub fn fit(&mut self, value: Value, shape: &[i64]) -> Done<Value> {
        self.ty(Elem::BOOL, shape)?;
        let from = self.e.shape(value);
        self.e.fit(value, shape).ok_or_else(|| {
            self.shape_wrong(format!("an input of shape {from:?} cannot be broadcast to {shape:?}"))
        })
    }

    /// Inputs of one type, broadcast to one shape
    pub fn broadcast(&mut self, inputs: &[usize]) -> Done<(Elem, Vec<Value>)> {
        let tensors = inputs.iter().map(|n| self.input(*n)).collect::<Done<Vec<Tensor>>>()?;
        let mut shape = Vec::new();
        for tensor in &tensors {
            shape = broadcast_shape(&shape, &tensor.shape).ok_or_else(|| {
                let (a, b) = (&shape, &tensor.shape);
                self.shape_wrong(format!("shapes {a:?} and {b:?} cannot be broadcast to one"))
            })?;
            if tensor.elem != tensors[0].elem {
                let (a, b) = (tensors[0].elem.name(), tensor.elem.name());
                return Err(self.shape_wrong(format!("inputs are of one type, found {a} and {b}")));
            }
        }
        let mut values = Vec::new();
        for tensor in &tensors {
            let value = self.e.read(tensor);
            values.push(self.fit(value, &shape)?);
        }
        Ok((tensors[0].elem, values))
    }

    /// Dimensions folded
    pub fn fold(&mut self, value: Value, axes: &[i64], def: &'static OpDef, start: Start) -> Done<Value> {
        if axes.is_empty() {
            return Ok(value);
        }
        let found = self.e.fold(value, axes, def, start);
        found.ok_or_else(|| self.shape_wrong("elements of this type cannot be reduced so"))
    }

    /// A value without these dimensions, broadcast along them again
    pub fn spread(&mut self, value: Value, axes: &[i64], shape: &[i64]) -> Done<Value> {
        let dims: Vec<i64> = (0..shape.len() as i64).filter(|dim| !axes.contains(dim)).collect();
        let elem = self.e.elem(value);
        let to = self.e.cx().tensor(shape, elem);
        Ok(self.e.broadcast(value, &dims, to))
    }

    /// A list of numbers along one dimension of a shape
    pub fn along(&mut self, value: Value, dim: usize, shape: &[i64]) -> Done<Value> {
        let sizes = self.e.shape(value);
        if sizes != [shape[dim]] {
            let message = format!("a list of {} numbers is needed, found shape {sizes:?}", shape[dim]);
            return Err(self.shape_wrong(message));
        }
        let elem = self.e.elem(value);
        let to = self.e.cx().tensor(shape, elem);
        Ok(self.e.broadcast(value, &[dim as i64], to))
    }

    /// The tensor of a value that was computed
    pub fn made(&self, value: Value, elem: Elem) -> Tensor {
        self.e.made(value, elem)
    }

    /// Integers that are known
    pub fn known(&self, shape: Vec<i64>, numbers: &[i64]) -> Tensor {
        let name = self.node.proto.output.first().map_or("", |name| name.as_str());
        Literal::shaped_ints(name, shape, numbers).into()
    }
}
