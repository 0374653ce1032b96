//! A pass through the macro: its table, its options from pipeline text.

use terrace_diag::{Diags, Reported, Sources};
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx, Pipeline, Registry, Scope};

/// Do nothing
///
/// Keeps everything.
#[pass("idle", aliases("rest", "sleep"), scope = tree, anchor = "builtin.module", stats("turns"))]
pub struct Idle {
    /// How often
    #[option(default = 3)]
    turns: u32,
    /// Whether to
    /// dream
    #[option(default = true)]
    may_dream: bool,
    /// Of what
    #[option(name = "of")]
    dreams: Vec<String>,
    /// How deep
    #[option]
    depth: i64,
}

impl Pass for Idle {
    fn run(&self, _: &mut PassCx<'_>, _: &mut Ir) -> Result<(), Reported> {
        let _ = (self.turns, self.may_dream, &self.dreams, self.depth);
        Ok(())
    }
}

const REGISTRY: Registry = Registry { passes: &[&[Idle::INFO]], pipelines: &[] };

fn parse(text: &str) -> Result<String, String> {
    let sources = Sources::new();
    let mut diags = Diags::default();
    match Pipeline::parse(text, &REGISTRY, &sources, &mut diags) {
        Ok(pipeline) => Ok(pipeline.to_text()),
        Err(_) => Err(diags.iter().map(|found| found.message.clone()).collect()),
    }
}

#[test]
fn the_table_says_what_stands_at_the_struct() {
    let info = Idle::INFO;
    assert_eq!((info.name, info.summary, info.docs), ("idle", "Do nothing", "Keeps everything."));
    assert_eq!((info.aliases, info.anchor), (&["rest", "sleep"][..], Some("builtin.module")));
    assert!(info.scope == Scope::Tree);
    let options: Vec<_> = info.options.iter().map(|one| (one.name, one.default, one.docs)).collect();
    let wanted = [
        ("turns", "3", "How often"),
        ("may-dream", "true", "Whether to dream"),
        ("of", "", "Of what"),
        ("depth", "0", "How deep"),
    ];
    assert_eq!(options, wanted);
}

#[test]
fn options_come_from_text_and_go_back() {
    assert_eq!(parse("idle{turns=4 of=a,b}").as_deref(), Ok("builtin.module(idle{turns=4 of=a,b})"));
    assert_eq!(parse("sleep{depth=-1 turns=3}").as_deref(), Ok("builtin.module(idle{depth=-1})"));
}

#[test]
fn a_wrong_value_is_refused() {
    let message = parse("idle{turns=-1}").expect_err("negative");
    assert_eq!(message, "option `turns` takes an integer of 32 bits, at least 0, not `-1`");
    assert!(parse("idle{may-dream=maybe}").is_err());
}
