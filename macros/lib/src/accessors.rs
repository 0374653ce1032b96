//! Accessors: one thin function per field.

use crate::fields::{Arity, Fields, ValueField};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// All accessors of an op
pub fn emit(fields: &Fields) -> TokenStream {
    let operands = fields.operands.iter().enumerate().map(|(n, field)| value(fields, field, n, true));
    let results = fields.results.iter().enumerate().map(|(n, field)| value(fields, field, n, false));
    let attrs = fields.attrs.iter().enumerate().map(|(n, field)| {
        let (ident, set) = (&field.ident, format_ident!("set_{}", crate::fields::plain(&field.ident)));
        let docs = &field.docs;
        let doc = format!("Attribute `{}`", field.name);
        let doc_set = format!("Set attribute `{}`", field.name);
        let (ty, body) = if field.optional {
            (quote!(::core::option::Option<::terrace_ir::Attr>), quote!(ir.slot(self.0, #n)))
        } else {
            let get = if field.default.is_some() { quote!(slot_or_default) } else { quote!(slot) };
            let why = "verified ops have their attributes";
            (quote!(::terrace_ir::Attr), quote!(ir.#get(self.0, #n).expect(#why)))
        };
        let some = if field.optional { quote!(attr) } else { quote!(::core::option::Option::Some(attr)) };
        quote! {
            #[doc = #doc]
            #(#docs)*
            #[inline]
            pub fn #ident(self, ir: &::terrace_ir::Ir) -> #ty {
                #body
            }
            #[doc = #doc_set]
            pub fn #set(self, ir: &mut ::terrace_ir::Ir, attr: #ty) {
                ir.set_slot(self.0, #n, #some);
            }
        }
    });
    let regions = fields.regions.iter().enumerate().map(|(n, field)| {
        let ident = &field.ident;
        let doc = format!("Region `{}`", crate::fields::plain(ident));
        if field.variadic {
            return quote! {
                #[doc = #doc]
                pub fn #ident(self, ir: &::terrace_ir::Ir) -> ::std::vec::Vec<::terrace_ir::RegionId> {
                    ir.regions(self.0).skip(#n).collect()
                }
            };
        }
        quote! {
            #[doc = #doc]
            pub fn #ident(self, ir: &::terrace_ir::Ir) -> ::terrace_ir::RegionId {
                ir.region(self.0, #n)
            }
        }
    });
    let successors = fields.successors.iter().enumerate().map(|(n, field)| {
        let ident = &field.ident;
        let doc = format!("Successor `{}`", crate::fields::plain(ident));
        if field.variadic {
            return quote! {
                #[doc = #doc]
                pub fn #ident(self, ir: &::terrace_ir::Ir) -> ::std::vec::Vec<::terrace_ir::BlockId> {
                    ir.successors(self.0).skip(#n).collect()
                }
            };
        }
        quote! {
            #[doc = #doc]
            pub fn #ident(self, ir: &::terrace_ir::Ir) -> ::terrace_ir::BlockId {
                ir.successors(self.0).nth(#n).expect("verified ops have their successors")
            }
        }
    });
    quote!(#(#operands)* #(#results)* #(#attrs)* #(#regions)* #(#successors)*)
}

fn value(fields: &Fields, field: &ValueField, n: usize, operand: bool) -> TokenStream {
    let (ident, docs) = (&field.ident, &field.docs);
    let name = crate::fields::plain(ident);
    let doc = if operand { format!("Operand `{name}`") } else { format!("Result `{name}`") };
    let (get, range) = if operand { ("operand", "operand_range") } else { ("result", "result_range") };
    let (get, range) = (format_ident!("{get}"), format_ident!("{range}"));
    let list = if operand { &fields.operands } else { &fields.results };
    // Positions before the first field of varying length are known.
    let fixed = list[..n].iter().all(|field| field.arity == Arity::One);
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
        #[doc = #doc]
        #(#docs)*
        #[inline]
        pub fn #ident(self, ir: &::terrace_ir::Ir) -> #ty {
            #body
        }
    }
}
