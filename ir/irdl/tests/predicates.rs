//! C++ conditions of common forms.

use terrace_irdl::constraint::Graph;
use terrace_irdl::predicate::{Classes, read};

/// A condition in words; `None` if a part of it is not understood
fn words(text: &str) -> Option<String> {
    let mut graph = Graph::default();
    let classes: Classes = [("d::MyType".to_string(), "!d.my".to_string())].into_iter().collect();
    let node = read(&mut graph, &classes, text);
    (!graph.has_unknown(node)).then(|| graph.describe(node))
}

#[test]
fn common_conditions_are_understood() {
    for (text, wanted) in [
        ("($_self.isSignlessInteger(32))", "32-bit signless integer"),
        ("$_self.isUnsignedInteger()", "unsigned integer"),
        ("$_self.isInteger(8)", "8-bit integer"),
        ("$_self.isInteger()", "integer"),
        ("(::llvm::isa<::mlir::FloatType>($_self))", "FloatType"),
        ("::llvm::isa<::mlir::d::MyType>($_self)", "`!d.my`"),
        ("($_self.isF32()) || ($_self.isBF16())", "Float32Type or BFloat16Type"),
        ("!($_self.isIndex())", "not IndexType"),
        ("::llvm::cast<::mlir::ShapedType>($_self).getRank()\n == 1", "of rank 1"),
        ("::llvm::cast<::mlir::DenseArrayAttr>($_self).size() >= 2", "of size at least 2"),
        ("::llvm::cast<::mlir::IntegerAttr>($_self).getValue().isStrictlyPositive()", "of value above 0"),
        (
            "(isa<IntegerAttr>($_self)) && (cast<IntegerAttr>($_self).getType().isSignlessInteger(64))",
            "IntegerAttr and something with a type that is 64-bit signless integer",
        ),
        (
            "(isa<TensorType>($_self)) && ([](::mlir::Type elementType) { return (elementType.isF64()); }\
             (::llvm::cast<::mlir::ShapedType>($_self).getElementType()))",
            "TensorType and something with an element type that is Float64Type",
        ),
        (
            "::llvm::all_of(::llvm::cast<::mlir::ArrayAttr>($_self), [&](::mlir::Attribute attr) { return attr && \
             ((::llvm::isa<::mlir::StringAttr>(attr))); })",
            "an array of StringAttr",
        ),
        ("true", "anything"),
    ] {
        assert_eq!(words(text).as_deref(), Some(wanted), "{text}");
    }
}

#[test]
fn other_code_is_not_guessed() {
    for text in [
        "isMine($_self)",
        "$_self.isSignlessInteger(width)",
        "$_self.isSignlessInteger(32) && isMine($_self)",
        "cast<MyType>($_self).getWidth() == 8",
        "isa<OtherType>($_self)",
        "other.isF32()",
        "[](Type t) { return t.isF32() }",
        "",
        "((((",
        "$_self.isF32())",
        "!",
        "$_self.isF32() &&",
    ] {
        assert_eq!(words(text), None, "{text}");
    }
}

/// Deep nesting takes no stack
#[test]
fn nesting_ends() {
    let deep = format!("{}true{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(words(&deep), None);
    let deep = "!".repeat(100_000) + "true";
    assert_eq!(words(&deep), None);
}
