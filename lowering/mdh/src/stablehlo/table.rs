//! Every op of `stablehlo` and `chlo`: what it becomes, or why it has no road.

use super::{
    Body, Defs, OnScalars, Road, control, conversions, gathers, moves, products, reductions, scalars,
    scatters, selected, windows,
};
use crate::tensors::Done;
use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_dialect_stablehlo as hlo;
use terrace_ir::{Ir, OpDef, OpId, Value};

use Road::{Gap, Tensors};

/// One op for floats
const fn float(def: &'static OpDef) -> Road {
    Road::Scalar(OnScalars::Same(Defs { float: Some(def), signed: None, unsigned: None, pred: None }))
}

/// One for each kind of number: floats, signed and unsigned integers, booleans
const fn kinds(
    float: &'static OpDef,
    signed: &'static OpDef,
    unsigned: &'static OpDef,
    pred: &'static OpDef,
) -> Road {
    let defs = Defs { float: Some(float), signed: Some(signed), unsigned: Some(unsigned), pred: Some(pred) };
    Road::Scalar(OnScalars::Same(defs))
}

const fn integers(def: &'static OpDef) -> Road {
    Road::Scalar(OnScalars::Same(Defs {
        float: None,
        signed: Some(def),
        unsigned: Some(def),
        pred: Some(def),
    }))
}

const fn by(make: fn(&mut Body<'_>, OpId, &[Value]) -> Done<Value>) -> Road {
    Road::Scalar(OnScalars::By(make))
}

const COMPLEX: Road = Gap("complex numbers have no form here");
const FFT: Road = Gap("Fourier transforms have no form here");
const SOLVER: Road = Gap("linear systems have no form here; write the solver as a loop");
const DYNAMIC: Road = Gap("sizes that are values have no form here; export the program with static shapes");
const RANDOM: Road =
    Gap("random numbers have no form here; make them outside, or with jax.random's default generator");
const SORT: Road = Gap("sorting has no form here");
const DEVICES: Road = Gap("programs run on one device: what passes between several has no form here");
const TUPLE: Road = Gap("tuples have no form here; export the program with plain results");
const TOKEN: Road = Gap("effects in an order of tokens have no form here");
const OLD: Road = Gap("an op that StableHLO has given up; export the program with a current version");
const NORM: Road =
    Gap("norms over batches in one piece have no form here; export the program with their parts");
const QUANTIZED: Road = Gap("quantized numbers have no form here");
const SPECIAL: Road = Gap("the function has no form here");
const CALL: Road = Gap("it calls what the program does not have");

/// Every op of both dialects once
const TABLE: &[(&OpDef, Road)] = &[
    // Element by element.
    (
        hlo::Abs::DEF,
        Road::Scalar(OnScalars::Same(Defs {
            float: Some(math::AbsF::DEF),
            signed: Some(math::AbsI::DEF),
            unsigned: None,
            pred: None,
        })),
    ),
    (hlo::Add::DEF, kinds(arith::AddF::DEF, arith::AddI::DEF, arith::AddI::DEF, arith::OrI::DEF)),
    (hlo::And::DEF, integers(arith::AndI::DEF)),
    (hlo::Atan2::DEF, float(math::Atan2::DEF)),
    (hlo::BitcastConvert::DEF, by(conversions::bitcast)),
    (hlo::Cbrt::DEF, float(math::Cbrt::DEF)),
    (hlo::Ceil::DEF, float(math::Ceil::DEF)),
    (hlo::Clamp::DEF, by(scalars::clamp)),
    (hlo::Compare::DEF, by(scalars::compare)),
    (hlo::Convert::DEF, by(conversions::convert)),
    (hlo::Cosine::DEF, float(math::Cos::DEF)),
    (hlo::CountLeadingZeros::DEF, integers(math::CountLeadingZeros::DEF)),
    (hlo::Divide::DEF, by(scalars::divide)),
    (hlo::Exponential::DEF, float(math::Exp::DEF)),
    (hlo::ExponentialMinusOne::DEF, float(math::ExpM1::DEF)),
    (hlo::Floor::DEF, float(math::Floor::DEF)),
    (hlo::IsFinite::DEF, by(scalars::is_finite)),
    (hlo::Log::DEF, float(math::Log::DEF)),
    (hlo::LogPlusOne::DEF, float(math::Log1p::DEF)),
    (hlo::Logistic::DEF, by(scalars::logistic)),
    (hlo::Maximum::DEF, kinds(arith::MaximumF::DEF, arith::MaxSI::DEF, arith::MaxUI::DEF, arith::OrI::DEF)),
    (hlo::Minimum::DEF, kinds(arith::MinimumF::DEF, arith::MinSI::DEF, arith::MinUI::DEF, arith::AndI::DEF)),
    (hlo::Multiply::DEF, kinds(arith::MulF::DEF, arith::MulI::DEF, arith::MulI::DEF, arith::AndI::DEF)),
    (hlo::Negate::DEF, by(scalars::negate)),
    (hlo::Not::DEF, by(scalars::not)),
    (hlo::Or::DEF, integers(arith::OrI::DEF)),
    (hlo::PopulationCount::DEF, integers(math::CtPop::DEF)),
    (hlo::Power::DEF, by(scalars::power)),
    (hlo::ReducePrecision::DEF, by(conversions::reduce_precision)),
    (hlo::Remainder::DEF, by(scalars::remainder)),
    (hlo::RoundNearestAfz::DEF, float(math::Round::DEF)),
    (hlo::RoundNearestEven::DEF, float(math::RoundEven::DEF)),
    (hlo::Rsqrt::DEF, float(math::Rsqrt::DEF)),
    (hlo::Select::DEF, by(scalars::choose)),
    (hlo::ShiftLeft::DEF, by(scalars::shift)),
    (hlo::ShiftRightArithmetic::DEF, by(scalars::shift)),
    (hlo::ShiftRightLogical::DEF, by(scalars::shift)),
    (hlo::Sign::DEF, by(scalars::sign)),
    (hlo::Sine::DEF, float(math::Sin::DEF)),
    (hlo::Sqrt::DEF, float(math::Sqrt::DEF)),
    (hlo::Subtract::DEF, kinds(arith::SubF::DEF, arith::SubI::DEF, arith::SubI::DEF, arith::XOrI::DEF)),
    (hlo::Tan::DEF, float(math::Tan::DEF)),
    (hlo::Tanh::DEF, float(math::Tanh::DEF)),
    (hlo::Xor::DEF, integers(arith::XOrI::DEF)),
    (hlo::Acos::DEF, float(math::Acos::DEF)),
    (hlo::Acosh::DEF, float(math::Acosh::DEF)),
    (hlo::Asin::DEF, float(math::Asin::DEF)),
    (hlo::Asinh::DEF, float(math::Asinh::DEF)),
    (hlo::Atan::DEF, float(math::Atan::DEF)),
    (hlo::Atanh::DEF, float(math::Atanh::DEF)),
    (hlo::ChloTan::DEF, float(math::Tan::DEF)),
    (hlo::Cosh::DEF, float(math::Cosh::DEF)),
    (hlo::Erf::DEF, float(math::Erf::DEF)),
    (hlo::Erfc::DEF, float(math::Erfc::DEF)),
    (hlo::IsInf::DEF, by(scalars::is_inf)),
    (hlo::IsNegInf::DEF, by(scalars::is_inf)),
    (hlo::IsPosInf::DEF, by(scalars::is_inf)),
    (hlo::Sinh::DEF, float(math::Sinh::DEF)),
    (hlo::Square::DEF, by(scalars::square)),
    // Elements that move.
    (hlo::Broadcast::DEF, Tensors(moves::broadcast)),
    (hlo::BroadcastInDim::DEF, Tensors(moves::broadcast_in_dim)),
    (hlo::Concatenate::DEF, Tensors(moves::concatenate)),
    (hlo::Constant::DEF, Tensors(moves::constant)),
    (hlo::Iota::DEF, Tensors(moves::iota)),
    (hlo::Pad::DEF, Tensors(moves::pad)),
    (hlo::Reshape::DEF, Tensors(moves::reshape)),
    (hlo::Reverse::DEF, Tensors(moves::reverse)),
    (hlo::Slice::DEF, Tensors(moves::slice)),
    (hlo::Transpose::DEF, Tensors(moves::transpose)),
    (hlo::DynamicSlice::DEF, Tensors(gathers::dynamic_slice)),
    (hlo::DynamicUpdateSlice::DEF, Tensors(gathers::dynamic_update_slice)),
    (hlo::Gather::DEF, Tensors(gathers::gather)),
    (hlo::Scatter::DEF, Tensors(scatters::scatter)),
    (hlo::SelectAndScatter::DEF, Tensors(selected::select_and_scatter)),
    // What is combined.
    (hlo::Convolution::DEF, Tensors(windows::convolution)),
    (hlo::Dot::DEF, Tensors(products::dot)),
    (hlo::DotGeneral::DEF, Tensors(products::dot_general)),
    (hlo::Map::DEF, Tensors(reductions::map)),
    (hlo::Reduce::DEF, Tensors(reductions::reduce)),
    (hlo::ReduceWindow::DEF, Tensors(windows::reduce_window)),
    // Control.
    (hlo::Case::DEF, Tensors(control::case)),
    (hlo::Composite::DEF, Tensors(control::composite)),
    (hlo::If::DEF, Tensors(control::condition)),
    (hlo::OptimizationBarrier::DEF, Tensors(control::barrier)),
    (hlo::Return::DEF, Road::End),
    (hlo::While::DEF, Tensors(control::while_loop)),
    // No road.
    (hlo::AfterAll::DEF, TOKEN),
    (hlo::AllGather::DEF, DEVICES),
    (hlo::AllReduce::DEF, DEVICES),
    (hlo::AllToAll::DEF, DEVICES),
    (hlo::AsyncDone::DEF, TOKEN),
    (hlo::AsyncStart::DEF, TOKEN),
    (hlo::BatchNormGrad::DEF, NORM),
    (hlo::BatchNormInference::DEF, NORM),
    (hlo::BatchNormTraining::DEF, NORM),
    (hlo::Cholesky::DEF, SOLVER),
    (hlo::CollectiveBroadcast::DEF, DEVICES),
    (hlo::CollectivePermute::DEF, DEVICES),
    (hlo::CollectiveReduce::DEF, DEVICES),
    (hlo::Complex::DEF, COMPLEX),
    (hlo::CreateToken::DEF, TOKEN),
    (hlo::CrossReplicaSum::DEF, DEVICES),
    (hlo::CustomCall::DEF, CALL),
    (hlo::DynamicBroadcastInDim::DEF, DYNAMIC),
    (hlo::DynamicConv::DEF, DYNAMIC),
    (hlo::DynamicGather::DEF, DYNAMIC),
    (hlo::DynamicIota::DEF, DYNAMIC),
    (hlo::DynamicPad::DEF, DYNAMIC),
    (hlo::DynamicReshape::DEF, DYNAMIC),
    (hlo::Einsum::DEF, OLD),
    (hlo::Fft::DEF, FFT),
    (hlo::GetDimensionSize::DEF, DYNAMIC),
    (hlo::GetTupleElement::DEF, TUPLE),
    (hlo::Imag::DEF, COMPLEX),
    (hlo::Infeed::DEF, TOKEN),
    (hlo::Outfeed::DEF, TOKEN),
    (hlo::PartitionId::DEF, DEVICES),
    (hlo::Real::DEF, COMPLEX),
    (hlo::RealDynamicSlice::DEF, DYNAMIC),
    (hlo::Recv::DEF, TOKEN),
    (hlo::ReduceScatter::DEF, DEVICES),
    (hlo::ReplicaId::DEF, DEVICES),
    (hlo::Rng::DEF, RANDOM),
    (hlo::RngBitGenerator::DEF, RANDOM),
    (hlo::Send::DEF, TOKEN),
    (hlo::SetDimensionSize::DEF, DYNAMIC),
    (hlo::Sort::DEF, SORT),
    (hlo::TorchIndexSelect::DEF, OLD),
    (hlo::TriangularSolve::DEF, SOLVER),
    (hlo::Tuple::DEF, TUPLE),
    (hlo::UnaryEinsum::DEF, OLD),
    (hlo::UniformDequantize::DEF, QUANTIZED),
    (hlo::UniformQuantize::DEF, QUANTIZED),
    (hlo::BesselI1e::DEF, SPECIAL),
    (hlo::Conj::DEF, COMPLEX),
    (hlo::Digamma::DEF, SPECIAL),
    (hlo::ErfInv::DEF, SPECIAL),
    (hlo::Lgamma::DEF, SPECIAL),
    (hlo::Mulhi::DEF, SPECIAL),
    (hlo::NextAfter::DEF, SPECIAL),
    (hlo::Polygamma::DEF, SPECIAL),
    (hlo::TopK::DEF, SORT),
    (hlo::Zeta::DEF, SPECIAL),
];

/// What becomes of an op of the two dialects
pub(super) fn find(ir: &Ir, op: OpId) -> Option<&'static Road> {
    TABLE.iter().find(|(def, _)| ir.is(op, def)).map(|(_, road)| road)
}

#[cfg(test)]
mod tests {
    use super::{Road, TABLE};
    use terrace_dialect_stablehlo as hlo;

    #[test]
    fn every_op_has_one_row() {
        for op in hlo::STABLEHLO.ops.iter().chain(hlo::CHLO.ops) {
            let rows = TABLE.iter().filter(|(def, _)| def.name == op.name).count();
            assert_eq!(rows, 1, "{}", op.name);
        }
        assert_eq!(TABLE.len(), hlo::STABLEHLO.ops.len() + hlo::CHLO.ops.len());
        let gaps = TABLE.iter().filter(|(_, road)| matches!(road, Road::Gap(_))).count();
        assert!(gaps < 60, "{gaps} ops have no road");
    }
}
