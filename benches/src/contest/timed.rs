//! Times of all sides of one row.

use crate::stats::Summary;

/// Times of one contender, in nanoseconds, a median per block
pub(crate) struct Times {
    /// Who
    pub name: String,
    /// One per block
    pub ns: Vec<f64>,
}

impl Times {
    /// The middle block
    pub fn median(&self) -> f64 {
        Summary::of(self.ns.iter().copied()).median
    }
}

/// One subject with a number of threads
pub(crate) struct Timed {
    /// Threads of everybody, or the back end on a device
    pub place: String,
    /// Ours
    pub terrace: Vec<f64>,
    /// The others'
    pub peers: Vec<Times>,
    /// Those of further programs of ours
    pub further: Vec<Times>,
    /// The least time that the processor could take, in nanoseconds, one per block
    pub limit: Vec<f64>,
    /// What the comparison with the reference said
    pub values: String,
}

impl Timed {
    /// Nothing yet
    pub fn at(place: String) -> Self {
        Self { place, terrace: vec![], peers: vec![], further: vec![], limit: vec![], values: "–".into() }
    }

    /// The peer that is fastest by its median
    pub fn best(&self) -> Option<&Times> {
        let timed = self.peers.iter().filter(|peer| !peer.ns.is_empty());
        timed.min_by(|a, b| a.median().total_cmp(&b.median()))
    }

    /// The peers that are not the fastest
    pub fn others(&self) -> impl Iterator<Item = &Times> {
        let best = self.best().map(|best| best.name.as_str());
        self.peers.iter().filter(move |peer| best != Some(peer.name.as_str()))
    }

    /// The least time divided by ours, block by block
    pub fn of_limit(&self) -> Option<Summary> {
        let both = !self.limit.is_empty() && !self.terrace.is_empty();
        both.then(|| Summary::of_ratios(&self.limit, &self.terrace))
    }

    /// The most that [`ratio`](Self::ratio) could be: the best peer's time divided by the least
    pub fn most(&self) -> Option<f64> {
        let best = self.best().filter(|_| !self.limit.is_empty())?;
        Some(Summary::of_ratios(&best.ns, &self.limit).median)
    }

    /// Our speed as a multiple of that peer's, or of that further program's, pair by pair
    pub fn ratio_to(&self, name: &str) -> Option<Summary> {
        let other = self.peers.iter().chain(&self.further).find(|other| other.name == name)?;
        let both = !other.ns.is_empty() && !self.terrace.is_empty();
        both.then(|| Summary::of_ratios(&other.ns, &self.terrace))
    }

    /// Our speed as a multiple of the best peer's, pair by pair
    pub fn ratio(&self) -> Option<Summary> {
        let best = self.best().filter(|_| !self.terrace.is_empty())?;
        Some(Summary::of_ratios(&best.ns, &self.terrace))
    }
}
