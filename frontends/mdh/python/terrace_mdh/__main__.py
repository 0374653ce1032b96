"""`python3 -m terrace_mdh FILE.py`: the file's computations as MDH text, or those under `@tensor` as text of tensor expressions."""

import pathlib
import runpy
import sys

import terrace_mdh

if len(sys.argv) != 2:
    sys.exit("usage: python3 -m terrace_mdh FILE.py")
sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve().parent))
try:
    runpy.run_path(sys.argv[1])
except terrace_mdh.MdhError as error:
    sys.exit(f"error: {error}")
all, programs = terrace_mdh.Mdh.all, terrace_mdh.expressions.Program.all
if all and programs:
    sys.exit(f"error: {programs[0].name} is text of tensor expressions, {all[0].name} is MDH text: a file has one of both")
definitions = terrace_mdh.unique([text for one in all for text in one.definitions])
print("".join(definitions) + "".join(one.body for one in all) + "\n".join(one.text for one in programs), end="")
