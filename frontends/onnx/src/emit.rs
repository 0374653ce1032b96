//! Where ops go, and what the tensors of the graph are.

use crate::graph::Graph;
use crate::literal::Literal;
use crate::tensors::Folder;
use crate::types::Elem;
use crate::wrong::{Done, Place, Wrong};
use crate::{Weight, codes};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use terrace_dialect_builtin::marks::{CONSTANT, FINITE, NAME};
use terrace_dialect_stablehlo as stablehlo;
use terrace_frontend_graph::{End, elements};
use terrace_ir::{Attr, BlockId, Context, Ir, Name, Type, Value};

/// A tensor of the graph: computed, or known
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub elem: Elem,
    pub shape: Vec<i64>,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Value(Value),
    Known(Rc<Literal>),
}

impl Tensor {
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Its elements, if they are known before the program runs
    pub fn known(&self) -> Option<&Rc<Literal>> {
        match &self.content {
            Content::Known(literal) => Some(literal),
            Content::Value(_) => None,
        }
    }

    /// What computes them, if they are not known
    fn value(&self) -> Option<Value> {
        match self.content {
            Content::Value(value) => Some(value),
            Content::Known(_) => None,
        }
    }
}

impl From<Literal> for Tensor {
    fn from(literal: Literal) -> Tensor {
        let (elem, shape) = (literal.elem, literal.shape.clone());
        Tensor { elem, shape, content: Content::Known(Rc::new(literal)) }
    }
}

/// The function under construction
pub(crate) struct Emit<'a> {
    end: End<'a>,
    /// Version of the operators
    pub version: i64,
    pub folder: Folder<'a>,
    tensors: BTreeMap<String, Tensor>,
    /// How often nodes and the graph's outputs read a tensor
    reads: BTreeMap<String, usize>,
    /// Values that a node gave another name, once for each such node
    renamed: Vec<Value>,
    /// Attributes of arguments
    args: Vec<Attr>,
    /// Arguments that stand for initializers, with their elements
    weights: Vec<(Weight, Rc<Literal>, Value)>,
}

impl<'a> Deref for Emit<'a> {
    type Target = End<'a>;

    fn deref(&self) -> &End<'a> {
        &self.end
    }
}

impl DerefMut for Emit<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.end
    }
}

impl<'a> Emit<'a> {
    pub fn new(ir: &'a mut Ir, block: BlockId, graph: &Graph<'_>, folder: Folder<'a>) -> Emit<'a> {
        let mut reads = BTreeMap::new();
        let inputs = graph.nodes.iter().flat_map(|node| &node.proto.input);
        for name in inputs.chain(graph.outputs.iter().map(|port| &port.name)) {
            *reads.entry(name.clone()).or_default() += 1;
        }
        let (end, version) = (End::new(ir, block), graph.version);
        let (tensors, renamed) = (BTreeMap::new(), Vec::new());
        Emit { end, version, folder, tensors, reads, renamed, args: Vec::new(), weights: Vec::new() }
    }

    pub fn end(&mut self) -> &mut End<'a> {
        &mut self.end
    }

    pub fn cx(&self) -> &Context {
        self.end.ir.cx()
    }

    /// One of the graph's inputs
    pub fn input(&mut self, name: &str, elem: Elem, shape: Vec<i64>) {
        let value = self.new_argument(name, elem, &shape, &[]);
        self.define(name, Tensor { elem, shape, content: Content::Value(value) });
    }

    fn new_argument(&mut self, name: &str, elem: Elem, shape: &[i64], marks: &[&str]) -> Value {
        let cx = self.cx();
        let ty = cx.tensor(shape, elem.ty(cx));
        let mut attrs = vec![(cx.intern(NAME), cx.str_attr(name))];
        attrs.extend(marks.iter().map(|mark| (cx.intern(mark), cx.common().unit)));
        let attrs = cx.dict_attr(attrs);
        self.args.push(attrs);
        let value = self.end.argument(ty);
        let id = Name::Str(self.cx().intern(name));
        self.end.ir.set_value_name(value, id);
        value
    }

    /// What a name of the graph stands for
    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.tensors.get(name)
    }

    /// A tensor has this name from here on
    pub fn define(&mut self, name: &str, tensor: Tensor) {
        if let Content::Value(value) = tensor.content
            && self.end.ir.value_name(value).is_none()
        {
            let id = Name::Str(self.cx().intern(name));
            self.end.ir.set_value_name(value, id);
        }
        self.tensors.insert(name.to_string(), tensor);
    }

    /// A tensor of a value that was computed
    pub fn made(&self, value: Value, elem: Elem) -> Tensor {
        Tensor { elem, shape: self.end.shape(value), content: Content::Value(value) }
    }

    /// The value of a tensor: of a known one a constant, or an argument
    pub fn read(&mut self, tensor: &Tensor) -> Value {
        let literal = match &tensor.content {
            Content::Value(value) => return *value,
            Content::Known(literal) => literal.clone(),
        };
        if literal.is_short() {
            let cx = self.cx();
            let ty = cx.tensor(&literal.shape, literal.elem.ty(cx));
            let attr = cx.dense_attr(ty, literal.data.to_vec());
            let op = stablehlo::Constant::build(&mut self.end.b(), attr);
            return op.output(self.end.ir);
        }
        if let Some((.., value)) = self.weights.iter().find(|(_, other, _)| Rc::ptr_eq(other, &literal)) {
            return *value;
        }
        let name = self.free_name(&literal.name);
        let marks = if literal.is_finite() { &[CONSTANT, FINITE][..] } else { &[CONSTANT] };
        let value = self.new_argument(&name, literal.elem, &literal.shape, marks);
        self.weights.push((Weight { name, data: literal.data.clone() }, literal, value));
        value
    }

    /// A node gives values of its inputs on, as `Identity` does: who reads these reads what it gives
    pub fn passed_on(&mut self, inputs: &[Option<Tensor>], outputs: &[Tensor]) {
        let read: Vec<Value> = inputs.iter().flatten().filter_map(Tensor::value).collect();
        let mut given: Vec<Value> = outputs.iter().filter_map(Tensor::value).collect();
        given.retain(|value| read.contains(value));
        given.sort_unstable_by_key(|value| value.index());
        given.dedup();
        self.renamed.extend(given);
    }

    /// How often nodes, also later ones, and the graph's outputs read a value, under all of its names
    ///
    /// A node that only gives it another name does not count.
    pub fn reads_of(&self, value: Value) -> usize {
        let own = self.tensors.iter().filter(|(_, tensor)| tensor.value() == Some(value));
        let reads: usize = own.filter_map(|(name, _)| self.reads.get(name)).sum();
        let renames = self.renamed.iter().filter(|other| **other == value).count();
        reads.saturating_sub(renames)
    }

    /// The elements of an argument that stands for an initializer
    pub fn weight(&self, value: Value) -> Option<&Literal> {
        self.weights.iter().find(|(.., own)| *own == value).map(|(_, literal, _)| &**literal)
    }

    /// Other elements for such an argument, and their name; what reads the initializer later gets an argument of its own
    pub fn set_weight(&mut self, value: Value, literal: Literal) {
        let name = self.free_name(&literal.name);
        let cx = self.end.ir.cx_arc().clone();
        let place = self
            .end
            .ir
            .value_block(value)
            .and_then(|block| self.end.ir.block_args(block).iter().position(|arg| *arg == value));
        if let Some(attrs) = place.and_then(|n| self.args.get_mut(n)) {
            let mut entries = attrs.as_dict(&cx).unwrap_or(&[]).to_vec();
            entries.retain(|(key, _)| cx.str(*key) != NAME);
            entries.push((cx.intern(NAME), cx.str_attr(&name)));
            *attrs = cx.dict_attr(entries);
        }
        self.end.ir.set_value_name(value, Name::Str(cx.intern(&name)));
        if let Some(old) = self.weights.iter_mut().find(|(.., own)| *own == value) {
            let data = literal.data.clone();
            *old = (Weight { name, data }, Rc::new(literal), value);
        }
    }

    /// A name that no argument has: names of a model are there once, those that were made here perhaps not
    fn free_name(&self, wish: &str) -> String {
        let taken = |name: &str| {
            self.weights.iter().any(|(weight, ..)| weight.name == name)
                || self
                    .tensors
                    .get(name)
                    .is_some_and(|tensor| tensor.known().is_none_or(|known| known.name != wish))
        };
        let others = (2..).map(|n| format!("{wish}.{n}"));
        std::iter::once(wish.to_string()).chain(others).find(|name| !taken(name)).unwrap_or_default()
    }

    /// Types of a shape, which has not too many elements
    pub fn ty(&self, elem: Elem, shape: &[i64], at: Place) -> Done<Type> {
        if shape.iter().any(|size| *size < 0) || elements(shape).is_none() {
            let message = format!("a tensor of shape {shape:?} has too many elements, or sizes below 0");
            return Err(Wrong::new(&codes::SHAPE, message).at(at));
        }
        let cx = self.cx();
        Ok(cx.tensor(shape, elem.ty(cx)))
    }

    /// Attributes of all arguments, and the elements of those that stand for initializers
    pub fn finish(self) -> (Vec<Attr>, Vec<Weight>) {
        (self.args, self.weights.into_iter().map(|(weight, ..)| weight).collect())
    }
}
