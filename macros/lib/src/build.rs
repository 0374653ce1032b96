//! The `build` function of an op: its parameters, and one call with them.

use crate::accessors::as_rule;
use crate::derive;
use crate::fields::{Arity, FieldRef};
use crate::op::Op;
use crate::tokens::option;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

/// `build` of an op
pub fn emit(op: &Op) -> TokenStream {
    let fields = &op.fields;
    let derived = derive::results(op);
    // Not the user's names: a field may have them.
    let own = |name: &str| Ident::new(name, proc_macro2::Span::mixed_site());
    let (b, made) = (own("b"), own("slots"));
    let places = [
        fields.operands.len(),
        fields.attrs.len(),
        fields.results.len(),
        fields.successors.len(),
        fields.regions.len(),
    ];
    let makers = [
        FieldRef::Operand as fn(usize) -> FieldRef,
        FieldRef::Attr,
        FieldRef::Result,
        FieldRef::Successor,
        FieldRef::Region,
    ];
    let places = makers.iter().zip(places).flat_map(|(make, count)| (0..count).map(make));
    let parameters = places.filter_map(|place| parameter(op, place, derived));
    let operands = fields.operands.iter().map(|field| list(&field.ident, field.arity));
    let slots = fields.attrs.iter().map(|attr| {
        let ident = &attr.ident;
        let rule = as_rule(&attr.rule);
        let write = quote!(#rule::write(#b.cx(), #ident));
        option((!attr.optional && attr.default.is_none()).then_some(write))
    });
    let results = fields.results.iter().map(|field| {
        let list = list(&field.ident, field.arity);
        option((!derived).then_some(list))
    });
    let successors = fields
        .successors
        .iter()
        .map(|field| list(&field.ident, if field.variadic { Arity::Variadic } else { Arity::One }));
    let fixed = fields.regions.iter().filter(|region| !region.variadic).count();
    let more = fields.regions.iter().find(|region| region.variadic).map(|region| &region.ident).into_iter();
    let docs = format!(
        "Make a `{}` where the builder is; absent attributes and empty regions as `DEF` allows",
        op.args.name.value()
    );
    quote! {
        #[doc = #docs]
        #[allow(clippy::too_many_arguments)]
        pub fn build(#b: &mut ::terrace_ir::Builder<'_>, #(#parameters),*) -> Self {
            let #made: &[::core::option::Option<::terrace_ir::Attr>] = &[#(#slots),*];
            Self(::terrace_ir::build::build(#b, Self::DEF, &::terrace_ir::build::Parts {
                operands: &[#(#operands),*],
                slots: #made,
                results: &[#(#results),*],
                successors: &[#(#successors),*],
                regions: #fixed #(+ #more)*,
            }))
        }
    }
}

fn list(ident: &Ident, arity: Arity) -> TokenStream {
    match arity {
        Arity::One => quote!(&[#ident]),
        Arity::Optional => quote!(#ident.as_slice()),
        Arity::Variadic => quote!(#ident),
    }
}

fn parameter(op: &Op, place: FieldRef, derived: bool) -> Option<TokenStream> {
    let fields = &op.fields;
    let (ident, arity, ty) = match place {
        FieldRef::Operand(n) => {
            (&fields.operands[n].ident, fields.operands[n].arity, quote!(::terrace_ir::Value))
        }
        FieldRef::Result(_) if derived => return None,
        FieldRef::Result(n) => {
            (&fields.results[n].ident, fields.results[n].arity, quote!(::terrace_ir::Type))
        }
        FieldRef::Attr(n) => {
            let attr = &fields.attrs[n];
            if attr.optional || attr.default.is_some() {
                return None;
            }
            let rule = as_rule(&attr.rule);
            (&attr.ident, Arity::One, quote!(#rule::Value))
        }
        FieldRef::Region(n) => {
            let region = &fields.regions[n];
            let ident = &region.ident;
            return region.variadic.then(|| quote!(#ident: usize));
        }
        FieldRef::Successor(n) => {
            let successor = &fields.successors[n];
            let arity = if successor.variadic { Arity::Variadic } else { Arity::One };
            (&successor.ident, arity, quote!(::terrace_ir::BlockId))
        }
    };
    Some(match arity {
        Arity::One => quote!(#ident: #ty),
        Arity::Optional => quote!(#ident: ::core::option::Option<#ty>),
        Arity::Variadic => quote!(#ident: &[#ty]),
    })
}
