//! The context that programs share.

use crate::report::Report;
use std::ops::Deref;
use std::sync::Arc;
use terrace_ir::Dialect;

/// Registered dialects, and what all modules share: types, attributes, sources
///
/// A copy is the same context.
#[derive(Clone)]
pub struct Context(Arc<terrace_ir::Context>);

impl Context {
    /// With the dialects of the features that are on
    pub fn standard() -> Context {
        Context(terrace_ir::Context::new(&crate::standard_dialects()))
    }

    /// With these dialects besides; the error (E0116) names what is registered twice
    pub fn with(dialects: &[&'static Dialect]) -> Result<Context, Report> {
        Context::of(&[&crate::standard_dialects(), dialects].concat())
    }

    /// With these dialects alone; text needs `builtin` among them
    pub fn of(dialects: &[&'static Dialect]) -> Result<Context, Report> {
        let cx = terrace_ir::Context::try_new(dialects).map_err(|error| Report::plain_one(*error))?;
        #[cfg(feature = "rewrite")]
        terrace_rewrite::strategy::check_rules(&cx).map_err(|error| Report::plain_one(*error))?;
        Ok(Context(cx))
    }
}

impl Deref for Context {
    type Target = Arc<terrace_ir::Context>;

    fn deref(&self) -> &Arc<terrace_ir::Context> {
        &self.0
    }
}
