//! `#[dialect_type]` and `#[dialect_attr]`: parametric types and attributes.

use crate::fields::plain;
use crate::op::docs_text;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, ItemStruct, LitStr, Path, Result, Token, parenthesized};

/// Which of the two is defined
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A type
    Type,
    /// An attribute
    Attr,
}

struct Args {
    name: LitStr,
    verify: bool,
    interfaces: Vec<Path>,
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        let mut args = Args { name, verify: false, interfaces: Vec::new() };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            let key: Ident = input.parse()?;
            let inner;
            parenthesized!(inner in input);
            let paths = Punctuated::<Path, Token![,]>::parse_terminated(&inner)?;
            match key.to_string().as_str() {
                "hooks" if paths.iter().all(|path| path.is_ident("verify")) => args.verify = true,
                "interfaces" => args.interfaces = paths.into_iter().collect(),
                _ => {
                    return Err(syn::Error::new(key.span(), "there are `hooks(verify)` and `interfaces(…)`"));
                }
            }
        }
        Ok(args)
    }
}

/// Expand one of the two attributes
pub fn expand(what: What, args: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let args: Args = syn::parse2(args)?;
    let item: ItemStruct = syn::parse2(item)?;
    let docs = docs_text(&item.attrs);
    let mut specs = Vec::new();
    let mut idents = Vec::new();
    for field in &item.fields {
        let marked = field.attrs.iter().any(|attr| attr.path().is_ident("param"));
        let (Some(ident), true) = (&field.ident, marked) else {
            return Err(syn::Error::new_spanned(field, "every field needs #[param] and a name"));
        };
        let (name, rule) = (plain(ident), &field.ty);
        specs.push(quote!(::terrace_ir::defs::ParamSpec {
            name: #name,
            attr: const { &<#rule as ::terrace_ir::rules::AttrRule>::RULE },
        }));
        idents.push(ident.clone());
    }
    let (ident, vis, attrs, name) = (&item.ident, &item.vis, &item.attrs, &args.name);
    let interfaces = args.interfaces.iter();
    let verify = if args.verify {
        quote!(::core::option::Option::Some(#ident::verify))
    } else {
        quote!(::core::option::Option::None)
    };
    let (def, handle, kind) = match what {
        What::Type => (quote!(TypeDef), quote!(Type), quote!(TypeKind)),
        What::Attr => (quote!(AttrDef), quote!(Attr), quote!(AttrKind)),
    };
    let make = if what == What::Type { quote!(ty) } else { quote!(attr) };
    let accessors = idents.iter().enumerate().map(|(n, ident)| {
        let doc = format!("Parameter `{}`", plain(ident));
        quote! {
            #[doc = #doc]
            pub fn #ident(self, cx: &::terrace_ir::Context) -> ::terrace_ir::Attr {
                self.params(cx)[#n]
            }
        }
    });
    Ok(quote! {
        #(#attrs)*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #vis struct #ident(pub ::terrace_ir::#handle);

        impl #ident {
            /// The definition
            pub const DEF: &'static ::terrace_ir::defs::#def = {
                static DEF: ::terrace_ir::defs::#def = ::terrace_ir::defs::#def {
                    name: #name,
                    docs: #docs,
                    params: &[#(#specs),*],
                    verify: #verify,
                    interfaces: &[#(<#ident as #interfaces>::ENTRY),*],
                };
                &DEF
            };

            /// Make it from its parameters, which are not checked here
            #[allow(clippy::too_many_arguments)]
            pub fn get(cx: &::terrace_ir::Context, #(#idents: ::terrace_ir::Attr),*) -> ::terrace_ir::#handle {
                cx.#make(::terrace_ir::#kind::Dialect { def: Self::DEF, params: ::std::boxed::Box::new([#(#idents),*]) })
            }

            /// As this kind, if it is one
            pub fn cast(cx: &::terrace_ir::Context, it: ::terrace_ir::#handle) -> ::core::option::Option<Self> {
                match it.kind(cx) {
                    ::terrace_ir::#kind::Dialect { def, .. } if ::core::ptr::eq(*def, Self::DEF) => {
                        ::core::option::Option::Some(#ident(it))
                    }
                    _ => ::core::option::Option::None,
                }
            }

            fn params(self, cx: &::terrace_ir::Context) -> &[::terrace_ir::Attr] {
                match self.0.kind(cx) {
                    ::terrace_ir::#kind::Dialect { params, .. } => params,
                    _ => &[],
                }
            }

            #(#accessors)*
        }
    })
}
