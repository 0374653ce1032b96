//! The list of back ends fits together: words, pipelines, devices, forms of output.

use std::collections::BTreeSet;
use terrace_diag::{Diags, Sources, render_all};
use terrace_opt::REGISTRY;
use terrace_pass::Pipeline;
use terrace_targets::{TARGETS, emissions};

#[test]
fn words_are_unique() {
    let words: Vec<&str> = TARGETS.iter().map(|target| target.name()).collect();
    assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len(), "{words:?}");
    let forms: Vec<&str> = emissions().map(|emission| emission.name).collect();
    assert_eq!(forms.iter().collect::<BTreeSet<_>>().len(), forms.len(), "{forms:?}");
    for target in TARGETS {
        assert_eq!(terrace_targets::find(target.name()).map(|found| found.name()), Some(target.name()));
        assert!(!target.help().is_empty() && !target.help().ends_with('.'), "{}", target.name());
    }
}

/// The first one is what the others are compared with
#[test]
fn the_reference_takes_every_level() {
    assert_eq!(TARGETS[0].name(), "interp");
    assert!(TARGETS[0].pipeline().is_none() && TARGETS[0].missing().is_none());
    assert!(TARGETS[1..].iter().all(|target| target.pipeline().is_some()));
}

#[test]
fn pipelines_and_devices_are_there() {
    let named: Vec<&str> = REGISTRY.pipelines().map(|named| named.name).collect();
    for target in TARGETS {
        let of_forms = target.emissions().iter().map(|emission| emission.pipeline);
        for pipeline in target.pipeline().into_iter().chain(of_forms) {
            assert!(named.contains(&pipeline), "{}: {pipeline}", target.name());
        }
        assert!(terrace_devices::Device::find(target.device()).is_ok(), "{}", target.name());
    }
}

#[test]
fn each_pipeline_parses() {
    for named in REGISTRY.pipelines() {
        let (sources, mut diags) = (Sources::new(), Diags::default());
        let parse = |text: &str, diags: &mut Diags| Pipeline::parse(text, &REGISTRY, &sources, diags);
        // Some work on a module, some on a function.
        if parse(named.name, &mut diags).is_err() {
            let inside = format!("func.func({})", named.name);
            let why = render_all(diags.iter(), &sources, false);
            assert!(why.contains(&format!("write `{inside}`")), "{}: {why}", named.name);
            assert!(parse(&inside, &mut Diags::default()).is_ok(), "{inside}");
        }
    }
}
