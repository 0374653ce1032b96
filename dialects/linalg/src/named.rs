//! Named ops as data: kinds of iterators, index functions, body.
//!
//! Source of the maps: what upstream's definitions say; `linalg-generalize-named-ops` of both must agree (a test compares).

use terrace_support::affine::AffineExpr;

/// What a named op computes per point
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body {
    /// The input, converted
    Copy,
    /// A function of one element
    Unary(&'static str),
    /// A function of two elements
    Binary(&'static str),
    /// One of two elements
    Select,
    /// out + a · b
    Product,
    /// out + (a − zero of a) · (b − zero of b)
    Shifted,
    /// out ⊕ a
    Fold(&'static str),
}

/// A named op
///
/// A map is a list of subscripts: `2` is iterator 2, `1+4` a sum, and `1:4` the stride times iterator 1 plus the dilation times
/// iterator 4, of which each map's n-th takes the n-th stride. `*` stands for all iterators in order, of any number.
#[derive(Debug)]
pub struct Spec {
    /// Name with the dialect
    pub name: &'static str,
    /// `p`arallel or `r`eduction for each iterator
    pub iterators: &'static str,
    /// One map per operand, the output last
    pub maps: &'static [&'static str],
    /// Body
    pub body: Body,
}

impl Spec {
    /// Do sizes of windows have steps?
    pub fn windows(&self) -> usize {
        self.maps.iter().map(|map| map.matches(':').count()).max().unwrap_or(0)
    }

    /// A map's subscripts
    pub fn subscripts(&self, map: &str, rank: usize, strides: &[i64], dilations: &[i64]) -> Vec<AffineExpr> {
        let dim = |text: &str| AffineExpr::Dim(text.parse().unwrap_or(0));
        if map == "*" {
            return (0..rank as u32).map(AffineExpr::Dim).collect();
        }
        let mut window = 0;
        let mut all = Vec::new();
        for word in map.split_whitespace() {
            all.push(match (word.split_once(':'), word.split_once('+')) {
                (Some((a, b)), _) => {
                    let step = |list: &[i64]| list.get(window).copied().unwrap_or(1).into();
                    let sum =
                        AffineExpr::mul(dim(a), step(strides)) + AffineExpr::mul(dim(b), step(dilations));
                    window += 1;
                    sum
                }
                (None, Some((a, b))) => dim(a) + dim(b),
                (None, None) => dim(word),
            });
        }
        all
    }
}

/// A named op by its name
pub fn find(name: &str) -> Option<&'static Spec> {
    let lists = [
        super::contractions::SPECS,
        super::convolutions::SPECS,
        super::elementwise::SPECS,
        super::poolings::SPECS,
    ];
    lists.into_iter().find_map(|list| {
        let at = list.binary_search_by(|spec| spec.name.cmp(name)).ok()?;
        Some(&list[at])
    })
}

/// Ops with operands in `ins` and `outs`, in order of their names
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $text:literal $iterators:literal [$($map:literal),*] Body::$body:ident $(($fun:literal))? { $($(#[$attr:meta])* $field:ident : $rule:ident),* })*) => {
        /// The ops of this file, by name
        pub(super) const SPECS: &[Spec] = &[$(Spec {
            name: $text, iterators: $iterators, maps: &[$($map),*], body: Body::$body $(($fun))?,
        }),*];
        $(
        $(#[$doc])*
        #[op(
            $text,
            hooks(verify, effects),
            interfaces(terrace_text::CustomAsm, terrace_interp::Interpret)
        )]
        pub struct $name {
            #[operand]
            inputs: Variadic<AnyType>,
            #[operand]
            outputs: Variadic<AnyShaped>,
            $($(#[$attr])* $field: $rule,)*
            #[result]
            results: Variadic<AnyRankedTensor>,
            #[region(single_block)]
            body: Region,
        }

        impl terrace_text::CustomAsm for $name {
            fn parse(p: &mut terrace_text::OpParser<'_, '_>) -> Result<(), terrace_diag::Reported> {
                super::syntax::parse_named(p, $text)
            }

            fn print(self, p: &mut terrace_text::OpPrinter<'_>) {
                super::syntax::print_named(p);
            }
        }

        super::structured!($name);
    )*};
}
pub(super) use named;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order() {
        for list in [
            super::super::contractions::SPECS,
            super::super::convolutions::SPECS,
            super::super::elementwise::SPECS,
            super::super::poolings::SPECS,
        ] {
            assert!(list.is_sorted_by(|a, b| a.name < b.name));
        }
    }

    #[test]
    fn subscripts_of_windows() {
        let spec = find("linalg.conv_2d_nchw_fchw").expect("it is listed");
        let all = spec.subscripts(spec.maps[0], 7, &[2, 3], &[1, 5]);
        let text: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["d0", "d4", "d2 * 2 + d5", "d3 * 3 + d6 * 5"]);
        assert_eq!(spec.windows(), 2);
    }
}
