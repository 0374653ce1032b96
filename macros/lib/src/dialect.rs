//! `dialect! { pub ARITH = "arith" { ops: […], … } }`: the visible list of what a dialect registers.

use crate::op::docs_text;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, LitStr, Path, Result, Token, Visibility, braced, bracketed};

struct Dialect {
    attrs: Vec<Attribute>,
    vis: Visibility,
    ident: Ident,
    name: LitStr,
    ops: Vec<Path>,
    types: Vec<Path>,
    attr_defs: Vec<Path>,
    enums: Vec<Expr>,
    materialize: Option<Expr>,
    verify_attr: Option<Expr>,
}

fn list<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let inner;
    bracketed!(inner in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}

impl Parse for Dialect {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let (vis, ident) = (input.parse()?, input.parse()?);
        input.parse::<Token![=]>()?;
        let name = input.parse()?;
        let body;
        braced!(body in input);
        let mut dialect = Dialect {
            attrs,
            vis,
            ident,
            name,
            ops: Vec::new(),
            types: Vec::new(),
            attr_defs: Vec::new(),
            enums: Vec::new(),
            materialize: None,
            verify_attr: None,
        };
        while !body.is_empty() {
            let key: Ident = body.parse()?;
            body.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "ops" => dialect.ops = list(&body)?,
                "types" => dialect.types = list(&body)?,
                "attrs" => dialect.attr_defs = list(&body)?,
                "enums" => dialect.enums = list(&body)?,
                "materialize" => dialect.materialize = Some(body.parse()?),
                "verify_attr" => dialect.verify_attr = Some(body.parse()?),
                other => {
                    let known = "ops, types, attrs, enums, materialize, verify_attr";
                    return Err(syn::Error::new(
                        key.span(),
                        format!("unknown entry `{other}`; there are {known}"),
                    ));
                }
            }
            if !body.is_empty() {
                body.parse::<Token![,]>()?;
            }
        }
        Ok(dialect)
    }
}

/// Expand the macro
pub fn expand(input: TokenStream) -> Result<TokenStream> {
    let dialect: Dialect = syn::parse2(input)?;
    let names: Vec<String> = dialect
        .ops
        .iter()
        .filter_map(|path| path.segments.last().map(|last| last.ident.to_string()))
        .collect();
    if let Some(n) = (1..names.len()).find(|n| names[n - 1] == names[*n]) {
        return Err(syn::Error::new(dialect.ident.span(), format!("op `{}` is listed twice", names[n])));
    }
    let docs = docs_text(&dialect.attrs);
    let Dialect { attrs, vis, ident, name, ops, types, attr_defs, enums, .. } = &dialect;
    let option = |value: &Option<Expr>| match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    };
    let (materialize, verify_attr) = (option(&dialect.materialize), option(&dialect.verify_attr));
    Ok(quote! {
        #(#attrs)*
        #vis static #ident: ::terrace_ir::Dialect = ::terrace_ir::Dialect {
            name: #name,
            docs: #docs,
            ops: &[#(#ops::DEF),*],
            types: &[#(#types::DEF),*],
            attrs: &[#(#attr_defs::DEF),*],
            enums: &[#(#enums),*],
            materialize: #materialize,
            verify_attr: #verify_attr,
        };
    })
}
