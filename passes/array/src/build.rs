//! Right sides: ops are built one after the other, their types inferred, their conditions on sizes asked.

use crate::site::{Fun, Site};
use terrace_analysis::nat::Nat;
use terrace_dialect_arith::Constant;
use terrace_dialect_array::nat_text::nat_attr;
use terrace_dialect_array::patterns::{self, Pattern};
use terrace_dialect_array::{Get, Join, Place, Slice, Slide, Split, Transpose, Tuple, Yield, Zip, layout};
use terrace_ir::ir::ValueMap;
use terrace_ir::{Attr, InsertPoint, Name, NewOp, OpDef, OpId, Type, TypeKind, Value};
use terrace_rewrite::{Miss, OrMiss};

/// Attributes by name
pub type Attrs<'a> = &'a [(&'a str, Option<Attr>)];

/// What fills a function: from its arguments to what it yields
pub type Body<'b, 'r, 'i> = &'b mut dyn FnMut(&mut Site<'r, 'i>, &[Value]) -> Result<Vec<Value>, Miss>;

fn slots(def: &OpDef, attrs: Attrs<'_>) -> Vec<Option<Attr>> {
    let of = |name: &str| attrs.iter().find(|(other, _)| *other == name).and_then(|(_, attr)| *attr);
    def.attrs.iter().map(|spec| of(spec.name)).collect()
}

impl<'r, 'i> Site<'r, 'i> {
    /// A size as a property
    pub fn nat_attr(&self, nat: &Nat) -> Attr {
        nat_attr(self.cx(), nat)
    }

    /// Put an op here
    pub fn insert(&mut self, new: &NewOp<'_>) -> OpId {
        let (at, root) = (self.at, self.op);
        self.rw.edit(|ir| {
            let loc = ir.loc(root);
            let op = ir.create(&NewOp { loc, ..new.clone() });
            match at {
                InsertPoint::Before(next) => ir.insert_before(next, op),
                InsertPoint::End(block) => ir.append(block, op),
            }
            op
        })
    }

    /// A layout op with its results
    pub fn views(
        &mut self,
        def: &'static OpDef,
        operands: &[Value],
        attrs: Attrs<'_>,
    ) -> Result<Vec<Value>, Miss> {
        let types: Vec<Type> = operands.iter().map(|value| self.ir().ty(*value)).collect();
        let of = |name: &str| attrs.iter().find(|(other, _)| *other == name).and_then(|(_, attr)| *attr);
        let shape = match layout::shape(self.cx(), def, &types, &of) {
            Ok(shape) => shape,
            Err(why) => return self.miss("the right side has no type", why.to_string()),
        };
        self.obligations(&shape.obligations)?;
        let (kind, slots) = (self.kind(def)?, slots(def, attrs));
        let new = NewOp { operands, results: &shape.results, slots: &slots, ..NewOp::new(kind) };
        let op = self.insert(&new);
        Ok(self.ir().results(op).collect())
    }

    /// A layout op with one result
    pub fn view(&mut self, def: &'static OpDef, operands: &[Value], attrs: Attrs<'_>) -> Result<Value, Miss> {
        let results = self.views(def, operands, attrs)?;
        results.first().copied().or_miss("the op has no result")
    }

    /// The same layout op on another value
    pub fn view_like(&mut self, op: OpId, operands: &[Value]) -> Result<Value, Miss> {
        let def = self.ir().def(op);
        layout::is_layout_def(def).or_miss("no layout op")?;
        let names = def.attrs.iter();
        let attrs: Vec<(&str, Option<Attr>)> =
            names.map(|spec| (spec.name, self.ir().attr(op, spec.name))).collect();
        self.view(def, operands, &attrs)
    }

    /// `split n x`
    pub fn split(&mut self, n: &Nat, x: Value) -> Result<Value, Miss> {
        let n = self.nat_attr(n);
        self.view(Split::DEF, &[x], &[("size", Some(n))])
    }

    /// `join x`
    pub fn join(&mut self, x: Value) -> Result<Value, Miss> {
        self.view(Join::DEF, &[x], &[])
    }

    /// `transpose x`
    pub fn transpose(&mut self, x: Value) -> Result<Value, Miss> {
        self.view(Transpose::DEF, &[x], &[])
    }

    /// `slide size by step x`
    pub fn slide(&mut self, strict: bool, size: &Nat, step: &Nat, x: Value) -> Result<Value, Miss> {
        let (size, step) = (self.nat_attr(size), self.nat_attr(step));
        let strict = strict.then(|| self.cx().common().unit);
        self.view(Slide::DEF, &[x], &[("size", Some(size)), ("step", Some(step)), ("strict", strict)])
    }

    /// `slice offset, size x`
    pub fn slice(&mut self, offset: &Nat, size: &Nat, x: Value) -> Result<Value, Miss> {
        let (offset, size) = (self.nat_attr(offset), self.nat_attr(size));
        self.view(Slice::DEF, &[x], &[("offset", Some(offset)), ("size", Some(size))])
    }

    /// `zip xs`; one alone is itself
    pub fn zip(&mut self, xs: &[Value]) -> Result<Value, Miss> {
        if let [one] = xs { Ok(*one) } else { self.view(Zip::DEF, xs, &[]) }
    }

    /// `get k x`
    pub fn get(&mut self, k: usize, x: Value) -> Result<Value, Miss> {
        let k = self.nat_attr(&Nat::from(k as i64));
        self.view(Get::DEF, &[x], &[("component", Some(k))])
    }

    /// Components of a tuple, as a function gets them
    pub fn apart(&mut self, x: Value) -> Result<Vec<Value>, Miss> {
        match self.ir().ty(x).kind(self.cx()) {
            TypeKind::Tuple(types) => {
                let count = types.len();
                (0..count).map(|k| self.get(k, x)).collect()
            }
            _ => Ok(vec![x]),
        }
    }

    /// Several values as one
    pub fn pack(&mut self, xs: &[Value]) -> Result<Value, Miss> {
        if let [one] = xs { Ok(*one) } else { self.view(Tuple::DEF, xs, &[]) }
    }

    /// `place space x`
    pub fn place(&mut self, space: Attr, x: Value) -> Result<Value, Miss> {
        self.view(Place::DEF, &[x], &[("space", Some(space))])
    }

    /// A pattern with its function
    pub fn pattern(
        &mut self,
        pattern: Pattern,
        operands: &[Value],
        attrs: Attrs<'_>,
        body: Body<'_, 'r, 'i>,
    ) -> Result<Value, Miss> {
        let types: Vec<Type> = operands.iter().map(|value| self.ir().ty(*value)).collect();
        let of = |name: &str| attrs.iter().find(|(other, _)| *other == name).and_then(|(_, attr)| *attr);
        let args = match patterns::arguments(self.cx(), pattern, &types, &of) {
            Ok(args) => args,
            Err(why) => return self.miss("the right side has no type", why.to_string()),
        };
        let def = pattern.def();
        let (kind, end, slots) = (self.kind(def)?, self.kind(Yield::DEF)?, slots(def, attrs));
        // The type follows from what the function yields.
        let later = self.cx().common().index;
        let new = NewOp { operands, results: &[later], slots: &slots, regions: 1, ..NewOp::new(kind) };
        let op = self.insert(&new);
        let (block, args) = self.rw.edit(|ir| {
            let block = ir.append_block(ir.region(op, 0));
            let args: Vec<Value> = args.iter().map(|ty| ir.add_block_arg(block, *ty)).collect();
            (block, args)
        });
        let outside = std::mem::replace(&mut self.at, InsertPoint::End(block));
        let yields = body(self, &args)?;
        self.insert(&NewOp { operands: &yields, ..NewOp::new(end) });
        self.at = outside;
        let yielded: Vec<Type> = yields.iter().map(|value| self.ir().ty(*value)).collect();
        let (ty, obligations) = match patterns::result(self.cx(), pattern, &types, &of, &yielded) {
            Ok(found) => found,
            Err(why) => return self.miss("the right side has no type", why.to_string()),
        };
        self.obligations(&obligations)?;
        let result = self.ir().result(op, 0);
        self.rw.edit(|ir| ir.set_type(result, ty));
        Ok(result)
    }

    /// `map f x`, with name and level of another map
    pub fn map_like(&mut self, like: OpId, x: Value, body: Body<'_, 'r, 'i>) -> Result<Value, Miss> {
        let attrs = ["name", "level"].map(|name| (name, self.ir().attr(like, name)));
        self.pattern(Pattern::Map, &[x], &attrs, body)
    }

    /// `map f x` at an undecided level
    pub fn map(&mut self, x: Value, body: Body<'_, 'r, 'i>) -> Result<Value, Miss> {
        self.pattern(Pattern::Map, &[x], &[], body)
    }

    /// `map f x` with this name, or the level and, if there is none, the name of another map
    pub fn map_named(
        &mut self,
        name: Option<&str>,
        like: Option<OpId>,
        x: Value,
        body: Body<'_, 'r, 'i>,
    ) -> Result<Value, Miss> {
        let of = |s: &Self, attr| like.and_then(|like| s.ir().attr(like, attr));
        let name = name.map(|name| self.cx().str_attr(name)).or_else(|| of(self, "name"));
        self.pattern(Pattern::Map, &[x], &[("name", name), ("level", of(self, "level"))], body)
    }

    /// `map f x` at the level of another map, with a name of its own or none
    pub fn map_rest(
        &mut self,
        like: OpId,
        name: &str,
        x: Value,
        body: Body<'_, 'r, 'i>,
    ) -> Result<Value, Miss> {
        let name = (!name.is_empty()).then(|| self.cx().str_attr(name));
        let level = self.ir().attr(like, "level");
        self.pattern(Pattern::Map, &[x], &[("name", name), ("level", level)], body)
    }

    /// A name for a new value
    pub fn call(&mut self, value: Value, name: &str) {
        let name = Name::Str(self.cx().intern(name));
        self.rw.edit(|ir| ir.set_value_name(value, name));
    }

    /// A map whose function is one layout op or the like of an element as a whole
    pub fn map_whole(
        &mut self,
        x: Value,
        body: &mut dyn FnMut(&mut Site<'r, 'i>, Value) -> Result<Value, Miss>,
    ) -> Result<Value, Miss> {
        self.map(x, &mut |s, args| {
            let one = s.pack(args)?;
            Ok(vec![body(s, one)?])
        })
    }

    /// `reduce ⊕ init x`, with operators, order and level of another reduction
    pub fn reduce_like(
        &mut self,
        like: OpId,
        init: Option<Value>,
        x: Value,
        body: Body<'_, 'r, 'i>,
    ) -> Result<Value, Miss> {
        let attrs = ["operators", "order", "level"].map(|name| (name, self.ir().attr(like, name)));
        let operands: Vec<Value> = [x].into_iter().chain(init).collect();
        self.pattern(Pattern::Reduce, &operands, &attrs, body)
    }

    /// A constant number
    pub fn number(&mut self, attr: Attr, ty: Type) -> Result<Value, Miss> {
        let kind = self.cx().kind_of(Constant::DEF).or_miss("arithmetic is not registered")?;
        let def = self.cx().def(kind);
        let slots = slots(def, &[("value", Some(attr))]);
        let op = self.insert(&NewOp { results: &[ty], slots: &slots, ..NewOp::new(kind) });
        Ok(self.ir().result(op, 0))
    }

    /// An op by its definition, with one result
    pub fn op(&mut self, def: &'static OpDef, operands: &[Value], ty: Type) -> Result<Value, Miss> {
        let kind = self.cx().kind_of(def).or_miss("arithmetic is not registered")?;
        let slots = vec![None; def.attrs.len()];
        let op = self.insert(&NewOp { operands, results: &[ty], slots: &slots, ..NewOp::new(kind) });
        Ok(self.ir().result(op, 0))
    }

    /// The function's ops copied here, with these values for its arguments: what it yields
    pub fn inline(&mut self, fun: Fun, args: &[Value]) -> Result<Vec<Value>, Miss> {
        self.inline_with(fun, args, &[])
    }

    /// The same, with values in place of some that it computes; ops that are unused then are left out
    pub fn inline_with(
        &mut self,
        fun: Fun,
        args: &[Value],
        instead: &[(Value, Value)],
    ) -> Result<Vec<Value>, Miss> {
        let wanted = self.yields(fun);
        self.copy(fun, args, instead, &wanted)
    }

    /// Copies of some values that a function computes, with what they need
    pub fn copy(
        &mut self,
        fun: Fun,
        args: &[Value],
        instead: &[(Value, Value)],
        wanted: &[Value],
    ) -> Result<Vec<Value>, Miss> {
        let params = self.params(fun);
        (params.len() == args.len()).or_miss("a function gets another number of arguments")?;
        let mut map = ValueMap::default();
        for (param, arg) in params.iter().zip(args).chain(instead.iter().map(|(old, new)| (old, new))) {
            if self.ir().ty(*param) != self.ir().ty(*arg) {
                return Err(Miss("a function gets arguments of other types"));
            }
            map.insert(*param, *arg);
            // Names of authors stay where there was none.
            if let Some(name) = self.ir().value_name(*param)
                && self.ir().value_name(*arg).is_none()
                && self.ir().defining_op(*arg).is_none()
            {
                let name = Name::Str(self.cx().intern(name));
                self.rw.edit(|ir| ir.set_value_name(*arg, name));
            }
        }
        let needed = self.needed(fun, wanted, instead);
        let at = self.at;
        for op in needed {
            self.rw.edit(|ir| {
                let copy = ir.clone_op(None, op, &mut map);
                match at {
                    InsertPoint::Before(next) => ir.insert_before(next, copy),
                    InsertPoint::End(block) => ir.append(block, copy),
                }
            });
        }
        Ok(wanted.iter().map(|value| map.get(*value).unwrap_or(*value)).collect())
    }

    /// The function of `inner`, which stands in `outer`, copied here: what both functions compute of these arguments
    pub fn nest(
        &mut self,
        outer: Fun,
        outer_args: &[Value],
        inner: OpId,
        inner_args: &[Value],
    ) -> Result<Vec<Value>, Miss> {
        let used = self.captured(inner, outer);
        let copies = self.copy(outer, outer_args, &[], &used)?;
        let instead: Vec<(Value, Value)> = used.into_iter().zip(copies).collect();
        let f = self.fun(inner)?;
        self.inline_with(f, inner_args, &instead)
    }

    /// The root once more, here
    pub fn again(&mut self) -> Result<Vec<Value>, Miss> {
        let (root, at) = (self.op, self.at);
        let copy = self.rw.edit(|ir| {
            let copy = ir.clone_op(None, root, &mut ValueMap::default());
            match at {
                InsertPoint::Before(next) => ir.insert_before(next, copy),
                InsertPoint::End(block) => ir.append(block, copy),
            }
            copy
        });
        Ok(self.ir().results(copy).collect())
    }

    /// Ops of a function's block that some values need, in order; not those that are given
    pub fn needed(&self, fun: Fun, wanted: &[Value], given: &[(Value, Value)]) -> Vec<OpId> {
        let ir = self.ir();
        let mut needed: Vec<OpId> = Vec::new();
        let mut pending: Vec<Value> = wanted.to_vec();
        while let Some(value) = pending.pop() {
            if given.iter().any(|(old, _)| *old == value) || !self.inside(value, fun) {
                continue;
            }
            let mut op = ir.defining_op(value);
            // What is deeper inside belongs to an op of this block.
            while let Some(inner) = op.filter(|op| ir.block(*op) != Some(fun.block)) {
                op = ir.parent(inner);
            }
            let Some(op) = op.filter(|op| !needed.contains(op)) else { continue };
            needed.push(op);
            pending.extend(ir.operands(op));
            pending.extend(ir.walk_below(op).flat_map(|inner| ir.operands(inner).collect::<Vec<_>>()));
        }
        ir.block_ops(fun.block).filter(|op| needed.contains(op)).collect()
    }

    /// The value in place of the root's only result
    pub fn done(&self, value: Value) -> crate::rule::Done {
        Ok(vec![value])
    }
}
