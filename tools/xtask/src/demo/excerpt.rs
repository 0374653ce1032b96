//! The part of a long text that tells most

/// At most so many lines: those with most of the words, else the first ones; what is left out is marked
pub fn of(text: &str, telling: &[&str], limit: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let tells = |line: &&str| telling.iter().any(|word| line.contains(word));
    let hits: Vec<usize> = lines.iter().map(|line| usize::from(tells(line))).collect();
    let last = lines.len().saturating_sub(limit);
    let count = |start: usize| hits[start..(start + limit).min(lines.len())].iter().sum::<usize>();
    let mut start = (0..=last).rev().max_by_key(|start| count(*start)).unwrap_or(0);
    if count(start) == 0 {
        start = 0;
    }
    let end = (start + limit).min(lines.len());
    let mut out = String::new();
    if start > 0 {
        out.push_str(&format!("  … {start} lines\n"));
    }
    for line in &lines[start..end] {
        out.push_str(&format!("  {}\n", cut(&line.replace('\t', "    "))));
    }
    if end < lines.len() {
        out.push_str(&format!("  … {} lines\n", lines.len() - end));
    }
    out.truncate(out.trim_end().len());
    out
}

/// A line that fits a terminal
fn cut(line: &str) -> String {
    const WIDTH: usize = 150;
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_stay() {
        assert_eq!(of("a\nb\n", &[], 5), "  a\n  b");
    }

    #[test]
    fn the_telling_part_is_shown() {
        assert_eq!(of("a\nb\nfma\nfma\nc\nd", &["fma"], 2), "  … 2 lines\n  fma\n  fma\n  … 2 lines");
    }

    #[test]
    fn without_a_word_it_is_the_beginning() {
        assert_eq!(of("a\nb\nc", &["fma"], 2), "  a\n  b\n  … 1 lines");
    }
}
