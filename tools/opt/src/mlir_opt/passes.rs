//! The passes of MLIR 22: names, classes, anchors and options, as its own tables have them.
//!
//! `passes.txt` is generated from `Passes.td`; a test compares it with an installed `mlir-opt`. What a pass means here is in
//! [`steps`](super::steps).

use std::sync::LazyLock;

/// A pass or pipeline of MLIR
pub struct Known {
    /// Its name on the command line
    pub name: &'static str,
    /// Its class, which headers of printed IR name
    pub class: &'static str,
    /// The op that it runs on: `any`, an op's name, or an interface
    pub anchor: &'static str,
    /// Options, by name
    pub options: Vec<KnownOption>,
}

/// An option of a pass
pub struct KnownOption {
    /// Its name
    pub name: &'static str,
    /// What it takes: LLVM's word for a type, or words with `|` between
    pub kind: &'static str,
    /// Text of its default; none where it is a list, which is empty then
    pub default: Option<&'static str>,
}

impl Known {
    /// May it run on each kind of op?
    pub fn any(&self) -> bool {
        self.anchor == "any"
    }

    /// The op that it runs on, if only on one kind
    pub fn op(&self) -> Option<&'static str> {
        self.anchor.contains('.').then_some(self.anchor)
    }

    /// Does it stand for several passes?
    pub fn is_pipeline(&self) -> bool {
        self.class == "pipeline"
    }

    /// An option by name
    pub fn option(&self, name: &str) -> Option<&KnownOption> {
        self.options.iter().find(|option| option.name == name)
    }
}

impl KnownOption {
    /// Is the text such a value? The error is LLVM's
    pub fn check(&self, value: &str) -> Result<(), String> {
        let fits = match self.kind {
            "bool" => return super::words::truth(self.name, Some(value)).map(drop),
            _ if self.default.is_none() => return Ok(()),
            "int" => super::words::number::<i32>(self.name, value, self.kind).is_ok(),
            "uint" => super::words::number::<u32>(self.name, value, self.kind).is_ok(),
            "long" => super::words::number::<i64>(self.name, value, self.kind).is_ok(),
            "ulong" => super::words::number::<u64>(self.name, value, self.kind).is_ok(),
            "number" => value.parse::<f64>().is_ok(),
            words if words.contains('|') => {
                let words: Vec<(&str, ())> = words.split('|').map(|word| (word, ())).collect();
                return super::words::choice(self.name, value, &words);
            }
            _ => true,
        };
        if fits { Ok(()) } else { Err(super::words::invalid(self.name, value, self.kind)) }
    }
}

impl KnownOption {
    /// A value that [`check`](Self::check) took, in the one spelling of its meaning
    pub fn plain(&self, value: String) -> String {
        match (self.kind, self.default) {
            ("int" | "uint" | "long" | "ulong", Some(_)) => {
                super::words::integer(&value).map_or(value, |number| number.to_string())
            }
            // The name alone means true.
            ("bool", Some(_)) if value.is_empty() => "true".into(),
            _ => value,
        }
    }
}

/// All passes and pipelines, by name
pub static ALL: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let lines = include_str!("passes.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(line).collect()
});

fn line(line: &'static str) -> Option<Known> {
    let mut words = line.split(' ');
    let (name, class, anchor) = (words.next()?, words.next()?, words.next()?);
    Some(Known { name, class, anchor, options: words.filter_map(option).collect() })
}

fn option(word: &'static str) -> Option<KnownOption> {
    let (name, rest) = word.split_once(':')?;
    Some(match rest.split_once('=') {
        Some((kind, default)) => KnownOption { name, kind, default: Some(default) },
        None => KnownOption { name, kind: rest.strip_suffix('*')?, default: None },
    })
}

/// A pass or pipeline by name
pub fn find(name: &str) -> Option<&'static Known> {
    let at = ALL.binary_search_by(|known| known.name.cmp(name)).ok()?;
    Some(&ALL[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_whole() {
        let lines = include_str!("passes.txt").lines().filter(|line| !line.starts_with('#'));
        let options: usize = lines.clone().map(|line| line.split(' ').count() - 3).sum();
        assert_eq!(ALL.len(), lines.count());
        assert_eq!(ALL.iter().map(|known| known.options.len()).sum::<usize>(), options);
        assert!(ALL.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn defaults_are_such_as_options_take() {
        for known in ALL.iter() {
            for option in &known.options {
                // An option without a value has an empty one.
                let fits = option.default.is_none_or(|text| text.is_empty() || option.check(text).is_ok());
                assert!(fits, "{} {}", known.name, option.name);
            }
        }
    }

    #[test]
    fn values_are_checked_in_the_words_of_llvm() {
        let option = find("canonicalize").and_then(|known| known.option("max-iterations"));
        let error = option.and_then(|option| option.check("a").err());
        assert_eq!(
            error.as_deref(),
            Some("for the --max-iterations option: 'a' value invalid for long argument!")
        );
    }
}
