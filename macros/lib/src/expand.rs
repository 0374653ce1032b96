//! `#[op]`: the struct with its functions, and the op's table.

use crate::args::Relation;
use crate::fields::{Arity, FieldRef, Fields, ValueField, plain};
use crate::format::Piece;
use crate::op::{Op, slot};
use crate::tokens::{documentation, option};
use crate::{accessors, build, derive};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Result;

/// Expand `#[op(args)] item`
pub fn expand(args: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let op = Op::parse(args, item)?;
    let def = definition(&op)?;
    let accessors = accessors::emit(&op);
    let build = build::emit(&op);
    let types = derive::assertions(&op)?;
    let (vis, name) = (&op.item.vis, &op.item.ident);
    let attrs = &op.item.attrs;
    let text = op.args.name.value();
    let docs = format!("Op `{text}`.");
    let def_docs = format!("Table of `{text}`");
    let cast_docs = format!("The op if it is `{text}`");
    Ok(quote! {
        #(#attrs)*
        #[doc = ""]
        #[doc = #docs]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #vis struct #name(pub ::terrace_ir::OpId);

        impl ::core::convert::From<::terrace_ir::OpId> for #name {
            fn from(op: ::terrace_ir::OpId) -> Self {
                #name(op)
            }
        }

        #[allow(dead_code)]
        impl #name {
            #[doc = #def_docs]
            pub const DEF: &'static ::terrace_ir::OpDef = {
                static DEF: ::terrace_ir::OpDef = #def;
                &DEF
            };

            #[doc = #cast_docs]
            #[allow(clippy::self_named_constructors)]
            pub fn cast(ir: &::terrace_ir::Ir, op: ::terrace_ir::OpId) -> ::core::option::Option<Self> {
                if ir.is(op, Self::DEF) { ::core::option::Option::Some(#name(op)) } else { ::core::option::Option::None }
            }

            /// The op's handle
            #[inline]
            pub fn id(self) -> ::terrace_ir::OpId {
                self.0
            }

            #accessors
            #build
        }

        #types
    })
}

fn definition(op: &Op) -> Result<TokenStream> {
    let Op { args, item, fields, asm, .. } = op;
    let ident = &item.ident;
    let name = &args.name;
    let (summary, docs) = documentation(&item.attrs);
    let operands = fields.operands.iter().map(value_spec);
    let results = fields.results.iter().map(value_spec);
    let attrs = fields.attrs.iter().map(|attr| {
        let (name, rule, optional) = (&attr.name, &attr.rule, attr.optional);
        let default = option(attr.default.as_ref().map(|make| quote!(&#make)));
        quote! {
            ::terrace_ir::AttrSpec {
                name: #name,
                attr: const { &<#rule as ::terrace_ir::rules::AttrRule>::RULE },
                optional: #optional,
                default: #default,
            }
        }
    });
    let regions = fields.regions.iter().map(|region| {
        let name = plain(&region.ident);
        let (variadic, single_block, may_be_empty) =
            (region.variadic, region.single_block, region.may_be_empty);
        quote! {
            ::terrace_ir::defs::RegionSpec {
                name: #name, variadic: #variadic, single_block: #single_block, may_be_empty: #may_be_empty,
            }
        }
    });
    let successors = fields.successors.iter().map(|successor| {
        let (name, variadic) = (plain(&successor.ident), successor.variadic);
        let place = successor.operands.as_ref().and_then(|operands| fields.find(&plain(operands)));
        let operands = option(match place {
            Some(FieldRef::Operand(n)) => Some(n as u8),
            _ => None,
        });
        quote! { ::terrace_ir::defs::SuccessorSpec { name: #name, variadic: #variadic, operands: #operands } }
    });
    let traits = args.traits.iter().filter(|path| path.get_ident().is_some());
    let own_traits = args.traits.iter().filter(|path| path.get_ident().is_none());
    let parents = &args.parents;
    let implicit_terminator = option(args.implicit_terminator.as_ref());
    let relations =
        args.relations.iter().map(|relation| emit_relation(relation, fields)).collect::<Result<Vec<_>>>()?;
    let asm = asm.iter().map(piece);
    let effects = effects(op);
    let hook = |name: &str, tokens: TokenStream| option(op.hooks(name).then_some(tokens));
    let verify = hook("verify", quote!(|v, op| <#ident as ::terrace_ir::Verify>::verify(#ident(op), v)));
    let fold = hook("fold", quote!(|cx| <#ident as ::terrace_ir::Fold>::fold(#ident(cx.op), cx)));
    let infer = hook("infer", quote!(<#ident as ::terrace_ir::Infer>::infer));
    let effects_of =
        hook("effects", quote!(|ir, op| <#ident as ::terrace_ir::EffectsOf>::effects(#ident(op), ir)));
    let interfaces = &args.interfaces;
    Ok(quote! {
        ::terrace_ir::OpDef {
            name: #name,
            summary: #summary,
            docs: #docs,
            operands: &[#(#operands),*],
            results: &[#(#results),*],
            attrs: &[#(#attrs),*],
            regions: &[#(#regions),*],
            successors: &[#(#successors),*],
            traits: ::terrace_ir::Traits::NONE #(.and(::terrace_ir::Traits::#traits))*,
            own_traits: &[#(<#own_traits as ::terrace_ir::OpTrait>::ENTRY),*],
            parents: &[#(#parents),*],
            implicit_terminator: #implicit_terminator,
            relations: &[#(#relations),*],
            asm: &[#(#asm),*],
            effects: #effects,
            verify: #verify,
            fold: #fold,
            infer: #infer,
            effects_of: #effects_of,
            interfaces: &[#(<#ident as #interfaces>::ENTRY),*],
        }
    })
}

fn value_spec(field: &ValueField) -> TokenStream {
    let (name, rule) = (plain(&field.ident), &field.rule);
    let arity = match field.arity {
        Arity::One => quote!(One),
        Arity::Optional => quote!(Optional),
        Arity::Variadic => quote!(Variadic),
    };
    quote! {
        ::terrace_ir::defs::ValueSpec {
            name: #name,
            arity: ::terrace_ir::Arity::#arity,
            ty: const { &<#rule as ::terrace_ir::rules::TypeRule>::RULE },
        }
    }
}

fn emit_relation(relation: &Relation, fields: &Fields) -> Result<TokenStream> {
    let slot = |n: usize| -> Result<TokenStream> {
        Ok(match slot(&relation.fields[n], fields)? {
            FieldRef::Operand(n) => {
                let n = n as u8;
                quote!(::terrace_ir::Slot::Operand(#n))
            }
            FieldRef::Result(n) => {
                let n = n as u8;
                quote!(::terrace_ir::Slot::Result(#n))
            }
            _ => unreachable!("`slot` gives operands and results only"),
        })
    };
    let kind = relation.kind.to_string();
    let variant = match kind.as_str() {
        "same" => {
            let slots = (0..relation.fields.len()).map(slot).collect::<Result<Vec<_>>>()?;
            quote!(Same(&[#(#slots),*]))
        }
        "type_of_attr" => {
            let ident = &relation.fields[0];
            let Some(FieldRef::Attr(attr)) = fields.find(&plain(ident)) else {
                return Err(syn::Error::new(ident.span(), format!("`{ident}` is no attribute of this op")));
            };
            let (attr, to) = (attr as u8, slot(1)?);
            quote!(TypeOfAttr { attr: #attr, to: #to })
        }
        "bool_like" | "element_of" => {
            let variant = format_ident!("{}", if kind == "bool_like" { "BoolLike" } else { "ElementOf" });
            let (from, to) = (slot(0)?, slot(1)?);
            quote!(#variant { from: #from, to: #to })
        }
        _ => {
            let variant = format_ident!("{}", if kind == "same_shape" { "SameShape" } else { "SameElement" });
            let (a, b) = (slot(0)?, slot(1)?);
            quote!(#variant(#a, #b))
        }
    };
    Ok(quote!(::terrace_ir::TypeRel::#variant))
}

fn effects(op: &Op) -> TokenStream {
    let free = op.args.traits.iter().any(|path| path.is_ident("Pure") || path.is_ident("NoEffect"));
    let names: Vec<String> = match &op.args.effects {
        Some(names) => names.iter().map(plain).collect(),
        None => vec![if free { "none" } else { "unknown" }.to_string()],
    };
    let names = names.iter().map(|name| format_ident!("{}", name.to_uppercase()));
    quote!(::terrace_ir::Effects::NONE #(.and(::terrace_ir::Effects::#names))*)
}

fn piece(piece: &Piece) -> TokenStream {
    let with = |name: &str, n: &usize| {
        let (name, n) = (format_ident!("{name}"), *n as u8);
        quote!(#name(#n))
    };
    let variant = match piece {
        Piece::Lit(text) => quote!(Lit(#text)),
        Piece::Space(text) => quote!(Space(#text)),
        Piece::Operand(n) => with("Operand", n),
        Piece::Attr(n) => with("Attr", n),
        Piece::Region(n) => with("Region", n),
        Piece::Successor(n) => with("Successor", n),
        Piece::OperandType(n) => with("OperandType", n),
        Piece::ResultType(n) => with("ResultType", n),
        Piece::Qualified(inner) => return self::piece(inner),
        Piece::Operands => quote!(Operands),
        Piece::OperandTypes => quote!(OperandTypes),
        Piece::ResultTypes => quote!(ResultTypes),
        Piece::FunctionalType => quote!(FunctionalType),
        Piece::AttrDict => quote!(AttrDict),
        Piece::AttrDictWithKeyword => quote!(AttrDictWithKeyword),
        Piece::Optional { anchor, then, otherwise } => {
            let anchor = match anchor {
                FieldRef::Operand(n) => with("Operand", n),
                FieldRef::Result(n) => with("Result", n),
                FieldRef::Attr(n) => with("Attr", n),
                FieldRef::Region(n) => with("Region", n),
                FieldRef::Successor(n) => with("Successor", n),
            };
            let then = then.iter().map(self::piece);
            let otherwise = otherwise.iter().map(self::piece);
            quote! {
                Optional {
                    anchor: ::terrace_ir::asm::Anchor::#anchor,
                    then: &[#(#then),*],
                    otherwise: &[#(#otherwise),*],
                }
            }
        }
    };
    quote!(::terrace_ir::asm::Asm::#variant)
}
