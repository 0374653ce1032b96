//! The pass `tune-solve`: how many points a space has, the best one, and why a point is none of it.

use num_bigint::BigUint;
use std::collections::BTreeMap;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_tune::Space as TuneSpace;
use terrace_ir::{Ir, OpId};
use terrace_pass::{OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_search_mapping::errors;
use terrace_search_mapping::numbers::Choices;
use terrace_search_solver::{Numbers, Search, Source, Var, minimal_conflict};

const SIZES: OptionSpec = OptionSpec {
    name: "sizes",
    kind: OptionKind::List,
    default: "",
    docs: "numbers for sizes that have none: n=112,m=16",
};

/// Count the points of spaces, and find the best
pub static SOLVE: PassInfo = PassInfo {
    name: "tune-solve",
    aliases: &[],
    summary: "Count the points of search spaces, find the best one, explain a given one",
    docs: "Of each `tune.space`: the order in which values are chosen, how many points there are, and if something is wanted the \
           best of them, as remarks. With `point` that one: a member, or which constraints it violates. An empty space is an \
           error with the constraints that contradict each other.",
    scope: Scope::Tree,
    anchor: None,
    options: &[
        SIZES,
        OptionSpec {
            name: "point",
            kind: OptionKind::List,
            default: "",
            docs: "values of parameters: T=8,v=4",
        },
    ],
    stats: &["points"],
    make: |given| {
        let pairs = |name: &str| {
            let one = |item: &String| {
                let (name, value) = item.split_once('=')?;
                Some((name.trim().trim_start_matches('@').to_string(), value.trim().to_string()))
            };
            let all: Option<Vec<_>> = given.list(&SOLVE, name).iter().map(one).collect();
            all.ok_or_else(|| format!("`{name}` takes names and values: T=8,v=4"))
        };
        let mut sizes = BTreeMap::new();
        for (name, value) in pairs("sizes")? {
            let value = value.parse().map_err(|_| format!("@{name} is a number, not `{value}`"))?;
            sizes.insert(name, value);
        }
        Ok(Box::new(Solve { sizes, point: pairs("point")? }))
    },
};

struct Solve {
    sizes: BTreeMap<String, i64>,
    point: Vec<(String, String)>,
}

impl Pass for Solve {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        cx.set_changed(false);
        let spaces: Vec<TuneSpace> = unit.walk().filter_map(|op| TuneSpace::cast(unit, op)).collect();
        let mut result = Ok(());
        for space in spaces {
            let choices = match Choices::of(unit, space, &self.sizes) {
                Ok(choices) => choices,
                Err(why) => return cx.fail(unit, space.id(), &errors::SPACE, why.to_string()),
            };
            let done = if self.point.is_empty() {
                solve(cx, unit, space, &choices)
            } else {
                self.member(cx, unit, space, &choices)
            };
            result = result.and(done);
        }
        result
    }
}

fn solve(cx: &mut PassCx<'_>, unit: &Ir, space: TuneSpace, choices: &Choices) -> Result<(), Reported> {
    let numbers = &choices.numbers;
    let search = Search::new(numbers, None);
    let count = search.count();
    cx.count("points", u64::try_from(&count).unwrap_or(u64::MAX));
    let at = unit.span(space.id());
    if count == BigUint::from(0u32) {
        let ids: Vec<usize> = numbers.constraints.iter().map(|each| each.id).collect();
        let found = minimal_conflict(&ids, |set| {
            let kept = numbers.constraints.iter().filter(|each| set.contains(&each.id)).cloned().collect();
            let part = Numbers { params: numbers.params.clone(), constraints: kept };
            Search::new(&part, None).count() > BigUint::from(0u32)
        });
        let found = found.unwrap_or_default();
        let message =
            format!("no point satisfies all constraints; these {} contradict each other", found.len());
        let mut error = Diagnostic::error(&errors::SPACE, message).at(at);
        for id in found {
            let op = choices.constraints[id];
            error = error.note_at(unit.span(op), constraint_text(unit, op));
        }
        return Err(cx.emit(error));
    }
    let order: Vec<String> = search
        .order()
        .iter()
        .map(|group| group.iter().map(|name| format!("@{name}")).collect::<Vec<_>>().join(" "))
        .collect();
    let _ = cx.emit(
        Diagnostic::remark(None, format!("{count} points, chosen in order {}", order.join("; "))).at(at),
    );
    if !choices.objectives.is_empty()
        && let (Some((point, values)), nodes) = search.minimize(&choices.objectives)
    {
        let wanted = choices
            .wanted
            .iter()
            .zip(values)
            .map(|((what, least), value)| format!("{what} {}", if *least { value } else { -value }));
        let message = format!(
            "best: {}; {} ({nodes} nodes)",
            point_text(choices, &point),
            wanted.collect::<Vec<_>>().join(", ")
        );
        let _ = cx.emit(Diagnostic::remark(None, message).at(at));
    }
    Ok(())
}

fn constraint_text(unit: &Ir, op: OpId) -> String {
    let text = |attr: terrace_ir::Attr| attr.as_str(unit.cx()).unwrap_or("").to_string();
    terrace_dialect_tune::Constraint::cast(unit, op).map_or(String::new(), |constraint| {
        let reason = constraint.reason(unit).map(|reason| format!(": {}", text(reason)));
        format!(
            "{} [{}]{}",
            text(constraint.rule(unit)),
            text(constraint.tag(unit)),
            reason.unwrap_or_default()
        )
    })
}

fn point_text(choices: &Choices, point: &[i64]) -> String {
    let each = choices
        .numbers
        .params
        .iter()
        .zip(point)
        .enumerate()
        .filter(|(_, (param, _))| !matches!(param.source, Source::Derived(_)));
    each.map(|(n, (param, value))| format!("@{} = {}", param.name, choices.value_text(Var(n as u32), *value)))
        .collect::<Vec<_>>()
        .join(", ")
}

impl Solve {
    fn member(
        &self,
        cx: &mut PassCx<'_>,
        unit: &Ir,
        space: TuneSpace,
        choices: &Choices,
    ) -> Result<(), Reported> {
        let numbers = &choices.numbers;
        let mut point = vec![0; numbers.params.len()];
        for (n, param) in numbers.params.iter().enumerate() {
            point[n] = match (&param.source, self.point.iter().find(|(name, _)| *name == param.name)) {
                (Source::Derived(term), _) => match term.value(&|var| point.get(var.index()).copied()) {
                    Ok(Some(value)) => value,
                    _ => 0,
                },
                (_, Some((name, value))) => {
                    let words = &choices.words;
                    let word = words.iter().find(|((own, _), text)| *own as usize == n && *text == value);
                    match (word.map(|((_, number), _)| *number), value.parse::<i64>()) {
                        (Some(number), _) | (None, Ok(number)) => number,
                        (None, Err(_)) => {
                            return cx.fail(
                                unit,
                                space.id(),
                                &errors::SPACE,
                                format!("@{name} is never `{value}`"),
                            );
                        }
                    }
                }
                (_, None) => {
                    return cx.fail(
                        unit,
                        space.id(),
                        &errors::SPACE,
                        format!("the point has no @{}", param.name),
                    );
                }
            };
        }
        if numbers.holds(&point) {
            let message = format!("a point of the space: {}", point_text(choices, &point));
            let _ = cx.emit(Diagnostic::remark(None, message).at(unit.span(space.id())));
            return Ok(());
        }
        let violated = numbers.violated(&point);
        let mut result = Ok(());
        for id in &violated {
            let op = choices.constraints[*id];
            let speaks = numbers.constraints[*id].formula.scope();
            let values: Vec<String> = speaks
                .iter()
                .map(|var| {
                    format!(
                        "@{} = {}",
                        numbers.params[var.index()].name,
                        choices.value_text(*var, point[var.index()])
                    )
                })
                .collect();
            let message = format!("{} ({})", constraint_text(unit, op), values.join(", "));
            result = Err(cx.emit(Diagnostic::error(&errors::SPACE, message).at(unit.span(op))));
        }
        if violated.is_empty() {
            let message = "a value is none of its parameter's";
            return cx.fail(
                unit,
                space.id(),
                &errors::SPACE,
                format!("{message}: {}", point_text(choices, &point)),
            );
        }
        result
    }
}
