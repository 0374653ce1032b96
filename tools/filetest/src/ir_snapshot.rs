//! `assert_ir_snapshot!`: snapshots of IR in the tests of any crate.

use terrace_ir::Ir;
use terrace_opt::{Tool, run_on};
use terrace_text::PrintOptions;

/// Compare IR with a snapshot of `insta`
///
/// With one argument: a unit or a text. With a pipeline before a text, the text is what the pipeline makes of that; the
/// tool before both has dialects and passes of its own. A literal after `@` is the snapshot itself, which `cargo insta
/// review` writes.
///
/// ```no_run
/// # use terrace_filetest::assert_ir_snapshot;
/// assert_ir_snapshot!("canonicalize", "func.func private @f()");
/// assert_ir_snapshot!(terrace_opt::Tool::OPT, "canonicalize", "func.func private @f()", @"");
/// # fn of(unit: &terrace_ir::Ir) {
/// assert_ir_snapshot!(unit);
/// # }
/// ```
#[macro_export]
macro_rules! assert_ir_snapshot {
    ($ir:expr $(, @$inline:literal)? $(,)?) => {
        $crate::__private::insta::with_settings!({ omit_expression => true }, {
            $crate::__private::insta::assert_snapshot!($crate::__private::IrText::ir_text(&$ir) $(, @$inline)?)
        })
    };
    ($pipeline:expr, $text:expr $(, @$inline:literal)? $(,)?) => {
        $crate::assert_ir_snapshot!($crate::__private::Tool::OPT, $pipeline, $text $(, @$inline)?)
    };
    ($tool:expr, $pipeline:expr, $text:expr $(, @$inline:literal)? $(,)?) => {
        $crate::__private::insta::with_settings!(
            { omit_expression => true, description => ::std::format!("after {}", $pipeline) },
            {
                $crate::__private::insta::assert_snapshot!(
                    $crate::__private::after($tool, $pipeline, $text) $(, @$inline)?
                )
            }
        )
    };
}

/// What can be compared as text of IR
pub trait IrText {
    /// The text
    fn ir_text(&self) -> String;
}

impl IrText for str {
    fn ir_text(&self) -> String {
        self.to_string()
    }
}

impl IrText for String {
    fn ir_text(&self) -> String {
        self.clone()
    }
}

impl IrText for Ir {
    fn ir_text(&self) -> String {
        let mut text = String::new();
        terrace_text::print(self, &PrintOptions::default(), &mut text);
        text
    }
}

impl<T: IrText + ?Sized> IrText for &T {
    fn ir_text(&self) -> String {
        (**self).ir_text()
    }
}

impl<T: IrText + ?Sized> IrText for Box<T> {
    fn ir_text(&self) -> String {
        (**self).ir_text()
    }
}

/// What a pipeline makes of a text, verified after each pass; a run that fails fails the test
#[track_caller]
pub fn after(tool: Tool, pipeline: &str, text: &str) -> String {
    let args = [format!("--pipeline={pipeline}"), "--verify-each".to_string()];
    match run_on(tool, &args, "input.mlir", text) {
        Ok(finished) => match finished.out {
            Some(out) => String::from_utf8_lossy(&out).into_owned(),
            None => panic!("the pipeline `{pipeline}` failed:\n{}", finished.messages),
        },
        Err(misuse) => panic!("{misuse}"),
    }
}
