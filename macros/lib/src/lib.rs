//! The proc-macros' library: parsing and code generation, testable without the compiler
