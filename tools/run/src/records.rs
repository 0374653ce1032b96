//! Arguments that are bytes as C has arrays of structures (`terrace.record`): the command line talks about their fields.
//!
//! A function with one array for each field stands in front of the entry function and lays the fields into bytes for the
//! call. In a file of NumPy's a record is one array of a structured type; its fields are found there by name.

use crate::args::ArrayFile;
use std::path::PathBuf;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::attrs::dict_get;
use terrace_ir::show::type_text;
use terrace_ir::{Attr, AttrKind, Context, DYNAMIC, Ir, Type};
use terrace_opt::codes;
use terrace_runtime_buffers::{Binding, Buffer, RecordField, Source};
use terrace_target_api::{Array, Failed};
use terrace_text::ParseOptions;

/// Name of the attribute of an argument
const RECORD: &str = "terrace.record";

/// What an argument of bytes holds
pub(crate) struct Record {
    /// Argument
    name: String,
    /// Fields: name, type, first byte
    fields: Vec<(String, Type, i64)>,
    /// Of one record
    bytes: i64,
    shape: Vec<i64>,
}

impl Record {
    fn of(cx: &Context, name: &str, attr: Attr) -> Option<Record> {
        let dict = attr.as_dict(cx)?;
        let get = |key: &str| dict_get(cx, dict, key);
        let list = |key: &str| match get(key)?.kind(cx) {
            AttrKind::DenseArray { values, .. } => Some(values.to_vec()),
            _ => None,
        };
        let names = get("fields")?.as_array(cx)?;
        let types = get("types")?.as_array(cx)?;
        let fields = names
            .iter()
            .zip(types)
            .zip(list("places")?)
            .map(|((name, ty), place)| Some((name.as_str(cx)?.to_string(), ty.as_type(cx)?, place)));
        let shape = list("shape")?.into_iter().map(|size| if size < 0 { DYNAMIC } else { size });
        let (fields, bytes) = (fields.collect::<Option<Vec<_>>>()?, get("bytes")?.as_i64(cx)?);
        let sound = fields.iter().all(|(_, ty, place)| {
            let width = i64::from(ty.bit_width(cx).unwrap_or(0) / 8);
            width > 0 && *place >= 0 && place % width == 0 && bytes % width == 0 && place + width <= bytes
        });
        sound.then(|| Record { name: name.to_string(), fields, bytes, shape: shape.collect() })
    }

    /// Name of a field as an argument
    fn argument(&self, field: &str) -> String {
        format!("{}.{field}", self.name)
    }
}

/// Put a function over fields in front of an entry function that takes bytes; what records there are
pub(crate) fn open(root: &mut Ir, entry: Option<&str>) -> Result<Vec<Record>, Failed> {
    let cx = root.cx_arc().clone();
    let (unit, entry) = terrace_target_api::find(root, entry)?;
    let slot = root.walk().find(|op| root.child(*op).is_some_and(|child| std::ptr::eq(child, unit)));
    let func = unit.root();
    let ty = unit.attr(func, "function_type").and_then(|attr| attr.as_type(&cx));
    let (Some(slot), Some((inputs, outputs))) = (slot, ty.and_then(|ty| ty.as_function(&cx))) else {
        return Ok(Vec::new());
    };
    let described = unit.attr(func, "arg_attrs").and_then(|attr| attr.as_array(&cx)).unwrap_or(&[]).to_vec();
    let body = unit.regions(func).next().and_then(|body| unit.entry(body));
    let args = body.map(|body| unit.block_args(body).to_vec()).unwrap_or_default();
    let name = |n: usize| args.get(n).and_then(|arg| unit.value_name(*arg));
    let found: Vec<Option<Record>> = (0..inputs.len())
        .map(|n| {
            let attr = dict_get(&cx, described.get(n)?.as_dict(&cx)?, RECORD)?;
            Record::of(&cx, name(n).unwrap_or(&n.to_string()), attr)
        })
        .collect();
    if found.iter().all(Option::is_none) {
        return Ok(Vec::new());
    }
    let names: Vec<Option<String>> = (0..inputs.len()).map(|n| name(n).map(String::from)).collect();
    let mut inner = format!("{entry}_bytes");
    let taken = |inner: &String| {
        let name = cx.str_attr(inner);
        root.walk().filter_map(|op| root.child(op)).any(|u| u.attr(u.root(), "sym_name") == Some(name))
    };
    while taken(&inner) {
        inner.push('_');
    }
    let text = wrapper(&cx, (&entry, &inner), &found, (inputs, &names), outputs);
    let source = cx.sources().add("records", text);
    let mut diags = Diags::default();
    let made = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    let Some(mut made) = made.filter(|_| !diags.has_errors()) else { return Err(Failed(diags.into_vec())) };
    let front = made.walk().find(|op| {
        let name = cx.str_attr(&entry);
        made.child(*op).is_some_and(|child| child.attr(child.root(), "sym_name") == Some(name))
    });
    let Some(front) = front.and_then(|op| made.disown(op)) else { return Ok(Vec::new()) };
    let front = root.adopt(front);
    root.insert_before(slot, front);
    if let Some(unit) = root.child_mut(slot) {
        let op = unit.root();
        unit.set_attr(op, "sym_name", Some(cx.str_attr(&inner)));
        unit.set_attr(op, "sym_visibility", Some(cx.str_attr("private")));
    }
    Ok(found.into_iter().flatten().collect())
}

/// Sizes of a type as text; `last` behind them
fn sizes(shape: &[i64], last: Option<i64>) -> String {
    let all = shape.iter().copied().chain(last);
    all.map(|size| if size == DYNAMIC { "?x".to_string() } else { format!("{size}x") }).collect()
}

/// The parts of the function over fields
#[derive(Default)]
struct Wrapper {
    params: Vec<String>,
    /// Lays the fields into bytes
    before: String,
    /// Takes them out again
    after: String,
    /// Arguments of the call
    call: Vec<String>,
}

impl Wrapper {
    /// An argument that is handed on
    fn plain(&mut self, cx: &Context, n: usize, name: Option<&String>, ty: Type) {
        let name = name.map_or(String::new(), |name| format!(" {{terrace.name = \"{name}\"}}"));
        self.params.push(format!("%a{n}: {}{name}", type_text(cx, ty)));
        self.call.push(format!("%a{n}"));
    }

    /// An argument of records: one for each field
    fn record(&mut self, cx: &Context, n: usize, record: &Record, ty: Type) {
        let open = record.shape.first() == Some(&DYNAMIC);
        let row: i64 = record.shape.iter().skip(1).product::<i64>().max(1).saturating_mul(record.bytes);
        if open {
            self.before.push_str(&format!(
                "%n{n} = memref.dim %a{n}f0, %c0 : memref<{}{}>\n",
                sizes(&record.shape, None),
                type_text(cx, record.fields[0].1)
            ));
            self.before.push_str(&format!(
                "%r{n} = arith.constant {row} : index\n%s{n} = arith.muli %n{n}, %r{n} : index\n"
            ));
        }
        let dynamic = if open { format!("%s{n}") } else { String::new() };
        let bytes = type_text(cx, ty);
        self.before.push_str(&format!("%a{n} = memref.alloc({dynamic}) : {bytes}\n"));
        for f in 0..record.fields.len() {
            self.field(cx, n, record, f, &bytes);
        }
        self.after.push_str(&format!("memref.dealloc %a{n} : {bytes}\n"));
        self.call.push(format!("%a{n}"));
    }

    /// A field of a record
    fn field(&mut self, cx: &Context, n: usize, record: &Record, f: usize, bytes: &str) {
        let (field, elem, place) = &record.fields[f];
        let width = i64::from(elem.bit_width(cx).unwrap_or(8) / 8);
        let elem = type_text(cx, *elem);
        let plain = format!("memref<{}{elem}>", sizes(&record.shape, None));
        let name = record.argument(field);
        self.params.push(format!("%a{n}f{f}: {plain} {{terrace.name = \"{name}\"}}"));
        let (per, at) = (record.bytes / width, place / width);
        let view = format!("memref<{}{elem}>", sizes(&record.shape, Some(per)));
        let mut steps = vec![per];
        for size in record.shape.iter().skip(1).rev() {
            steps.push(steps[steps.len() - 1].saturating_mul(*size));
        }
        steps.reverse();
        let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
        let column = format!(
            "memref<{}{elem}, strided<[{}], offset: {at}>>",
            sizes(&record.shape, None),
            steps.join(", ")
        );
        let extent = |size: &i64| if *size == DYNAMIC { format!("%n{n}") } else { size.to_string() };
        let count = if record.shape.first() == Some(&DYNAMIC) { format!("%n{n}") } else { String::new() };
        self.before.push_str(&format!("%v{n}f{f} = memref.view %a{n}[%c0][{count}] : {bytes} to {view}\n"));
        let starts = vec!["0"; record.shape.len()].join(", ");
        let extents: Vec<String> = record.shape.iter().map(extent).collect();
        let ones = vec!["1"; record.shape.len() + 1].join(", ");
        self.before.push_str(&format!(
            "%p{n}f{f} = memref.subview %v{n}f{f}[{starts}, {at}] [{}, 1] [{ones}] : {view} to {column}\n",
            extents.join(", ")
        ));
        self.before.push_str(&format!("memref.copy %a{n}f{f}, %p{n}f{f} : {plain} to {column}\n"));
        self.after.push_str(&format!("memref.copy %p{n}f{f}, %a{n}f{f} : {column} to {plain}\n"));
    }
}

/// The text of the function over fields, with a declaration of what it calls
fn wrapper(
    cx: &Context,
    (entry, inner): (&str, &str),
    found: &[Option<Record>],
    (inputs, names): (&[Type], &[Option<String>]),
    outputs: &[Type],
) -> String {
    let mut parts = Wrapper::default();
    for (n, (record, ty)) in found.iter().zip(inputs).enumerate() {
        match record {
            Some(record) => parts.record(cx, n, record, *ty),
            None => parts.plain(cx, n, names[n].as_ref(), *ty),
        }
    }
    let list = |types: &[Type]| types.iter().map(|ty| type_text(cx, *ty)).collect::<Vec<_>>().join(", ");
    let (ins, outs) = (list(inputs), list(outputs));
    let results: Vec<String> = (0..outputs.len())
        .map(|n| if outputs.len() == 1 { "%r".into() } else { format!("%r#{n}") })
        .collect();
    let left = match outputs.len() {
        0 => String::new(),
        1 => "%r = ".into(),
        count => format!("%r:{count} = "),
    };
    let end = if outputs.is_empty() {
        "return\n".into()
    } else {
        format!("return {} : {outs}\n", results.join(", "))
    };
    let arrow = if outputs.is_empty() { String::new() } else { format!(" -> ({outs})") };
    let Wrapper { params, before, after, call } = parts;
    format!(
        "func.func private @{inner}({ins}){arrow}\nfunc.func @{entry}({}){arrow} {{\n%c0 = arith.constant 0 : index\n{before}{left}func.call @{inner}({}) : ({ins}) -> ({outs})\n{after}{end}}}\n",
        params.join(", "),
        call.join(", ")
    )
}

/// `--in` for a record means its fields
pub(crate) fn bindings(records: &[Record], given: &[Binding]) -> Vec<Binding> {
    let mut all = Vec::new();
    for binding in given {
        let Some(record) = records.iter().find(|record| record.name == binding.name) else {
            all.push(binding.clone());
            continue;
        };
        for (n, (field, ..)) in record.fields.iter().enumerate() {
            let source = match &binding.source {
                Source::File(file) => Source::Field(file.clone(), field.clone()),
                // Fields are not to be equal.
                Source::Random(seed) => Source::Random(seed.wrapping_add((n as u64) << 32)),
                other => other.clone(),
            };
            all.push(Binding { name: record.argument(field), source });
        }
    }
    all
}

/// A file for a record
pub(crate) struct RecordFile {
    fields: Vec<(String, String, usize)>,
    bytes: usize,
    file: PathBuf,
}

/// Files for records, and the others
pub(crate) fn files(records: &[Record], given: &[ArrayFile]) -> (Vec<ArrayFile>, Vec<RecordFile>) {
    let (mut plain, mut whole) = (Vec::new(), Vec::new());
    for file in given {
        match records.iter().find(|record| record.name == file.name) {
            Some(record) => {
                let field = |(name, _, place): &(String, Type, i64)| {
                    (name.clone(), record.argument(name), usize::try_from(*place).unwrap_or(0))
                };
                whole.push(RecordFile {
                    fields: record.fields.iter().map(field).collect(),
                    bytes: usize::try_from(record.bytes).unwrap_or(0),
                    file: file.file.clone(),
                });
            }
            None => plain.push(ArrayFile { name: file.name.clone(), file: file.file.clone() }),
        }
    }
    (plain, whole)
}

impl RecordFile {
    /// Write the fields' arrays as one array of records
    pub(crate) fn write(&self, arrays: &[Array]) -> Result<(), Diagnostic> {
        let mut fields = Vec::new();
        for (name, argument, place) in &self.fields {
            let Some(array) = arrays.iter().find(|array| array.name == *argument) else { continue };
            if let Some(n) = array.undefined.first() {
                let message = format!("element {n} of `{argument}` has no value: the file is not written");
                return Err(Diagnostic::error(&codes::UNDEFINED, message));
            }
            fields.push(RecordField { name, place: *place, buffer: &array.buffer });
        }
        let written = Buffer::write_npy_records(&self.file, &fields, self.bytes);
        written.map_err(|error| Diagnostic::error(&codes::WRITE, error.to_string()))
    }
}
