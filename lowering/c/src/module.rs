//! Whole texts: which functions there are, their names, their order, and the wrappers that other languages call.

use crate::buffer::{Shape, Space};
use crate::declared::Declared;
use crate::descriptor::descriptor_name;
use crate::emit::Emit;
use crate::expr::quoted;
use crate::frame::Returns;
use crate::functions::{Callee, Functions, Global, labelled};
use crate::hardware::banks;
use crate::helpers::Helpers;
use crate::language::{Flavor, Lang};
use crate::linker::{host_name, is_plain};
use crate::literals::integers;
use crate::names::{Names, identifier};
use crate::refusal::{Done, Refused};
use crate::signature::{Part, Signature};
use crate::table::table;
use crate::types::Scalar;
use crate::{Options, codes};
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_arith as arith;
use terrace_dialect_builtin::marks::PARTITION;
use terrace_dialect_func as func;
use terrace_dialect_gpu as gpu;
use terrace_dialect_memref as memref;
use terrace_ir::{Ir, OpId, Type, TypeKind, Value};

/// A text and what is in it
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The text
    pub text: String,
    /// Its functions in order of the text
    pub signatures: Vec<Signature>,
}

/// A function to print
struct Job<'a> {
    ir: &'a Ir,
    /// Name in messages: with its `gpu.module`
    symbol: String,
    name: String,
    kernel: bool,
    public: bool,
    /// Its author's declaration in C, which outsiders call
    declared: Option<Declared>,
    scope: usize,
}

/// A printed function
struct Made {
    signature: Signature,
    head: String,
    body: String,
}

/// Print a module; reports what has no spelling, and gives nothing then
pub fn print(ir: &Ir, flavor: Flavor, options: &Options, diags: &mut Diags) -> Option<Printed> {
    let lang = flavor.language();
    let mut scopes = Vec::new();
    let jobs = collect(ir, lang, options, &mut scopes);
    if !jobs.iter().any(|job| job.public) {
        report_nothing(lang, diags);
        return None;
    }
    let mut helpers = Helpers::new(lang);
    if lang.is_host() {
        helpers.include("#include <stdbool.h>");
        helpers.include("#include <stdint.h>");
    }
    let mut made = Vec::new();
    let mut whole = true;
    for job in &jobs {
        match function(job, flavor, &scopes[job.scope], &mut helpers, diags) {
            Ok(function) => made.push(function),
            Err(Refused) => whole = false,
        }
    }
    if !whole {
        return None;
    }
    let mut wrappers = String::new();
    if lang.is_host() {
        for (job, function) in jobs.iter().zip(&made).filter(|(job, _)| job.public) {
            wrappers += &match &job.declared {
                Some(declared) => declared.definition(&function.signature, &mut helpers),
                None if lang.is_hardware() => String::new(),
                None => crate::wrapper::descriptors(job.ir, &function.signature, &mut helpers),
            };
            if options.packed && crate::wrapper::can_be_packed(job.ir, &function.signature) {
                wrappers += &crate::wrapper::packed(job.ir, &function.signature, lang, &mut helpers);
            }
        }
    }
    let mut text = String::new();
    if lang.is_host() {
        text += &format!("// Compile with {}\n", lang.compile_flags().join(" "));
    }
    let helpers_text = helpers.text();
    let mut rest = String::new();
    for global in scopes.iter().flat_map(|scope| scope.globals.values()) {
        rest += &global.text;
    }
    if !rest.is_empty() {
        rest.insert(0, '\n');
    }
    rest += &prototypes(&jobs, &scopes, lang, &made);
    for function in &made {
        rest += &format!("\n{} {{\n{}}}\n", function.head, function.body);
    }
    for (word, extension) in lang.extensions() {
        if has_type(&helpers_text, word) || has_type(&rest, word) {
            text += &format!("#pragma OPENCL EXTENSION {extension} : enable\n");
        }
    }
    if let Some(line) = lang.contraction_off()
        && jobs.iter().any(|job| rounds_products(job.ir))
    {
        text += line;
    }
    text += &helpers_text;
    text += &rest;
    text += &wrappers;
    let signatures = made.into_iter().map(|function| function.signature).collect();
    Some(Printed { text: text.trim_start().to_string(), signatures })
}

/// Report that there is nothing to print
fn report_nothing(lang: Lang, diags: &mut Diags) {
    let (message, help) = match lang.is_host() {
        true => {
            ("the module has no function with a body that could be called from C".into(), "make one public")
        }
        false => (
            format!("the module has no `gpu.module` with a kernel, which {} is printed from", lang.name()),
            "`gpu-kernel-outlining` makes kernels of `gpu.launch`",
        ),
    };
    let _ = diags.emit(Diagnostic::error(&codes::NOTHING, message).help(help));
}

/// Is there a sum of a product that is rounded before, as no permission says otherwise?
fn rounds_products(ir: &Ir) -> bool {
    let permits = |op: OpId| crate::floats::permits(ir, op, arith::FastMathFlags::CONTRACT);
    let is_sum = |op: &OpId| ir.is(*op, arith::AddF::DEF) || ir.is(*op, arith::SubF::DEF);
    ir.walk().filter(is_sum).any(|sum| {
        let mut products = ir.operands(sum).filter_map(|value| ir.defining_op(value));
        products.any(|op| ir.is(op, arith::MulF::DEF) && !(permits(op) && permits(sum)))
    })
}

/// Is a type of this name, or of vectors of it, in the text?
fn has_type(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().last().is_some_and(part);
        let after = text[at + word.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
        !before && !after.starts_with(part)
    })
}

/// A function of the input
struct Found<'a> {
    unit: &'a Ir,
    symbol: String,
    /// Its symbol table, by number
    scope: usize,
    kernel: bool,
    public: bool,
    external: bool,
    /// Its author's declaration in C; runs call the packed form, which has none
    declared: Option<Declared>,
}

impl<'a> Found<'a> {
    /// The function that a unit is
    fn read(unit: &'a Ir, scope: usize, lang: Lang, options: &Options) -> Option<Found<'a>> {
        let root = unit.root();
        let (body, visibility) = match (func::Func::cast(unit, root), gpu::Func::cast(unit, root)) {
            (Some(func), _) => (func.body(unit), func.sym_visibility(unit)),
            (_, Some(func)) => (func.body(unit), None),
            _ => return None,
        };
        let kernel = gpu::Func::cast(unit, root).is_some_and(|func| func.is_kernel(unit));
        let external = unit.entry(body).is_none();
        let private = visibility.and_then(|attr| attr.as_str(unit.cx())) == Some("private");
        let public = if lang.is_host() { !external && !private } else { kernel };
        let declares = lang.is_host() && !lang.is_hardware() && public && !options.packed;
        let declared = if declares { Declared::of(unit) } else { None };
        Some(Found { unit, symbol: symbol_of(unit), scope, kernel, public, external, declared })
    }

    /// The name that it must have in the text, if it must
    fn fixed_name(&self, lang: Lang) -> Option<String> {
        match &self.declared {
            _ if self.external => {
                // What C says about a word would not be meant.
                Some(external_name(self.unit, &self.symbol)).filter(|name| !labelled(name, lang))
            }
            Some(declared) => Some(declared.body()),
            None => None,
        }
    }

    /// What calls of it need to know
    fn callee(&self, name: &str, lang: Lang) -> Callee {
        let (unit, cx) = (self.unit, self.unit.cx());
        let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
        let (inputs, results) = ty.and_then(|ty| ty.as_function(cx)).unwrap_or((&[], &[]));
        let label = self.external.then(|| external_name(unit, &self.symbol));
        let attrs = unit.attr(unit.root(), "arg_attrs").and_then(|attrs| attrs.as_array(cx)).unwrap_or(&[]);
        let is_array = |(n, ty): (usize, &Type)| {
            let attr = attrs.get(n).and_then(|attrs| attrs.entry(cx, PARTITION));
            let shape = Shape::of(cx, *ty)?;
            banks(cx, lang, attr, &shape).map(|_| n)
        };
        Callee {
            name: name.to_owned(),
            inputs: inputs.to_vec(),
            results: results.to_vec(),
            arrays: inputs.iter().enumerate().filter_map(is_array).collect(),
            external: self.external,
            label: label.filter(|name| labelled(name, lang)),
        }
    }
}

fn symbol_of(unit: &Ir) -> String {
    let name = unit.attr(unit.root(), "sym_name").and_then(|name| name.as_str(unit.cx()));
    name.unwrap_or("").to_string()
}

/// All functions in order, and for each symbol table what can be called there
fn collect<'a>(ir: &'a Ir, lang: Lang, options: &Options, scopes: &mut Vec<Functions>) -> Vec<Job<'a>> {
    let mut names = Names::new(lang.words());
    names.push();
    if lang.is_host() {
        names.take_library();
    }
    let tables: Vec<&Ir> = match lang.is_host() {
        true => vec![ir],
        false => children(ir).filter(|unit| unit.is(unit.root(), gpu::Module::DEF)).collect(),
    };
    let functions = |(scope, table): (usize, &&'a Ir)| {
        let found = move |unit| Found::read(unit, scope, lang, options);
        children(table).filter_map(found).collect::<Vec<_>>()
    };
    let found: Vec<Found<'_>> = tables.iter().enumerate().flat_map(functions).collect();
    let chosen = choose_names(&found, lang, &mut names);
    scopes.extend(tables.iter().map(|_| Functions::default()));
    for (scope, table) in scopes.iter_mut().zip(&tables) {
        let blocks = table.regions(table.root()).flat_map(|region| table.blocks(region));
        let globals = blocks.flat_map(|block| table.block_ops(block));
        for global in globals.filter_map(|op| memref::Global::cast(table, op)) {
            scope.globals.extend(Global::read(table, global, lang, &mut names));
        }
    }
    let mut jobs = Vec::new();
    for (function, name) in found.into_iter().zip(chosen) {
        let callee = function.callee(&name, lang);
        let Found { unit, symbol, scope, kernel, public, external, declared } = function;
        scopes[scope].by_symbol.insert(symbol.clone(), callee);
        let symbol = match lang.is_host() {
            true => symbol,
            false => format!("{}::{symbol}", symbol_of(tables[scope])),
        };
        if !external {
            jobs.push(Job { ir: unit, symbol, name, kernel, public, declared, scope });
        }
    }
    jobs
}

/// Names in the text: first of what is visible from outside, and there first of what has that very name
fn choose_names(found: &[Found<'_>], lang: Lang, names: &mut Names) -> Vec<String> {
    let turn = |function: &Found<'_>| match function.public || function.external {
        true => u8::from(!is_plain(&function.symbol)),
        false => 2,
    };
    let mut chosen = vec![String::new(); found.len()];
    for pass in 0..3 {
        for (function, name) in found.iter().zip(&mut chosen).filter(|(function, _)| turn(function) == pass) {
            if function.declared.is_some() {
                names.take(&function.symbol);
            }
            let fixed = function.fixed_name(lang);
            let wanted = || identifier(&function.symbol).unwrap_or_else(|| "f".to_string());
            *name = fixed.unwrap_or_else(|| names.fresh(&wanted()));
            names.take(name);
        }
    }
    chosen
}

/// Name of a function that is defined elsewhere: with buffers, the one that takes descriptors
fn external_name(unit: &Ir, symbol: &str) -> String {
    let cx = unit.cx();
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(cx)).unwrap_or((&[], &[]));
    let callee = Callee {
        name: String::new(),
        inputs: inputs.to_vec(),
        results: results.to_vec(),
        arrays: Vec::new(),
        external: true,
        label: None,
    };
    let name = host_name(symbol);
    if callee.by_descriptor(cx) { format!("_mlir_ciface_{name}") } else { name.into_owned() }
}

pub(crate) fn children(ir: &Ir) -> impl Iterator<Item = &Ir> {
    let blocks = ir.regions(ir.root()).flat_map(|region| ir.blocks(region));
    blocks.flat_map(|block| ir.block_ops(block)).filter_map(|op| ir.child(op))
}

/// Print one function
fn function(
    job: &Job<'_>,
    flavor: Flavor,
    functions: &Functions,
    helpers: &mut Helpers,
    diags: &mut Diags,
) -> Done<Made> {
    let lang = flavor.language();
    let ir = job.ir;
    let root = ir.root();
    let errors = diags.errors();
    let mut emit = Emit::new(ir, (lang, table(flavor)), functions, helpers, diags);
    let region = ir.region(root, 0);
    let entry = emit.only_block(root, region)?;
    let cx = ir.cx();
    let ty = ir.attr(root, "function_type").and_then(|attr| attr.as_type(cx));
    let results: Vec<Type> = ty.and_then(|ty| ty.as_function(cx)).map_or(Vec::new(), |(_, r)| r.to_vec());
    let inputs = ty.and_then(|ty| ty.as_function(cx)).map_or(0, |(inputs, _)| inputs.len());
    let args = ir.block_args(entry).to_vec();
    let (args, own) = args.split_at(inputs.min(args.len()));
    let (mut texts, params) = emit.arguments(root, args, job.kernel)?;
    texts.extend(emit.out_parameters(root, &results)?);
    let returned = match (&emit.frame.returns, &results[..]) {
        (Returns::Value, [one]) => emit.c_type(root, *one)?,
        _ => "void".to_string(),
    };
    buffers(&mut emit, root, own)?;
    let arrays = emit.frame.arrays;
    emit.function_pragmas(job.public, &params, arrays);
    emit.argument_strides(root, args)?;
    emit.body(entry);
    let body = std::mem::take(&mut emit.text.out);
    let lost = emit.values.lost.filter(|_| emit.diags.errors() == errors);
    if let Some(value) = lost {
        let op = ir.defining_op(value).unwrap_or(root);
        emit.no_op::<()>(op, "its value is used where it has no text", "")?;
    }
    drop(emit);
    if diags.errors() > errors {
        return Err(Refused);
    }
    let empty = if lang.is_host() && texts.is_empty() { "void" } else { "" };
    let list = parameters(&texts, empty);
    let head = format!("{}{returned} {}({list})", linkage(job, lang), job.name);
    let signature = Signature {
        symbol: job.symbol.clone(),
        name: job.name.clone(),
        kernel: job.kernel,
        public: job.public,
        params,
        results,
    };
    Ok(Made { signature, head, body })
}

/// Buffers of the block and of the thread that a kernel begins with
fn buffers(emit: &mut Emit<'_>, root: OpId, own: &[Value]) -> Done {
    let ir = emit.ir;
    let count = ir.discardable(root, "workgroup_attributions").and_then(|count| count.as_i64(ir.cx()));
    let workgroup = usize::try_from(count.unwrap_or(0)).unwrap_or(0).min(own.len());
    let (shared, private) = own.split_at(workgroup);
    emit.frame.shares = !shared.is_empty();
    emit.attributions(root, shared, Space::Workgroup)?;
    emit.attributions(root, private, Space::Private)
}

/// Parameters in lines that are not too long
fn parameters(texts: &[String], empty: &str) -> String {
    let joined = texts.join(", ");
    if texts.is_empty() {
        return empty.to_string();
    }
    if joined.len() <= 90 {
        return joined;
    }
    let mut lines = vec![String::new()];
    for (n, text) in texts.iter().enumerate() {
        let comma = if n + 1 < texts.len() { "," } else { "" };
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + text.len() > 90 {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last] += &format!("{text}{comma}");
    }
    format!("\n    {}", lines.join("\n    "))
}

/// Words before the result type
fn linkage(job: &Job<'_>, lang: Lang) -> String {
    let size = job.ir.attr(job.ir.root(), "known_block_size");
    let size = size.and_then(|attr| known_size(job.ir, attr));
    lang.function_words(job.kernel, job.public && job.declared.is_none(), size)
}

/// Three sizes of an attribute of such
fn known_size(ir: &Ir, attr: terrace_ir::Attr) -> Option<[i64; 3]> {
    let items = integers(ir.cx(), attr)?;
    let sizes: Vec<i64> = items.into_iter().filter_map(|item| i64::try_from(item).ok()).collect();
    sizes.try_into().ok()
}

/// Declarations of functions of this text that are called before they come, and of those defined elsewhere
fn prototypes(jobs: &[Job<'_>], scopes: &[Functions], lang: Lang, made: &[Made]) -> String {
    let mut out = String::new();
    for scope in scopes {
        for callee in scope.by_symbol.values().filter(|callee| callee.external) {
            let called = made.iter().any(|function| function.body.contains(&format!("{}(", callee.name)));
            if let (true, Some(job)) = (called, jobs.first()) {
                out += &external(job.ir, callee, lang);
            }
        }
    }
    for (n, function) in made.iter().enumerate() {
        let call = format!("{}(", function.signature.name);
        if !function.signature.kernel && made[..=n].iter().any(|earlier| earlier.body.contains(&call)) {
            out += &format!("{};\n", function.head);
        }
    }
    if out.is_empty() { out } else { format!("\n{out}") }
}

/// Declaration of a function that is defined elsewhere
fn external(ir: &Ir, callee: &Callee, lang: Lang) -> String {
    let cx = ir.cx();
    let described = callee.by_descriptor(cx);
    let spell = |ty: &Type| match Shape::of(cx, *ty) {
        Some(shape) if matches!(ty.kind(cx), TypeKind::MemRef { .. }) => {
            format!("struct {} *", descriptor_name(&shape))
        }
        _ => Scalar::of(cx, *ty).map_or("void".into(), |ty| lang.scalar(ty).to_string()),
    };
    let mut params: Vec<String> = callee.inputs.iter().map(spell).collect();
    let mut result = "void".to_string();
    match &callee.results[..] {
        [] => {}
        [one] if callee.returns_value(cx) => result = spell(one),
        _ if described => params.insert(0, "void *".into()),
        _ => {}
    }
    if params.is_empty() {
        params.push("void".into());
    }
    let label = callee.label.as_ref().map_or(String::new(), |label| format!(" __asm__({})", quoted(label)));
    let words = if lang.exported().is_empty() { "extern " } else { lang.exported() };
    format!("{words}{result} {}({}){label};\n", callee.name, params.join(", "))
}

impl Part {
    /// Number of the 8-byte slot in a descriptor
    pub(crate) fn field(self) -> String {
        match self {
            Part::Value => String::new(),
            Part::Allocated => "allocated".into(),
            Part::Pointer => "aligned".into(),
            Part::Offset => "offset".into(),
            Part::Size(n) => format!("sizes[{n}]"),
            Part::Stride(n) => format!("strides[{n}]"),
        }
    }
}
