#!/usr/bin/env python3
"""Keep of a dump of records what the importer reads, without texts of documentation and C++ code.

    llvm-tblgen --dump-json -I $INCLUDE $INCLUDE/mlir/Dialect/Shape/IR/ShapeOps.td | ./reduce.py shape > shape.json
"""

import json
import sys

FIELDS = """!superclasses args arguments assemblyFormat attrName baseAttr baseProp baseProperty baseType bitwidth builderCall children
className constraint cppClassName cppType decorators def defaultValue dialect effect effects enum enumerants genVerifyDecl
hasCanonicalizeMethod hasCanonicalizer hasCustomAssemblyFormat hasFolder hasOperationAttrVerify hasRegionVerifier hasVerifier
isOptional kind lhs mnemonic name opDialect opName parameters pattern predExpr predicate prefix regions replacement results
rhs separator storageType str successors suffix symbol trait traits transformer useDefaultAttributePrinterParser
useDefaultTypePrinterParser value valueType values""".split()
CLASSES = ["Dialect", "Op", "TypeDef", "AttrDef", "EnumInfo"]


def slim(value):
    if isinstance(value, dict):
        if value.get("kind") == "def":
            return {"def": value["def"]}
        if value.get("kind") == "dag":
            return {"args": slim(value["args"])}
        return {key: slim(part) for key, part in value.items()}
    return [slim(part) for part in value] if isinstance(value, list) else value


def names(value):
    if isinstance(value, dict):
        if "def" in value:
            yield value["def"]
        for part in value.values():
            yield from names(part)
    elif isinstance(value, list):
        for part in value:
            yield from names(part)


records, dialect = json.load(sys.stdin), sys.argv[1]
kept, pending = {}, []
for name in CLASSES:
    for record in records["!instanceof"].get(name, []):
        fields = records[record]
        owner = fields.get("opDialect") or fields.get("dialect")
        mine = owner and records[owner["def"]]["name"] == dialect
        if mine or name == "EnumInfo" and not fields.get("dialect") or fields.get("name") == dialect:
            pending.append(record)
wanted = {record for record in pending if "EnumInfo" not in records[record]["!superclasses"]}
pending = sorted(wanted)
while pending:
    name = pending.pop()
    if name in kept or name not in records:
        continue
    keep = {key: slim(value) for key, value in records[name].items() if key in FIELDS and (value not in (None, "", [], 0) or key == "value")}
    kept[name] = keep
    pending.extend(names(keep))
used = set(kept)
kept["!instanceof"] = {
    name: [record for record in records["!instanceof"].get(name, []) if record in used] for name in CLASSES
}
json.dump(kept, sys.stdout, separators=(",", ":"), sort_keys=True)
sys.stdout.write("\n")
