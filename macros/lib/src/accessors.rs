//! Accessors of an op's fields.
//!
//! They index into the op and so expect IR that the verifier has accepted; on other IR they may panic.

use crate::fields::{Arity, ValueField, plain};
use crate::op::Op;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Ident};

/// All accessors of an op
pub fn emit(op: &Op) -> TokenStream {
    let fields = &op.fields;
    let operands = values(&fields.operands, "operand");
    let results = values(&fields.results, "result");
    let attrs = fields.attrs.iter().enumerate().map(|(n, attr)| {
        let (ident, name, rule) = (&attr.ident, &attr.name, &attr.rule);
        let typed = as_rule(rule);
        let (value, read, write) = (quote!(#typed::Value), quote!(#typed::read), quote!(#typed::write));
        let docs = docs(&attr.docs, &format!("Attribute `{name}`"));
        let set = format_ident!("set_{}", plain(ident));
        let set_docs = format!("Set attribute `{name}`");
        let required = format!("the op has attribute `{name}`");
        if attr.optional && attr.default.is_none() {
            return quote! {
                #docs
                pub fn #ident(self, ir: &::terrace_ir::Ir) -> ::core::option::Option<#value> {
                    #read(ir.cx(), ir.slot(self.0, #n)?)
                }
                #[doc = #set_docs]
                pub fn #set(self, ir: &mut ::terrace_ir::Ir, value: ::core::option::Option<#value>) {
                    let attr = value.map(|value| #write(ir.cx(), value));
                    ir.set_slot(self.0, #n, attr);
                }
            };
        }
        quote! {
            #docs
            pub fn #ident(self, ir: &::terrace_ir::Ir) -> #value {
                let attr = ir.slot_or_default(self.0, #n).expect(#required);
                #read(ir.cx(), attr).expect(#required)
            }
            #[doc = #set_docs]
            pub fn #set(self, ir: &mut ::terrace_ir::Ir, value: #value) {
                let attr = #write(ir.cx(), value);
                ir.set_slot(self.0, #n, ::core::option::Option::Some(attr));
            }
        }
    });
    let regions = fields.regions.iter().enumerate().map(|(n, region)| {
        let all = region.variadic;
        let docs = docs(&region.docs, &format!("Region `{}`", plain(&region.ident)));
        let one = quote!(ir.region(self.0, #n));
        indexed(
            &region.ident,
            docs,
            &quote!(::terrace_ir::RegionId),
            all,
            one,
            &quote!(ir.regions(self.0).skip(#n)),
        )
    });
    let successors = fields.successors.iter().enumerate().map(|(n, successor)| {
        let all = successor.variadic;
        let docs = docs(&successor.docs, &format!("Successor `{}`", plain(&successor.ident)));
        let one = quote!(ir.successors(self.0).nth(#n).expect("the op has that many successors"));
        indexed(
            &successor.ident,
            docs,
            &quote!(::terrace_ir::BlockId),
            all,
            one,
            &quote!(ir.successors(self.0).skip(#n)),
        )
    });
    quote! { #operands #results #(#attrs)* #(#regions)* #(#successors)* }
}

/// The rule of an attribute as such; errors point at the field
pub fn as_rule(rule: &syn::Path) -> TokenStream {
    quote_spanned!(rule.span()=> <#rule as ::terrace_ir::rules::AttrRule>)
}

fn docs(given: &[Attribute], otherwise: &str) -> TokenStream {
    if given.is_empty() { quote!(#[doc = #otherwise]) } else { quote!(#(#given)*) }
}

fn indexed(
    ident: &Ident,
    docs: TokenStream,
    ty: &TokenStream,
    variadic: bool,
    one: TokenStream,
    all: &TokenStream,
) -> TokenStream {
    if variadic {
        quote! {
            #docs
            pub fn #ident(self, ir: &::terrace_ir::Ir) -> ::std::vec::Vec<#ty> {
                #all.collect()
            }
        }
    } else {
        quote! {
            #docs
            pub fn #ident(self, ir: &::terrace_ir::Ir) -> #ty {
                #one
            }
        }
    }
}

fn values(fields: &[ValueField], what: &str) -> TokenStream {
    let get = format_ident!("{what}");
    let range = format_ident!("{what}_range");
    let mut title = what.to_string();
    title[..1].make_ascii_uppercase();
    let emit = fields.iter().enumerate().map(|(n, field)| {
        let ident = &field.ident;
        let docs = docs(&field.docs, &format!("{title} `{}`", plain(ident)));
        // Fields before the first one of varying number are where their index says.
        let fixed = fields[..n].iter().all(|other| other.arity == Arity::One);
        let (ty, body) = match field.arity {
            Arity::One if fixed => (quote!(::terrace_ir::Value), quote!(ir.#get(self.0, #n))),
            Arity::One => (quote!(::terrace_ir::Value), quote!(ir.#get(self.0, ir.#range(self.0, #n).start))),
            Arity::Optional => (
                quote!(::core::option::Option<::terrace_ir::Value>),
                quote!(ir.#range(self.0, #n).next().map(|n| ir.#get(self.0, n))),
            ),
            Arity::Variadic => (
                quote!(::std::vec::Vec<::terrace_ir::Value>),
                quote!(ir.#range(self.0, #n).map(|n| ir.#get(self.0, n)).collect()),
            ),
        };
        quote! {
            #docs
            pub fn #ident(self, ir: &::terrace_ir::Ir) -> #ty {
                #body
            }
        }
    });
    quote!(#(#emit)*)
}
