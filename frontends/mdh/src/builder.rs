//! Computations from Rust.
//!
//! ```
//! use std::sync::Arc;
//! use terrace_frontend_mdh::builder::{Compute, arg};
//! use terrace_frontend_mdh::model::Elem;
//! use terrace_ir::Context;
//!
//! let matmul = Compute::new("matmul")
//!     .cc("i", 16)
//!     .cc("j", 1000)
//!     .pw("k", 2048, "add")
//!     .input("A", Elem::Float(32), ["i", "k"])
//!     .input("B", Elem::Float(32), ["k", "j"])
//!     .output("C", Elem::Float(32), ["i", "j"])
//!     .yields(arg(0) * arg(1));
//!
//! let dialects = [terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat();
//! let cx = Context::new(&dialects);
//! let module = matmul.module(&cx)?;
//! let mut text = String::new();
//! terrace_text::print(&module, &Default::default(), &mut text);
//! assert!(text.contains("mdh.compute \"matmul\" (i in 16, j in 1000, k in 2048 pw add)"));
//! assert!(text.contains("tensor<16x2048xf32>"), "shapes follow from index functions");
//! # Ok::<(), terrace_frontend_mdh::model::ModelError>(())
//! ```

use crate::index::{affine, conditions};
use crate::model::{
    Bin, Computation, Dim, DimCombine, Elem, Function, Input, ModelError, Op, OperatorFn, Output, Program,
    Scalar,
};
use crate::syntax::{Expr, Words};
use std::sync::Arc;
use terrace_diag::{Diags, SourceId};
use terrace_dialect_mdh::schedule::OpenSchedule;
use terrace_dialect_mdh::view::Order;
use terrace_ir::{Context, Ir};
use terrace_support::affine::AffineExpr;

/// The element of the n-th input
pub fn arg(n: usize) -> Scalar {
    Scalar::Arg(n)
}

/// The coordinate in the n-th dimension
pub fn index(n: usize) -> Scalar {
    Scalar::Index(n)
}

/// One or the other
pub fn select(test: Scalar, yes: Scalar, no: Scalar) -> Scalar {
    Scalar::Select(Box::new(test), Box::new(yes), Box::new(no))
}

/// A function of `math`, such as `exp`
pub fn call(name: &str, args: impl IntoIterator<Item = Scalar>) -> Scalar {
    Scalar::Call(name.into(), args.into_iter().collect())
}

/// Converted to a type: floats to integers towards zero, anything to `i1` by whether it is not zero
pub fn cast(to: Elem, value: impl Into<Scalar>) -> Scalar {
    Scalar::Cast(to, Box::new(value.into()))
}

impl Scalar {
    /// By an operation that has no sign in Rust
    pub fn op(self, op: Bin, other: impl Into<Scalar>) -> Scalar {
        Scalar::Op(op, Box::new(self), Box::new(other.into()))
    }

    /// The greater one
    pub fn max(self, other: impl Into<Scalar>) -> Scalar {
        self.op(Bin::Max, other)
    }

    /// The smaller one
    pub fn min(self, other: impl Into<Scalar>) -> Scalar {
        self.op(Bin::Min, other)
    }
}

impl From<f64> for Scalar {
    fn from(value: f64) -> Scalar {
        Scalar::Float(value)
    }
}

impl From<i64> for Scalar {
    fn from(value: i64) -> Scalar {
        Scalar::Int(value)
    }
}

macro_rules! signs {
    ($($name:ident $method:ident $op:ident)*) => {$(
        impl<T: Into<Scalar>> std::ops::$name<T> for Scalar {
            type Output = Scalar;

            fn $method(self, other: T) -> Scalar {
                self.op(Bin::$op, other)
            }
        }
    )*};
}
signs!(Add add Add Sub sub Sub Mul mul Mul Div div Div Rem rem Rem);

impl std::ops::Neg for Scalar {
    type Output = Scalar;

    fn neg(self) -> Scalar {
        Scalar::Neg(Box::new(self))
    }
}

/// What the author has said so far; mistakes are kept for the end
#[derive(Clone, Debug)]
pub struct Compute {
    one: Computation,
    tensors: Vec<(String, Elem, Option<Vec<i64>>)>,
    operators: Vec<OperatorFn>,
    wrong: Option<ModelError>,
}

impl Compute {
    /// A computation without dimensions
    pub fn new(name: &str) -> Compute {
        let one = Computation {
            name: name.into(),
            dims: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            conditions: Vec::new(),
            body: Vec::new(),
            schedule: None,
            offset: 0,
        };
        Compute { one, tensors: Vec::new(), operators: Vec::new(), wrong: None }
    }

    /// A dimension that is kept
    pub fn cc(self, name: &str, size: i64) -> Compute {
        self.dim(name, size, DimCombine::Cc)
    }

    /// A dimension that is folded by an operator: `add mul min max and or xor`, or the name of an operator given before
    pub fn pw(mut self, name: &str, size: i64, op: &str) -> Compute {
        let ops = self.operators_of(op);
        self.dim(name, size, DimCombine::Pw(ops, Order::Fixed))
    }

    /// A dimension that keeps prefixes by an operator
    pub fn ps(mut self, name: &str, size: i64, op: &str) -> Compute {
        let ops = self.operators_of(op);
        self.dim(name, size, DimCombine::Ps(ops))
    }

    /// A dimension
    pub fn dim(mut self, name: &str, size: i64, kind: DimCombine) -> Compute {
        self.one.dims.push(Dim { name: name.into(), size, kind });
        self
    }

    /// An operator of the author's own, for dimensions that come after
    pub fn operator(mut self, operator: OperatorFn) -> Compute {
        self.operators.push(operator);
        self
    }

    fn operators_of(&mut self, text: &str) -> Vec<Op> {
        let words = text.split(',').map(str::trim);
        words
            .map(|word| match word.parse() {
                Ok(builtin) => Op::Builtin(builtin),
                Err(()) => {
                    if !self.operators.iter().any(|operator| operator.name == word) {
                        self.fail(ModelError::NotOperator(word.into()));
                    }
                    Op::Named(word.into())
                }
            })
            .collect()
    }

    fn fail(&mut self, why: ModelError) {
        self.wrong.get_or_insert(why);
    }

    fn expr(&mut self, text: &str) -> Option<Expr> {
        let mut diags = Diags::default();
        let parsed = Words::new(SourceId(0), text, &crate::codes::D_SYNTAX, &mut diags)
            .and_then(|mut words| words.expr().ok());
        if parsed.is_none() {
            self.fail(ModelError::NotExpression(text.into()));
        }
        parsed
    }

    fn map<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) -> Vec<AffineExpr> {
        let mut all = Vec::new();
        for text in texts {
            let Some(e) = self.expr(text) else { continue };
            let dims = &self.one.dims;
            let name =
                |name: &str| dims.iter().position(|dim| dim.name == name).map(|n| AffineExpr::Dim(n as u32));
            match affine(&e, &name) {
                Some(e) => all.push(e),
                None => self.fail(ModelError::NotAffine(text.into())),
            }
        }
        all
    }

    fn tensor(&mut self, name: &str, elem: Elem) {
        match self.tensors.iter().find(|(other, ..)| other == name) {
            Some((_, other, _)) if *other != elem => self.fail(ModelError::TwoTypes(name.into())),
            Some(_) => {}
            None => self.tensors.push((name.into(), elem, None)),
        }
    }

    /// An access of an input, by index functions as text: `["2 * i + r", "c"]`
    pub fn input<'t>(mut self, tensor: &str, elem: Elem, map: impl IntoIterator<Item = &'t str>) -> Compute {
        let map = self.map(map);
        self.tensor(tensor, elem);
        let input = Input { tensor: tensor.into(), map, other: None, guard: None, whole: false };
        self.one.inputs.push(input);
        self
    }

    /// The value that stands for elements outside in the last access
    pub fn or(mut self, value: f64) -> Compute {
        match self.one.inputs.last_mut() {
            Some(input) => input.other = Some(value),
            None => self.fail(ModelError::Before { step: "or", of: "input" }),
        }
        self
    }

    /// An access of an output; several of one tensor are accesses of one output
    pub fn output<'t>(mut self, tensor: &str, elem: Elem, map: impl IntoIterator<Item = &'t str>) -> Compute {
        let map = self.map(map);
        self.tensor(tensor, elem);
        match self.one.outputs.iter_mut().find(|out| out.tensor == tensor) {
            Some(out) => out.maps.push(map),
            None => {
                let out = Output { tensor: tensor.into(), maps: vec![map], init: None, inner: false };
                self.one.outputs.push(out);
            }
        }
        self
    }

    /// The last output starts from a tensor, read by its own index functions
    pub fn into_tensor<'t>(
        mut self,
        tensor: &str,
        elem: Elem,
        map: impl IntoIterator<Item = &'t str>,
    ) -> Compute {
        let map = self.map(map);
        self.tensor(tensor, elem);
        match self.one.outputs.last_mut() {
            Some(out) => out.init = Some((tensor.into(), Some(map))),
            None => self.fail(ModelError::Before { step: "into_tensor", of: "output" }),
        }
        self
    }

    /// The last output starts from its old contents: it is an input too
    pub fn from_old(mut self) -> Compute {
        match self.one.outputs.last_mut() {
            Some(out) => out.init = Some((out.tensor.clone(), None)),
            None => self.fail(ModelError::Before { step: "from_old", of: "output" }),
        }
        self
    }

    /// Declare a tensor's sizes, where they are not to follow from index functions
    pub fn shape(mut self, tensor: &str, elem: Elem, sizes: impl IntoIterator<Item = i64>) -> Compute {
        self.tensor(tensor, elem);
        let sizes = sizes.into_iter().collect();
        if let Some((_, _, shape)) = self.tensors.iter_mut().find(|(name, ..)| name == tensor) {
            *shape = Some(sizes);
        }
        self
    }

    /// Only points where this holds contribute: `0 <= p + r - 1 < 56`
    pub fn only_where(mut self, text: &str) -> Compute {
        let Some(e) = self.expr(text) else { return self };
        let dims = &self.one.dims;
        let name =
            |name: &str| dims.iter().position(|dim| dim.name == name).map(|n| AffineExpr::Dim(n as u32));
        match conditions(&e, &name) {
            Some(all) => self.one.conditions.extend(all),
            None => self.fail(ModelError::NotCondition(text.into())),
        }
        self
    }

    /// Steps of a schedule, in the form of the paper: `1: (8,^) (^,^ ; ^) (THR.x,^) 2: …`
    pub fn schedule(mut self, steps: &str) -> Compute {
        match OpenSchedule::read(steps) {
            Ok(draft) => self.one.schedule = Some(draft),
            Err(error) => self.fail(ModelError::Schedule(error)),
        }
        self
    }

    /// The next value of the scalar function
    pub fn yields(mut self, value: Scalar) -> Compute {
        self.one.body.push(value);
        self
    }

    /// A function of this computation alone
    pub fn function(self) -> Result<(Function, Vec<OperatorFn>), ModelError> {
        if let Some(why) = self.wrong {
            return Err(why);
        }
        let wanted: usize = self.one.outputs.iter().map(|out| out.maps.len()).sum();
        if self.one.body.len() != wanted {
            return Err(ModelError::Values { given: self.one.body.len(), wanted });
        }
        if let Some(beyond) =
            self.one.body.iter().find_map(|e| beyond(e, self.one.inputs.len(), self.one.dims.len()))
        {
            return Err(beyond);
        }
        if let Some(draft) = &self.one.schedule {
            self.one.check_schedule(draft).map_err(ModelError::Schedule)?;
        }
        let name = self.one.name.clone();
        let function = Function {
            name,
            sizes: Vec::new(),
            tensors: self.tensors,
            below: Default::default(),
            computations: vec![self.one],
            offset: 0,
        };
        Ok((function, self.operators))
    }

    /// A module of this computation alone; it still has to be verified
    pub fn module(self, cx: &Arc<Context>) -> Result<Ir, ModelError> {
        let (function, operators) = self.function()?;
        Program { operators, functions: vec![function] }.module(cx, None).map_err(|(_, why)| why)
    }
}

/// An input or a dimension that is not there
fn beyond(e: &Scalar, inputs: usize, dims: usize) -> Option<ModelError> {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match e {
            Scalar::Arg(n) | Scalar::Element(n, _) if *n >= inputs => {
                return Some(ModelError::NoInput { arg: *n, inputs });
            }
            Scalar::Index(n) if *n >= dims => {
                return Some(ModelError::NoDim { index: *n, dims });
            }
            Scalar::Size(size) => return Some(ModelError::NoSize { size: *size, sizes: 0 }),
            _ => stack.extend(e.parts()),
        }
    }
    None
}
