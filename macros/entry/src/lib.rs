//! Proc-macros for ops, types, attributes and dialects: shims over `terrace-macros-lib`.

use proc_macro::TokenStream;
use terrace_macros_lib::params::What;
use terrace_macros_lib::tokens::through_facade;
use terrace_macros_lib::{dialect as dialects, expand as ops, or_error, params, pass as passes};

/// An op from a struct: its table `DEF`, `cast`, `id`, accessors and `build`
///
/// ```
/// use terrace_ir::rules::{IntLike, UnitAttr};
/// use terrace_ir::{Fold, FoldCx, Folded};
/// use terrace_macros::op;
///
/// /// Exclusive or of the bits
/// #[op("bits.xor", traits(Pure, Commutative), relations(same(lhs, rhs, result)), hooks(fold))]
/// #[asm("$lhs `,` $rhs (`disjoint` $disjoint^)? attr-dict `:` type($result)")]
/// pub struct Xor {
///     lhs: IntLike,
///     rhs: IntLike,
///     #[attr(optional)] disjoint: UnitAttr,
///     #[result] result: IntLike,
/// }
///
/// impl Fold for Xor {
///     fn fold(self, cx: &FoldCx<'_>) -> Folded {
///         Folded::No
///     }
/// }
///
/// assert_eq!(Xor::DEF.mnemonic(), "xor");
/// ```
///
/// - Arguments: the name, then `traits(…)`, `relations(…)`, `effects(…)`, `hooks(fold, verify, infer, effects)`,
///   `interfaces(Trait, …)`, `parents("…")`, `implicit_terminator = "…"`.
/// - `#[asm("…")]` below is the op's syntax, in the words of upstream's `assemblyFormat`.
/// - Fields: without a mark operands, with `#[result]` results, both of a type rule, `Variadic<Rule>` or `Optional<Rule>`; `#[attr(name, default,
///   optional)]` of an attribute rule; `#[region(single_block, may_be_empty, variadic)]`; `#[successor(operands = field,
///   variadic)]`.
/// - `build` takes operands, required attributes, types of all results unless all are derived, successors, the number
///   of variadic regions, in this order.
#[proc_macro_attribute]
pub fn op(args: TokenStream, item: TokenStream) -> TokenStream {
    or_error(ops::expand(args.into(), item.into())).into()
}

/// A dialect's type from a struct with `#[param]` fields: its table `DEF`, `get`, `cast` and accessors
#[proc_macro_attribute]
pub fn dialect_type(args: TokenStream, item: TokenStream) -> TokenStream {
    or_error(params::expand(What::Type, args.into(), item.into())).into()
}

/// A dialect's attribute from a struct with `#[param]` fields: its table `DEF`, `get`, `cast` and accessors
#[proc_macro_attribute]
pub fn dialect_attr(args: TokenStream, item: TokenStream) -> TokenStream {
    or_error(params::expand(What::Attr, args.into(), item.into())).into()
}

/// A static `terrace_ir::Dialect` from the list of everything it registers
///
/// ```
/// use terrace_macros::{dialect, op};
///
/// /// Does nothing
/// #[op("bits.nop", traits(Pure))]
/// #[asm("attr-dict")]
/// pub struct Nop;
///
/// dialect! {
///     /// Ops on bits
///     pub BITS = "bits" { ops: [Nop] }
/// }
///
/// let cx = terrace_ir::Context::new(&[&BITS]);
/// assert!(cx.kind_by_name("bits.nop").is_some());
/// ```
///
/// Entries, each optional: `ops`, `types`, `attrs`, `enums: [&DEF]`, `codes: crate::codes::ALL`, `rules: [&RULE]` for rules that
/// no op brings along, `materialize: function`, `verify_attr: function`.
///
/// A name that is there twice, or that begins with another dialect's, does not compile.
#[proc_macro]
pub fn dialect(input: TokenStream) -> TokenStream {
    or_error(dialects::expand(input.into())).into()
}

/// A pass from a struct whose fields are its options: the table `INFO`, to be listed among a crate's passes
///
/// ```
/// use terrace_diag::Reported;
/// use terrace_ir::Ir;
/// use terrace_macros::pass;
/// use terrace_pass::{Pass, PassCx};
///
/// /// Do nothing, several times
/// ///
/// /// What it does, what it keeps, what it does not do.
/// #[pass("idle", aliases("rest"), stats("turns"))]
/// pub struct Idle {
///     /// How often
///     #[option(default = 3)]
///     turns: u32,
/// }
///
/// impl Pass for Idle {
///     fn run(&self, cx: &mut PassCx<'_>, _: &mut Ir) -> Result<(), Reported> {
///         cx.count("turns", self.turns.into());
///         cx.set_changed(false);
///         Ok(())
///     }
/// }
///
/// assert_eq!(Idle::INFO.options[0].default, "3");
/// ```
///
/// - Arguments: the name, then `aliases("…")`, `scope = unit` (the default) or `tree`, `anchor = "func.func"`,
///   `stats("…")`.
/// - Fields: `#[option]`, `#[option(default = …)]`, `#[option(name = "…")]` of a type that is a
///   `terrace_pass::OptionValue`: `bool`, integers, `String`, `Vec` of them, or the crate's own. The option's name is the
///   field's with `-` for `_`.
#[proc_macro_attribute]
pub fn pass(args: TokenStream, item: TokenStream) -> TokenStream {
    or_error(passes::expand(args.into(), item.into())).into()
}

// The same for crates that depend on the facade `terrace` alone, which re-exports these under the names above.

#[doc(hidden)]
#[proc_macro_attribute]
pub fn facade_op(args: TokenStream, item: TokenStream) -> TokenStream {
    through_facade(or_error(ops::expand(args.into(), item.into()))).into()
}

#[doc(hidden)]
#[proc_macro_attribute]
pub fn facade_type(args: TokenStream, item: TokenStream) -> TokenStream {
    through_facade(or_error(params::expand(What::Type, args.into(), item.into()))).into()
}

#[doc(hidden)]
#[proc_macro_attribute]
pub fn facade_attr(args: TokenStream, item: TokenStream) -> TokenStream {
    through_facade(or_error(params::expand(What::Attr, args.into(), item.into()))).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn facade_dialect(input: TokenStream) -> TokenStream {
    through_facade(or_error(dialects::expand(input.into()))).into()
}

#[doc(hidden)]
#[proc_macro_attribute]
pub fn facade_pass(args: TokenStream, item: TokenStream) -> TokenStream {
    through_facade(or_error(passes::expand(args.into(), item.into()))).into()
}
