//! Dialects that a file defines with ops of `irdl`, as descriptions.
//!
//! A constraint is a value of the file, and binds one type or attribute in each op that is checked. Attributes of ops
//! are
//! discardable ones, as for upstream's loaded ops. Types of the dialects that the file defines are text while it is
//! read.

mod dialect;

use crate::codes;
use crate::constraint::{DEPTH, NodeId, Rule};
use crate::description::{Description, Form, Op, Param, Params, Region, Value as Field};
use crate::predicate::{self, Classes};
use dialect::IRDL;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Reported};
use terrace_ir::{Arity, Attr, Context, Dialect, Ir, OpDef, OpId, Value, show};
use terrace_support::HashMap;
use terrace_text::ParseOptions;

/// Descriptions of the dialects of a file, and the context that has its text for messages
///
/// `None` if something was reported. An error outright: the ops of `irdl` cannot be registered next to the dialects
/// that are known.
pub fn read(
    name: &str,
    text: String,
    known: &[&'static Dialect],
    diags: &mut Diags,
) -> Result<(Arc<Context>, Option<Vec<Description>>), Box<Diagnostic>> {
    let mut dialects = known.to_vec();
    dialects.push(&IRDL);
    let cx = Context::try_new(&dialects)?;
    let source = cx.sources().add(name, text);
    // Types that the file is about to define are kept as text.
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let Some(ir) = terrace_text::parse(&cx, source, &options, diags) else { return Ok((cx, None)) };
    let wrong = terrace_ir::verify::verify(&ir, 1);
    let valid = !wrong.has_errors();
    diags.append(wrong);
    let found = if valid { Reader::new(&ir, known, diags).file().ok() } else { None };
    Ok((cx.clone(), found))
}

/// A type or attribute of the file
#[derive(Clone, Copy)]
struct Defined {
    is_type: bool,
    params: usize,
}

struct Reader<'a> {
    ir: &'a Ir,
    known: &'a [&'static Dialect],
    /// Types and attributes by `dialect.name`
    defined: HashMap<String, Defined>,
    diags: &'a mut Diags,
}

/// Constraints of one op, type or attribute
type Nodes = HashMap<Value, NodeId>;

type Done<T> = Result<T, Reported>;

impl<'a> Reader<'a> {
    fn new(ir: &'a Ir, known: &'a [&'static Dialect], diags: &'a mut Diags) -> Self {
        Reader { ir, known, defined: HashMap::default(), diags }
    }

    fn fail<T>(&mut self, op: OpId, message: impl Into<String>) -> Done<T> {
        let error = Diagnostic::error(&codes::IRDL, message).at(self.ir.span(op));
        Err(self.diags.emit(error))
    }

    fn cx(&self) -> &'a Context {
        self.ir.cx()
    }

    /// Ops in the body of an op
    fn body(&self, op: OpId) -> Vec<OpId> {
        let ir = self.ir;
        let block = (ir.num_regions(op) > 0).then(|| ir.entry(ir.region(op, 0))).flatten();
        let mut next = block.and_then(|block| ir.first_op(block));
        std::iter::from_fn(|| {
            let op = next?;
            next = ir.next(op);
            Some(op)
        })
        .collect()
    }

    fn is(&self, op: OpId, def: &'static OpDef) -> bool {
        self.ir.is(op, def)
    }

    fn text(&self, op: OpId, name: &str) -> &'a str {
        self.ir.attr(op, name).and_then(|attr| attr.as_str(self.ir.cx())).unwrap_or_default()
    }

    fn file(mut self) -> Done<Vec<Description>> {
        let tops: Vec<OpId> =
            self.body(self.ir.root()).into_iter().filter(|op| self.is(*op, &dialect::DIALECT_OP)).collect();
        if tops.is_empty() {
            return self
                .fail(self.ir.root(), "the file defines no dialect: `irdl.dialect @name { … }` is missing");
        }
        for &top in &tops {
            let name = self.text(top, "sym_name");
            if !crate::ods::is_name(name) {
                return self.fail(top, format!("`{name}` is no name of a dialect"));
            }
            for op in self.body(top) {
                let is_type = self.is(op, &dialect::TYPE_OP);
                if is_type || self.is(op, &dialect::ATTRIBUTE_OP) {
                    let parameters = self.body(op).into_iter().find(|op| self.is(*op, &dialect::PARAMETERS));
                    let params = parameters.map_or(0, |op| self.ir.num_operands(op));
                    let full = format!("{name}.{}", self.text(op, "sym_name"));
                    self.defined.insert(full, Defined { is_type, params });
                }
            }
        }
        tops.into_iter().map(|top| self.dialect(top)).collect()
    }

    fn dialect(&mut self, top: OpId) -> Done<Description> {
        let mut out = Description { name: self.text(top, "sym_name").to_string(), ..Description::default() };
        for op in self.body(top) {
            let parts = [&dialect::TYPE_OP, &dialect::ATTRIBUTE_OP, &dialect::OPERATION];
            if !parts.iter().any(|part| self.is(op, part)) {
                let message = format!("`{}` is nothing that a dialect has", self.ir.op_name(op));
                return self.fail(op, message);
            }
            let name = self.text(op, "sym_name");
            if !name.split('.').all(crate::ods::is_name) {
                return self.fail(op, format!("`{name}` is no name: letters, digits, `_` and dots make one"));
            }
            if self.is(op, &dialect::TYPE_OP) {
                let params = self.params(op, name, &mut out)?;
                out.types.push(params);
            } else if self.is(op, &dialect::ATTRIBUTE_OP) {
                let params = self.params(op, name, &mut out)?;
                out.attrs.push(params);
            } else {
                let operation = self.operation(op, name, &mut out)?;
                out.ops.push(operation);
            }
            if out.graph.too_deep() {
                return self.fail(op, format!("constraints are nested deeper than {DEPTH}"));
            }
        }
        Ok(out)
    }

    fn params(&mut self, op: OpId, name: &str, out: &mut Description) -> Done<Params> {
        let (mut nodes, mut params) = (Nodes::default(), None);
        for inner in self.body(op) {
            if !self.is(inner, &dialect::PARAMETERS) {
                self.constraint(inner, name, &mut nodes, out)?;
                continue;
            }
            let names = self.names(inner, "names");
            let found = self.operands(inner, &nodes)?.into_iter().zip(names);
            let found = found.map(|(node, name)| Param { name, node, form: Form::Full });
            if params.replace(found.collect::<Vec<_>>()).is_some() {
                return self.fail(inner, "there are two `irdl.parameters`");
            }
        }
        Ok(Params { name: name.to_string(), params: params.unwrap_or_default(), format: None })
    }

    fn names(&self, op: OpId, attr: &str) -> Vec<String> {
        let cx = self.ir.cx();
        let names = self.ir.attr(op, attr).and_then(|names| names.as_array(cx)).unwrap_or_default();
        names.iter().map(|name| name.as_str(cx).unwrap_or_default().to_string()).collect()
    }

    fn operands(&mut self, op: OpId, nodes: &Nodes) -> Done<Vec<NodeId>> {
        let values: Vec<Value> = self.ir.operands(op).collect();
        let mut found = Vec::new();
        for value in values {
            match nodes.get(&value) {
                Some(node) => found.push(*node),
                None => return self.fail(op, "an operand is no constraint of this definition"),
            }
        }
        Ok(found)
    }

    fn operation(&mut self, op: OpId, name: &str, out: &mut Description) -> Done<Op> {
        let (mut nodes, mut made) = (Nodes::default(), Op::named(name));
        let (mut regions, mut seen) = (HashMap::<Value, Region>::default(), Vec::new());
        for inner in self.body(op) {
            let def = self.ir.def(inner);
            let once = [&dialect::OPERANDS, &dialect::RESULTS, &dialect::ATTRIBUTES, &dialect::REGIONS_OP];
            if once.iter().any(|one| self.is(inner, one)) {
                if seen.contains(&def.name) {
                    return self.fail(inner, format!("there are two `{}`", def.name));
                }
                seen.push(def.name);
            }
            if self.is(inner, &dialect::OPERANDS) {
                made.operands = self.fields(inner, &nodes, out)?;
            } else if self.is(inner, &dialect::RESULTS) {
                made.results = self.fields(inner, &nodes, out)?;
            } else if self.is(inner, &dialect::ATTRIBUTES) {
                let names = self.names(inner, "attributeValueNames");
                made.discardable = names.into_iter().zip(self.operands(inner, &nodes)?).collect();
            } else if self.is(inner, &dialect::REGION_OP) {
                let region = self.region(inner, &nodes)?;
                regions.insert(self.ir.result(inner, 0), region);
            } else if self.is(inner, &dialect::REGIONS_OP) {
                let values: Vec<Value> = self.ir.operands(inner).collect();
                for (value, name) in values.into_iter().zip(self.names(inner, "names")) {
                    let Some(region) = regions.get(&value) else {
                        return self.fail(inner, "an operand is no region of this definition");
                    };
                    made.regions.push(Region { name, ..region.clone() });
                }
            } else {
                self.constraint(inner, name, &mut nodes, out)?;
            }
        }
        Ok(made)
    }

    fn fields(&mut self, op: OpId, nodes: &Nodes, out: &Description) -> Done<Vec<Field>> {
        let (names, arities) = (self.names(op, "names"), self.names(op, "variadicity"));
        let operands = self.operands(op, nodes)?;
        let fields = operands.into_iter().zip(names).zip(arities).map(|((node, name), arity)| Field {
            name,
            arity: match arity.as_str() {
                "optional" => Arity::Optional,
                "variadic" => Arity::Variadic,
                _ => Arity::One,
            },
            node,
            what: out.graph.describe(node),
            only: None,
            of: None,
        });
        Ok(fields.collect())
    }

    fn region(&mut self, op: OpId, nodes: &Nodes) -> Done<Region> {
        let args = match self.ir.attr(op, "constrainedArguments") {
            Some(_) => Some(self.operands(op, nodes)?),
            None => None,
        };
        let size = self.ir.attr(op, "numberOfBlocks").and_then(|size| size.as_i64(self.ir.cx()));
        let blocks = match size.map(usize::try_from) {
            None => None,
            Some(Ok(size)) if size > 0 => Some(size),
            Some(_) => return self.fail(op, "a region has at least one block"),
        };
        let name = String::new();
        Ok(Region { name, variadic: false, single_block: false, may_be_empty: true, args, blocks })
    }

    /// An op that makes a constraint
    fn constraint(&mut self, op: OpId, of: &str, nodes: &mut Nodes, out: &mut Description) -> Done<()> {
        let rule = if self.is(op, &dialect::ANYTHING) {
            Rule::Any
        } else if self.is(op, &dialect::IS) {
            match self.ir.attr(op, "expected") {
                Some(attr) => Rule::Is(show::attr_text(self.cx(), attr)),
                None => Rule::Any,
            }
        } else if self.is(op, &dialect::ANY_OF) {
            Rule::AnyOf(self.operands(op, nodes)?)
        } else if self.is(op, &dialect::ALL_OF) {
            Rule::AllOf(self.operands(op, nodes)?)
        } else if self.is(op, &dialect::BASE) {
            Rule::Base(self.base(op, &out.name)?)
        } else if self.is(op, &dialect::PARAMETRIC) {
            let params = self.operands(op, nodes)?;
            let Some(reference) = self.ir.attr(op, "base_type") else { return Ok(()) };
            let (name, defined) = self.reference(op, &out.name, reference)?;
            if params.len() != defined.params {
                let message =
                    format!("`{name}` has {} parameters, and here are {}", defined.params, params.len());
                return self.fail(op, message);
            }
            Rule::Parametric(name, params)
        } else if self.is(op, &dialect::C_PRED) {
            let node = predicate::read(&mut out.graph, &Classes::default(), self.text(op, "pred"));
            if out.graph.has_unknown(node) {
                out.leave("predicates in C++", of, self.text(op, "pred"));
            }
            Rule::AllOf(vec![node])
        } else {
            let message = format!("`{}` makes no constraint", self.ir.op_name(op));
            return self.fail(op, message);
        };
        let node = out.graph.add(rule, true);
        if self.ir.num_results(op) > 0 {
            nodes.insert(self.ir.result(op, 0), node);
        }
        Ok(())
    }

    /// Name of a base with its sigil
    fn base(&mut self, op: OpId, dialect: &str) -> Done<String> {
        if let Some(reference) = self.ir.attr(op, "base_ref") {
            return self.reference(op, dialect, reference).map(|(name, _)| name);
        }
        let text = self.text(op, "base_name");
        let Some(name) = text.strip_prefix(['!', '#']) else {
            return self.fail(op, format!("`{text}` does not begin with `!` (a type) or `#` (an attribute)"));
        };
        let owner = name.split('.').next().unwrap_or_default();
        let here = self.defined.get(name).is_some_and(|found| found.is_type == text.starts_with('!'));
        let known = self.known.iter().find(|dialect| dialect.name == owner);
        let there = known.is_some_and(|dialect| match text.starts_with('!') {
            _ if owner == "builtin" => true,
            true => dialect.types.iter().any(|def| def.name == name),
            false => {
                dialect.attrs.iter().any(|def| def.name == name)
                    || dialect.enums.iter().any(|def| def.name == name)
            }
        });
        if here || there { Ok(text.to_string()) } else { self.fail(op, format!("`{text}` is not defined")) }
    }

    /// What `@dialect::@name`, or `@name` in its own dialect, refers to
    fn reference(&mut self, op: OpId, dialect: &str, reference: Attr) -> Done<(String, Defined)> {
        let cx = self.cx();
        let Some((root, nested)) = reference.as_symbol(cx) else {
            return self.fail(op, "a reference is `@dialect::@name`");
        };
        let full = match nested {
            [] => format!("{dialect}.{}", cx.str(root)),
            [name] => format!("{}.{}", cx.str(root), cx.str(*name)),
            _ => return self.fail(op, "a reference is `@dialect::@name`"),
        };
        match self.defined.get(&full).copied() {
            Some(defined) => {
                let sigil = if defined.is_type { '!' } else { '#' };
                Ok((format!("{sigil}{full}"), defined))
            }
            None => {
                let error = Diagnostic::error(&codes::IRDL, format!("`{full}` is not defined in this file"));
                let names = self.defined.keys().map(String::as_str).collect::<Vec<_>>();
                let near = terrace_diag::nearest(&full, sorted(names));
                let error = error.at(self.ir.span(op));
                Err(self.diags.emit(match near {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error,
                }))
            }
        }
    }
}

fn sorted(mut names: Vec<&str>) -> impl Iterator<Item = &str> {
    names.sort_unstable();
    names.into_iter()
}
