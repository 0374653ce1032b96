//! `#[pass("name", …)]`: a pass from a struct whose fields are its options.

use crate::args::{list, value};
use crate::fields::plain;
use crate::tokens::{documentation, option};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Field, Fields, Ident, ItemStruct, Lit, LitStr, Result, Token, Type};

/// Everything in the attribute's parentheses
struct PassArgs {
    name: LitStr,
    aliases: Vec<LitStr>,
    scope: Option<Ident>,
    anchor: Option<LitStr>,
    stats: Vec<LitStr>,
}

const KEYS: &str = "aliases, scope, anchor, stats";

impl Parse for PassArgs {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: LitStr = input.parse().map_err(|error| {
            syn::Error::new(error.span(), "`pass` needs its name first, such as `\"cse\"`")
        })?;
        check_kebab(&name)?;
        let mut args = PassArgs { name, aliases: Vec::new(), scope: None, anchor: None, stats: Vec::new() };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key = input.call(Ident::parse_any)?;
            match key.to_string().as_str() {
                "aliases" => args.aliases = list(input)?,
                "scope" => args.scope = Some(value(input)?),
                "anchor" => args.anchor = Some(value(input)?),
                "stats" => args.stats = list(input)?,
                other => {
                    let message = format!("unknown argument `{other}`; there are {KEYS}");
                    return Err(syn::Error::new(key.span(), message));
                }
            }
        }
        Ok(args)
    }
}

fn check_kebab(name: &LitStr) -> Result<()> {
    let text = name.value();
    let good = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if good { Ok(()) } else { Err(syn::Error::new(name.span(), "a name is kebab case: `loop-fusion`")) }
}

/// A field: an option
struct PassOption {
    ident: Ident,
    ty: Type,
    name: String,
    default: Option<String>,
    docs: String,
}

fn pass_option(field: &Field) -> Result<PassOption> {
    let ident = field.ident.clone().ok_or_else(|| syn::Error::new(field.span(), "fields need names"))?;
    let (docs, markers): (Vec<Attribute>, Vec<Attribute>) =
        field.attrs.iter().cloned().partition(|attr| attr.path().is_ident("doc"));
    let marker = match &markers[..] {
        [marker] if marker.path().is_ident("option") => marker,
        _ => return Err(syn::Error::new(ident.span(), "every field needs #[option]")),
    };
    let (_, docs) = documentation(&docs);
    if docs.trim().is_empty() {
        return Err(syn::Error::new(ident.span(), "an option needs a line of documentation"));
    }
    let docs = docs.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = plain(&ident).replace('_', "-");
    let mut found = PassOption { ident, ty: field.ty.clone(), name, default: None, docs };
    if matches!(marker.meta, syn::Meta::Path(_)) {
        return Ok(found);
    }
    marker.parse_nested_meta(|meta| {
        if meta.path.is_ident("default") {
            let expr: Expr = meta.value()?.parse()?;
            let text = literal(&expr)?;
            fits(&found.ty, &text).map_err(|wants| {
                let message = format!("this option takes {wants}, and its default is `{text}`");
                syn::Error::new(expr.span(), message)
            })?;
            found.default = Some(text);
            Ok(())
        } else if meta.path.is_ident("name") {
            let name: LitStr = meta.value()?.parse()?;
            check_kebab(&name)?;
            found.name = name.value();
            Ok(())
        } else {
            Err(meta.error("an option has `name = \"…\"` and `default = …`"))
        }
    })?;
    Ok(found)
}

/// Text of a default as a pipeline would spell it
fn literal(expr: &Expr) -> Result<String> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Bool(it), .. }) => Ok(it.value.to_string()),
        Expr::Lit(ExprLit { lit: Lit::Int(it), .. }) => Ok(it.base10_digits().to_string()),
        Expr::Lit(ExprLit { lit: Lit::Str(it), .. }) => Ok(it.value()),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => Ok(format!("-{}", literal(expr)?)),
        _ => Err(syn::Error::new(expr.span(), "a default is `true`, a number or a string")),
    }
}

/// Would an option of this type take the text? What it takes, if not
///
/// Types are known by their names here; of others the compiler asks the kind, and of a crate's own ones the tool, when it
/// starts.
fn fits(ty: &Type, text: &str) -> std::result::Result<(), &'static str> {
    let Type::Path(path) = ty else { return Ok(()) };
    let Some(last) = path.path.segments.last() else { return Ok(()) };
    fn read<T: std::str::FromStr>(text: &str, wants: &'static str) -> std::result::Result<(), &'static str> {
        text.parse::<T>().map(|_| ()).map_err(|_| wants)
    }
    match last.ident.to_string().as_str() {
        "bool" => read::<bool>(text, "`true` or `false`"),
        "i64" => read::<i64>(text, "an integer of 64 bits"),
        "u32" => read::<u32>(text, "an integer of 32 bits, at least 0"),
        "u64" | "usize" => read::<u64>(text, "an integer of 64 bits, at least 0"),
        "Vec" => match &last.arguments {
            syn::PathArguments::AngleBracketed(inner) => match inner.args.first() {
                Some(syn::GenericArgument::Type(item)) => text
                    .split(',')
                    .map(str::trim)
                    .filter(|each| !each.is_empty())
                    .try_for_each(|each| fits(item, each)),
                _ => Ok(()),
            },
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

impl PassOption {
    /// Its row in the table of the pass
    fn spec(&self) -> TokenStream {
        let (name, ty, docs) = (&self.name, &self.ty, &self.docs);
        let value = quote_spanned!(ty.span()=> <#ty as ::terrace_pass::OptionValue>);
        let default = match &self.default {
            Some(text) => quote!(#text),
            None => quote!(#value::DEFAULT),
        };
        quote! {
            ::terrace_pass::OptionSpec { name: #name, kind: #value::KIND, default: #default, docs: #docs }
        }
    }

    /// An assertion that the default is of the type's kind
    fn check(&self) -> Option<TokenStream> {
        let (ty, text) = (&self.ty, self.default.as_ref()?);
        let message = format!("the default of option `{}` is not of its type's kind", self.name);
        Some(quote_spanned! {ty.span()=>
            const _: () = ::core::assert!(<#ty as ::terrace_pass::OptionValue>::KIND.takes(#text), #message);
        })
    }
}

/// All options, each name once
fn pass_options(item: &ItemStruct) -> Result<Vec<PassOption>> {
    let options: Vec<PassOption> = item.fields.iter().map(pass_option).collect::<Result<_>>()?;
    for (n, one) in options.iter().enumerate() {
        if options[..n].iter().any(|other| other.name == one.name) {
            return Err(syn::Error::new(one.ident.span(), format!("option `{}` is there twice", one.name)));
        }
    }
    Ok(options)
}

/// Variant of `terrace_pass::Scope`
fn scope(given: Option<&Ident>) -> Result<TokenStream> {
    match given.map(|scope| (scope, scope.to_string())) {
        None => Ok(quote!(Unit)),
        Some((_, text)) if text == "unit" => Ok(quote!(Unit)),
        Some((_, text)) if text == "tree" => Ok(quote!(Tree)),
        Some((scope, text)) => {
            let message = format!("unknown scope `{text}`; there are unit, tree");
            Err(syn::Error::new(scope.span(), message))
        }
    }
}

/// Expand the attribute
pub fn expand(args: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let args: PassArgs = syn::parse2(args)?;
    let mut item: ItemStruct = syn::parse2(item)?;
    if let Fields::Unnamed(fields) = &item.fields {
        return Err(syn::Error::new(fields.span(), "options are fields with names"));
    }
    let (summary, docs) = documentation(&item.attrs);
    if summary.trim().is_empty() {
        return Err(syn::Error::new(
            item.ident.span(),
            "a pass needs documentation: its first line is the summary",
        ));
    }
    let scope = scope(args.scope.as_ref())?;
    let options = pass_options(&item)?;
    for field in &mut item.fields {
        field.attrs.retain(|attr| !attr.path().is_ident("option"));
    }
    let ident = &item.ident;
    let (name, aliases, stats) = (&args.name, &args.aliases, &args.stats);
    let anchor = option(args.anchor);
    let specs = options.iter().map(PassOption::spec);
    let checks = options.iter().filter_map(PassOption::check);
    let make = match &item.fields {
        Fields::Named(_) => {
            let (idents, names): (Vec<_>, Vec<_>) = options.iter().map(|one| (&one.ident, &one.name)).unzip();
            quote!(#ident { #(#idents: options.get(#ident::INFO, #names)?),* })
        }
        _ => quote!(#ident),
    };
    let text = docs.split_once('\n').map_or("", |(_, rest)| rest.trim());
    let summary = summary.trim();
    let info_docs = format!("What is known of the pass `{}`", name.value());
    Ok(quote! {
        #item

        #(#checks)*

        impl #ident {
            #[doc = #info_docs]
            pub const INFO: &'static ::terrace_pass::PassInfo = {
                static INFO: ::terrace_pass::PassInfo = ::terrace_pass::PassInfo {
                    name: #name,
                    aliases: &[#(#aliases),*],
                    summary: #summary,
                    docs: #text,
                    scope: ::terrace_pass::Scope::#scope,
                    anchor: #anchor,
                    options: &[#(#specs),*],
                    stats: &[#(#stats),*],
                    make: |options| {
                        let _ = options;
                        ::core::result::Result::Ok(::std::boxed::Box::new(#make))
                    },
                };
                &INFO
            };
        }
    })
}
