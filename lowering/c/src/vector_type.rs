//! Types of vectors. All dimensions lie one after another.

use crate::types::Scalar;
use terrace_ir::{Context, Type, TypeKind};

/// Most lanes of a vector
pub(crate) const MOST: i64 = 4096;

/// A type of vectors
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Vector {
    pub elem: Scalar,
    pub shape: Vec<i64>,
}

impl Vector {
    /// The vector that a type is
    pub fn of(cx: &Context, ty: Type) -> Option<Vector> {
        let TypeKind::Vector { shape, elem, scalable } = ty.kind(cx) else { return None };
        let lanes = shape.iter().try_fold(1i64, |lanes, size| lanes.checked_mul(*size))?;
        let fixed = (1..=MOST).contains(&lanes) && *scalable == 0;
        fixed.then_some(())?;
        Some(Vector { elem: Scalar::of(cx, *elem)?, shape: shape.to_vec() })
    }

    /// Number of lanes
    pub fn lanes(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    /// Name without the language's own words
    pub fn name(&self) -> String {
        format!("{}x{}", self.elem.suffix(), self.lanes())
    }
}
