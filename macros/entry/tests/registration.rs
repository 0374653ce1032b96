//! What cannot be registered together is refused: names twice, defaults that nothing takes. What a list alone shows is refused
//! while it is compiled (`ui/`).

use terrace_diag::Reported;
use terrace_ir::rules::{AnyType, I32Attr, IntLike};
use terrace_ir::{Attr, Context, Dialect, Ir, OpId, OpTrait, VerifyCx, codes};
use terrace_macros::{dialect, op, pass};
use terrace_pass::{OptionValue, Pass, PassCx, Registry};

/// Does nothing
#[op("bits.nop", traits(Pure))]
#[asm("attr-dict")]
pub struct Nop;

dialect! {
    /// Ops on bits
    pub BITS = "bits" { ops: [Nop] }
}

dialect! {
    /// Ops on the same bits
    pub MORE_BITS = "bits" { ops: [Nop] }
}

fn text(cx: &Context) -> Attr {
    cx.str_attr("three")
}

/// Turns a number
#[op("turns.by")]
pub struct By {
    #[attr(default = text)]
    amount: I32Attr,
}

dialect! {
    /// Turning
    pub TURNS = "turns" { ops: [By] }
}

mod first {
    terrace_diag::codes! {
        /// A bit that is neither 0 nor 1 was found.
        pub BIT: "E9001" Input "no bit";
    }
}

mod second {
    terrace_diag::codes! {
        /// A rotation by more than one full turn.
        pub TURN: "E9001" Input "too far";
    }
}

dialect! {
    /// Codes alone
    pub FIRST = "first" { codes: first::ALL }
}

dialect! {
    /// The same ones
    pub SECOND = "second" { codes: second::ALL }
}

fn refused(dialects: &[&'static Dialect]) -> String {
    let error = Context::try_new(dialects).err().expect("they do not go together");
    assert_eq!(error.code.map(|code| code.id), Some("E0116"));
    error.message.to_string()
}

#[test]
fn dialects_are_registered_once() {
    assert!(Context::try_new(&[&BITS, &FIRST]).is_ok());
    assert_eq!(refused(&[&BITS, &FIRST, &BITS]), "dialect `bits` is registered twice");
    assert_eq!(refused(&[&BITS, &MORE_BITS]), "dialect `bits` is registered twice, with other contents");
}

#[test]
fn names_belong_to_one_dialect() {
    // Made by hand: `dialect!` does not compile it.
    const fn of(name: &'static str, ops: &'static [&'static terrace_ir::OpDef]) -> Dialect {
        Dialect { name, ops, ..EMPTY }
    }
    const EMPTY: Dialect = Dialect {
        name: "",
        docs: "",
        ops: &[],
        types: &[],
        attrs: &[],
        enums: &[],
        codes: &[],
        interfaces: &[],
        materialize: None,
        verify_attr: None,
    };
    static BYTES: Dialect = of("bytes", &[Nop::DEF]);
    static TWICE: Dialect = of("bits", &[Nop::DEF, Nop::DEF]);
    let message = refused(&[&BYTES]);
    assert_eq!(message, "dialect `bytes` registers op `bits.nop`: a name of dialect `bytes` is `bytes.…`");
    assert_eq!(refused(&[&TWICE]), "op `bits.nop` is registered twice by dialect `bits`");
    assert_eq!(refused(&[&FIRST, &SECOND]), "code `E9001` is registered by dialects `first` and `second`");
}

#[test]
fn defaults_are_what_their_rules_accept() {
    let message = refused(&[&TURNS]);
    let wanted = "op `turns.by`: the default of attribute `amount` is `\"three\"`, and it must be 32-bit signless integer attribute";
    assert_eq!(message, wanted);
}

/// A type of one's own, which no macro knows
#[derive(Clone, Copy)]
pub struct Weekday(u8);

impl OptionValue for Weekday {
    const KIND: terrace_pass::OptionKind = terrace_pass::OptionKind::Text;
    const DEFAULT: &'static str = "monday";
    const WANTS: &'static str = "`monday` or `sunday`";
    fn parse(text: &str) -> Option<Weekday> {
        ["monday", "sunday"].iter().position(|day| *day == text).map(|day| Weekday(day as u8))
    }
}

/// Rests on a day
#[pass("rest", aliases("sleep"))]
pub struct Rest {
    /// When
    #[option(default = "friday")]
    day: Weekday,
}

/// Rests, too
#[pass("sleep")]
pub struct Sleep;

/// Works on a day
#[pass("work")]
pub struct Work {
    /// When
    #[option]
    day: Weekday,
}

macro_rules! passes {
    ($($pass:ident $($field:ident)?;)*) => {$(
        impl Pass for $pass {
            fn run(&self, _: &mut PassCx<'_>, _: &mut Ir) -> Result<(), Reported> {
                $(let _ = self.$field;)?
                Ok(())
            }
        }
    )*};
}
passes! { Rest day; Sleep; Work day; }

fn refused_passes(passes: &'static [&'static [&'static terrace_pass::PassInfo]]) -> Vec<String> {
    let error = Registry { passes, pipelines: &[] }.check().expect_err("they do not go together");
    assert_eq!(error.code.map(|code| code.id), Some("E0116"));
    std::iter::once(error.message.to_string())
        .chain(error.notes.iter().map(|note| note.text.to_string()))
        .collect()
}

#[test]
fn passes_are_registered_once_with_defaults_that_they_take() {
    assert_eq!(Weekday::parse("sunday").map(|day| day.0), Some(1));
    assert!(Registry { passes: &[&[Work::INFO]], pipelines: &[] }.check().is_ok());
    assert_eq!(refused_passes(&[&[Work::INFO], &[Work::INFO]]), ["pass `work` is registered twice"]);
    let messages = refused_passes(&[&[Rest::INFO, Sleep::INFO]]);
    assert_eq!(
        messages[0],
        "pass `rest` with its defaults: option `day` takes `monday` or `sunday`, not `friday`"
    );
    assert_eq!(messages[1], "`sleep` is the name of pass `rest` (an alias) and of pass `sleep`");
}

/// As many results as operands
pub struct Balanced;

impl OpTrait for Balanced {
    fn verify(v: &VerifyCx<'_>, op: OpId) -> Result<(), Reported> {
        match v.ir().num_operands(op) == v.ir().num_results(op) {
            true => Ok(()),
            false => v.fail(op, &codes::OP_RULE, "needs as many results as operands"),
        }
    }
}

/// Passes values on
#[op("own.pass", traits(Pure, self::Balanced))]
pub struct PassOn {
    operands: Variadic<IntLike>,
    #[result]
    results: Variadic<AnyType>,
}

#[test]
fn a_trait_of_ones_own_is_known_at_the_op() {
    assert!(PassOn::DEF.has_own::<Balanced>() && !Nop::DEF.has_own::<Balanced>());
    assert!(PassOn::DEF.traits.has(terrace_ir::Traits::Pure));
}
