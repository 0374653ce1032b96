//! The macro that defines named ops: what each means, its syntax, and what its form says.

/// Ops with operands in `ins` and `outs`
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $text:literal $iterators:literal [$($map:literal),*] Body::$body:ident $(($fun:path))? { $($(#[$attr:meta])* $field:ident : $rule:ident),* })*) => {
        $(
        $(#[$doc])*
        #[op(
            $text,
            hooks(verify, effects),
            interfaces(terrace_text::CustomAsm, terrace_interp::Interpret, super::spec::Named)
        )]
        pub struct $name {
            inputs: Variadic<AnyType>,
            outputs: Variadic<AnyShaped>,
            $($(#[$attr])* $field: $rule,)*
            #[result]
            results: Variadic<AnyRankedTensor>,
            #[region(single_block)]
            body: Region,
        }

        impl super::spec::Named for $name {
            const SPEC: super::spec::Spec = super::spec::Spec {
                iterators: $iterators, maps: &[$($map),*], body: super::spec::Body::$body $(($fun))?,
            };
        }

        impl terrace_text::CustomAsm for $name {
            fn parse(p: &mut terrace_text::OpParser<'_, '_>) -> Result<(), terrace_diag::Reported> {
                super::syntax::parse_spec(p, &<$name as super::spec::Named>::SPEC)
            }

            fn print(self, p: &mut terrace_text::OpPrinter<'_>) {
                super::syntax::print_named(p);
            }
        }

        super::structured!($name);
    )*};
}
pub(super) use named;
