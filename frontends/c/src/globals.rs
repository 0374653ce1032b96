//! Variables and tables of the whole file: buffers of the module; and arrays with lists of values.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, File, For, Function, Object, Stmt, StmtKind, expressions};
use crate::bindings::{Array, Cell, Slot};
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use crate::{codes, consts};
use terrace_diag::Span;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, DYNAMIC, FloatKind, Ir, NewOp, Type, Value};

/// Bytes of a table at most
const MOST: i64 = 1 << 30;

impl Lowering<'_> {
    /// Variables of the file that the function uses, behind its parameters
    pub fn globals(&mut self, function: &Function) -> Done<()> {
        let file = self.names.file;
        // Names of parameters hide them.
        for object in used(file, function) {
            let (memref, dims) = self.global(object)?;
            let slot = if object.dims.is_empty() {
                Slot::Cell(Cell { memref, elem: object.elem, known: None })
            } else {
                self.names.arrays.push(Array {
                    name: object.name.clone(),
                    elem: object.elem,
                    dims,
                    fields: vec![memref],
                    param: true,
                    global: true,
                    // What is constant is not written, by whatever name.
                    restrict: object.constant,
                    open: false,
                    root: self.names.arrays.len(),
                });
                Slot::Array(self.names.arrays.len() - 1)
            };
            if let Some(scope) = self.names.scopes.first_mut() {
                scope.insert(0, (object.name.clone(), slot));
            }
        }
        Ok(())
    }

    /// The buffer of a variable of the file
    pub fn global(&mut self, object: &Object) -> Done<(Value, Vec<i64>)> {
        self.emit.set_loc(object.span);
        let (dims, ty) = self.table(object)?;
        let name = self.emit.ir.cx().symbol_attr(&symbol(object));
        let memref = {
            let mut b = self.emit.b();
            memref::GetGlobal::build(&mut b, name, ty).result(b.read())
        };
        self.emit.name(memref, &object.name);
        Ok((memref, dims))
    }

    /// Sizes and type of a variable of the file
    fn table(&self, object: &Object) -> Done<(Vec<i64>, Type)> {
        if let Elem::Struct(_) = object.elem {
            let message = format!(
                "C-TYPE: {} is a structure of the whole file; pass it to the function, or use arrays of numbers",
                object.name
            );
            return refuse(&codes::TYPE, object.span, message);
        }
        let dims = self.names.listed(object)?;
        let bytes = dims.iter().try_fold(8i64, |all, dim| all.checked_mul((*dim).max(0)));
        if dims.contains(&DYNAMIC) || bytes.is_none_or(|bytes| bytes > MOST) {
            let message =
                format!("C-BOUND: sizes of {} must be constants, and it must fit into memory", object.name);
            return refuse(&codes::BOUND, object.span, message);
        }
        let ty = self.emit.ir.cx().memref(&dims, self.emit.stored(object.elem));
        Ok((dims, ty))
    }

    /// What a variable of the file holds first
    pub fn content(&self, object: &Object) -> Done<(Type, Attr)> {
        let (dims, ty) = self.table(object)?;
        let stored = object.elem.stored();
        let width = match stored {
            Elem::Int { bits, .. } | Elem::Float(bits) => bits as usize / 8,
            _ => 8,
        };
        let count = dims.iter().product::<i64>() as usize;
        let tensor = self.emit.ir.cx().tensor(&dims, self.emit.ty(stored));
        let mut raw = vec![0u8; width];
        if let Some(init) = &object.init {
            raw = vec![0u8; width * count];
            for (at, e) in elements(init, &dims) {
                let bytes = self.bytes(e, stored, object)?;
                match raw.get_mut(at * width..(at + 1) * width) {
                    Some(place) => place.copy_from_slice(&bytes[..width]),
                    None => {
                        return refuse(
                            &codes::TYPE,
                            e.span,
                            format!("C-TYPE: more values than {} has elements", object.name),
                        );
                    }
                }
            }
        }
        Ok((ty, self.emit.ir.cx().dense_attr(tensor, raw)))
    }

    fn bytes(&self, e: &Expr, elem: Elem, object: &Object) -> Done<[u8; 8]> {
        let whole = self.names.constant(e).map(i128::from);
        let found = whole.map(|value| value as f64).or_else(|| consts::real(e, &self.names.file.constants));
        let value = match (elem, whole, found) {
            (Elem::Int { .. }, Some(value), _) => value as u64,
            (Elem::Int { .. }, None, Some(value)) => value as i64 as u64,
            (Elem::Float(32), _, Some(value)) => u64::from((value as f32).to_bits()),
            (Elem::Float(64), _, Some(value)) => value.to_bits(),
            (Elem::Float(_), _, Some(value)) => {
                terrace_ir::show::round_to_bits(value, FloatKind::F16).unwrap_or_default()
            }
            _ => {
                let message = format!("C-TYPE: {} starts from what is no constant", object.name);
                return refuse(&codes::TYPE, e.span, message);
            }
        };
        Ok(value.to_le_bytes())
    }

    /// Elements of an array of a function get the values of a list; those that it leaves out are 0
    pub fn set_to_list(&mut self, object: &Object, list: &Expr, dims: &[i64]) -> Done<()> {
        let all = elements(list, dims);
        let count = dims.iter().try_fold(1i64, |all, dim| all.checked_mul(*dim)).unwrap_or(i64::MAX);
        if all.last().is_some_and(|(at, _)| *at as i64 >= count) {
            let message = format!("C-TYPE: more values than {} has elements", object.name);
            return refuse(&codes::TYPE, list.span, message);
        }
        let mut stmts = Vec::new();
        let span = object.span;
        let set = |subs: Vec<Expr>, value: Expr, span: Span| {
            let base = Expr { span, kind: ExprKind::Name(object.name.clone()) };
            let target = subs
                .into_iter()
                .fold(base, |e, sub| Expr { span, kind: ExprKind::Index(Box::new(e), Box::new(sub)) });
            let kind = ExprKind::Assign(None, Box::new(target), Box::new(value));
            Stmt { span, kind: StmtKind::Expr(Expr { span, kind }) }
        };
        let int = |value: i64| Expr { span, kind: ExprKind::Int(value.into(), Elem::INT) };
        let rest = (all.len() as i64) < count;
        if rest {
            let names: Vec<String> = (0..dims.len()).map(|n| format!("fill.{n}")).collect();
            let subs = names.iter().map(|name| Expr { span, kind: ExprKind::Name(name.clone()) }).collect();
            let mut body = vec![set(subs, int(0), span)];
            for (name, size) in names.iter().zip(dims).rev() {
                let own = Expr { span, kind: ExprKind::Name(name.clone()) };
                let counter = Object {
                    name: name.clone(),
                    span,
                    elem: Elem::Int { bits: 64, signed: true },
                    dims: Vec::new(),
                    restrict: false,
                    constant: false,
                    fixed: false,
                    init: Some(int(0)),
                };
                let test = ExprKind::Binary(BinaryOp::Lt, Box::new(own.clone()), Box::new(int(*size)));
                let one = For {
                    head: span,
                    init: Some(Stmt { span, kind: StmtKind::Decl(vec![counter]) }),
                    test: Some(Expr { span, kind: test }),
                    step: Some(Expr { span, kind: ExprKind::Step(Box::new(own), 1) }),
                    body,
                    directive: None,
                };
                body = vec![Stmt { span, kind: StmtKind::For(Box::new(one)) }];
            }
            stmts.extend(body);
        }
        for (at, e) in all {
            if rest && matches!(e.kind, ExprKind::Int(0, _)) {
                continue;
            }
            let mut left = at as i64;
            let mut subs: Vec<Expr> = Vec::new();
            for size in dims.iter().rev() {
                subs.push(int(left % size));
                left /= size;
            }
            subs.reverse();
            stmts.push(set(subs, e.clone(), e.span));
        }
        self.statements(&stmts, false)
    }
}

/// Variables of the file that a function uses, in their order
pub fn used<'f>(file: &'f File, function: &Function) -> Vec<&'f Object> {
    let mut names = std::collections::BTreeSet::new();
    expressions(&function.body, &mut |e| {
        if let ExprKind::Name(name) = &e.kind {
            names.insert(name.as_str());
        }
    });
    file.variables.iter().filter(|object| names.contains(object.name.as_str())).collect()
}

/// The name of its buffer in the module
fn symbol(object: &Object) -> String {
    // A function may have the same name in C's other files, but not here.
    object.name.clone()
}

/// Values of a list with their places, row by row; lists inside are rows
fn elements<'e>(list: &'e Expr, dims: &[i64]) -> Vec<(usize, &'e Expr)> {
    let mut found = Vec::new();
    fn go<'e>(e: &'e Expr, dims: &[i64], from: usize, found: &mut Vec<(usize, &'e Expr)>) -> usize {
        let size = |dims: &[i64]| dims.iter().product::<i64>().max(1) as usize;
        let ExprKind::List(_, all) = &e.kind else {
            found.push((from, e));
            return from + 1;
        };
        let mut at = from;
        for e in all {
            at = match &e.kind {
                ExprKind::List(..) => {
                    let inner = dims.get(1..).unwrap_or(&[]);
                    go(e, inner, at, found);
                    at + size(inner)
                }
                _ => go(e, &[], at, found),
            };
        }
        at
    }
    go(list, dims, 0, &mut found);
    found
}

/// The buffer in the module
pub fn define(module: &mut Ir, object: &Object, ty: Type, content: Attr, local: bool) {
    let Some(block) = module.entry(module.region(module.root(), 0)) else { return };
    let cx = module.cx_arc().clone();
    let kind = cx.kind_of(memref::Global::DEF).expect("upstream's dialects are registered");
    let def = cx.def(kind);
    let mut slots = vec![None; def.attrs.len()];
    for (slot, spec) in slots.iter_mut().zip(def.attrs) {
        *slot = match spec.name {
            "sym_name" => Some(cx.str_attr(&symbol(object))),
            "sym_visibility" => local.then(|| cx.str_attr("private")),
            "type" => Some(cx.type_attr(ty)),
            "initial_value" => Some(content),
            "constant" => object.constant.then_some(cx.common().unit),
            _ => None,
        };
    }
    let mut b = terrace_ir::Builder::at_end(module, block);
    b.insert(&NewOp { slots: &slots, ..NewOp::new(kind) });
}
