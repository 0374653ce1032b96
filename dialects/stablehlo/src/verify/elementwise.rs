//! Rules of ops on elements, tuples and barriers.

use super::*;
use crate::syntax::parts_of;

/// Ops whose operands and result have one type
macro_rules! one_type {
    ($($name:ident)*) => {$( verify! { $name |_, check: Check<'_>| check.one_type(); } )*};
}

one_type! {
    Add And Atan2 Cbrt Ceil Cosine CountLeadingZeros Divide Exponential ExponentialMinusOne Floor Log LogPlusOne Logistic
    Maximum Minimum Multiply Negate Not Or PopulationCount Power Remainder RoundNearestAfz RoundNearestEven Rsqrt ShiftLeft
    ShiftRightArithmetic ShiftRightLogical Sign Sine Sqrt Subtract Tan Tanh Xor Cholesky
}

verify! {
    Abs real_part;
    Real real_part;
    Imag real_part;
    Convert |_, check: Check<'_>| check.one_shape();
    IsFinite |_, check: Check<'_>| check.one_shape();
    ReducePrecision |op: ReducePrecision, check: Check<'_>| {
        check.one_type()?;
        let [exponent, mantissa] =
            [op.exponent_bits(check.ir()), op.mantissa_bits(check.ir())].map(|bits| bits.as_i64(check.cx()).unwrap_or(0));
        check.require(exponent > 0, || "attribute 'exponent_bits' failed to satisfy constraint: its value is positive".into())?;
        check.require(mantissa >= 0, || "attribute 'mantissa_bits' failed to satisfy constraint: its value is non-negative".into())
    };
    Compare compare;
    Select select;
    Clamp clamp;
    Complex complex;
    Tuple |op: Tuple, check: Check<'_>| {
        let ty = check.ty(op.result(check.ir()));
        let TypeKind::Tuple(types) = ty.kind(check.cx()) else { return Ok(()) };
        let given = check.value_types(&op.val(check.ir()));
        check.require(**types == given, || {
            format!("has return type {}, but expected tuple of {}", check.text(ty), check.texts(given))
        })
    };
    GetTupleElement get_tuple_element;
    OptimizationBarrier |op: OptimizationBarrier, check: Check<'_>| {
        let ir = check.ir();
        let (given, wanted) = (check.value_types(&op.result(ir)), check.value_types(&op.operand(ir)));
        check.require(check.lists_agree(&given, &wanted), || {
            "requires the same number and types of operands and results".into()
        })
    };
    Constant |op: Constant, check: Check<'_>| {
        check.require(!check.shape(op.output(check.ir())).contains(&DYNAMIC), || {
            "result #0 must be statically shaped tensor".into()
        })
    };
}

/// Of complex numbers the tensor of their parts, otherwise the same type
fn real_part<T>(_: T, check: Check<'_>) -> Done {
    let operand = check.ty(check.ir().operand(check.op, 0));
    let wanted = parts_of(check.cx(), operand).unwrap_or(operand);
    let ty = check.ty(check.result());
    check.require(check.types_agree(wanted, ty), || {
        let (wanted, ty) = (check.text(wanted), check.text(ty));
        format!("inferred type(s) '{wanted}' are incompatible with return type(s) of operation '{ty}'")
    })
}

fn compare(op: Compare, check: Check<'_>) -> Done {
    let ir = check.ir();
    let elem = check.elem(op.lhs(ir));
    check.require(elem == check.elem(op.rhs(ir)), || {
        "requires compatible element types for all operands".into()
    })?;
    check.one_shape()?;
    let Some(kind) = op.compare_type(ir) else { return Ok(()) };
    let cx = check.cx();
    // By the table of the specification; complex numbers compare as floats do.
    let fits = match kind {
        ComparisonType::NoType => true,
        ComparisonType::Signed => types::is_int(cx, elem) && !types::is_unsigned(cx, elem),
        ComparisonType::Unsigned => types::is_unsigned(cx, elem),
        ComparisonType::Float => types::is_float(cx, elem) || types::is_complex(cx, elem),
        ComparisonType::TotalOrder => types::is_float(cx, elem),
    };
    let quantized = matches!(elem.kind(cx), TypeKind::Opaque { .. });
    check.require(fits || quantized, || {
        format!("cannot compare elements of type {} as {}", check.text(elem), kind.word())
    })
}

fn select(op: Select, check: Check<'_>) -> Done {
    let ir = check.ir();
    let (yes, no) = (op.on_true(ir), op.on_false(ir));
    check.require(check.types_agree(check.ty(yes), check.ty(no)), || {
        "requires compatible types for non-predicate operands".into()
    })?;
    let whole = check.rank(op.pred(ir)) == 0;
    check.require(whole || shapes_agree(check.shape(op.pred(ir)), check.shape(yes)), || {
        "requires the same shape for all operands".into()
    })?;
    check.result_type(check.shape(yes), check.elem(yes))
}

fn clamp(op: Clamp, check: Check<'_>) -> Done {
    let ir = check.ir();
    let operand = op.operand(ir);
    check.one_element(&[op.min(ir), operand, op.max(ir)])?;
    let shape = check.shape(operand);
    for (bound, name) in [(op.min(ir), "min"), (op.max(ir), "max")] {
        let given = check.shape(bound);
        check.require(given.is_empty() || shapes_agree(given, shape), || {
            let (given, shape) = (sizes_text(given), sizes_text(shape));
            format!("{name} shape {given} is not scalar and is not compatible to operand shape {shape}")
        })?;
    }
    check.result_type(shape, check.elem(operand))
}

fn complex(op: Complex, check: Check<'_>) -> Done {
    let ir = check.ir();
    check.one_shape()?;
    let part = check.elem(op.lhs(ir));
    check.require(part == check.elem(op.rhs(ir)), || {
        "requires the same element type for all operands".into()
    })?;
    let elem = check.cx().ty(TypeKind::Complex(part));
    check.result_type(check.shape(op.lhs(ir)), elem)
}

fn get_tuple_element(op: GetTupleElement, check: Check<'_>) -> Done {
    let ir = check.ir();
    let TypeKind::Tuple(types) = check.ty(op.operand(ir)).kind(check.cx()) else { return Ok(()) };
    let index = op.index(ir).as_i64(check.cx()).unwrap_or(-1);
    let Some(wanted) = usize::try_from(index).ok().and_then(|index| types.get(index)) else {
        return check.fail(format!("index {index} is out of bounds of operand with size {}", types.len()));
    };
    check.require(check.types_agree(*wanted, check.ty(op.result(ir))), || {
        format!(
            "has return type {}, but expected {}",
            check.text(check.ty(op.result(ir))),
            check.text(*wanted)
        )
    })
}
