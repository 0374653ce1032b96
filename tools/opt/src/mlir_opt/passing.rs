//! A part of the input under its passes: what cannot run is refused first, what fails can be reproduced.

use super::chunk::{Part, module};
use super::pipeline::Nest;
use super::reproducer;
use super::steps::{self, Lowered};
use super::watch::Watcher;
use std::sync::Arc;
use terrace_ir::Ir;
use terrace_ir::verify::verify;
use terrace_pass::{Instrument, Watch};
use terrace_text::PrintOptions;

impl Part<'_> {
    /// Passes of this tool for those that are named, if all can run where they stand
    pub(super) fn lower(&mut self, nest: &Nest, ir: &Ir) -> Option<Lowered> {
        let found = ir.op_name(ir.root());
        if nest.anchor != "any" && nest.anchor != found {
            let error = format!("can't run '{}' pass manager on '{found}' op", nest.anchor);
            return self.fail_at_root(ir, error);
        }
        let mut nest = Nest { anchor: found.to_string(), steps: nest.steps.clone() };
        nest.join_nests();
        let nest = &nest;
        if let Some((pass, anchor)) = nest.misplaced() {
            let class = pass.class();
            return self.fail(format!(
                "unable to schedule pass '{class}' on a PassManager intended to run on '{anchor}'!"
            ));
        }
        let several = self.request.threads > 1;
        if self.request.local_reproducer && self.request.crash_reproducer.is_some() && several {
            // Spelled so by MLIR.
            let error = "Local crash reproduction may not be used without disabling mutli-threading first.";
            return self.fail(error.into());
        }
        if self.request.dumps.module_scope && several {
            let error = "IR print for module scope can't be setup on a pass-manager without disabling multi-threading first.\n";
            return self.fail(error.into());
        }
        match steps::lower(nest, &self.tool.registry) {
            Ok(lowered) => Some(lowered),
            Err(error) => self.refuse(&format!("<unknown>:0: error: {error}\n")),
        }
    }

    /// Run them
    pub(super) fn passes(
        &mut self,
        ir: &mut Ir,
        nest: &Nest,
        lowered: &Lowered,
        watcher: &Arc<Watcher>,
    ) -> Option<()> {
        if lowered.steps.is_empty() {
            return Some(());
        }
        let before = self.request.crash_reproducer.as_ref().map(|_| ir.clone_unit());
        let instrument = Instrument {
            threads: self.request.threads,
            verify_each: self.request.verify_each,
            // Steps on many small functions are not followed in vain.
            watch: self.request.follows().then(|| watcher.clone() as Arc<dyn Watch>),
            ..Instrument::quiet(|_| String::new())
        };
        let (report, result) = terrace_pass::run(ir, &lowered.pipeline, &instrument);
        self.messages.extend(report.watched);
        let mut found = report.diags;
        if !found.has_errors() && !self.request.verify_each {
            found.append(verify(ir, self.request.threads));
        }
        let checked = self.check(ir, found);
        if (result.is_err() || checked.is_none())
            && let Some(before) = before
        {
            self.crashed(*before, nest, watcher);
        }
        result.ok().and(checked)
    }

    /// Write what reproduces a failure
    fn crashed(&mut self, mut before: Ir, nest: &Nest, watcher: &Watcher) {
        let Some(file) = self.request.crash_reproducer.clone() else { return };
        let failed = watcher.seen().failed.clone();
        let mut what = failed.as_ref().map_or("the verifier".to_string(), |(step, op)| {
            format!("`{}` on '{op}' operation", watcher.class(*step))
        });
        let mut nest = nest.clone();
        if let Some((step, _)) = failed.filter(|_| self.request.local_reproducer) {
            let (ahead, only) = nest.divided(step);
            if let Ok(lowered) = steps::lower(&ahead, &self.tool.registry) {
                let instrument = Instrument::quiet(|_| String::new());
                let _ = terrace_pass::run(&mut before, &lowered.pipeline, &instrument);
            }
            nest = only;
        } else {
            what = format!("[{what}]");
        }
        let text = module(&before, &PrintOptions::default());
        let text = reproducer::text(&text, &nest.to_text(", "), &self.request);
        if self.write(file.clone(), &text).is_some() {
            let place = format!("{}:0:0", self.file());
            self.messages.push_str(&format!(
                "{place}: error: Failures have been detected while processing an MLIR pass pipeline\n{place}: note: \
                 Pipeline failed while executing {what}: reproducer generated at `{file}`\n"
            ));
        }
    }
}
