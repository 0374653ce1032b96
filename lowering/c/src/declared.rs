//! Functions that their author declared in C: callers see that declaration, whatever the body behind it takes.

use crate::expr::quoted;
use crate::helpers::Helpers;
use crate::linker::defined_name;
use crate::names::declared_by_headers;
use crate::signature::{Part, Signature};
use crate::types::Scalar;
use terrace_dialect_builtin::marks::C;
use terrace_ir::attrs::dict_get;
use terrace_ir::{Attr, Ir};

/// Bytes of a buffer whose size its caller does not say, as LLVM's code has it
const UNKNOWN: i64 = 1 << 62;

/// A declaration in C: see [`C`]
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    symbol: String,
    result: String,
    parameters: String,
    /// The expression for each argument of the IR's function
    arguments: Vec<String>,
    /// Fields of a result that is a structure
    fields: Vec<String>,
    /// Definitions of the structures that it names
    pub structures: Vec<String>,
    /// Sizes of each buffer, and the bytes of its elements
    shapes: Vec<(Vec<i64>, i64)>,
}

impl Declared {
    /// The declaration of a function that has one
    pub fn of(unit: &Ir) -> Option<Declared> {
        let (cx, root) = (unit.cx(), unit.root());
        let entries = unit.discardable(root, C)?.as_dict(cx)?;
        let text = |attr: &Attr| attr.as_str(cx).map(str::to_owned);
        let one = |key: &str| dict_get(cx, entries, key).and_then(|attr| text(&attr));
        let all = |key: &str| -> Option<Vec<String>> {
            dict_get(cx, entries, key)
                .map_or(Some(Vec::new()), |list| list.as_array(cx)?.iter().map(text).collect())
        };
        let ty = unit.attr(root, "function_type").and_then(|attr| attr.as_type(cx))?;
        let (inputs, _) = ty.as_function(cx)?;
        let bytes =
            |ty: &terrace_ir::Type| Scalar::of(cx, ty.scalar(cx)).map_or(1, |elem| elem.bytes().into());
        let shapes = inputs.iter().map(|ty| (ty.shape(cx).unwrap_or(&[]).to_vec(), bytes(ty)));
        let declared = Declared {
            symbol: unit.attr(root, "sym_name")?.as_str(cx)?.to_owned(),
            result: one("result")?,
            parameters: one("parameters")?,
            arguments: all("arguments")?,
            fields: all("fields")?,
            structures: all("structures")?,
            shapes: shapes.collect(),
        };
        (declared.arguments.len() == inputs.len()).then_some(declared)
    }

    /// Name of the function behind it
    pub fn body(&self) -> String {
        format!("terrace_body_{}", self.symbol)
    }

    /// The name that linkers get, where it is not the one in the text
    fn label(&self, name: &str) -> String {
        match defined_name(&self.symbol, ".$") {
            linker if linker == name => String::new(),
            linker => format!(" __asm__({})", quoted(&linker)),
        }
    }

    fn head(&self, name: &str) -> String {
        let parameters = if self.parameters.is_empty() { "void" } else { &self.parameters };
        format!("{} {name}({parameters})", self.result)
    }

    /// Its declaration for callers
    pub fn prototype(&self) -> String {
        format!("{}{};\n", self.head(&self.symbol), self.label(&self.symbol))
    }

    /// The function that callers call
    pub fn definition(&self, signature: &Signature, helpers: &mut Helpers) -> String {
        for structure in &self.structures {
            helpers.declare(structure, structure.clone());
        }
        // What headers declare has another name in the text.
        let taken = declared_by_headers(&self.symbol);
        let name = if taken { format!("terrace_entry_{}", self.symbol) } else { self.symbol.clone() };
        let label = self.label(&name);
        let before = match label.is_empty() {
            true => String::new(),
            false => format!("\n{}{label};", self.head(&name)),
        };
        let mut args: Vec<String> =
            signature.params.iter().map(|param| self.argument(param.arg, param.part)).collect();
        args.extend(self.fields.iter().map(|field| format!("&result.{field}")));
        let call = format!("{}({})", signature.name, args.join(", "));
        let lines = match (&self.result[..], self.fields.is_empty()) {
            ("void", _) => format!("  {call};\n"),
            (_, true) => format!("  return {call};\n"),
            (ty, false) => format!("  {ty} result;\n  {call};\n  return result;\n"),
        };
        format!("{before}\n{} {{\n{lines}}}\n", self.head(&name))
    }

    fn argument(&self, arg: usize, part: Part) -> String {
        let Some((shape, bytes)) = self.shapes.get(arg) else { return "0".into() };
        match part {
            Part::Value => self.arguments[arg].clone(),
            Part::Pointer | Part::Allocated => format!("(void *){}", self.arguments[arg]),
            Part::Size(n) => {
                let row = shape[n + 1..].iter().fold(*bytes, |row, size| row.saturating_mul((*size).max(1)));
                format!("{}", UNKNOWN / row.max(1))
            }
            Part::Offset => "0".into(),
            Part::Stride(_) => "1".into(),
        }
    }
}
