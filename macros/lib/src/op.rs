//! `#[op]`: the op's table.

use crate::args::{OpArgs, Relation};
use crate::fields::{Arity, Fields, Place, ValueField, plain};
use crate::{accessors, build, format};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Ident, ItemStruct, Result};

/// Text of doc comments, one line each without the leading blank
pub fn docs_text(attrs: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        if let syn::Meta::NameValue(pair) = &attr.meta
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value
        {
            let text = text.value();
            lines.push(text.strip_prefix(' ').map_or(text.clone(), str::to_string));
        }
    }
    lines.join("\n")
}

/// Expand the attribute
pub fn expand(args: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let args: OpArgs = syn::parse2(args)?;
    let item: ItemStruct = syn::parse2(item)?;
    let fields = Fields::parse(&item)?;
    let pieces = args.asm.as_ref().map(|asm| format::parse(asm, &fields)).transpose()?;
    let derived = Derived::new(&args, &fields)?;
    if let (Some(pieces), Some(asm)) = (&pieces, &args.asm) {
        derived.check_format(pieces, &fields, asm)?;
    }
    let def = table(&args, &item, &fields, pieces.as_deref().unwrap_or(&[]))?;
    let accessors = accessors::emit(&fields);
    let build = build::emit(&item.ident, &fields, &derived);
    let (ident, vis, docs) = (&item.ident, &item.vis, item.attrs.iter());
    let line = format!("\n\nOp `{}`.", args.name.value());
    Ok(quote! {
        #(#docs)*
        #[doc = #line]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #vis struct #ident(pub ::terrace_ir::OpId);

        impl #ident {
            /// The op's table
            pub const DEF: &'static ::terrace_ir::OpDef = {
                static DEF: ::terrace_ir::OpDef = #def;
                &DEF
            };

            /// The op as this kind, if it is one
            #[inline]
            pub fn cast(ir: &::terrace_ir::Ir, op: ::terrace_ir::OpId) -> ::core::option::Option<Self> {
                ir.is(op, Self::DEF).then_some(#ident(op))
            }

            /// The op
            #[inline]
            pub fn id(self) -> ::terrace_ir::OpId {
                self.0
            }

            #accessors
            #build
        }

        impl ::core::convert::From<::terrace_ir::OpId> for #ident {
            fn from(op: ::terrace_ir::OpId) -> Self {
                #ident(op)
            }
        }
    })
}

/// Results whose type nobody has to give
pub struct Derived {
    /// By result index
    pub results: Vec<bool>,
    operands: Vec<bool>,
    /// Groups of fields that have one type each
    same: Vec<Vec<Place>>,
}

const ONLY: &[&str] = &["I1", "I8", "I32", "I64", "Index", "F32", "F64"];

impl Derived {
    fn new(args: &OpArgs, fields: &Fields) -> Result<Derived> {
        let only = |list: &[ValueField]| -> Vec<bool> {
            let is = |field: &ValueField| {
                field.rule.segments.last().is_some_and(|last| ONLY.contains(&last.ident.to_string().as_str()))
            };
            list.iter().map(is).collect()
        };
        let infer = args.hooks.iter().any(|hook| hook == "infer");
        let mut derived =
            Derived { results: only(&fields.results), operands: only(&fields.operands), same: Vec::new() };
        for relation in &args.relations {
            let places: Vec<Place> =
                relation.fields.iter().map(|name| place(fields, name)).collect::<Result<_>>()?;
            match relation.kind.to_string().as_str() {
                "same" => derived.same.push(places),
                "bool_like" | "element_of" | "type_of_attr" => derived.know(places[1]),
                _ => {}
            }
        }
        let groups = derived.same.clone();
        for group in &groups {
            let from_operand = group.iter().any(|place| match place {
                Place::Operand(n) => fields.operands[*n].arity == Arity::One,
                _ => false,
            });
            if from_operand {
                group
                    .iter()
                    .filter(|place| matches!(place, Place::Result(_)))
                    .for_each(|place| derived.know(*place));
            }
        }
        if infer {
            derived.results.fill(true);
        }
        Ok(derived)
    }

    fn know(&mut self, place: Place) {
        match place {
            Place::Operand(n) => self.operands[n] = true,
            Place::Result(n) => self.results[n] = true,
            _ => {}
        }
    }

    /// Every type is in the format or follows from those that are
    fn check_format(&self, pieces: &[format::Piece], fields: &Fields, asm: &syn::LitStr) -> Result<()> {
        let said = |place: Place, arity| {
            format::says_type(pieces, place, arity)
                || self.same.iter().any(|group| {
                    group.contains(&place)
                        && group.iter().any(|other| format::says_type(pieces, *other, arity))
                })
        };
        for (n, field) in fields.operands.iter().enumerate() {
            if !self.operands[n] && !said(Place::Operand(n), field.arity) {
                // A relation may give an operand's type from another place, such as an attribute or a memref.
                let message = format!("the format does not say the type of operand `{}`", field.ident);
                return Err(syn::Error::new(asm.span(), message));
            }
        }
        for (n, field) in fields.results.iter().enumerate() {
            if !self.results[n] && !said(Place::Result(n), field.arity) {
                let message = format!("the format does not say the type of result `{}`", field.ident);
                return Err(syn::Error::new(asm.span(), message));
            }
        }
        Ok(())
    }
}

fn place(fields: &Fields, name: &Ident) -> Result<Place> {
    fields
        .find(&plain(name))
        .ok_or_else(|| syn::Error::new(name.span(), format!("the op has no field `{name}`")))
}

fn slot(fields: &Fields, name: &Ident) -> Result<TokenStream> {
    match place(fields, name)? {
        Place::Operand(n) => {
            let n = n as u8;
            Ok(quote!(::terrace_ir::Slot::Operand(#n)))
        }
        Place::Result(n) => {
            let n = n as u8;
            Ok(quote!(::terrace_ir::Slot::Result(#n)))
        }
        _ => Err(syn::Error::new(name.span(), "relations are between operands and results")),
    }
}

fn relation(fields: &Fields, relation: &Relation) -> Result<TokenStream> {
    let rel = quote!(::terrace_ir::TypeRel);
    let names = &relation.fields;
    Ok(match relation.kind.to_string().as_str() {
        "same" => {
            let slots: Vec<TokenStream> =
                names.iter().map(|name| slot(fields, name)).collect::<Result<_>>()?;
            quote!(#rel::Same(&[#(#slots),*]))
        }
        "type_of_attr" => {
            let Place::Attr(n) = place(fields, &names[0])? else {
                return Err(syn::Error::new(names[0].span(), "`type_of_attr` starts from an attribute"));
            };
            let (n, to) = (n as u8, slot(fields, &names[1])?);
            quote!(#rel::TypeOfAttr { attr: #n, to: #to })
        }
        kind => {
            let (a, b) = (slot(fields, &names[0])?, slot(fields, &names[1])?);
            match kind {
                "bool_like" => quote!(#rel::BoolLike { from: #a, to: #b }),
                "element_of" => quote!(#rel::ElementOf { from: #a, to: #b }),
                "same_shape" => quote!(#rel::SameShape(#a, #b)),
                _ => quote!(#rel::SameElement(#a, #b)),
            }
        }
    })
}

fn value_specs(list: &[ValueField]) -> TokenStream {
    let specs = list.iter().map(|field| {
        let (name, rule) = (plain(&field.ident), &field.rule);
        let arity = match field.arity {
            Arity::One => quote!(One),
            Arity::Optional => quote!(Optional),
            Arity::Variadic => quote!(Variadic),
        };
        quote!(::terrace_ir::defs::ValueSpec {
            name: #name,
            arity: ::terrace_ir::Arity::#arity,
            ty: const { &<#rule as ::terrace_ir::rules::TypeRule>::RULE },
        })
    });
    quote!(&[#(#specs),*])
}

fn table(args: &OpArgs, item: &ItemStruct, fields: &Fields, pieces: &[format::Piece]) -> Result<TokenStream> {
    let name = &args.name;
    let docs = docs_text(&item.attrs);
    let summary = docs.lines().next().unwrap_or("").to_string();
    let (operands, results) = (value_specs(&fields.operands), value_specs(&fields.results));
    let attrs = fields.attrs.iter().map(|field| {
        let (name, rule, optional) = (&field.name, &field.rule, field.optional);
        let default = match &field.default {
            Some(make) => quote!(::core::option::Option::Some(#make)),
            None => quote!(::core::option::Option::None),
        };
        quote!(::terrace_ir::AttrSpec {
            name: #name,
            attr: const { &<#rule as ::terrace_ir::rules::AttrRule>::RULE },
            optional: #optional,
            default: #default,
        })
    });
    let regions = fields.regions.iter().map(|field| {
        let (name, variadic) = (plain(&field.ident), field.variadic);
        let (single_block, may_be_empty) = (field.single_block, field.may_be_empty);
        quote!(::terrace_ir::defs::RegionSpec {
            name: #name,
            variadic: #variadic,
            single_block: #single_block,
            may_be_empty: #may_be_empty,
        })
    });
    let mut successors = Vec::new();
    for field in &fields.successors {
        let (name, variadic) = (plain(&field.ident), field.variadic);
        let operands = match &field.operands {
            None => quote!(::core::option::Option::None),
            Some(name) => match place(fields, name)? {
                Place::Operand(n) => {
                    let n = n as u8;
                    quote!(::core::option::Option::Some(#n))
                }
                _ => return Err(syn::Error::new(name.span(), "a block's arguments are an operand field")),
            },
        };
        successors.push(quote!(::terrace_ir::defs::SuccessorSpec {
            name: #name,
            variadic: #variadic,
            operands: #operands,
        }));
    }
    let traits = &args.traits;
    let relations: Vec<TokenStream> =
        args.relations.iter().map(|r| relation(fields, r)).collect::<Result<_>>()?;
    let asm = format::emit(pieces);
    let effects = effects(args)?;
    let hook = |name: &str, some: TokenStream| {
        if args.hooks.iter().any(|hook| hook == name) {
            quote!(::core::option::Option::Some(#some))
        } else {
            quote!(::core::option::Option::None)
        }
    };
    for hook in &args.hooks {
        if !["fold", "verify", "infer", "effects"].contains(&hook.to_string().as_str()) {
            let message = format!("unknown hook `{hook}`; there are fold, verify, infer, effects");
            return Err(syn::Error::new(hook.span(), message));
        }
    }
    let this = &item.ident;
    let verify = hook("verify", quote!(|v, op| <#this as ::terrace_ir::Verify>::verify(#this(op), v)));
    let fold = hook("fold", quote!(|cx| <#this as ::terrace_ir::Fold>::fold(#this(cx.op), cx)));
    let infer = hook("infer", quote!(|cx| <#this as ::terrace_ir::Infer>::infer(cx)));
    let effects_of =
        hook("effects", quote!(|ir, op| <#this as ::terrace_ir::EffectsOf>::effects(#this(op), ir)));
    let interfaces = args.interfaces.iter();
    let parents = &args.parents;
    let terminator = match &args.implicit_terminator {
        Some(name) => quote!(::core::option::Option::Some(#name)),
        None => quote!(::core::option::Option::None),
    };
    Ok(quote!(::terrace_ir::OpDef {
        name: #name,
        summary: #summary,
        docs: #docs,
        operands: #operands,
        results: #results,
        attrs: &[#(#attrs),*],
        regions: &[#(#regions),*],
        successors: &[#(#successors),*],
        traits: ::terrace_ir::Traits::NONE #(.and(::terrace_ir::Traits::#traits))*,
        parents: &[#(#parents),*],
        implicit_terminator: #terminator,
        relations: &[#(#relations),*],
        asm: #asm,
        effects: #effects,
        verify: #verify,
        fold: #fold,
        infer: #infer,
        effects_of: #effects_of,
        interfaces: &[#(<#this as #interfaces>::ENTRY),*],
    }))
}

fn effects(args: &OpArgs) -> Result<TokenStream> {
    let free = ["Pure", "NoEffect"].iter().any(|name| args.traits.iter().any(|known| known == name));
    let Some(list) = &args.effects else {
        let constant = format_ident!("{}", if free { "NONE" } else { "UNKNOWN" });
        return Ok(quote!(::terrace_ir::Effects::#constant));
    };
    let mut tokens = quote!(::terrace_ir::Effects::NONE);
    for effect in list {
        let constant = match effect.to_string().as_str() {
            "none" => continue,
            "read" => "READ",
            "write" => "WRITE",
            "alloc" => "ALLOC",
            "free" => "FREE",
            "unknown" => "UNKNOWN",
            other => {
                let message =
                    format!("unknown effect `{other}`; there are none, read, write, alloc, free, unknown");
                return Err(syn::Error::new(effect.span(), message));
            }
        };
        let constant = format_ident!("{constant}");
        tokens = quote!(#tokens.and(::terrace_ir::Effects::#constant));
    }
    Ok(tokens)
}
