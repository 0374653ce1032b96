//! What an op's own parser may call. (Bodies to come.)

use std::marker::PhantomData;
use terrace_diag::Reported;
use terrace_ir::{Attr, Context, Str, Type};

/// A use of a value by name, not looked up yet
#[derive(Clone, Copy, Debug)]
pub struct Unresolved {
    pub(crate) at: u32,
}

/// Delimiters around a list
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delim {
    /// None: the list may be empty
    None,
    /// `(…)`
    Paren,
    /// `(…)` or nothing at all
    OptionalParen,
    /// `[…]`
    Square,
    /// `[…]` or nothing at all
    OptionalSquare,
    /// `<…>`
    Angle,
}

/// An argument of a function-like op
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name; declarations have none
    pub name: Option<Unresolved>,
    /// Its type
    pub ty: Type,
    /// Its attributes, a dictionary
    pub attrs: Option<Attr>,
}

/// Arguments and results of a function-like op
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// Arguments
    pub args: Vec<Argument>,
    /// Result types with their attributes, a dictionary
    pub results: Vec<(Type, Option<Attr>)>,
}

/// Reads one op's custom syntax and gathers what the op is made from
pub struct OpParser<'p, 'a> {
    life: PhantomData<(&'p mut (), &'a ())>,
}

#[allow(unused_variables)]
impl OpParser<'_, '_> {
    /// The context
    pub fn cx(&self) -> &Context {
        unreachable!()
    }
    /// An error at the next token
    pub fn error(&mut self, message: impl Into<String>) -> Reported {
        unreachable!("{:?}", self.life)
    }
    /// An error at an operand's name
    pub fn error_at(&mut self, operand: &Unresolved, message: impl Into<String>) -> Reported {
        unreachable!("{}", operand.at)
    }
    /// `%name` or `%name#1`
    pub fn operand(&mut self) -> Result<Unresolved, Reported> {
        unreachable!()
    }
    /// The same if a `%` comes next
    pub fn operand_opt(&mut self) -> Result<Option<Unresolved>, Reported> {
        unreachable!()
    }
    /// Operands separated by commas
    pub fn operands(&mut self, delim: Delim) -> Result<Vec<Unresolved>, Reported> {
        unreachable!()
    }
    /// Append one operand to the op
    pub fn resolve(&mut self, operand: &Unresolved, ty: Type) -> Result<(), Reported> {
        unreachable!()
    }
    /// Append operands to the op
    pub fn resolve_all(&mut self, operands: &[Unresolved], types: &[Type]) -> Result<(), Reported> {
        unreachable!()
    }
    /// The operands appended since the last call are one operand field (for ops with several fields of varying length)
    pub fn segment(&mut self) {}
    /// A type
    pub fn ty(&mut self) -> Result<Type, Reported> {
        unreachable!()
    }
    /// A type if one comes next
    pub fn ty_opt(&mut self) -> Result<Option<Type>, Reported> {
        unreachable!()
    }
    /// One or more types separated by commas
    pub fn types_list(&mut self) -> Result<Vec<Type>, Reported> {
        unreachable!()
    }
    /// `: type`
    pub fn colon_type(&mut self) -> Result<Type, Reported> {
        unreachable!()
    }
    /// `: type, type`
    pub fn colon_types(&mut self) -> Result<Vec<Type>, Reported> {
        unreachable!()
    }
    /// `-> type` or `-> (type, …)` if an arrow comes next, else none
    pub fn arrow_types_opt(&mut self) -> Result<Vec<Type>, Reported> {
        unreachable!()
    }
    /// `(types) -> types`: inputs and results
    pub fn function_type(&mut self) -> Result<(Vec<Type>, Vec<Type>), Reported> {
        unreachable!()
    }
    /// An attribute
    pub fn attr(&mut self) -> Result<Attr, Reported> {
        unreachable!()
    }
    /// An attribute whose type, if it has one, is known and not written: `1` with `i32` gives `1 : i32`
    pub fn attr_of(&mut self, ty: Type) -> Result<Attr, Reported> {
        unreachable!()
    }
    /// An integer
    pub fn int(&mut self) -> Result<i128, Reported> {
        unreachable!()
    }
    /// An integer if one comes next
    pub fn int_opt(&mut self) -> Result<Option<i128>, Reported> {
        unreachable!()
    }
    /// `@name`
    pub fn symbol_name(&mut self) -> Result<Str, Reported> {
        unreachable!()
    }
    /// `@name` if an `@` comes next
    pub fn symbol_name_opt(&mut self) -> Result<Option<Str>, Reported> {
        unreachable!()
    }
    /// `@root::@nested`
    pub fn symbol_ref(&mut self) -> Result<Attr, Reported> {
        unreachable!()
    }
    /// `"text"`
    pub fn string(&mut self) -> Result<String, Reported> {
        unreachable!()
    }
    /// Exactly this keyword
    pub fn keyword(&mut self, word: &str) -> Result<(), Reported> {
        unreachable!()
    }
    /// This keyword if it comes next
    pub fn keyword_opt(&mut self, word: &str) -> bool {
        unreachable!()
    }
    /// Any keyword if one comes next
    pub fn any_keyword_opt(&mut self) -> Option<&'static str> {
        unreachable!()
    }
    /// One of these keywords, as its index
    pub fn one_of(&mut self, words: &[&str]) -> Result<usize, Reported> {
        unreachable!()
    }
    /// Exactly this punctuation
    pub fn punct(&mut self, text: &str) -> Result<(), Reported> {
        unreachable!()
    }
    /// This punctuation if it comes next
    pub fn punct_opt(&mut self, text: &str) -> bool {
        unreachable!()
    }
    /// Does this punctuation come next? Consumes nothing
    pub fn at_punct(&self, text: &str) -> bool {
        unreachable!()
    }
    /// Attributes `{…}` if they come next: the op's own into their slots, others into its dictionary
    pub fn attr_dict(&mut self) -> Result<(), Reported> {
        unreachable!()
    }
    /// The same after the word `attributes`
    pub fn attr_dict_with_keyword(&mut self) -> Result<(), Reported> {
        unreachable!()
    }
    /// Set an attribute of the op by name
    pub fn set_attr(&mut self, name: &str, attr: Attr) {}
    /// An attribute of the op that has been set or parsed
    pub fn get_attr(&self, name: &str) -> Option<Attr> {
        unreachable!()
    }
    /// Append one result
    pub fn add_result(&mut self, ty: Type) {}
    /// Append results
    pub fn add_results(&mut self, types: &[Type]) {}
    /// The results appended since the last call are one result field
    pub fn result_segment(&mut self) {}
    /// Number of result names to the left of the op
    pub fn num_result_names(&self) -> usize {
        unreachable!()
    }
    /// `{…}` with these entry arguments; a terminator that the op's definition implies is added
    pub fn region(&mut self, args: &[(Unresolved, Type)]) -> Result<(), Reported> {
        unreachable!()
    }
    /// The same if a brace comes next, else an empty region is appended
    pub fn region_opt(&mut self, args: &[(Unresolved, Type)]) -> Result<bool, Reported> {
        unreachable!()
    }
    /// Append a region without blocks
    pub fn empty_region(&mut self) {}
    /// `^block`, appended to the op's successors
    pub fn successor(&mut self) -> Result<(), Reported> {
        unreachable!()
    }
    /// `(%arg: type {attrs}, …) -> (type {attrs}, …)` of a function-like op
    pub fn signature(&mut self) -> Result<Signature, Reported> {
        unreachable!()
    }
    /// `expr, …` between square brackets over values and `symbol(%s)`: map, operands of its dimensions, of its symbols
    pub fn affine_map_of_ssa_ids(&mut self) -> Result<(Attr, Vec<Unresolved>, Vec<Unresolved>), Reported> {
        unreachable!()
    }
    /// `loc(…)` if it comes next
    pub fn loc(&mut self) -> Result<Option<Attr>, Reported> {
        unreachable!()
    }
}
