//! The same computation on tensors that are stored in another order of their dimensions.
//!
//! Only text changes: types of tensors, and the places that computations read and write. What is computed stays.

use std::ops::Range;

/// The order in which a tensor's dimensions are stored, each by its number of before; none to leave it
pub type Order = Option<Vec<usize>>;

/// The program with arguments by name and rank in another order
pub fn operands(text: &str, order: &dyn Fn(&str, usize) -> Order) -> Option<String> {
    let signature = inside(text, text.find("func.func @main(")? + "func.func @main".len())?;
    let mut changes = Vec::new();
    let mut ordered: Vec<(String, Vec<usize>)> = Vec::new();
    for part in parts(text, signature) {
        let (name, ty) = text[part.clone()].split_once(": ")?;
        if let Some(order) = order(name.trim(), rank(ty)?) {
            changes.push((part.end - ty.len()..part.end, permuted_type(ty, &order)?));
            ordered.push((name.trim().to_owned(), order));
        }
    }
    for compute in starts(text, "mdh.compute") {
        let reads = parts(text, inside(text, compute + text[compute..].find("ins(")? + 3)?);
        let types = parts(text, inside(text, compute + text[compute..].find("} : (")? + 4)?);
        for (read, ty) in reads.into_iter().zip(types) {
            let (_, source) = text[read.clone()].split_once('=')?;
            let Some((name, _)) = source.trim().split_once('[') else { continue };
            let Some((_, order)) = ordered.iter().find(|(other, _)| other == name) else { continue };
            let places = inside(text, read.end - source.len() + source.find('[')?)?;
            changes.push((places.clone(), permuted(&text[places], order)?));
            changes.push((ty.clone(), permuted_type(&text[ty], order)?));
        }
    }
    (!ordered.is_empty()).then(|| changed(text, changes))
}

/// The program of one computation with one result, which is stored in another order
pub fn result(text: &str, order: &[usize]) -> Option<String> {
    let outs = inside(text, text.find("outs([")? + "outs(".len())?;
    let mut changes = vec![(outs.clone(), permuted(&text[outs], order)?)];
    let starts = starts(text, "-> ").into_iter().map(|at| at + 3).chain(starts(text, "return "));
    for start in starts {
        let at = start + text[start..].find("tensor<")?;
        let end = at + text[at..].find('>')? + 1;
        changes.push((at..end, permuted_type(&text[at..end], order)?));
    }
    Some(changed(text, changes))
}

/// Where a word begins
fn starts(text: &str, word: &str) -> Vec<usize> {
    text.match_indices(word).map(|(at, _)| at).collect()
}

/// What the bracket at a place and its partner enclose
fn inside(text: &str, open: usize) -> Option<Range<usize>> {
    let mut depth = 0;
    for (at, c) in text.get(open..)?.char_indices() {
        match c {
            '(' | '[' | '<' | '{' => depth += 1,
            // An arrow closes nothing.
            '>' if text[..open + at].ends_with('-') => {}
            ')' | ']' | '>' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(open + 1..open + at);
        }
    }
    None
}

/// Parts between commas that no bracket encloses, without blanks at the ends
fn parts(text: &str, of: Range<usize>) -> Vec<Range<usize>> {
    let (mut depth, mut from, mut all) = (0, of.start, Vec::new());
    for (at, c) in text[of.clone()].char_indices() {
        match c {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth -= 1,
            ',' if depth == 0 => {
                all.push(from..of.start + at);
                from = of.start + at + 1;
            }
            _ => {}
        }
    }
    all.push(from..of.end);
    let trim = |part: Range<usize>| {
        let own = &text[part.clone()];
        part.start + (own.len() - own.trim_start().len())..part.end - (own.len() - own.trim_end().len())
    };
    all.into_iter().map(trim).filter(|part| !part.is_empty()).collect()
}

/// Extents and element of `tensor<2x3xf32>`
fn extents(ty: &str) -> Option<Vec<&str>> {
    Some(ty.trim().strip_prefix("tensor<")?.strip_suffix('>')?.split('x').collect())
}

fn rank(ty: &str) -> Option<usize> {
    Some(extents(ty).map_or(0, |all| all.len() - 1))
}

fn permuted_type(ty: &str, order: &[usize]) -> Option<String> {
    let all = extents(ty)?;
    let (element, extents) = all.split_last()?;
    let extents: Option<Vec<&str>> = order.iter().map(|n| extents.get(*n).copied()).collect();
    Some(format!("tensor<{}x{element}>", extents?.join("x")))
}

fn permuted(list: &str, order: &[usize]) -> Option<String> {
    let all = parts(list, 0..list.len());
    let chosen: Option<Vec<&str>> =
        order.iter().map(|n| all.get(*n).map(|part| &list[part.clone()])).collect();
    Some(chosen?.join(", "))
}

fn changed(text: &str, mut changes: Vec<(Range<usize>, String)>) -> String {
    changes.sort_by_key(|(at, _)| at.start);
    let (mut out, mut from) = (String::new(), 0);
    for (at, new) in changes {
        out += &text[from..at.start];
        out += &new;
        from = at.end;
    }
    out + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
func.func @main(%A: tensor<2x3xf32>, %B: tensor<3xf32>) -> (tensor<2x3xf32> {terrace.name = \"out\"}) {
  %r = mdh.compute \"r\" (i in 2, j in 3) ins(%x = %A[i, 2 * (j + 1)], %y = %B[j], %z = %A[i, j]) outs([i, j]) {
    mdh.yield %x : f32
  } : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
";

    #[test]
    fn arguments_are_turned_wherever_they_are_read() {
        let turned = operands(TEXT, &|_, rank| (rank == 2).then(|| vec![1, 0])).expect("there is one");
        let wanted = TEXT
            .replace("%A: tensor<2x3xf32>", "%A: tensor<3x2xf32>")
            .replace("%A[i, 2 * (j + 1)]", "%A[2 * (j + 1), i]")
            .replace("%A[i, j]", "%A[j, i]")
            .replace(
                "(tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>)",
                "(tensor<3x2xf32>, tensor<3xf32>, tensor<3x2xf32>)",
            );
        assert_eq!(turned, wanted);
        assert_eq!(operands(TEXT, &|_, _| None), None);
    }

    #[test]
    fn a_result_is_turned_wherever_it_is_named() {
        let turned = result(TEXT, &[1, 0]).expect("there is one");
        let wanted = TEXT
            .replace("outs([i, j])", "outs([j, i])")
            .replace("-> (tensor<2x3xf32>", "-> (tensor<3x2xf32>")
            .replace("-> tensor<2x3xf32>", "-> tensor<3x2xf32>")
            .replace("return %r : tensor<2x3xf32>", "return %r : tensor<3x2xf32>");
        assert_eq!(turned, wanted);
    }
}
