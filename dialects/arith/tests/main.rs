//! `arith`: folds agree with the interpreter, rules that undo each other are named

mod diverges;
mod folds;
