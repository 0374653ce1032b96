//! LLVM's C interface for the emitter: untyped values, so that scalars and vectors are one case.
//!
//! Of this crate, only this file, `target` and `jit` call foreign functions while IR is built. Handles
//! are plain copies and do not record their owner.
//!
//! **Invariant:** handles of one [`Llvm`] are used with that one only and do not outlive it; nothing outside of this crate
//! sees them. Operand types are right because ops were verified and the coverage check was passed before; what is wrong all
//! the same, LLVM's own verifier finds before any code is made.

#![allow(unsafe_code)]

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
pub(crate) use inkwell::llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as Rmw, LLVMIntPredicate as IntPred,
    LLVMLinkage as Linkage, LLVMOpcode as Opcode, LLVMRealPredicate as RealPred,
    LLVMVisibility as Visibility,
};
use std::ffi::{CString, c_char, c_uint};

const NAMELESS: *const c_char = c"".as_ptr();

/// Calls of LLVM's C interface with handles of one context
macro_rules! ffi {
    ($($call:tt)*) => {
        // SAFETY: the module's invariant: handles are alive, of one context, and of the kinds that the call wants.
        unsafe { $($call)* }
    };
}

/// Set an option of LLVM's code generators, once for this process
pub(crate) fn option(option: &'static str) {
    static SET: std::sync::Mutex<Vec<&str>> = std::sync::Mutex::new(Vec::new());
    let mut set = SET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if set.contains(&option) {
        return;
    }
    set.push(option);
    let Ok(text) = CString::new(option) else { return };
    let words = [c"terrace".as_ptr(), text.as_ptr()];
    // SAFETY: two words that outlive the call, which copies what it keeps; the lock keeps other calls out.
    unsafe { inkwell::llvm_sys::support::LLVMParseCommandLineOptions(2, words.as_ptr(), NAMELESS) };
}

/// A value
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct V(LLVMValueRef);

/// A type
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct T(LLVMTypeRef);

/// A basic block
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bb(LLVMBasicBlockRef);

/// A function with its type, ready to be called
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callee {
    pub(crate) value: V,
    pub(crate) ty: T,
}

/// A module under construction in a context, with a builder
pub(crate) struct Llvm {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
}

impl Drop for Llvm {
    fn drop(&mut self) {
        // SAFETY: the builder was made by `new` and is disposed of once; context and module belong to the caller.
        ffi! { LLVMDisposeBuilder(self.builder) }
    }
}

/// Names of symbols never hold a NUL: the coverage check refuses them
fn c(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}

impl Llvm {
    pub(crate) fn new(module: &inkwell::module::Module<'_>) -> Llvm {
        let raw = module.as_mut_ptr();
        let context = ffi! { LLVMGetModuleContext(raw) };
        Llvm { context, module: raw, builder: ffi! { LLVMCreateBuilderInContext(context) } }
    }

    // Types

    pub(crate) fn int(&self, bits: u32) -> T {
        T(ffi! { LLVMIntTypeInContext(self.context, bits) })
    }

    pub(crate) fn i64(&self) -> T {
        self.int(64)
    }

    pub(crate) fn float(&self, kind: terrace_ir::FloatKind) -> Option<T> {
        use terrace_ir::FloatKind::*;
        let c = self.context;
        Some(T(ffi! {
            match kind {
                F16 => LLVMHalfTypeInContext(c),
                BF16 => LLVMBFloatTypeInContext(c),
                F32 => LLVMFloatTypeInContext(c),
                F64 => LLVMDoubleTypeInContext(c),
                _ => return None,
            }
        }))
    }

    pub(crate) fn ptr(&self, space: u32) -> T {
        T(ffi! { LLVMPointerTypeInContext(self.context, space) })
    }

    pub(crate) fn void(&self) -> T {
        T(ffi! { LLVMVoidTypeInContext(self.context) })
    }

    pub(crate) fn vector(&self, elem: T, lanes: u32) -> T {
        T(ffi! { LLVMVectorType(elem.0, lanes) })
    }

    pub(crate) fn array(&self, elem: T, count: u64) -> T {
        T(ffi! { LLVMArrayType2(elem.0, count) })
    }

    pub(crate) fn structure(&self, fields: &[T]) -> T {
        let mut raw: Vec<_> = fields.iter().map(|ty| ty.0).collect();
        T(ffi! { LLVMStructTypeInContext(self.context, raw.as_mut_ptr(), raw.len() as c_uint, 0) })
    }

    pub(crate) fn function_type(&self, result: T, params: &[T]) -> T {
        let mut raw: Vec<_> = params.iter().map(|ty| ty.0).collect();
        T(ffi! { LLVMFunctionType(result.0, raw.as_mut_ptr(), raw.len() as c_uint, 0) })
    }

    pub(crate) fn type_of(&self, value: V) -> T {
        T(ffi! { LLVMTypeOf(value.0) })
    }

    /// Lanes of a vector type
    pub(crate) fn lanes(&self, ty: T) -> Option<u32> {
        (ffi! { LLVMGetTypeKind(ty.0) } == inkwell::llvm_sys::LLVMTypeKind::LLVMVectorTypeKind)
            .then(|| ffi! { LLVMGetVectorSize(ty.0) })
    }

    // Constants

    pub(crate) fn const_int(&self, ty: T, value: i64) -> V {
        V(ffi! { LLVMConstInt(ty.0, value as u64, 1) })
    }

    pub(crate) fn const_i64(&self, value: i64) -> V {
        self.const_int(self.i64(), value)
    }

    pub(crate) fn const_wide(&self, ty: T, value: i128) -> V {
        let words = [value as u64, (value >> 64) as u64];
        V(ffi! { LLVMConstIntOfArbitraryPrecision(ty.0, 2, words.as_ptr()) })
    }

    /// The value of a constant integer of at most 64 bits
    pub(crate) fn as_const(&self, value: V) -> Option<i64> {
        ffi! {
            if LLVMIsAConstantInt(value.0).is_null() || LLVMGetIntTypeWidth(LLVMTypeOf(value.0)) > 64 {
                return None;
            }
            Some(LLVMConstIntGetSExtValue(value.0))
        }
    }

    /// What a sum with a constant consists of
    pub(crate) fn plus_constant(&self, value: V) -> Option<(V, i64)> {
        if !self.is_instruction(value) || ffi! { LLVMGetInstructionOpcode(value.0) } != Opcode::LLVMAdd {
            return None;
        }
        let (a, b) = ffi! { (V(LLVMGetOperand(value.0, 0)), V(LLVMGetOperand(value.0, 1))) };
        self.as_const(b).map(|plus| (a, plus)).or_else(|| Some((b, self.as_const(a)?)))
    }

    /// A constant of a type of the same width as the integer's
    pub(crate) fn const_bitcast(&self, value: V, ty: T) -> V {
        V(ffi! { LLVMConstBitCast(value.0, ty.0) })
    }

    pub(crate) fn const_real(&self, ty: T, value: f64) -> V {
        V(ffi! { LLVMConstReal(ty.0, value) })
    }

    pub(crate) fn zero(&self, ty: T) -> V {
        V(ffi! { LLVMConstNull(ty.0) })
    }

    pub(crate) fn all_ones(&self, ty: T) -> V {
        V(ffi! { LLVMConstAllOnes(ty.0) })
    }

    pub(crate) fn poison(&self, ty: T) -> V {
        V(ffi! { LLVMGetPoison(ty.0) })
    }

    pub(crate) fn const_vector(&self, elems: &[V]) -> V {
        let mut raw: Vec<_> = elems.iter().map(|value| value.0).collect();
        V(ffi! { LLVMConstVector(raw.as_mut_ptr(), raw.len() as c_uint) })
    }

    pub(crate) fn const_array(&self, elem: T, elems: &[V]) -> V {
        let mut raw: Vec<_> = elems.iter().map(|value| value.0).collect();
        V(ffi! { LLVMConstArray2(elem.0, raw.as_mut_ptr(), raw.len() as u64) })
    }

    // Functions and globals

    pub(crate) fn add_function(&self, name: &str, ty: T) -> Callee {
        let name = c(name);
        Callee { value: V(ffi! { LLVMAddFunction(self.module, name.as_ptr(), ty.0) }), ty }
    }

    pub(crate) fn get_function(&self, name: &str) -> Option<V> {
        let name = c(name);
        let found = ffi! { LLVMGetNamedFunction(self.module, name.as_ptr()) };
        (!found.is_null()).then_some(V(found))
    }

    /// The function of this name, declared if it is not there
    pub(crate) fn declare(&self, name: &str, result: T, params: &[T]) -> Callee {
        let ty = self.function_type(result, params);
        match self.get_function(name) {
            Some(value) => Callee { value, ty },
            None => self.add_function(name, ty),
        }
    }

    pub(crate) fn has_body(&self, function: V) -> bool {
        ffi! { LLVMCountBasicBlocks(function.0) > 0 }
    }

    pub(crate) fn set_name(&self, value: V, name: &str) {
        ffi! { LLVMSetValueName2(value.0, name.as_ptr().cast(), name.len()) }
    }

    /// Name an instruction or parameter that has no name yet
    pub(crate) fn suggest_name(&self, value: V, name: &str) {
        let nameless = ffi! {
            let local = !LLVMIsAInstruction(value.0).is_null() || !LLVMIsAArgument(value.0).is_null();
            let mut len = 0;
            LLVMGetValueName2(value.0, &mut len);
            local && len == 0
        };
        if nameless {
            self.set_name(value, name);
        }
    }

    pub(crate) fn name_of(&self, value: V) -> String {
        let mut len = 0;
        ffi! {
            let text = LLVMGetValueName2(value.0, &mut len);
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), len)).into_owned()
        }
    }

    pub(crate) fn param(&self, function: V, n: usize) -> V {
        V(ffi! { LLVMGetParam(function.0, n as c_uint) })
    }

    pub(crate) fn count_params(&self, function: V) -> usize {
        ffi! { LLVMCountParams(function.0) as usize }
    }

    pub(crate) fn set_linkage(&self, global: V, linkage: Linkage) {
        ffi! { LLVMSetLinkage(global.0, linkage) }
    }

    pub(crate) fn set_call_conv(&self, function: V, convention: u32) {
        ffi! { LLVMSetFunctionCallConv(function.0, convention) }
    }

    pub(crate) fn add_global(&self, name: &str, ty: T, space: u32) -> V {
        let name = c(name);
        V(ffi! { LLVMAddGlobalInAddressSpace(self.module, ty.0, name.as_ptr(), space) })
    }

    pub(crate) fn set_initializer(&self, global: V, value: V) {
        ffi! { LLVMSetInitializer(global.0, value.0) }
    }

    pub(crate) fn set_constant(&self, global: V) {
        ffi! { LLVMSetGlobalConstant(global.0, 1) }
    }

    pub(crate) fn set_alignment(&self, what: V, bytes: u32) {
        ffi! { LLVMSetAlignment(what.0, bytes) }
    }

    /// An attribute with text, of the function itself
    pub(crate) fn function_attr(&self, function: V, key: &str, value: &str) {
        ffi! {
            let attr = LLVMCreateStringAttribute(
                self.context,
                key.as_ptr().cast(),
                key.len() as c_uint,
                value.as_ptr().cast(),
                value.len() as c_uint,
            );
            LLVMAddAttributeAtIndex(function.0, inkwell::llvm_sys::LLVMAttributeFunctionIndex, attr);
        }
    }

    /// An attribute known to LLVM, of what a function returns
    pub(crate) fn result_attr(&self, function: V, name: &str, value: u64) {
        ffi! {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attr = LLVMCreateEnumAttribute(self.context, kind, value);
            LLVMAddAttributeAtIndex(function.0, inkwell::llvm_sys::LLVMAttributeReturnIndex, attr);
        }
    }

    /// An attribute known to LLVM, of the function (`None`) or of a parameter
    pub(crate) fn known_attr(&self, function: V, param: Option<usize>, name: &str, value: u64) {
        let index = param.map_or(inkwell::llvm_sys::LLVMAttributeFunctionIndex, |n| n as c_uint + 1);
        ffi! {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            if kind != 0 {
                LLVMAddAttributeAtIndex(
                    function.0,
                    index,
                    LLVMCreateEnumAttribute(self.context, kind, value),
                );
            }
        }
    }

    // Blocks

    pub(crate) fn append_block(&self, function: V, name: &str) -> Bb {
        let name = c(name);
        Bb(ffi! { LLVMAppendBasicBlockInContext(self.context, function.0, name.as_ptr()) })
    }

    pub(crate) fn at_end(&self, block: Bb) {
        ffi! { LLVMPositionBuilderAtEnd(self.builder, block.0) }
    }

    /// Before the block's first instruction
    pub(crate) fn at_start(&self, block: Bb) {
        ffi! {
            let first = LLVMGetFirstInstruction(block.0);
            if first.is_null() {
                LLVMPositionBuilderAtEnd(self.builder, block.0);
            } else {
                LLVMPositionBuilderBefore(self.builder, first);
            }
        }
    }

    /// Make instructions in front of every return of a function
    pub(crate) fn before_each_return(&self, function: V, mut make: impl FnMut()) {
        let mut block = ffi! { LLVMGetFirstBasicBlock(function.0) };
        while !block.is_null() {
            let last = ffi! { LLVMGetBasicBlockTerminator(block) };
            if !last.is_null() && ffi! { LLVMGetInstructionOpcode(last) } == Opcode::LLVMRet {
                ffi! { LLVMPositionBuilderBefore(self.builder, last) };
                make();
            }
            block = ffi! { LLVMGetNextBasicBlock(block) };
        }
    }

    pub(crate) fn block(&self) -> Bb {
        Bb(ffi! { LLVMGetInsertBlock(self.builder) })
    }

    pub(crate) fn br(&self, to: Bb) -> V {
        V(ffi! { LLVMBuildBr(self.builder, to.0) })
    }

    pub(crate) fn cond_br(&self, condition: V, yes: Bb, no: Bb) -> V {
        V(ffi! { LLVMBuildCondBr(self.builder, condition.0, yes.0, no.0) })
    }

    pub(crate) fn switch(&self, on: V, default: Bb, cases: &[(V, Bb)]) {
        ffi! {
            let made = LLVMBuildSwitch(self.builder, on.0, default.0, cases.len() as c_uint);
            for (value, to) in cases {
                LLVMAddCase(made, value.0, to.0);
            }
        }
    }

    pub(crate) fn ret(&self, value: Option<V>) {
        ffi! {
            match value {
                Some(value) => LLVMBuildRet(self.builder, value.0),
                None => LLVMBuildRetVoid(self.builder),
            }
        };
    }

    pub(crate) fn unreachable(&self) {
        ffi! { LLVMBuildUnreachable(self.builder) };
    }

    pub(crate) fn phi(&self, ty: T) -> V {
        V(ffi! { LLVMBuildPhi(self.builder, ty.0, NAMELESS) })
    }

    pub(crate) fn add_incoming(&self, phi: V, value: V, from: Bb) {
        let (mut value, mut from) = (value.0, from.0);
        ffi! { LLVMAddIncoming(phi.0, &mut value, &mut from, 1) }
    }

    // Values

    pub(crate) fn bin(&self, op: Opcode, a: V, b: V) -> V {
        V(ffi! { LLVMBuildBinOp(self.builder, op, a.0, b.0, NAMELESS) })
    }

    pub(crate) fn add(&self, a: V, b: V) -> V {
        self.bin(Opcode::LLVMAdd, a, b)
    }

    pub(crate) fn sub(&self, a: V, b: V) -> V {
        self.bin(Opcode::LLVMSub, a, b)
    }

    pub(crate) fn mul(&self, a: V, b: V) -> V {
        self.bin(Opcode::LLVMMul, a, b)
    }

    pub(crate) fn cast(&self, op: Opcode, value: V, to: T) -> V {
        V(ffi! { LLVMBuildCast(self.builder, op, value.0, to.0, NAMELESS) })
    }

    pub(crate) fn icmp(&self, pred: IntPred, a: V, b: V) -> V {
        V(ffi! { LLVMBuildICmp(self.builder, pred, a.0, b.0, NAMELESS) })
    }

    pub(crate) fn fcmp(&self, pred: RealPred, a: V, b: V) -> V {
        V(ffi! { LLVMBuildFCmp(self.builder, pred, a.0, b.0, NAMELESS) })
    }

    pub(crate) fn select(&self, condition: V, yes: V, no: V) -> V {
        V(ffi! { LLVMBuildSelect(self.builder, condition.0, yes.0, no.0, NAMELESS) })
    }

    pub(crate) fn fneg(&self, value: V) -> V {
        V(ffi! { LLVMBuildFNeg(self.builder, value.0, NAMELESS) })
    }

    pub(crate) fn freeze(&self, value: V) -> V {
        V(ffi! { LLVMBuildFreeze(self.builder, value.0, NAMELESS) })
    }

    pub(crate) fn extract_value(&self, aggregate: V, n: u32) -> V {
        V(ffi! { LLVMBuildExtractValue(self.builder, aggregate.0, n, NAMELESS) })
    }

    pub(crate) fn insert_value(&self, aggregate: V, value: V, n: u32) -> V {
        V(ffi! { LLVMBuildInsertValue(self.builder, aggregate.0, value.0, n, NAMELESS) })
    }

    pub(crate) fn extract_element(&self, vector: V, n: V) -> V {
        V(ffi! { LLVMBuildExtractElement(self.builder, vector.0, n.0, NAMELESS) })
    }

    pub(crate) fn insert_element(&self, vector: V, value: V, n: V) -> V {
        V(ffi! { LLVMBuildInsertElement(self.builder, vector.0, value.0, n.0, NAMELESS) })
    }

    /// Lanes of `a` and then `b` by number; −1 is poison
    pub(crate) fn shuffle(&self, a: V, b: V, lanes: &[i64]) -> V {
        let i32 = self.int(32);
        let mask: Vec<V> = lanes
            .iter()
            .map(|lane| if *lane < 0 { self.poison(i32) } else { self.const_int(i32, *lane) })
            .collect();
        let mask = self.const_vector(&mask);
        V(ffi! { LLVMBuildShuffleVector(self.builder, a.0, b.0, mask.0, NAMELESS) })
    }

    /// The scalar in every lane
    pub(crate) fn splat(&self, scalar: V, lanes: u32) -> V {
        let poison = self.poison(self.vector(self.type_of(scalar), lanes));
        let one = self.insert_element(poison, scalar, self.const_i64(0));
        self.shuffle(one, poison, &vec![0; lanes as usize])
    }

    // Flags: a folded constant has none and needs none

    fn is_instruction(&self, value: V) -> bool {
        !ffi! { LLVMIsAInstruction(value.0) }.is_null()
    }

    pub(crate) fn set_wrap(&self, value: V, nsw: bool, nuw: bool) -> V {
        if self.is_instruction(value) {
            ffi! {
                LLVMSetNSW(value.0, nsw.into());
                LLVMSetNUW(value.0, nuw.into());
            }
        }
        value
    }

    /// Wrap flags of `trunc`, which are other bits than those of sums
    pub(crate) fn set_trunc_wrap(&self, value: V, nsw: bool, nuw: bool) -> V {
        // LLVM's C interface has no setter for them; leaving a promise out is sound.
        let _ = (nsw, nuw);
        value
    }

    pub(crate) fn set_exact(&self, value: V) -> V {
        if self.is_instruction(value) {
            ffi! { LLVMSetExact(value.0, 1) }
        }
        value
    }

    pub(crate) fn set_nneg(&self, value: V) -> V {
        if self.is_instruction(value) {
            ffi! { LLVMSetNNeg(value.0, 1) }
        }
        value
    }

    /// LLVM's bits are those of `arith.fastmath`
    pub(crate) fn set_fast(&self, value: V, flags: u64) -> V {
        if flags != 0 && self.is_instruction(value) && ffi! { LLVMCanValueUseFastMathFlags(value.0) } != 0 {
            ffi! { LLVMSetFastMathFlags(value.0, flags as c_uint) }
        }
        value
    }

    // Memory

    pub(crate) fn alloca(&self, ty: T) -> V {
        V(ffi! { LLVMBuildAlloca(self.builder, ty.0, NAMELESS) })
    }

    pub(crate) fn array_alloca(&self, ty: T, count: V) -> V {
        V(ffi! { LLVMBuildArrayAlloca(self.builder, ty.0, count.0, NAMELESS) })
    }

    /// Alignment 0 is the type's own
    pub(crate) fn load(&self, ty: T, from: V, align: u32) -> V {
        let value = V(ffi! { LLVMBuildLoad2(self.builder, ty.0, from.0, NAMELESS) });
        if align > 0 {
            self.set_alignment(value, align);
        }
        value
    }

    pub(crate) fn store(&self, value: V, to: V, align: u32) -> V {
        let store = V(ffi! { LLVMBuildStore(self.builder, value.0, to.0) });
        if align > 0 {
            self.set_alignment(store, align);
        }
        store
    }

    /// `pointer + index` in elements, inside of the same object
    pub(crate) fn gep(&self, elem: T, pointer: V, index: V) -> V {
        let mut index = index.0;
        V(ffi! { LLVMBuildInBoundsGEP2(self.builder, elem.0, pointer.0, &mut index, 1, NAMELESS) })
    }

    /// The same where the index is not negative
    pub(crate) fn gep_forward(&self, elem: T, pointer: V, index: V) -> V {
        let mut index = index.0;
        // in bounds, no signed and no unsigned wrap
        let flags = 1 | 2 | 4;
        V(ffi! {
            LLVMBuildGEPWithNoWrapFlags(self.builder, elem.0, pointer.0, &mut index, 1, NAMELESS, flags)
        })
    }

    /// `pointer + index` that may lie anywhere; a vector of indices gives one of pointers
    pub(crate) fn gep_anywhere(&self, elem: T, pointer: V, index: V) -> V {
        let mut index = index.0;
        V(ffi! { LLVMBuildGEP2(self.builder, elem.0, pointer.0, &mut index, 1, NAMELESS) })
    }

    /// Field of a struct behind a pointer
    pub(crate) fn field(&self, ty: T, pointer: V, n: u32) -> V {
        V(ffi! { LLVMBuildStructGEP2(self.builder, ty.0, pointer.0, n, NAMELESS) })
    }

    /// A fence that acquires and releases
    pub(crate) fn fence(&self, scope: Option<&str>) {
        let ordering = Ordering::LLVMAtomicOrderingAcquireRelease;
        ffi! {
            match scope {
                None => LLVMBuildFence(self.builder, ordering, 0, NAMELESS),
                Some(name) => {
                    let scope = LLVMGetSyncScopeID(self.context, name.as_ptr().cast(), name.len());
                    LLVMBuildFenceSyncScope(self.builder, ordering, scope, NAMELESS)
                }
            }
        };
    }

    pub(crate) fn atomic_rmw(&self, op: Rmw, pointer: V, value: V, scope: Option<&str>) -> V {
        let ordering = Ordering::LLVMAtomicOrderingMonotonic;
        V(ffi! {
            match scope {
                None => LLVMBuildAtomicRMW(self.builder, op, pointer.0, value.0, ordering, 0),
                Some(name) => {
                    let scope = LLVMGetSyncScopeID(self.context, name.as_ptr().cast(), name.len());
                    LLVMBuildAtomicRMWSyncScope(self.builder, op, pointer.0, value.0, ordering, scope)
                }
            }
        })
    }

    /// Gives the old value and whether it was exchanged
    pub(crate) fn cmpxchg(&self, pointer: V, old: V, new: V, scope: Option<&str>) -> V {
        let ordering = Ordering::LLVMAtomicOrderingMonotonic;
        V(ffi! {
            match scope {
                None => LLVMBuildAtomicCmpXchg(self.builder, pointer.0, old.0, new.0, ordering, ordering, 0),
                Some(name) => {
                    let scope = LLVMGetSyncScopeID(self.context, name.as_ptr().cast(), name.len());
                    let (b, p) = (self.builder, pointer.0);
                    LLVMBuildAtomicCmpXchgSyncScope(b, p, old.0, new.0, ordering, ordering, scope)
                }
            }
        })
    }

    /// Make a load one that sees what atomic updates wrote
    pub(crate) fn set_monotonic(&self, load: V) {
        ffi! { LLVMSetOrdering(load.0, Ordering::LLVMAtomicOrderingMonotonic) }
    }

    pub(crate) fn get_global(&self, name: &str) -> Option<V> {
        let name = c(name);
        let found = ffi! { LLVMGetNamedGlobal(self.module, name.as_ptr()) };
        (!found.is_null()).then_some(V(found))
    }

    /// An instruction's metadata of a kind: a node of these strings; `distinct` nodes start with themselves
    pub(crate) fn set_loop_metadata(&self, branch: V, hints: &[&str]) {
        ffi! {
            let kind = LLVMGetMDKindIDInContext(self.context, c"llvm.loop".as_ptr(), 9);
            let mut nodes = vec![LLVMMDNodeInContext2(self.context, std::ptr::null_mut(), 0)];
            for hint in hints {
                let mut text = LLVMMDStringInContext2(self.context, hint.as_ptr().cast(), hint.len());
                nodes.push(LLVMMDNodeInContext2(self.context, &mut text, 1));
            }
            let node = LLVMMDNodeInContext2(self.context, nodes.as_mut_ptr(), nodes.len());
            let value = LLVMMetadataAsValue(self.context, node);
            // A node that holds itself is distinct.
            LLVMReplaceMDNodeOperandWith(value, 0, node);
            LLVMSetMetadata(branch.0, kind, value);
        }
    }

    /// `!nontemporal` on a load or store
    pub(crate) fn set_nontemporal(&self, access: V) {
        ffi! {
            let kind = LLVMGetMDKindIDInContext(self.context, c"nontemporal".as_ptr(), 11);
            let mut one = LLVMValueAsMetadata(self.const_int(self.int(32), 1).0);
            let node = LLVMMDNodeInContext2(self.context, &mut one, 1);
            LLVMSetMetadata(access.0, kind, LLVMMetadataAsValue(self.context, node));
        }
    }

    // Calls

    pub(crate) fn call(&self, callee: Callee, args: &[V]) -> V {
        let mut raw: Vec<_> = args.iter().map(|value| value.0).collect();
        let (function, count) = (callee.value.0, raw.len() as c_uint);
        V(ffi! { LLVMBuildCall2(self.builder, callee.ty.0, function, raw.as_mut_ptr(), count, NAMELESS) })
    }

    /// An attribute known to LLVM, of a call
    pub(crate) fn call_attr(&self, call: V, name: &str) {
        ffi! {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attr = LLVMCreateEnumAttribute(self.context, kind, 0);
            LLVMAddCallSiteAttribute(call.0, inkwell::llvm_sys::LLVMAttributeFunctionIndex, attr);
        }
    }

    pub(crate) fn set_visibility(&self, global: V, visibility: Visibility) {
        ffi! { LLVMSetVisibility(global.0, visibility) }
    }

    /// Promise that a pointer is a multiple
    pub(crate) fn assume_aligned(&self, pointer: V, bytes: V) {
        let (i1, void) = (self.int(1), self.void());
        let callee = self.declare("llvm.assume", void, &[i1]);
        let mut yes = self.const_int(i1, 1).0;
        let mut values = [pointer.0, bytes.0];
        ffi! {
            let mut bundle = LLVMCreateOperandBundle(c"align".as_ptr(), 5, values.as_mut_ptr(), 2);
            let (f, ty) = (callee.value.0, callee.ty.0);
            LLVMBuildCallWithOperandBundles(self.builder, ty, f, &mut yes, 1, &mut bundle, 1, NAMELESS);
            LLVMDisposeOperandBundle(bundle);
        }
    }

    /// The alignment of a pointer among a call's arguments
    pub(crate) fn set_arg_alignment(&self, call: V, arg: usize, bytes: u32) {
        ffi! { LLVMSetInstrParamAlignment(call.0, arg as c_uint + 1, bytes) }
    }

    /// Assembly with side effects that runs where it stands
    pub(crate) fn assembly(&self, text: &str, constraints: &str, result: T, args: &[V]) -> V {
        let params: Vec<T> = args.iter().map(|arg| self.type_of(*arg)).collect();
        let ty = self.function_type(result, &params);
        let dialect = inkwell::llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT;
        let value = V(ffi! {
            let (text, constraints) = ((text.as_ptr().cast(), text.len()), (constraints.as_ptr().cast(), constraints.len()));
            LLVMGetInlineAsm(ty.0, text.0, text.1, constraints.0, constraints.1, 1, 0, dialect, 0)
        });
        self.call(Callee { value, ty }, args)
    }

    /// Call an intrinsic; `types` are those its name is overloaded on
    pub(crate) fn intrinsic(&self, name: &str, types: &[T], args: &[V]) -> V {
        let mut types: Vec<_> = types.iter().map(|ty| ty.0).collect();
        let callee = ffi! {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            assert_ne!(id, 0, "LLVM has no intrinsic `{name}`");
            let (raw, count) = (types.as_mut_ptr(), types.len());
            Callee {
                value: V(LLVMGetIntrinsicDeclaration(self.module, id, raw, count)),
                ty: T(LLVMIntrinsicGetType(self.context, id, raw, count)),
            }
        };
        self.call(callee, args)
    }
}
