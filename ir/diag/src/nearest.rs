//! "Did you mean": the nearest valid spelling.

/// The candidate nearest to `word`, if one is near enough to be meant
///
/// Distance counts inserted, deleted, replaced and swapped neighboring characters, letter case not at all; at most a third of the word's length,
/// and at least one, may differ. On ties the one that sorts first wins, so the order of candidates has no effect.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let length = word.chars().count();
    // A long word is never a typing mistake, and the distance is quadratic in it.
    if length == 0 || length > 200 {
        return None;
    }
    let limit = (length / 3).max(1);
    let folded = word.to_lowercase();
    let distance = |candidate: &str| {
        let near_in_length = candidate.chars().count().abs_diff(length) <= limit;
        near_in_length.then(|| strsim::damerau_levenshtein(&folded, &candidate.to_lowercase()))
    };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .filter_map(|candidate| distance(candidate).map(|d| (d, candidate)))
        // A word of one or two letters has nothing in common with one that differs in all of them.
        .filter(|(d, _)| *d <= limit && *d < length)
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_swaps_and_misses() {
        assert_eq!(nearest("arith.adid", ["arith.subi", "arith.addi"]).as_deref(), Some("arith.addi"));
        assert_eq!(nearest("cannonicalize", ["cse", "canonicalize"]).as_deref(), Some("canonicalize"));
    }

    #[test]
    fn ties_go_to_the_first_in_order_of_spelling() {
        assert_eq!(nearest("cat", ["hat", "bat"]), nearest("cat", ["bat", "hat"]));
        assert_eq!(nearest("cat", ["hat", "bat"]).as_deref(), Some("bat"));
    }

    #[test]
    fn far_words_are_not_suggested() {
        assert_eq!(nearest("dce", ["canonicalize", "inline"]), None);
        assert_eq!(nearest("a", ["b"]), None);
        assert_eq!(nearest("", ["b"]), None);
    }

    #[test]
    fn letter_case_is_no_distance() {
        assert_eq!(nearest("CSE", ["cse"]).as_deref(), Some("cse"));
    }
}
