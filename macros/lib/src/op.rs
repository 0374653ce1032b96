//! The model of an op: what `#[op]` and the struct say, checked.

use crate::args::OpArgs;
use crate::fields::{FieldRef, Fields, plain};
use crate::format::{self, Piece};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, ItemStruct, LitStr, Result};

/// An op: the attribute's arguments and the struct
pub struct Op {
    /// Arguments
    pub args: OpArgs,
    /// The struct as written
    pub item: ItemStruct,
    /// Its fields
    pub fields: Fields,
    /// Its custom syntax as written
    pub syntax: Option<LitStr>,
    /// Its custom syntax
    pub asm: Vec<Piece>,
}

/// Names of `terrace_ir::Traits`; a test compares them
pub const TRAITS: &[&str] = &[
    "Pure",
    "Commutative",
    "Elementwise",
    "Terminator",
    "IsolatedFromAbove",
    "Unit",
    "SymbolTable",
    "Symbol",
    "ConstantLike",
    "ReturnLike",
    "NoTerminator",
    "SingleBlock",
    "GraphRegion",
    "RecursiveEffects",
    "RecursivelySpeculatable",
    "AffineScope",
    "AllocationScope",
    "LoopLike",
    "CallLike",
    "FunctionLike",
    "Idempotent",
    "Involution",
    "NoEffect",
    "InlinesCalls",
    "InlinesPureCalls",
    "Sequential",
    "Divides",
    "LibraryCall",
    "ViewLike",
];
const EFFECTS: &[&str] = &["none", "read", "write", "alloc", "free", "unknown"];
const HOOKS: &[&str] = &["fold", "verify", "infer", "effects"];

impl Op {
    /// Read and check everything
    pub fn parse(args: TokenStream, item: TokenStream) -> Result<Op> {
        let args: OpArgs = syn::parse2(args)?;
        let mut item: ItemStruct = syn::parse2(item).map_err(|error| {
            syn::Error::new(error.span(), format!("#[op] stands before a struct: {error}"))
        })?;
        if !item.generics.params.is_empty() {
            return Err(syn::Error::new_spanned(&item.generics, "an op has no generic parameters"));
        }
        let fields = Fields::parse(&item)?;
        known(&known_traits(&args)?, TRAITS, "trait")?;
        known(args.effects.as_deref().unwrap_or(&[]), EFFECTS, "effect")?;
        known(&args.hooks, HOOKS, "hook")?;
        let syntax = take_syntax(&mut item)?;
        let asm = match &syntax {
            Some(text) => format::parse(text, &fields)?,
            None => Vec::new(),
        };
        Ok(Op { args, item, fields, syntax, asm })
    }

    /// Is this hook handwritten?
    pub fn hooks(&self, name: &str) -> bool {
        self.args.hooks.iter().any(|hook| hook == name)
    }
}

/// The text of `#[asm("…")]`, which is for this macro only
fn take_syntax(item: &mut ItemStruct) -> Result<Option<LitStr>> {
    let mut syntax = None;
    for attr in item.attrs.extract_if(.., |attr| attr.path().is_ident("asm")) {
        if syntax.replace(attr.parse_args()?).is_some() {
            return Err(syn::Error::new_spanned(attr, "an op has one `#[asm]`"));
        }
    }
    Ok(syntax)
}

/// The traits that are one word; those of dialects are written with their path
fn known_traits(args: &OpArgs) -> Result<Vec<Ident>> {
    let mut words = Vec::new();
    for (n, path) in args.traits.iter().enumerate() {
        if args.traits[..n].contains(path) {
            let text = quote!(#path).to_string().replace(' ', "");
            return Err(syn::Error::new_spanned(path, format!("trait `{text}` is there twice")));
        }
        if let Some(word) = path.get_ident() {
            if !TRAITS.contains(&plain(word).as_str()) {
                let message = format!(
                    "unknown trait `{word}`; there are {}; a trait of your own is written with its path: `self::{word}`",
                    TRAITS.join(", ")
                );
                return Err(syn::Error::new(word.span(), message));
            }
            words.push(word.clone());
        }
    }
    Ok(words)
}

fn known(given: &[Ident], all: &[&str], what: &str) -> Result<()> {
    for (n, ident) in given.iter().enumerate() {
        if !all.contains(&plain(ident).as_str()) {
            let message = format!("unknown {what} `{ident}`; there are {}", all.join(", "));
            return Err(syn::Error::new(ident.span(), message));
        }
        if given[..n].contains(ident) {
            return Err(syn::Error::new(ident.span(), format!("{what} `{ident}` is there twice")));
        }
    }
    Ok(())
}

/// The operand or result of a relation
pub fn slot(ident: &Ident, fields: &Fields) -> Result<FieldRef> {
    match fields.find(&plain(ident)) {
        Some(place @ (FieldRef::Operand(_) | FieldRef::Result(_))) => Ok(place),
        Some(_) => Err(syn::Error::new(ident.span(), format!("`{ident}` is neither operand nor result"))),
        None => Err(syn::Error::new(ident.span(), fields.unknown(&plain(ident)))),
    }
}
