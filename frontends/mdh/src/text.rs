//! MDH text: the form of the paper's second listing.
//!
//! ```text
//! file   := { definition | use ; | with NAME = (NUMBER|TYPE), … ; | operator }
//! definition := NAME [< Type T,… | int I [<= bound],… >] :=      -- ours: a size with a bound is an argument
//!           out_view<type,…>( buf,… ) o md_hom<size,…>( fn , ( comb,… ) ) o inp_view<type,…>( buf,… )
//!           [schedule( STEPS )]                         -- ours: (de/re)-composition steps of this computation
//! use    := NAME < type,… | NUMBER,… >                  -- one function of that name, or NAME as it was before
//! buf    := B [ [size,…] ] : access , …                 -- a new buffer begins where a name stands before `:`
//! access := ( id,… ) -> ( e,… ) [else NUMBER] [if e % NUMBER == 0]
//! fn     := * | + | max | min | (x,…) -> expr | (x,…) -> (expr,…)      -- x: accesses in order; names of dimensions: coordinates
//! comb   := ++ | cc | op | pw(op) | ps(op) | ++prefix-sum(op) | (op,…)
//! where  := where cond, …                               -- ours, behind md_hom(…)
//! order  := order(source|fused|tree|invariant|exact|fixed|free)      -- ours, behind where: bracketing of the operators
//! into   := into B [( id,… ) -> ( e,… )]                -- ours, behind an output's accesses
//! operator := op NAME < type,… > ( a,… ) := expr | (expr,…) : associative, commutative, exact, identity c,…      -- ours
//! ```
//!
//! `o` is composition, from right to left. Dimensions have the names of the first access.

mod instance;
mod parse;

pub(crate) use parse::{order, schedule, wrong_steps};

use crate::codes;
use crate::model::{OperatorFn, Program};
use crate::syntax::{Expr, Words};
use instance::instance;
use parse::file;
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Reported, SourceId, Span, nearest};
use terrace_dialect_mdh::schedule::OpenSchedule;
use terrace_dialect_mdh::view::Order;
use terrace_ir::{Context, Ir};

type Done<T> = Result<T, Reported>;

/// A name in `< … >`, or a number or type in its place
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// Name
    pub name: String,
    /// Type parameters
    pub types: Vec<String>,
    /// Size parameters
    pub sizes: Vec<String>,
    /// Sizes that are known at run time, with their bounds
    pub open: Vec<(String, Expr)>,
    /// Types of the outputs
    pub out_types: Vec<String>,
    /// Outputs
    pub outs: Vec<Buffer>,
    /// Sizes of the dimensions
    pub extents: Vec<Expr>,
    /// Scalar function
    pub function: Fun,
    /// Operators
    pub combs: Vec<Comb>,
    /// Conditions
    pub conditions: Vec<Expr>,
    /// What bracketing of the operators is allowed
    pub order: Order,
    /// Types of the inputs
    pub inp_types: Vec<String>,
    /// Inputs
    pub inps: Vec<Buffer>,
    /// Steps of a schedule, and where they stand
    pub schedule: Option<(OpenSchedule, Span)>,
    pub(crate) span: Span,
}

/// A buffer with its accesses
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// Name
    pub name: String,
    /// Declared sizes
    pub shape: Option<Vec<Expr>>,
    /// Accesses
    pub accesses: Vec<Access>,
    /// `into`
    pub into: Option<(String, Option<Access>)>,
    pub(crate) span: Span,
}

/// `(i,j) -> (e,…)`
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// Names of the dimensions, here only
    pub ids: Vec<String>,
    /// Index functions
    pub index: Vec<Expr>,
    /// `else`
    pub other: Option<f64>,
    /// `if … == 0`
    pub guard: Option<Expr>,
    pub(crate) span: Span,
}

/// The scalar function
#[derive(Clone, PartialEq, Debug)]
pub enum Fun {
    /// `*` and so on, between all inputs
    Mark(String, Span),
    /// `(x,…) -> expr`
    Lambda(Vec<String>, Vec<Expr>, Span),
}

/// A combine operator
#[derive(Clone, PartialEq, Debug)]
pub enum Comb {
    /// `++`
    Keep,
    /// `op`
    Point(Vec<String>, Span),
    /// `ps(op)`
    Prefix(Vec<String>, Span),
}

/// Read a file into a module; nothing if that failed with messages
///
/// `sets` give sizes and types of parameters: `I=16`, `T=f32`.
pub fn read(cx: &Arc<Context>, source: SourceId, sets: &[(String, String)], diags: &mut Diags) -> Option<Ir> {
    let wrong = |why: String| Diagnostic::error(&codes::D_TYPE, format!("D-TYPE: {why}"));
    crate::emit::read(cx, source, diags, |text, diags| program(source, text, sets, diags).ok(), wrong)
}

/// Definitions of a text, before sizes are known
pub fn definitions(source: SourceId, text: &str, diags: &mut Diags) -> Option<Vec<Definition>> {
    let mut words = Words::new(source, text, &codes::D_SYNTAX, diags)?;
    file(&mut words).ok().map(|file| file.definitions)
}

#[derive(Default)]
struct File {
    definitions: Vec<Definition>,
    uses: Vec<(String, Vec<String>, Vec<i64>, Span)>,
    with: BTreeMap<String, String>,
    operators: Vec<OperatorFn>,
}

fn program(source: SourceId, text: &str, sets: &[(String, String)], diags: &mut Diags) -> Done<Program> {
    let Some(mut words) = Words::new(source, text, &codes::D_SYNTAX, diags) else {
        return Err(diags.result().unwrap_err());
    };
    let mut found = file(&mut words)?;
    found.with.extend(sets.iter().cloned());
    let mut program = Program { operators: found.operators.clone(), functions: Vec::new() };
    for definition in &found.definitions {
        let uses: Vec<_> = found.uses.iter().filter(|(name, ..)| *name == definition.name).collect();
        if uses.is_empty() {
            let function = instance(&mut words, definition, &found, &found.with.clone())?;
            program.functions.push(function);
        }
        for (n, (_, types, sizes, span)) in uses.iter().enumerate() {
            if types.len() != definition.types.len() || sizes.len() != definition.sizes.len() {
                let message = format!(
                    "{} takes {} types and {} sizes, not {} and {}",
                    definition.name,
                    definition.types.len(),
                    definition.sizes.len(),
                    types.len(),
                    sizes.len()
                );
                return Err(words.error(&codes::D_ARITY, *span, message));
            }
            let mut with: BTreeMap<String, String> = BTreeMap::new();
            with.extend(definition.types.iter().cloned().zip(types.iter().cloned()));
            with.extend(definition.sizes.iter().cloned().zip(sizes.iter().map(i64::to_string)));
            let mut function = instance(&mut words, definition, &found, &with)?;
            if n > 0 {
                function.name = format!("{}_{n}", function.name);
            }
            program.functions.push(function);
        }
    }
    for (name, _, _, span) in &found.uses {
        if !found.definitions.iter().any(|definition| definition.name == *name) {
            let near = nearest(name, found.definitions.iter().map(|definition| definition.name.as_str()));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            return Err(words.error_with_help(
                &codes::D_NAME,
                *span,
                &format!("{name} is not defined"),
                help,
            ));
        }
    }
    Ok(program)
}
