//! What named ops mean, as data: kinds of iterators, index functions, body.
//!
//! Source of the maps: what upstream's definitions say; `linalg-generalize-named-ops` of both must agree (a test compares).

use terrace_ir::interface::Interface;
use terrace_ir::{Attr, Context, OpDef};
use terrace_support::affine::{AffineExpr, AffineMap};

/// What a named op computes per point
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body {
    /// The input, converted
    Copy,
    /// A function of one element
    Unary(Unary),
    /// A function of two elements
    Binary(Binary),
    /// One of two elements
    Select,
    /// out + a · b
    Product,
    /// out + (a − zero of a) · (b − zero of b)
    Shifted,
    /// out ⊕ a
    Fold(Binary),
}

/// Functions of one element, as upstream names them
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    Abs,
    Ceil,
    Erf,
    Exp,
    Floor,
    Log,
    NegF,
    Reciprocal,
    Round,
    Rsqrt,
    Sqrt,
    Square,
    Tanh,
}

/// Functions of two elements, as upstream names them
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    DivUnsigned,
    MaxSigned,
    MaxUnsigned,
    MinSigned,
    MinUnsigned,
    PowF,
}

impl Binary {
    /// Are integers converted with their sign?
    pub fn is_signed(self) -> bool {
        !matches!(self, Binary::DivUnsigned | Binary::MaxUnsigned | Binary::MinUnsigned)
    }
}

/// What a named op means
///
/// A map is a list of subscripts: `2` is iterator 2, `1+4` a sum, and `1:4` the stride times iterator 1 plus the dilation times
/// iterator 4, of which each map's n-th takes the n-th stride. `*` stands for all iterators in order, of any number.
#[derive(Debug)]
pub struct Spec {
    /// `p`arallel or `r`eduction for each iterator
    pub iterators: &'static str,
    /// One map per operand, the output last
    pub maps: &'static [&'static str],
    /// Body
    pub body: Body,
}

impl Spec {
    /// What an op means, if it is a named one
    pub fn of(def: &'static OpDef) -> Option<&'static Spec> {
        def.interface::<Spec>()
    }

    /// Do sizes of windows have steps?
    pub fn windows(&self) -> usize {
        self.maps.iter().map(|map| map.matches(':').count()).max().unwrap_or(0)
    }

    /// `indexing_maps` as upstream stores them, of an op whose rank its specification says
    pub fn maps_attr(&self, cx: &Context) -> Attr {
        let rank = self.iterators.len();
        let map = |text: &&str| AffineMap::new(rank as u32, 0, self.subscripts(text, rank, &[], &[]));
        let maps: Vec<Attr> = self.maps.iter().filter_map(map).map(|map| cx.map_attr(map)).collect();
        cx.array_attr(&maps)
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

/// `interfaces(super::spec::Named)`: the op means what its specification says
pub trait Named {
    /// What the op means
    const SPEC: Spec;
    /// Entry for the op's definition
    const ENTRY: Interface = Interface::new(const { &Self::SPEC });
}

#[cfg(test)]
mod tests {
    use super::Named;
    use crate::Conv2DNchwFchw;

    #[test]
    fn subscripts_of_windows() {
        let spec = Conv2DNchwFchw::SPEC;
        let all = spec.subscripts(spec.maps[0], 7, &[2, 3], &[1, 5]);
        let text: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["d0", "d4", "d2 * 2 + d5", "d3 * 3 + d6 * 5"]);
        assert_eq!(spec.windows(), 2);
    }
}
