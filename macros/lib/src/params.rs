//! `#[dialect_type]` and `#[dialect_attr]`: types and attributes with parameters.

use crate::args::{ParamArgs, check_name};
use crate::fields::{path, plain};
use crate::tokens::{documentation, option};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Field, Ident, ItemStruct, Path, Result};

/// Which of the two
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// `#[dialect_type]`
    Type,
    /// `#[dialect_attr]`
    Attr,
}

struct Param {
    ident: Ident,
    rule: Path,
    docs: Vec<Attribute>,
}

impl What {
    /// `Type`, `TypeDef`, `TypeKind` and `ty`, or the same of attributes
    fn names(self) -> [Ident; 4] {
        let names = match self {
            What::Type => ["Type", "TypeDef", "TypeKind", "ty"],
            What::Attr => ["Attr", "AttrDef", "AttrKind", "attr"],
        };
        names.map(|name| format_ident!("{name}"))
    }

    fn noun(self) -> &'static str {
        match self {
            What::Type => "Type",
            What::Attr => "Attribute",
        }
    }
}

/// Expand the attribute
pub fn expand(what: What, args: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let args: ParamArgs = syn::parse2(args)?;
    check_name(&args.name)?;
    let item: ItemStruct = syn::parse2(item)?;
    let params = params(&item)?;
    let [handle, def, kind, make] = what.names();
    let table = table(&args, &item, &params, &def);
    let (vis, ident, attrs) = (&item.vis, &item.ident, &item.attrs);
    let name = args.name.value();
    let note = format!("{} `{name}`.", what.noun());
    let def_docs = format!("Table of `{name}`");
    let (get_docs, cast_docs) = (format!("The interned `{name}`"), format!("It if it is a `{name}`"));
    let names: Vec<&Ident> = params.iter().map(|param| &param.ident).collect();
    let cx = Ident::new("cx", proc_macro2::Span::mixed_site());
    let accessors = params.iter().enumerate().map(|(n, param)| accessor(&name, &kind, n, param));
    Ok(quote! {
        #(#attrs)*
        #[doc = ""]
        #[doc = #note]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #vis struct #ident(pub ::terrace_ir::#handle);

        impl ::core::convert::From<#ident> for ::terrace_ir::#handle {
            fn from(it: #ident) -> Self {
                it.0
            }
        }

        #[allow(dead_code)]
        impl #ident {
            #[doc = #def_docs]
            pub const DEF: &'static ::terrace_ir::defs::#def = {
                static DEF: ::terrace_ir::defs::#def = #table;
                &DEF
            };

            #[doc = #get_docs]
            pub fn get(#cx: &::terrace_ir::Context, #(#names: ::terrace_ir::Attr),*) -> ::terrace_ir::#handle {
                let params: ::std::boxed::Box<[::terrace_ir::Attr]> = ::std::boxed::Box::new([#(#names),*]);
                #cx.#make(::terrace_ir::#kind::Dialect { def: Self::DEF, params })
            }

            #[doc = #cast_docs]
            pub fn cast(cx: &::terrace_ir::Context, it: ::terrace_ir::#handle) -> ::core::option::Option<Self> {
                match it.kind(cx) {
                    ::terrace_ir::#kind::Dialect { def, .. } if ::core::ptr::eq(*def, Self::DEF) => {
                        ::core::option::Option::Some(#ident(it))
                    }
                    _ => ::core::option::Option::None,
                }
            }

            /// The handle
            pub fn handle(self) -> ::terrace_ir::#handle {
                self.0
            }

            #(#accessors)*
        }
    })
}

/// The parameters, each once
fn params(item: &ItemStruct) -> Result<Vec<Param>> {
    let mut params: Vec<Param> = Vec::new();
    for field in &item.fields {
        let param = param(field)?;
        if params.iter().any(|other| other.ident == param.ident) {
            return Err(syn::Error::new(
                param.ident.span(),
                format!("parameter `{}` is there twice", param.ident),
            ));
        }
        params.push(param);
    }
    Ok(params)
}

/// The function that reads the n-th parameter
fn accessor(name: &str, kind: &Ident, n: usize, param: &Param) -> TokenStream {
    let (ident, docs) = (&param.ident, &param.docs);
    let text = format!("Parameter `{}`", plain(ident));
    let docs = if docs.is_empty() { quote!(#[doc = #text]) } else { quote!(#(#docs)*) };
    let wrong = format!("the handle is a `{name}`");
    quote! {
        #docs
        pub fn #ident(self, cx: &::terrace_ir::Context) -> ::terrace_ir::Attr {
            match self.0.kind(cx) {
                ::terrace_ir::#kind::Dialect { params, .. } => params[#n],
                _ => ::core::unreachable!(#wrong),
            }
        }
    }
}

fn table(args: &ParamArgs, item: &ItemStruct, params: &[Param], def: &Ident) -> TokenStream {
    let (name, ident, interfaces) = (&args.name, &item.ident, &args.interfaces);
    let (_, docs) = documentation(&item.attrs);
    let verify = option(args.hooks.first().map(|_| quote!(&#ident::verify)));
    let params = params.iter().map(|param| {
        let (name, rule) = (plain(&param.ident), &param.rule);
        quote! {
            ::terrace_ir::defs::ParamSpec {
                name: #name,
                attr: const { &<#rule as ::terrace_ir::rules::AttrRule>::RULE },
            }
        }
    });
    quote! {
        ::terrace_ir::defs::#def {
            name: #name,
            docs: #docs,
            params: &[#(#params),*],
            verify: #verify,
            interfaces: &[#(<#ident as #interfaces>::ENTRY),*],
        }
    }
}

fn param(field: &Field) -> Result<Param> {
    let usage = "every field needs #[param]";
    let ident = field.ident.clone().ok_or_else(|| syn::Error::new(field.span(), "fields need names"))?;
    let (docs, markers): (Vec<_>, Vec<_>) =
        field.attrs.iter().cloned().partition(|attr| attr.path().is_ident("doc"));
    match &markers[..] {
        [marker] if marker.path().is_ident("param") => {}
        _ => return Err(syn::Error::new(ident.span(), usage)),
    }
    if ["cast", "get", "handle", "verify"].contains(&plain(&ident).as_str()) {
        let other = format_ident!("{}_", plain(&ident));
        let message = format!("`{ident}` is a function that every type has; call it `{other}`, say");
        return Err(syn::Error::new(ident.span(), message));
    }
    Ok(Param { rule: path(&field.ty)?, ident, docs })
}
