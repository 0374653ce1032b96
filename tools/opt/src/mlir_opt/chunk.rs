//! One part of the input: read, verify, run, print.

use super::outcome::Outcome;
use super::reports::{self, Times};
use super::request::{Expected, Request};
use super::watch::Watcher;
use super::{messages, reproducer};
use crate::{Tool, output};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;
use terrace_bytecode::{ReadOptions, WriteOptions};
use terrace_diag::{Diagnostic, Diags, SourceId, Span, expected};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir, LocView, OpId};
use terrace_text::{ParseOptions, PrintOptions, op_text_with, parse, print};

/// Process a part; its text, or what failed, goes into the outcome
pub fn run(
    tool: Tool,
    cx: &Arc<Context>,
    request: &Request,
    source: SourceId,
    bytecode: Option<&[u8]>,
    outcome: &mut Outcome,
) {
    let mut part = Part {
        tool,
        cx,
        request: Cow::Borrowed(request),
        source,
        bytecode,
        diags: Diags::default(),
        seen: Vec::new(),
        messages: String::new(),
        refused: false,
    };
    let done = part.process();
    let messages = part.finish(done.is_none(), outcome);
    outcome.messages.push_str(&messages);
    outcome.out.extend(done.unwrap_or_default());
}

/// A part of the input while it is processed
pub(super) struct Part<'a> {
    pub(super) tool: Tool,
    cx: &'a Arc<Context>,
    pub(super) request: Cow<'a, Request>,
    source: SourceId,
    /// What is read in the place of the source
    bytecode: Option<&'a [u8]>,
    /// Messages that are not shown yet
    diags: Diags,
    /// Messages that the file is compared with
    seen: Vec<Diagnostic>,
    pub(super) messages: String,
    /// Something failed that no comment in the file can expect
    refused: bool,
}

impl Part<'_> {
    /// The output; none if anything failed
    fn process(&mut self) -> Option<Vec<u8>> {
        let start = Instant::now();
        let options = ParseOptions {
            allow_unregistered: self.request.allow_unregistered,
            threads: self.request.threads,
            ..ParseOptions::default()
        };
        let parsed = match self.bytecode {
            Some(bytes) => {
                let options = ReadOptions { allow_unregistered: options.allow_unregistered };
                terrace_bytecode::read(
                    self.cx,
                    self.cx.sources().name(self.source),
                    bytes,
                    options,
                    &mut self.diags,
                )
            }
            None => parse(self.cx, self.source, &options, &mut self.diags),
        };
        let parsed = parsed.filter(|_| !self.diags.has_errors());
        self.show(None);
        let mut ir = self.root(parsed?)?;
        if self.request.run_reproducer {
            reproducer::take(&mut ir, self.request.to_mut());
        }
        if self.request.verify_input {
            let found = verify(&ir, self.request.threads);
            self.check(&ir, found)?;
        }
        let parser = start.elapsed();
        if self.request.verify_roundtrip {
            self.roundtrip(&ir, &options)?;
        }
        let nest = match self.request.pipeline(ir.op_name(ir.root())) {
            Ok(nest) => nest,
            Err(bad) => {
                if let Some(llvm) = bad.llvm {
                    self.messages.push_str(&format!("{}: {llvm}\n", self.request.program));
                }
                return self.fail(bad.error);
            }
        };
        if self.request.dump_pipeline {
            self.messages.push_str(&nest.dump());
        }
        let lowered = self.lower(&nest, &ir)?;
        if let Some(file) = &self.request.reproducer {
            let text =
                reproducer::text(&module(&ir, &PrintOptions::default()), &nest.to_text(","), &self.request);
            self.write(file.clone(), &text)?;
        }
        let watcher = Arc::new(Watcher::new(&self.request, &lowered, &ir));
        self.passes(&mut ir, &nest, &lowered, &watcher)?;
        let printing = Instant::now();
        let out = self.output(&ir)?;
        let times = Times { parser, output: printing.elapsed(), total: start.elapsed() };
        if self.request.statistics {
            self.messages.push_str(&reports::statistics(&self.request, &lowered, &watcher.seen()));
        }
        if self.request.timing {
            self.messages.push_str(&reports::timing(&self.request, &lowered, &watcher.seen(), times));
        }
        // The process ends soon, and freeing a million ops takes time.
        std::mem::forget(ir);
        Some(out)
    }

    /// The op that passes run on: the module, or what is alone in the file
    fn root(&mut self, mut module: Ir) -> Option<Ir> {
        let explicit = module.loc(module.root()).view() != LocView::Unknown;
        if self.request.implicit_module || explicit {
            return Some(module);
        }
        let blocks = module.regions(module.root()).flat_map(|region| module.blocks(region));
        let ops: Vec<OpId> = blocks.flat_map(|block| module.block_ops(block)).collect();
        let top = ops.len();
        let alone = ops.first().filter(|_| top == 1).copied();
        let resources = module.take_resources();
        match alone.and_then(|slot| module.disown(slot)) {
            Some(mut unit) => {
                if let Some(resources) = resources {
                    unit.set_resources(resources);
                }
                Some(*unit)
            }
            None if top == 1 => {
                self.refuse(&self.at_file("the only op of the source does not stand for itself here; without '--no-implicit-module' it is wrapped in a module"))
            }
            None => self.fail_at_file(&format!("source must contain a single top-level operation, found: {top}")),
        }
    }

    /// Print the module, parse that, and compare both in generic form
    fn roundtrip(&mut self, ir: &Ir, options: &ParseOptions) -> Option<()> {
        let generic = PrintOptions { generic: true, names: false, ..PrintOptions::default() };
        let text = module(ir, &PrintOptions { names: false, ..PrintOptions::default() });
        let source = self.cx.sources().add("<roundtrip>", text);
        let mut diags = Diags::default();
        let again = parse(self.cx, source, options, &mut diags);
        let Some(again) = again.filter(|_| !diags.has_errors()) else {
            self.diags.append(diags);
            self.show(None);
            return self.refuse(&self.at_file("roundtrip: the printed text cannot be parsed"));
        };
        let root = self.root(again)?;
        let (first, second) = (module(ir, &generic), module(&root, &generic));
        if first == second {
            return Some(());
        }
        self.fail_at_file(&format!(
            "roundTrip testing roundtripped module differs from reference:\n<<<<<<Reference\n{first}\n=====\n{second}\n>>>>>roundtripped"
        ))
    }

    /// Take messages over; none if there are errors
    pub(super) fn check(&mut self, ir: &Ir, found: Diags) -> Option<()> {
        let failed = found.has_errors();
        self.diags.append(found);
        self.show(Some(ir));
        (!failed).then_some(())
    }

    /// Render the messages that have come, those about an op with its text
    fn show(&mut self, ir: Option<&Ir>) {
        let mut found = std::mem::take(&mut self.diags).into_vec();
        found.iter_mut().for_each(|one| one.code = None);
        if self.request.expected.is_some() {
            // One expectation stands for all that say the same at its line.
            found.retain(|one| !self.seen.contains(one));
            self.seen.extend(found);
        } else {
            self.messages.push_str(&messages::render(&found, self.cx.sources(), ir, &self.request));
        }
    }

    /// Something is not done that MLIR has no message for: no comment in the file makes that right
    pub(super) fn refuse<T>(&mut self, lines: &str) -> Option<T> {
        self.refused = true;
        self.messages.push_str(lines);
        None
    }

    /// An error without a place, which the file may expect as `@unknown`
    pub(super) fn fail<T>(&mut self, error: String) -> Option<T> {
        self.fail_at(None, error)
    }

    /// At the module, where the file has one
    pub(super) fn fail_at_root<T>(&mut self, ir: &Ir, error: String) -> Option<T> {
        match ir.span(ir.root()) {
            None => self.fail_at_file(&error),
            place => self.fail_at(place, error),
        }
    }

    fn fail_at<T>(&mut self, place: Option<Span>, error: String) -> Option<T> {
        // Its code is not shown, as none is here.
        let _ = self.diags.emit(Diagnostic::error(&expected::codes::UNEXPECTED, error).at(place));
        self.show(None);
        None
    }

    /// At line 0, which no comment speaks of
    fn fail_at_file<T>(&mut self, error: &str) -> Option<T> {
        match self.request.expected {
            None => self.refuse(&self.at_file(error)),
            Some(Expected::All) => self.refuse(&self.at_file(&format!("unexpected error: {error}"))),
            Some(Expected::OnlyExpected) => None,
        }
    }

    fn at_file(&self, error: &str) -> String {
        format!("{}:0:0: error: {error}\n", self.file())
    }

    pub(super) fn file(&self) -> &str {
        self.cx.sources().name(self.source)
    }

    pub(super) fn write(&mut self, file: String, text: &str) -> Option<()> {
        let written =
            output::write(Some(&file).filter(|file| **file != "-").map(|file| &**file), text.as_bytes());
        match written {
            Ok(()) => Some(()),
            Err(error) => self.refuse(&format!("<unknown>:0: error: {}\n", error.message)),
        }
    }

    /// The op as bytecode or as text
    fn output(&mut self, ir: &Ir) -> Option<Vec<u8>> {
        if !self.request.emit_bytecode {
            return Some(self.printed(ir).into_bytes());
        }
        let options = WriteOptions { version: self.request.bytecode_version };
        match terrace_bytecode::write(ir, options) {
            Ok(bytes) => Some(bytes),
            Err(error) => self.fail(error.message),
        }
    }

    /// The op as standard output has it: with a blank line behind it, unless it is printed for itself
    fn printed(&self, ir: &Ir) -> String {
        let options = PrintOptions { threads: self.request.threads, ..self.request.print.clone() };
        if options.local_scope {
            return op_text_with(ir, ir.root(), &options) + "\n";
        }
        module(ir, &options) + "\n"
    }

    /// Compare messages with what the file expects, if it does; all messages for standard error
    fn finish(mut self, failed: bool, outcome: &mut Outcome) -> String {
        let Some(level) = self.request.expected else {
            outcome.failed |= failed;
            return self.messages;
        };
        let mut wrong = expected::check(self.source, self.cx.sources(), &self.seen).err().unwrap_or_default();
        if level == Expected::OnlyExpected {
            wrong.retain(|one| one.code != Some(&expected::codes::UNEXPECTED));
        }
        outcome.failed |= self.refused || !wrong.is_empty();
        for one in &mut wrong {
            one.label.clear();
            one.labels.clear();
            one.notes.clear();
            one.help.clear();
        }
        self.messages.push_str(&messages::render(&wrong, self.cx.sources(), None, &self.request));
        self.messages
    }
}

/// Text of a module
pub(super) fn module(ir: &Ir, options: &PrintOptions) -> String {
    let mut text = String::new();
    print(ir, options, &mut text);
    text
}
