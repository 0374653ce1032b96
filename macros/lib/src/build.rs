//! `build`: an op from its parts, in order of the fields.

use crate::fields::{Arity, Fields};
use crate::op::Derived;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

/// The `build` function of an op
pub fn emit(this: &Ident, fields: &Fields, derived: &Derived) -> TokenStream {
    let mut params = Vec::new();
    let mut operands = Vec::new();
    for field in &fields.operands {
        let ident = &field.ident;
        let (ty, push) = match field.arity {
            Arity::One => (quote!(::terrace_ir::Value), quote!(op_operands.push(#ident);)),
            Arity::Optional => {
                (quote!(::core::option::Option<::terrace_ir::Value>), quote!(op_operands.extend(#ident);))
            }
            Arity::Variadic => {
                (quote!(&[::terrace_ir::Value]), quote!(op_operands.extend_from_slice(#ident);))
            }
        };
        params.push(quote!(#ident: #ty));
        operands.push(
            quote!(let before = op_operands.len(); #push op_segments.push((op_operands.len() - before) as u32);),
        );
    }
    let mut slots = Vec::new();
    for field in &fields.attrs {
        let ident = &field.ident;
        if field.optional || field.default.is_some() {
            slots.push(quote!(::core::option::Option::None));
        } else {
            params.push(quote!(#ident: ::terrace_ir::Attr));
            slots.push(quote!(::core::option::Option::Some(#ident)));
        }
    }
    let all_derived = derived.results.iter().all(|known| *known);
    let mut results = Vec::new();
    for (n, field) in fields.results.iter().enumerate() {
        // One parameter for each result as soon as one cannot be derived: half a list would be easy to get wrong.
        if all_derived {
            break;
        }
        let _ = n;
        let ident = format_ident!("{}_type", crate::fields::plain(&field.ident));
        let (ty, push) = match field.arity {
            Arity::One => (quote!(::terrace_ir::Type), quote!(op_results.push(#ident);)),
            Arity::Optional => {
                (quote!(::core::option::Option<::terrace_ir::Type>), quote!(op_results.extend(#ident);))
            }
            Arity::Variadic => (quote!(&[::terrace_ir::Type]), quote!(op_results.extend_from_slice(#ident);)),
        };
        params.push(quote!(#ident: #ty));
        results.push(
            quote!(let before = op_results.len(); #push op_result_segments.push((op_results.len() - before) as u32);),
        );
    }
    let mut successors = Vec::new();
    for field in &fields.successors {
        let ident = &field.ident;
        if field.variadic {
            params.push(quote!(#ident: &[::terrace_ir::BlockId]));
            successors.push(quote!(op_successors.extend_from_slice(#ident);));
        } else {
            params.push(quote!(#ident: ::terrace_ir::BlockId));
            successors.push(quote!(op_successors.push(#ident);));
        }
    }
    let mut regions = quote!(0);
    for field in &fields.regions {
        let ident = format_ident!("{}_count", crate::fields::plain(&field.ident));
        if field.variadic {
            params.push(quote!(#ident: usize));
            regions = quote!(#regions + #ident);
        } else {
            regions = quote!(#regions + 1);
        }
    }
    let types = if all_derived && !fields.results.is_empty() {
        quote! {
            let op_results = ::terrace_ir::make::derived_results(Self::DEF, b.read(), &op_operands, &op_segments, op_slots);
            let op_result_segments: ::std::vec::Vec<u32> = ::std::vec![1; Self::DEF.results.len()];
        }
    } else {
        quote! {
            let mut op_results: ::std::vec::Vec<::terrace_ir::Type> = ::std::vec::Vec::new();
            let mut op_result_segments: ::std::vec::Vec<u32> = ::std::vec::Vec::new();
            #(#results)*
        }
    };
    quote! {
        /// Build the op: operands, required attributes, result types that nothing gives, successors, in order
        ///
        /// Optional attributes are set afterwards. Regions are empty.
        #[allow(clippy::too_many_arguments, unused_mut, unused_variables, clippy::vec_init_then_push)]
        pub fn build(b: &mut ::terrace_ir::Builder<'_>, #(#params),*) -> #this {
            let mut op_operands: ::std::vec::Vec<::terrace_ir::Value> = ::std::vec::Vec::new();
            let mut op_segments: ::std::vec::Vec<u32> = ::std::vec::Vec::new();
            #(#operands)*
            let op_slots: &[::core::option::Option<::terrace_ir::Attr>] = &[#(#slots),*];
            #types
            let mut op_successors: ::std::vec::Vec<::terrace_ir::BlockId> = ::std::vec::Vec::new();
            #(#successors)*
            let kind = b.kind(Self::DEF);
            let op = b.insert(&::terrace_ir::NewOp {
                operands: &op_operands,
                segments: if Self::DEF.operand_segments() { &op_segments } else { &[] },
                results: &op_results,
                result_segments: if Self::DEF.result_segments() { &op_result_segments } else { &[] },
                slots: op_slots,
                successors: &op_successors,
                regions: #regions,
                ..::terrace_ir::NewOp::new(kind)
            });
            #this(op)
        }
    }
}
