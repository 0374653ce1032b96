//! The C that we understand, as a tree: macros replaced, constants not yet computed.
//!
//! Spans point into the file as its author wrote it; what came out of a macro has the span of the macro's use.

use terrace_diag::Span;

/// A file
#[derive(Default, Debug)]
pub struct File {
    /// `struct`s by number
    pub structs: Vec<Struct>,
    /// `enum` constants and `static const` numbers
    pub constants: Vec<(String, Expr)>,
    /// Variables and tables of the whole file
    pub variables: Vec<Object>,
    /// Functions in order
    pub functions: Vec<Function>,
}

/// A structure of numbers
#[derive(Clone, Debug)]
pub struct Struct {
    /// Tag or name
    pub name: String,
    /// Fields in order
    pub fields: Vec<(String, Elem)>,
}

/// What variables and elements of arrays are
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elem {
    /// `_Bool`
    Bool,
    /// An integer
    Int {
        /// Width
        bits: u32,
        /// Not `unsigned`
        signed: bool,
    },
    /// A floating-point number of 16, 32 or 64 bits
    Float(u32),
    /// A structure by number
    Struct(usize),
}

impl Elem {
    /// `int`
    pub const INT: Elem = Elem::Int { bits: 32, signed: true };

    /// Does a conversion to this type keep every value of another type?
    pub fn holds(self, other: Elem) -> bool {
        match (other, self) {
            (Elem::Bool, Elem::Int { .. }) => true,
            (Elem::Int { bits: a, signed: s }, Elem::Int { bits: b, signed: t }) => {
                if s == t {
                    a <= b
                } else {
                    t && a < b
                }
            }
            _ => self == other,
        }
    }

    /// Does a value that goes through this type arrive unchanged in another type?
    pub fn keeps(self, target: Elem) -> bool {
        match (self, target) {
            (Elem::Int { bits: a, .. }, Elem::Int { bits: b, .. }) => a >= b,
            (Elem::Float(a), Elem::Float(b)) => a >= b,
            _ => self == target,
        }
    }

    /// An integer as the type holds it
    pub fn wrapped(self, value: i128) -> i128 {
        match self {
            Elem::Int { bits, signed } => terrace_ir::make::wrap_int(value, bits, !signed),
            _ => value,
        }
    }

    /// What it is in memory: a `_Bool` is a byte
    pub fn stored(self) -> Elem {
        if self == Elem::Bool { Elem::Int { bits: 8, signed: false } } else { self }
    }
}

/// A variable, parameter or array
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name
    pub name: String,
    /// Where the name stands
    pub span: Span,
    /// What it, or an element of it, is
    pub elem: Elem,
    /// Sizes, outermost first; nothing where the declaration leaves it open (`*p`, `a[]`)
    pub dims: Vec<Option<Expr>>,
    /// Declared `restrict`
    pub restrict: bool,
    /// Declared `const`
    pub constant: bool,
    /// Declared `static`: there is one, in whatever turn or call
    pub fixed: bool,
    /// Value to start with
    pub init: Option<Expr>,
}

/// A function with a body
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name
    pub name: String,
    /// Where the name stands
    pub span: Span,
    /// `static`
    pub local: bool,
    /// Result; nothing for `void`
    pub result: Option<Elem>,
    /// Parameters
    pub params: Vec<Object>,
    /// Statements
    pub body: Vec<Stmt>,
    /// `#pragma mdh operator` above it
    pub operator: Option<Operator>,
}

/// What an operator declares
#[derive(Clone, Debug, Default)]
pub struct Operator {
    /// Where
    pub span: Option<Span>,
    /// `associative`
    pub associative: bool,
    /// `commutative`
    pub commutative: bool,
    /// `exact`
    pub exact: bool,
    /// `identity(c, …)`
    pub identity: Vec<Expr>,
}

/// A statement
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Where
    pub span: Span,
    /// What
    pub kind: StmtKind,
}

/// A statement
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `e;`
    Expr(Expr),
    /// `T x = e, …;`
    Decl(Vec<Object>),
    /// A loop, with the directive above it
    For(Box<For>),
    /// `if (e) … else …`
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `{ … }`
    Block(Vec<Stmt>),
    /// `return e;`
    Return(Option<Expr>),
    /// `while (e) …`, and other loops that are not counted
    While(Box<While>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
}

/// A loop without a trip count
#[derive(Clone, Debug)]
pub struct While {
    /// Of `while (…)` without the body
    pub head: Span,
    /// Goes on while this holds
    pub test: Option<Expr>,
    /// Body
    pub body: Vec<Stmt>,
    /// After each turn, `continue` or not
    pub step: Vec<Stmt>,
    /// The first turn is taken in any case: `do … while (e);`
    pub first: bool,
}

/// A loop
#[derive(Clone, Debug)]
pub struct For {
    /// Of `for (…)` without the body
    pub head: Span,
    /// Declares or assigns the variable
    pub init: Option<Stmt>,
    /// Goes on while this holds
    pub test: Option<Expr>,
    /// After each turn
    pub step: Option<Expr>,
    /// Body
    pub body: Vec<Stmt>,
    /// `#pragma mdh` right above
    pub directive: Option<Directive>,
}

/// `#pragma mdh(…)` above a loop
#[derive(Clone, Debug)]
pub struct Directive {
    /// The whole directive
    pub span: Span,
    /// Outputs as the body writes them
    pub outs: Vec<Expr>,
    /// One entry for each loop, outermost first
    pub combs: Vec<(Comb, Span)>,
    /// Arrays whose old contents take part
    pub inout: Vec<(String, Span)>,
    /// `order(…)`
    pub order: Option<String>,
    /// `name(…)`
    pub name: Option<String>,
    /// Arrays that overlap no other one
    pub disjoint: Vec<(String, Span)>,
    /// Arrays whose subscripts may depend on data
    pub gather: Vec<(String, Span)>,
    /// Values of parameters inside of the nest
    pub assume: Vec<(String, i64, Span)>,
    /// Sizes that are known at run time, with the greatest that they may be
    pub most: Vec<(String, i64, Span)>,
    /// Steps of a schedule, as the author wrote them
    pub schedule: Option<(String, Span)>,
}

/// How a loop combines
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comb {
    /// `++`
    Keep,
    /// Operators, one for each output or one for all
    Point(Vec<String>),
    /// Prefixes by operators
    Prefix(Vec<String>),
}

/// An expression
#[derive(Clone, Debug)]
pub struct Expr {
    /// Where
    pub span: Span,
    /// What
    pub kind: ExprKind,
}

/// An expression
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer
    Int(i128, Elem),
    /// A floating-point number
    Float(f64, Elem),
    /// A variable, parameter, array or constant
    Name(String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `*p`
    Deref(Box<Expr>),
    /// `s.f`
    Field(Box<Expr>, String),
    /// `-e`, `!e`, `~e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and so on
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `f(a, …)`
    Call(String, Vec<Expr>),
    /// `(T)e`
    Cast(Elem, Box<Expr>),
    /// `(struct S){ a, … }`, and `{ a, … }` behind `=`
    List(Option<usize>, Vec<Expr>),
    /// `a = e`, `a += e`
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `++a`, `a--`, by how much
    Step(Box<Expr>, i128),
}

/// Operator of one operand
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    BitNot,
}

/// Operator of two operands
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    LogAnd,
    LogOr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl BinaryOp {
    /// As C spells it
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            And => "&",
            Or => "|",
            Xor => "^",
            LogAnd => "&&",
            LogOr => "||",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
        }
    }

    /// The comparison with its sides exchanged; nothing for what is no order
    pub fn swapped(self) -> Option<BinaryOp> {
        match self {
            BinaryOp::Lt => Some(BinaryOp::Gt),
            BinaryOp::Gt => Some(BinaryOp::Lt),
            BinaryOp::Le => Some(BinaryOp::Ge),
            BinaryOp::Ge => Some(BinaryOp::Le),
            _ => None,
        }
    }

    /// By its spelling
    pub fn parse(text: &str) -> Option<BinaryOp> {
        use BinaryOp::*;
        let all = [Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, LogAnd, LogOr, Lt, Le, Gt, Ge, Eq, Ne];
        all.into_iter().find(|op| op.text() == text)
    }
}

impl Expr {
    /// The same text up to blanks?
    pub fn same(&self, other: &Expr) -> bool {
        use ExprKind::*;
        match (&self.kind, &other.kind) {
            (Int(a, _), Int(b, _)) => a == b,
            (Float(a, _), Float(b, _)) => a == b,
            (Name(a), Name(b)) => a == b,
            (Index(a, i), Index(b, j)) => a.same(b) && i.same(j),
            (Deref(a), Deref(b)) => a.same(b),
            (Field(a, f), Field(b, g)) => f == g && a.same(b),
            (Unary(o, a), Unary(p, b)) => o == p && a.same(b),
            (Binary(o, a, b), Binary(p, c, d)) => o == p && a.same(c) && b.same(d),
            (Cond(a, b, c), Cond(d, e, f)) => a.same(d) && b.same(e) && c.same(f),
            (Call(f, a), Call(g, b)) => {
                f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (Cast(t, a), Cast(u, b)) => t == u && a.same(b),
            _ => false,
        }
    }

    /// The variable or array that an lvalue is of
    pub fn base(&self) -> Option<&str> {
        let mut at = self;
        loop {
            at = match &at.kind {
                ExprKind::Name(name) => return Some(name),
                ExprKind::Index(a, _) | ExprKind::Field(a, _) | ExprKind::Deref(a) => a,
                ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, _) => a,
                _ => return None,
            }
        }
    }

    /// All expressions in it, itself first
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        let mut stack = vec![self];
        while let Some(at) = stack.pop() {
            visit(at);
            match &at.kind {
                ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Name(_) => {}
                ExprKind::Deref(a)
                | ExprKind::Field(a, _)
                | ExprKind::Unary(_, a)
                | ExprKind::Cast(_, a)
                | ExprKind::Step(a, _) => {
                    stack.push(a);
                }
                ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                    stack.extend([&**b, &**a])
                }
                ExprKind::Cond(a, b, c) => stack.extend([&**c, &**b, &**a]),
                ExprKind::Call(_, all) | ExprKind::List(_, all) => stack.extend(all.iter().rev()),
            }
        }
    }
}

impl Expr {
    /// Change all expressions in it, parts first
    pub fn change(&mut self, act: &mut dyn FnMut(&mut Expr)) {
        crate::with_room(|| {
            match &mut self.kind {
                ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Name(_) => {}
                ExprKind::Deref(a)
                | ExprKind::Field(a, _)
                | ExprKind::Unary(_, a)
                | ExprKind::Cast(_, a)
                | ExprKind::Step(a, _) => a.change(act),
                ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                    a.change(act);
                    b.change(act);
                }
                ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| e.change(act)),
                ExprKind::Call(_, all) | ExprKind::List(_, all) => {
                    all.iter_mut().for_each(|e| e.change(act));
                }
            }
            act(self);
        });
    }

    /// Does it mention the name?
    pub fn mentions(&self, name: &str) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= matches!(&e.kind, ExprKind::Name(other) if other == name));
        found
    }
}

/// Change all expressions of statements, with what stands in loop heads
pub fn change(stmts: &mut [Stmt], act: &mut dyn FnMut(&mut Expr)) {
    crate::with_room(|| {
        for stmt in stmts {
            match &mut stmt.kind {
                StmtKind::Expr(e) | StmtKind::Return(Some(e)) => e.change(act),
                StmtKind::Return(None) => {}
                StmtKind::Decl(objects) => {
                    objects.iter_mut().filter_map(|object| object.init.as_mut()).for_each(|e| e.change(act));
                }
                StmtKind::For(one) => {
                    change(one.init.as_mut_slice(), act);
                    one.test.iter_mut().chain(&mut one.step).for_each(|e| e.change(act));
                    change(&mut one.body, act);
                }
                StmtKind::If(test, yes, no) => {
                    test.change(act);
                    change(yes, act);
                    change(no, act);
                }
                StmtKind::Block(all) => change(all, act),
                StmtKind::While(one) => {
                    one.test.iter_mut().for_each(|e| e.change(act));
                    change(&mut one.body, act);
                    change(&mut one.step, act);
                }
                StmtKind::Break | StmtKind::Continue => {}
            }
        }
    });
}

/// Names that statements declare, at any depth, each as often as it is declared
pub fn declared(stmts: &[Stmt]) -> Vec<&str> {
    let mut names = Vec::new();
    let mut stack: Vec<&Stmt> = stmts.iter().collect();
    while let Some(stmt) = stack.pop() {
        match &stmt.kind {
            StmtKind::Decl(objects) => names.extend(objects.iter().map(|object| object.name.as_str())),
            StmtKind::For(one) => stack.extend(one.init.iter().chain(&one.body)),
            StmtKind::If(_, yes, no) => stack.extend(yes.iter().chain(no)),
            StmtKind::Block(all) => stack.extend(all),
            StmtKind::While(one) => stack.extend(one.body.iter().chain(&one.step)),
            StmtKind::Expr(_) | StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => {}
        }
    }
    names
}

/// Visit all expressions of statements, with what stands in loop heads
pub fn expressions<'a>(stmts: &'a [Stmt], visit: &mut dyn FnMut(&'a Expr)) {
    let mut stack: Vec<&Stmt> = stmts.iter().rev().collect();
    while let Some(stmt) = stack.pop() {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => e.walk(visit),
            StmtKind::Return(None) => {}
            StmtKind::Decl(objects) => {
                for init in objects.iter().filter_map(|object| object.init.as_ref()) {
                    init.walk(visit);
                }
            }
            StmtKind::For(one) => {
                for e in one.test.iter().chain(&one.step) {
                    e.walk(visit);
                }
                stack.extend(one.body.iter().rev());
                stack.extend(&one.init);
            }
            StmtKind::If(test, yes, no) => {
                test.walk(visit);
                stack.extend(yes.iter().rev());
                stack.extend(no.iter().rev());
            }
            StmtKind::Block(all) => stack.extend(all.iter().rev()),
            StmtKind::While(one) => {
                one.test.iter().for_each(|e| e.walk(visit));
                stack.extend(one.step.iter().rev());
                stack.extend(one.body.iter().rev());
            }
            StmtKind::Break | StmtKind::Continue => {}
        }
    }
}

/// Names that expressions of statements assign to
pub fn assigned(stmts: &[Stmt]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    expressions(stmts, &mut |e| {
        if let ExprKind::Assign(_, target, _) | ExprKind::Step(target, _) = &e.kind
            && let Some(name) = target.base()
            && !names.iter().any(|other| other == name)
        {
            names.push(name.to_string());
        }
    });
    names
}

/// Words for a type
pub fn elem_text(elem: Elem, structs: &[Struct]) -> String {
    match elem {
        Elem::Bool => "_Bool".into(),
        Elem::Int { bits, signed } => format!("{}int{bits}_t", if signed { "" } else { "u" }),
        Elem::Float(16) => "_Float16".into(),
        Elem::Float(32) => "float".into(),
        Elem::Float(_) => "double".into(),
        Elem::Struct(n) => structs.get(n).map_or("struct".into(), |one| format!("struct {}", one.name)),
    }
}
