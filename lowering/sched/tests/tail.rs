//! Random chains of tiles in random nesting, cut off by the rule of TAIL: every nest with the limits that the rule asks for
//! is accepted and visits each point once; what is accepted with limits elsewhere never leaves the extent.

use crate::common;

use common::parse;
use terrace_support::Random;

struct Chain {
    sizes: Vec<i64>,
    /// Links from the outermost loop to the innermost
    order: Vec<usize>,
}

impl Chain {
    fn random(r: &mut Random) -> Chain {
        let mut sizes = vec![1 + r.below(40)];
        while sizes[sizes.len() - 1] > 1 && sizes.len() < 5 {
            let last = sizes[sizes.len() - 1];
            sizes.push(if sizes.len() == 4 { 1 } else { 1 + r.below(last - 1) });
        }
        if sizes.len() == 1 {
            sizes.push(1);
        }
        let mut order: Vec<usize> = (0..sizes.len() - 1).collect();
        for n in (1..order.len()).rev() {
            order.swap(n, r.below(n as i64 + 1) as usize);
        }
        Chain { sizes, order }
    }

    /// The loop that an inexact link's limit stands on, and the loops whose variables it takes off
    fn holder(&self, link: usize) -> (usize, Vec<usize>) {
        let (extent, tiles) = (self.sizes[link], &self.sizes[1..]);
        let end = (link..tiles.len())
            .find(|m| extent % tiles[*m] == 0 && (link..=*m).all(|x| tiles[x] % tiles[*m] == 0))
            .expect("the last tile is 1");
        let placed = |x: &usize| self.order.iter().position(|other| other == x);
        let holder = (link..=end).max_by_key(placed).expect("there is one");
        (holder, (link..=end).filter(|x| *x != holder).collect())
    }

    fn text(&self, limits: &[Vec<String>]) -> String {
        let n = self.sizes[0];
        let mut text = format!(
            "func.func @f(%A: memref<1xi32>, %v: memref<1xi32>, %out: memref<{n}xi32>) {{\n\
             %z = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n\
             sched.copy (%x) in ({n}) %z to %out[%x] : i32 to memref<{n}xi32>\n"
        );
        for link in &self.order {
            let (extent, tile) = (self.sizes[*link], self.sizes[*link + 1]);
            let limit = match &limits[*link][..] {
                [] => String::new(),
                [one] => format!(" limit {one}"),
                all => format!(" limit [{}]", all.join(", ")),
            };
            let how = if link % 2 == 0 { " : unroll" } else { "" };
            let how = if (extent + tile - 1) / tile <= 6 { how } else { "" };
            text += &format!(
                "sched.for (%i{link} in {extent} by {tile}{limit} dim 0{how} pw add tail peel) {{\n"
            );
        }
        let sum: Vec<String> = (0..self.order.len()).map(|link| format!("%i{link}")).collect();
        text += &format!("sched.write %one, %out[{}] combine add : memref<{n}xi32>\n", sum.join(" + "));
        text + &"}\n".repeat(self.order.len()) + "return\n}\n"
    }
}

fn limit(extent: i64, others: &[usize]) -> String {
    let others: String = others.iter().map(|other| format!(" - %i{other}")).collect();
    format!("{extent}{others}")
}

#[test]
fn what_the_rule_asks_for_visits_each_point_once() {
    let (mut cut, mut several) = (0, 0);
    for seed in 1..=1500u64 {
        let mut r = Random::new(seed.wrapping_mul(0xC2B2_AE3D_27D4_EB4F) | 1);
        let chain = Chain::random(&mut r);
        let links = chain.order.len();
        let inexact: Vec<usize> =
            (0..links).filter(|link| chain.sizes[*link] % chain.sizes[*link + 1] != 0).collect();
        let mut limits: Vec<Vec<String>> = vec![Vec::new(); links];
        for link in &inexact {
            let (holder, others) = chain.holder(*link);
            limits[holder].push(limit(chain.sizes[*link], &others));
        }
        several += usize::from(limits.iter().any(|all| all.len() > 1));
        let text = chain.text(&limits);
        let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let n = chain.sizes[0];
        let visits = common::lines(&ir, &[vec![0], vec![0]], n, &text, "schedule");
        assert_eq!(visits, vec![1; n as usize], "{text}");
        common::run_pipeline(&mut ir, "sched-legalize,sched-to-scf", &text);
        let visits = common::lines(&ir, &[vec![0], vec![0]], n, &text, "scf");
        assert_eq!(visits, vec![1; n as usize], "scf\n{text}");
        cut += usize::from(!inexact.is_empty());
    }
    assert!(cut > 750 && several > 100, "{cut} cut, {several} with several limits on a loop");
}

#[test]
fn what_is_accepted_stays_inside() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..=1500u64 {
        let mut r = Random::new(seed.wrapping_mul(0x27D4_EB2F_1656_67C5) | 1);
        let chain = Chain::random(&mut r);
        let links = chain.order.len();
        // A limit of some link, on some loop, over some of the loops outside of that.
        let mut limits: Vec<Vec<String>> = vec![Vec::new(); links];
        for (place, holder) in chain.order.iter().enumerate() {
            if r.coin() {
                continue;
            }
            let others: Vec<usize> =
                chain.order[..place].iter().copied().filter(|_| r.below(4) > 0).collect();
            limits[*holder].push(limit(chain.sizes[r.below(links as i64) as usize], &others));
        }
        let text = chain.text(&limits);
        match parse(&text) {
            // Traps outside of the buffer.
            Ok(ir) => {
                let visits = common::lines(&ir, &[vec![0], vec![0]], chain.sizes[0], &text, "schedule");
                assert!(visits.iter().all(|count| *count <= 1), "{visits:?}\n{text}");
                accepted += 1;
            }
            Err(why) => {
                assert!(why.contains("TAIL") || why.contains("RACE"), "{why}\n{text}");
                refused += 1;
            }
        }
    }
    assert!(accepted > 250 && refused > 250, "{accepted} accepted, {refused} refused");
}
