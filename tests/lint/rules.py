# SPDX-License-Identifier: Apache-2.0
"""Rules that need nothing but the text of the files.

A rule is a function that takes a tree, a dict of path -> text, and yields findings
(path, line, message).  RULES names them all; selftest.py shows each of them a bad sample.
"""

import json
import posixpath
import re

LAYERS = ("base", "topo", "planner", "cli", "tests")
MODULES = ("base", "topo", "planner")
FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 60


def is_c(path):
    return path.endswith((".c", ".h", ".cpp"))


def is_product(path):
    return is_c(path) and path.split("/")[0] in LAYERS[:-1]


def is_kept_as_is(path):
    """What a program printed or is fed: no rule of style holds for it."""
    parts = path.split("/")
    if parts[:3] == ["tests", "fuzz", "corpus"] or parts[:2] == ["tests", "fixtures"]:
        return True
    return parts[:2] == ["tests", "golden"] and len(parts) > 3


_TOKENS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)


def bare_code(text, keep_strings=False):
    """C without comments (and without the inside of strings); the line numbers stay."""
    def blank(match):
        token = match.group()
        if token[0] == "/":
            return " " + "\n" * token.count("\n")
        return token if keep_strings else token[0] * 2
    return _TOKENS.sub(blank, text)


def numbered(text):
    return enumerate(text.split("\n"), 1)


# --- the one-way order -----------------------------------------------------------------------

# A library of others has one home; all other code goes through that module's own header.
HOMES = {
    "jansson.h": r"base/src/json[a-z_]*\.[ch]",
    "coin/": r"tests/oracle/.*",
    "simgrid/": r"tests/oracle/.*",
    "cmocka.h": r"tests/.*",
}
_INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def _check_include(path, quote, target):
    layer = path.split("/")[0]
    if ".." in target.split("/"):
        return "include by a path with ..: name the module instead"
    for name, home in HOMES.items():
        if target.startswith(name) and not re.fullmatch(home, path):
            return f"<{target}> has one home, {home}"
    owner = target.split("/")[0]
    if quote == "<" and "/" in target and owner in LAYERS:
        if LAYERS.index(owner) > LAYERS.index(layer):
            return f"{layer} stands left of {owner} and may not include it"
    if quote == '"' and owner in LAYERS and "/" in target:
        return f'public headers are included as <{target}>'
    return None


def layering(tree):
    for path, text in tree.items():
        if not is_c(path) or path.split("/")[0] not in LAYERS:
            continue
        for line, code in numbered(bare_code(text, keep_strings=True)):
            match = _INCLUDE.match(code)
            fault = match and _check_include(path, *match.groups())
            if fault:
                yield path, line, fault


# --- calls that have no place here -----------------------------------------------------------

FORBIDDEN_ANYWHERE = {
    "strcpy strcat stpcpy": "no length: use base/str.h",
    "sprintf vsprintf": "no length: use base/str.h or snprintf",
    "gets strtok": "use base/text.h",
    "atoi atol atoll atof": "no error: use base/num.h",
    "strtol strtoul strtoll strtoull strtod strtof strtoimax strtoumax sscanf":
        "half an error: use base/num.h",
    "alloca": "no limit: use an arena",
    "system popen": "no shell",
    "sleep usleep nanosleep": "wait for the thing itself, not for time",
    "rand srand random srandom drand48 rand_r": "use base/rng.h, seeded by the caller",
    "tmpnam mktemp tempnam": "a race: use mkstemp or base/fs.h",
    "signal": "use sigaction",
}
FORBIDDEN_BELOW_CLI = {
    "printf vprintf fprintf vfprintf dprintf puts fputs putchar fputc putc perror":
        "library code returns and never prints",
    "exit _exit _Exit quick_exit": "library code returns an error",
    "getenv secure_getenv setenv putenv": "the environment is read in cli/ and passed down",
    "time gettimeofday clock_gettime": "the clock is an argument: base/clock.h",
    "setlocale": "the locale never changes a result",
}
# (path pattern, names): the one place of each, with its reason.
CALL_HOMES = (
    # The checked number parser itself.
    (r"base/src/num\.c", "strtol strtoul strtoll strtoull strtod"),
    # The log writes to the stream that it was given.
    (r"base/src/log\.c", "fprintf vfprintf fputs fputc putc"),
    # The real clock behind the ops table.
    (r"base/src/clock\.c", "clock_gettime"),
)


def _call_table(groups):
    return {name: why for names, why in groups.items() for name in names.split()}


_ANYWHERE = _call_table(FORBIDDEN_ANYWHERE)
_BELOW_CLI = _call_table(FORBIDDEN_BELOW_CLI)
_CALL = re.compile(r"(?<![\w.>])([A-Za-z_]\w*)\s*\(")


def forbidden_calls(tree):
    for path, text in tree.items():
        if not is_c(path):
            continue
        banned = dict(_ANYWHERE)
        if is_product(path) and not path.startswith("cli/"):
            banned.update(_BELOW_CLI)
        for home, names in CALL_HOMES:
            if re.fullmatch(home, path):
                banned = {k: v for k, v in banned.items() if k not in names.split()}
        for line, code in numbered(bare_code(text)):
            for name in _CALL.findall(code):
                if name in banned:
                    yield path, line, f"{name}(): {banned[name]}"


# --- size ------------------------------------------------------------------------------------

def file_size(tree):
    for path, text in tree.items():
        lines = text.count("\n")
        if is_c(path) and lines > FILE_LINES_MAX:
            yield path, 1, f"{lines} lines, the limit is {FILE_LINES_MAX}"


def function_size(tree):
    """In the layout that clang-format enforces, { and } alone in column 0 are a function's."""
    for path, text in tree.items():
        if not is_c(path):
            continue
        start = None
        for line, code in numbered(bare_code(text)):
            if code.rstrip() == "{":
                if start is not None:
                    yield path, line, f"a function opens inside the one of line {start}"
                start = line
            elif code.startswith("}") and start is not None:
                lines = line - start - 1
                if lines > FUNCTION_LINES_MAX:
                    yield path, start, (f"a function of {lines} lines, "
                                        f"the limit is {FUNCTION_LINES_MAX}")
                start = None
        if start is not None:
            yield path, start, "a function that does not end in column 0"


# --- what every file has ---------------------------------------------------------------------

_SPDX = "SPDX-License-Identifier: Apache-2.0"
_NO_COMMENT_SYNTAX = (".json", ".md", ".html", ".svg", ".csv", ".txt.gz")
_NO_SPDX = {"LICENSE"}


def spdx(tree):
    for path, text in tree.items():
        if path in _NO_SPDX or path.endswith(_NO_COMMENT_SYNTAX) or is_kept_as_is(path):
            continue
        head = "\n".join(text.split("\n")[:3])
        if _SPDX not in head:
            yield path, 1, f"no \"{_SPDX}\" in the first three lines"


def header_guard(tree):
    for path, text in tree.items():
        if path.endswith(".h") and "\n#pragma once\n" not in text:
            yield path, 1, "no #pragma once"


def whitespace(tree):
    for path, text in tree.items():
        if is_kept_as_is(path) or not text:
            continue
        for line, content in numbered(text):
            if content.endswith("\r"):
                yield path, line, "a carriage return"
            elif content != content.rstrip():
                yield path, line, "white space at the end of the line"
        if not text.endswith("\n"):
            yield path, text.count("\n") + 1, "no newline at the end of the file"
        elif text.endswith("\n\n"):
            yield path, text.count("\n"), "an empty line at the end of the file"


# --- words and paths -------------------------------------------------------------------------

# Spelled in pieces, so that this file passes its own rules.
_UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK|place" r"holders?|st" r"ubs?)\b")
_PRIVATE = re.compile(r"(?<![\w.$}*)~/-])/(home|root|Users|work|mnt|media|srv)/\w")
_FIXED_TEMPORARY = re.compile(r"/tmp/(?![^\"]*XXXXXX)")


def unfinished(tree):
    for path, text in tree.items():
        if not is_product(path):
            continue
        for line, content in numbered(text):
            match = _UNFINISHED.search(content)
            if match:
                yield path, line, f"\"{match.group()}\": finish it, or file it outside the code"


def private_paths(tree):
    for path, text in tree.items():
        for line, content in numbered(text):
            if _PRIVATE.search(content):
                yield path, line, "a path of one machine"
            if is_c(path) and _FIXED_TEMPORARY.search(content):
                yield path, line, "a fixed name in /tmp: use mkstemp, mkdtemp or memory"


def float_in_header(tree):
    """Integers cross the borders of modules; double stays inside the solver."""
    for path, text in tree.items():
        if "/include/" not in path or not is_product(path):
            continue
        for line, code in numbered(bare_code(text)):
            if re.search(r"\b(float|double)\b", code):
                yield path, line, "a floating-point number in a public header"


# --- tests -----------------------------------------------------------------------------------

# A source whose code another test reaches in full: path -> where.
TESTED_ELSEWHERE = {}


def tests_of(module, name, tree):
    """Where the tests of <module>/src/<name>.c may be: its own file, or, where it was split off
    x.c as x_part.c, the one of x.c."""
    yield f"tests/unit/{module}/test_{name}.c"
    while "_" in name:
        name = name.rpartition("_")[0]
        if f"{module}/src/{name}.c" in tree:
            yield f"tests/unit/{module}/test_{name}.c"


def unit_test_each(tree):
    for path in tree:
        match = re.fullmatch(r"(base|topo|planner)/src/(\w+)\.c", path)
        if not match or path in TESTED_ELSEWHERE:
            continue
        wanted = list(tests_of(*match.groups(), tree))
        if not any(test in tree for test in wanted):
            yield path, 1, f"no unit test {wanted[-1]}"


def stale_exceptions(tree):
    for path, where in TESTED_ELSEWHERE.items():
        if path not in tree or where not in tree:
            yield "tests/lint/rules.py", 1, f"the exception {path} -> {where} is stale"


def fuzz_seeds(tree):
    for path in tree:
        match = re.fullmatch(r"tests/fuzz/fuzz_(\w+)\.c", path)
        if match and not any(p.startswith(f"tests/fuzz/corpus/{match[1]}/") for p in tree):
            yield path, 1, f"no seed in tests/fuzz/corpus/{match[1]}/"


def golden_whole(tree):
    for path in tree:
        folder, name = posixpath.split(path)
        if not path.startswith("tests/golden/") or name != "cmd":
            continue
        for part in ("stdout", "stderr", "exit"):
            if f"{folder}/{part}" not in tree:
                yield path, 1, f"{part} is missing; UPDATE_GOLDEN=1 writes it"


# --- documents -------------------------------------------------------------------------------

def json_valid(tree):
    for path, text in tree.items():
        if not path.endswith(".json") or is_kept_as_is(path):
            continue
        try:
            json.loads(text)
        except ValueError as error:
            yield path, getattr(error, "lineno", 1), str(error)


_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def markdown_links(tree):
    folders = {posixpath.dirname(path) for path in tree}
    for folder in list(folders):
        while folder:
            folder = posixpath.dirname(folder)
            folders.add(folder)
    for path, text in tree.items():
        if not path.endswith(".md"):
            continue
        for line, content in numbered(text):
            for target in _LINK.findall(content):
                if re.match(r"[a-z]+:", target):
                    continue
                there = posixpath.normpath(
                    posixpath.join(posixpath.dirname(path), target))
                if there not in tree and there not in folders:
                    yield path, line, f"a link to {target}, which is not there"


RULES = (layering, forbidden_calls, file_size, function_size, spdx, header_guard, whitespace,
         unfinished, private_paths, float_in_header, unit_test_each, stale_exceptions,
         fuzz_seeds, golden_whole, json_valid, markdown_links)
