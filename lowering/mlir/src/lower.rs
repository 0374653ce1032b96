//! Upstream's way from its dialects to LLVM's, by its own passes.

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::attribute::{StringAttribute, TypeAttribute};
use melior::ir::operation::{OperationLike, OperationMutLike, WalkOrder, WalkResult};
use melior::ir::r#type::{FunctionType, MemRefType};
use melior::ir::{Attribute, BlockLike, Module, ShapedTypeLike, Type};
use melior::pass::PassManager;
use std::cell::RefCell;
use std::rc::Rc;
use terrace_diag::{Code, Diagnostic};
use terrace_native_client::codes;

/// What upstream's documentation gives for a module of these dialects, in its order
///
/// Functions of the C library take the lanes of a vector one by one: what takes them apart is of `vector` once more. `log1p` is
/// one of them; its approximation is log(1 + x), which has no digit left near 0.
const PIPELINE: &str = "builtin.module(\
    convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,lower-affine,\
    convert-vector-to-llvm,convert-math-to-llvm{approximate-log1p=false},convert-math-to-libm,convert-vector-to-llvm,\
    convert-ub-to-llvm,convert-arith-to-llvm,\
    convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)";

/// What a function gives
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Output {
    /// A number of this type
    Scalar(String),
    /// Memory of this element type and rank
    Memory(String, usize),
}

/// A module in upstream's `llvm` dialect
pub(crate) struct Lowered {
    // Before the context it lives in: fields are dropped in order.
    module: Module<'static>,
    results: Vec<Output>,
    _context: Box<Context>,
}

impl Lowered {
    /// Parse, verify and lower; the entry function gets a wrapper that takes pointers
    pub(crate) fn new(text: &str, entry: Option<&str>) -> Result<Lowered, Vec<Diagnostic>> {
        let registry = DialectRegistry::new();
        melior::utility::register_all_dialects(&registry);
        melior::utility::register_all_passes();
        let context = Box::new(Context::new_with_registry(&registry, false));
        context.load_all_available_dialects();
        melior::utility::register_all_llvm_translations(&context);

        let said = Rc::new(RefCell::new(Vec::new()));
        let listener = said.clone();
        context.attach_diagnostic_handler(move |diagnostic| {
            listener.borrow_mut().push(format!("{}: {diagnostic}", diagnostic.location()));
            true
        });
        let failed = |code: Code, message: &str| -> Vec<Diagnostic> {
            let notes = said.borrow_mut().drain(..).collect::<Vec<String>>();
            vec![notes.into_iter().fold(Diagnostic::error(code, message), Diagnostic::note)]
        };
        let refused = "upstream does not accept the module";
        let parsed = Module::parse(&context, text);
        let mut module = parsed.ok_or_else(|| failed(&codes::UPSTREAM_REFUSES, refused))?;
        if !module.as_operation().verify() {
            return Err(failed(&codes::UPSTREAM_REFUSES, refused));
        }
        let results = match entry {
            Some(entry) => expose(&context, &mut module, entry).map_err(|error| vec![error])?,
            None => Vec::new(),
        };
        let manager = PassManager::new(&context);
        melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), PIPELINE)
            .map_err(|error| failed(&codes::UPSTREAM_LOWERING, &format!("upstream's pipeline: {error}")))?;
        if manager.run(&mut module).is_err() {
            return Err(failed(&codes::UPSTREAM_LOWERING, "upstream's passes cannot lower the module"));
        }
        drop(manager);
        // The engine would die of these.
        if let Some(name) = left(&module) {
            let message = format!("upstream's passes leave `{name}` in the module");
            return Err(failed(&codes::UPSTREAM_LOWERING, &message));
        }
        let module = extend(module);
        Ok(Lowered { module, results, _context: context })
    }

    pub(crate) fn module(&self) -> &Module<'static> {
        &self.module
    }

    pub(crate) fn results(&self) -> &[Output] {
        &self.results
    }

    /// The module as text, in the `llvm` dialect
    pub(crate) fn text(&self) -> String {
        self.module.as_operation().to_string()
    }
}

/// An op that is not of the `llvm` dialect
fn left(module: &Module<'_>) -> Option<String> {
    let mut found = None;
    module.as_operation().walk(WalkOrder::PreOrder, |op| {
        let name = op.name().as_string_ref().as_str().unwrap_or_default().to_owned();
        if name.starts_with("llvm.") || name == "builtin.module" {
            return WalkResult::Advance;
        }
        found = Some(name);
        WalkResult::Interrupt
    });
    found
}

/// Let a module outlive the borrow of its context
#[allow(unsafe_code)]
fn extend(module: Module<'_>) -> Module<'static> {
    // SAFETY: the caller keeps the context in a box of the same struct, in a field that is dropped after the module.
    unsafe { std::mem::transmute(module) }
}

/// Ask for a wrapper of the entry function, and find what the function gives
fn expose(context: &Context, module: &mut Module<'_>, entry: &str) -> Result<Vec<Output>, Diagnostic> {
    let body = module.body();
    let mut next = body.first_operation_mut();
    while let Some(mut op) = next {
        let name = op.attribute("sym_name").ok().and_then(|name| StringAttribute::try_from(name).ok());
        if name.is_some_and(|name| name.value() == entry) {
            op.set_attribute("llvm.emit_c_interface", Attribute::unit(context));
            let ty = op.attribute("function_type").ok().and_then(|ty| TypeAttribute::try_from(ty).ok());
            let ty = ty.and_then(|ty| FunctionType::try_from(ty.value()).ok());
            let ty = ty.ok_or_else(|| no_entry(format!("@{entry} is no function")))?;
            return (0..ty.result_count())
                .map(|n| ty.result(n).map_err(|error| no_entry(error.to_string())).and_then(output))
                .collect();
        }
        next = op.next_in_block_mut();
    }
    Err(no_entry(format!("there is no function @{entry}")))
}

fn output(ty: Type<'_>) -> Result<Output, Diagnostic> {
    match MemRefType::try_from(ty) {
        Ok(memory) => Ok(Output::Memory(memory.element().to_string(), memory.rank())),
        Err(_) => match ty.to_string() {
            name if terrace_native_client::protocol::elem_size(&name).is_some() => Ok(Output::Scalar(name)),
            name => Err(no_entry(format!("a result has type {name}: numbers and memrefs can be taken"))),
        },
    }
}

fn no_entry(message: String) -> Diagnostic {
    Diagnostic::error(&codes::ENTRY, message)
}
