//! Tokens that several macros emit, and the doc comments that they all read.

use proc_macro2::{Group, TokenStream, TokenTree};
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

/// The same tokens for a crate that depends on the facade `terrace` alone: `::terrace_ir` is `::terrace::ir` there
pub fn through_facade(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), through_facade(group.stream()));
                inner.set_span(group.span());
                out.push(inner.into());
            }
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                let module = text.strip_prefix("terrace_").filter(|_| is_path_start(&out));
                match module {
                    Some(module) => {
                        let (facade, module) =
                            (Ident::new("terrace", ident.span()), Ident::new(module, ident.span()));
                        out.extend(quote!(#facade::#module));
                    }
                    None => out.push(ident.into()),
                }
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// Do tokens end with the `::` that begins the path of a crate?
fn is_path_start(before: &[TokenTree]) -> bool {
    let colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    match before {
        // A keyword, such as `as`, is no part of a path.
        [.., TokenTree::Ident(name), a, b] if colon(a) && colon(b) => {
            syn::parse_str::<Ident>(&name.to_string()).is_err()
        }
        [.., a, b] => colon(a) && colon(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(tokens: TokenStream) -> String {
        through_facade(tokens).to_string()
    }

    #[test]
    fn crates_are_modules_of_the_facade() {
        let of = quote!(impl From<::terrace_ir::OpId> for X { fn f(op: ::terrace_ir::defs::A) { <X as ::terrace_ir::Fold>::fold } });
        let wanted = quote!(impl From<::terrace::ir::OpId> for X { fn f(op: ::terrace::ir::defs::A) { <X as ::terrace::ir::Fold>::fold } });
        assert_eq!(written(of), wanted.to_string());
    }

    #[test]
    fn other_names_stay() {
        for tokens in [
            quote!(my::terrace_ir::OpId),
            quote!(terrace_ir),
            quote!(::core::option::Option),
            quote!("::terrace_ir"),
        ] {
            assert_eq!(written(tokens.clone()), tokens.to_string());
        }
    }
}
