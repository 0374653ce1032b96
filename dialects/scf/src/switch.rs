//! `index_switch`: one of several regions by the value of an index.

use super::loops::{result_types, yielded};
use super::rules::{inline, with_results};
use terrace_diag::Reported;
use terrace_interp::{Interpret, Machine, Step};
use terrace_ir::fold::constant_of;
use terrace_ir::rules::{AnyType, DenseI64Array, Index};
use terrace_ir::{BlockId, Ir, OpDef, OpId, RegionId, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_rewrite::{Canonicalize, FnRule, Miss, OrMiss, Pattern, Rewriter, Rule};
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Run the region of the case that an index is, or the default
///
/// ```mlir
/// func.func @f(%x: index, %a: i32, %b: i32) -> i32 {
///   %r = scf.index_switch %x -> i32
///   case 2 {
///     scf.yield %a : i32
///   }
///   default {
///     scf.yield %b : i32
///   }
///   return %r : i32
/// }
/// ```
#[op(
    "scf.index_switch",
    traits(SingleBlock, RecursiveEffects, InlinesCalls, Sequential),
    implicit_terminator = "scf.yield",
    hooks(verify),
    interfaces(CustomAsm, Canonicalize, terrace_interp::Interpret, terrace_dataflow::RegionFlow)
)]
pub struct IndexSwitch {
    arg: Index,
    #[attr]
    cases: DenseI64Array,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    default_region: Region,
    #[region(single_block, variadic)]
    case_regions: Region,
}

impl IndexSwitch {
    /// The region that runs for a value
    pub fn region_for(self, ir: &Ir, value: i64) -> RegionId {
        let cases = self.cases(ir).as_dense_array(ir.cx()).unwrap_or(&[]);
        let found = cases.iter().position(|case| *case == value);
        found.and_then(|n| self.case_regions(ir).get(n).copied()).unwrap_or_else(|| self.default_region(ir))
    }
}

impl CustomAsm for IndexSwitch {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let arg = p.operand()?;
        let index = p.cx().common().index;
        p.resolve(&arg, index)?;
        p.attr_dict()?;
        // Upstream's list has no parentheses here.
        let results = if p.punct_opt("->") { p.types_list()? } else { Vec::new() };
        p.add_results(&results);
        let mut cases = Vec::new();
        while p.keyword_opt("case") {
            cases.push(p.int64()?);
            p.region(&[])?;
        }
        let cases = p.cx().i64_array(&cases);
        p.set_attr("cases", cases);
        p.keyword("default")?;
        p.region(&[])?;
        p.last_region_first();
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.arg(ir));
        p.attr_dict(&["cases"]);
        let results = ir.num_results(self.0) > 0;
        if results {
            p.text(" -> ");
            let list = result_types(ir, self.0);
            p.types(list);
        }
        let cases = self.cases(ir).as_dense_array(ir.cx()).unwrap_or(&[]);
        for (case, region) in cases.iter().zip(self.case_regions(ir)) {
            p.newline();
            p.text("case ");
            p.int((*case).into());
            p.text(" ");
            p.region(region, false, true);
        }
        p.newline();
        p.text("default ");
        p.region(self.default_region(ir), false, results);
    }
}

impl Verify for IndexSwitch {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let cases = self.cases(ir).as_dense_array(ir.cx()).unwrap_or(&[]);
        let regions = self.case_regions(ir);
        if cases.len() != regions.len() {
            let message = format!("has {} case regions but {} case values", regions.len(), cases.len());
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        let mut sorted = cases.to_vec();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
            return v.fail(self.0, &codes::OP_RULE, format!("has duplicate case value: {}", twice[0]));
        }
        let results = result_types(ir, self.0);
        for region in [self.default_region(ir)].into_iter().chain(regions) {
            if let Some((last, given)) = yielded(ir, region)
                && given != results
            {
                let message = "must give the results of the op around it, in number and type";
                return v.fail(last, &codes::OP_RULE, message);
            }
        }
        Ok(())
    }
}

impl Interpret for IndexSwitch {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        match m.decide_i64(self.arg(ir), "the value of the switch") {
            Ok(value) => Step::Enter { region: self.region_for(ir, value), args: Vec::new() },
            Err(trap) => Step::Trap(trap),
        }
    }
}

/// `index_switch` on a constant is the region it takes
struct IndexSwitchConst;

impl Pattern for IndexSwitchConst {
    const NAME: &'static str = "index_switch_const";
    const ROOT: Option<&'static OpDef> = Some(IndexSwitch::DEF);
    type Found = BlockId;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<BlockId, Miss> {
        let switch = IndexSwitch(op);
        let constant = constant_of(ir, switch.arg(ir)).and_then(|attr| attr.as_i64(ir.cx()));
        let value = constant.or_miss("the value is not a constant")?;
        ir.entry(switch.region_for(ir, value)).or_miss("the region is empty")
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, block: BlockId) {
        inline(rw, op, block, &[]);
    }
}

/// Unused results are removed
static INDEX_SWITCH_UNUSED: FnRule<Vec<bool>> = FnRule {
    name: "index_switch_unused_results",
    root: Some(IndexSwitch::DEF),
    find: |ir, op| {
        let keep: Vec<bool> = ir.results(op).map(|result| ir.is_used(result)).collect();
        keep.contains(&false).or_miss("every result is used")?;
        Ok(keep)
    },
    put: |rw, op, keep| {
        let ends: Vec<OpId> = {
            let ir = rw.ir();
            ir.regions(op).filter_map(|region| ir.last_op(ir.entry(region)?)).collect()
        };
        for end in ends {
            let values = rw.ir().operands(end).zip(&keep).filter(|(_, keep)| **keep);
            let values: Vec<_> = values.map(|(value, _)| value).collect();
            rw.set_operands(end, &values, &[]);
        }
        let arg = IndexSwitch(op).arg(rw.ir());
        with_results(rw, op, &[arg], &[], &keep);
    },
};

impl Canonicalize for IndexSwitch {
    const RULES: &'static [&'static dyn Rule] = &[&IndexSwitchConst, &INDEX_SWITCH_UNUSED];
}
