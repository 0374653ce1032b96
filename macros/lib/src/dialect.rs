//! `dialect! { … }`: the list of everything a dialect registers.

use crate::args::{list_in_brackets, value_after_colon};
use crate::tokens::{documentation, option};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, LitStr, Path, Result, Token, Visibility, braced};

struct Dialect {
    attrs: Vec<Attribute>,
    vis: Visibility,
    ident: Ident,
    name: LitStr,
    ops: Vec<Path>,
    types: Vec<Path>,
    attr_defs: Vec<Path>,
    enums: Vec<Expr>,
    codes: Option<Expr>,
    rules: Vec<Expr>,
    materialize: Option<Expr>,
    verify_attr: Option<Expr>,
}

const KEYS: &str = "ops, types, attrs, enums, codes, rules, materialize, verify_attr";

impl Parse for Dialect {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        let usage = "write `pub NAME = \"name\" { ops: [Op, …] }`";
        let ident: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), usage))?;
        input.parse::<Token![=]>().map_err(|error| syn::Error::new(error.span(), usage))?;
        let name = input.parse().map_err(|error| syn::Error::new(error.span(), usage))?;
        let mut dialect = Dialect {
            attrs,
            vis,
            ident,
            name,
            ops: Vec::new(),
            types: Vec::new(),
            attr_defs: Vec::new(),
            enums: Vec::new(),
            codes: None,
            rules: Vec::new(),
            materialize: None,
            verify_attr: None,
        };
        let body;
        braced!(body in input);
        while !body.is_empty() {
            let key = body.call(Ident::parse_any)?;
            match key.to_string().as_str() {
                "ops" => dialect.ops = list_in_brackets(&body)?,
                "types" => dialect.types = list_in_brackets(&body)?,
                "attrs" => dialect.attr_defs = list_in_brackets(&body)?,
                "enums" => dialect.enums = list_in_brackets(&body)?,
                "codes" => dialect.codes = Some(value_after_colon(&body)?),
                "rules" => dialect.rules = list_in_brackets(&body)?,
                "materialize" => dialect.materialize = Some(value_after_colon(&body)?),
                "verify_attr" => dialect.verify_attr = Some(value_after_colon(&body)?),
                other => {
                    let message = format!("unknown entry `{other}`; there are {KEYS}");
                    return Err(syn::Error::new(key.span(), message));
                }
            }
            if !body.is_empty() {
                body.parse::<Token![,]>()?;
            }
        }
        Ok(dialect)
    }
}

/// Expand `dialect! { … }`
pub fn expand(input: TokenStream) -> Result<TokenStream> {
    let dialect: Dialect = syn::parse2(input)?;
    let checks = checks(&dialect)?;
    let Dialect { attrs, vis, ident, name, ops, types, attr_defs, enums, codes, rules, .. } = dialect;
    let (materialize, verify_attr) = (dialect.materialize, dialect.verify_attr);
    let (_, docs) = documentation(&attrs);
    let (materialize, verify_attr) = (option(materialize), option(verify_attr));
    let note = format!("Dialect `{}`.", name.value());
    let codes = codes.map_or(quote!(&[]), |codes| quote!(#codes));
    let interfaces = (!rules.is_empty()).then(|| {
        quote! {
            {
                const RULES: &'static [&'static dyn ::terrace_rewrite::Rule] = &[#(#rules),*];
                ::terrace_ir::interface::Interface::new(const { &::terrace_rewrite::DialectRules(|| RULES) })
            }
        }
    });
    let interfaces = interfaces.into_iter();
    Ok(quote! {
        #(#attrs)*
        #[doc = ""]
        #[doc = #note]
        #vis static #ident: ::terrace_ir::Dialect = ::terrace_ir::Dialect {
            name: #name,
            docs: #docs,
            ops: &[#(<#ops>::DEF),*],
            types: &[#(<#types>::DEF),*],
            attrs: &[#(<#attr_defs>::DEF),*],
            enums: &[#(#enums),*],
            codes: #codes,
            interfaces: &[#(#interfaces),*],
            materialize: #materialize,
            verify_attr: #verify_attr,
        };

        #checks
    })
}

/// Constant assertions, each at its entry: names belong to the dialect, and none is there twice
fn checks(dialect: &Dialect) -> Result<TokenStream> {
    let name = &dialect.name;
    let mut tokens = TokenStream::new();
    for (what, list) in [("op", &dialect.ops), ("type", &dialect.types), ("attribute", &dialect.attr_defs)] {
        let names = quote!(&[#(<#list>::DEF.name),*]);
        for (n, path) in list.iter().enumerate() {
            let text = quote!(#path).to_string().replace(' ', "");
            if list[..n].contains(path) {
                return Err(syn::Error::new_spanned(path, format!("{what} `{text}` is there twice")));
            }
            let span = path.span();
            let wanted = format!(
                "the name of {what} `{text}` does not begin with `{0}.`: it belongs to another dialect",
                name.value()
            );
            let twice = format!("the name of {what} `{text}` is that of one before it in the list");
            tokens.extend(quote_spanned! {span=>
                const _: () = {
                    ::core::assert!(
                        ::terrace_ir::registration::belongs(<#path>::DEF.name, #name),
                        #wanted
                    );
                    ::core::assert!(!::terrace_ir::registration::repeated(#names, #n), #twice);
                };
            });
        }
    }
    Ok(tokens)
}
