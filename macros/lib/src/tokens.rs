//! Tokens that several macros emit, and the doc comments that they all read.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

/// `Some(…)` or `None` as tokens
pub fn option(value: Option<impl quote::ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// First line and whole text of the doc comments
pub fn documentation(attrs: &[syn::Attribute]) -> (String, String) {
    let mut lines = Vec::new();
    for attr in attrs {
        if let syn::Meta::NameValue(meta) = &attr.meta
            && meta.path.is_ident("doc")
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &meta.value
        {
            let text = text.value();
            lines.extend(text.split('\n').map(|line| line.strip_prefix(' ').unwrap_or(line).to_string()));
        }
    }
    (lines.first().cloned().unwrap_or_default(), lines.join("\n"))
}

/// A constant assertion at a field
pub fn assertion(ident: &Ident, condition: &TokenStream, message: &str) -> TokenStream {
    quote_spanned!(ident.span()=> const _: () = ::core::assert!(#condition, #message);)
}
