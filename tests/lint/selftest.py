#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Each lint is shown bad samples, where it must find exactly what is said, and good ones, where
it must be silent.  A rule without both is itself a failure."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import documents  # noqa: E402
import rules  # noqa: E402

SPDX = "/* SPDX-License-Identifier: " "Apache-2.0 */\n"


def function(lines):
    return "int f(void)\n{\n" + "\tx++;\n" * lines + "}\n"


# rule -> list of (tree, lines of the findings, in order)
SAMPLES = {
    "layering": [
        ({"base/src/a.c": "#include <topo/graph.h>\n"}, [1]),
        ({"topo/include/topo/a.h": "\n#include <planner/plan.h>\n"}, [2]),
        ({"planner/src/a.c": "# include <cli/cmd.h>\n"}, [1]),
        ({"topo/src/a.c": '#include "../../planner/src/b.h"\n'}, [1]),
        ({"topo/src/a.c": '#include "topo/graph.h"\n'}, [1]),
        ({"topo/src/load.c": "#include <jansson.h>\n"}, [1]),
        ({"planner/src/lp.c": "#include <coin/Clp_C_Interface.h>\n"}, [1]),
        ({"planner/src/a.c": "#include <topo/graph.h>\n#include <base/err.h>\n"
                             "/*\n#include <cli/x.h>\n*/\n#include \"solve_private.h\"\n",
          "base/src/json_parse.c": "#include <jansson.h>\n",
          "tests/oracle/lp.c": "#include <coin/Clp_C_Interface.h>\n"
                               "#include \"gen/gen_fabric.h\"\n"}, []),
    ],
    "forbidden_calls": [
        ({"cli/a.c": "\tstrcpy(a, b);\n\tn = atoi (c);\n"}, [1, 2]),
        ({"base/src/a.c": "\tprintf(\"%d\", x);\n\texit(1);\n"}, [1, 2]),
        ({"topo/src/a.c": "\tp = getenv(\"HOME\");\n"}, [1]),
        ({"topo/src/a.c": "\tx = strtoul(p, &end, 10);\n"}, [1]),
        ({"tests/unit/base/test_a.c": "\tsleep(1);\n\tusleep(5);\n"}, [1, 2]),
        ({"planner/src/a.c": "\tclock_gettime(CLOCK_MONOTONIC, &ts);\n"}, [1]),
        ({"base/src/num.c": "\tx = strtoull(p, &end, 10);\n",
          "cli/a.c": "\tprintf(\"x\"); /* strcpy(a, b) */\n\ts = \"system(1)\";\n",
          "topo/src/a.c": "\tops->printf(x);\n\tmy_exit(1);\n\tsnprintf(a, n, \"x\");\n"
                          "\tb.time(1);\n"}, []),
    ],
    "file_size": [
        ({"base/src/a.c": "\n" * 801}, [1]),
        ({"base/src/a.c": "\n" * 800, "docs/x.md": "\n" * 900}, []),
    ],
    "function_size": [
        ({"base/src/a.c": function(61)}, [2]),
        ({"base/src/a.c": function(3) + function(61)}, [8]),
        ({"tests/a.c": "int f(void)\n{\n\tx++;\n"}, [2]),
        ({"base/src/a.c": "int f(void)\n{\n\tx++;\nint g(void)\n{\n}\n"}, [5]),
        ({"base/src/a.c": function(60) + "/*\n{\n*/\n" + "struct s {\n" + "\tint a;\n" * 99
          + "};\n" + "static int t[] = {\n" + "\t1,\n" * 99 + "};\n"}, []),
    ],
    "spdx": [
        ({"base/src/a.c": "int x;\n"}, [1]),
        ({"bootstrap.sh": "#!/bin/sh\n\n\n\n# SPDX-License-Identifier: " "Apache-2.0\n"}, [1]),
        ({"base/src/a.c": SPDX, "README.md": "hello\n", "docs/schema/a.json": "{}\n",
          "tests/golden/a/cmd": "fairlead\n", "tests/fuzz/corpus/a/b": "x"}, []),
    ],
    "header_guard": [
        ({"base/include/base/a.h": SPDX}, [1]),
        ({"base/include/base/a.h": SPDX + "#pragma once\n", "base/src/a.c": SPDX}, []),
    ],
    "whitespace": [
        ({"a.c": "int x; \n\t\nint y;\r\n"}, [1, 2, 3]),
        ({"a.md": "no newline"}, [1]),
        ({"a.md": "text\n\n"}, [2]),
        ({"a.c": "int x;\n", "tests/golden/a/stdout": "x  \n\n", "empty": ""}, []),
    ],
    "unfinished": [
        ({"cli/a.c": "/* TO" "DO: more */\nint x; /* XX" "X */\n"}, [1, 2]),
        ({"base/src/a.c": "/* a st" "ub */\n"}, [1]),
        ({"base/src/a.c": "/* mkstemp(\"aXXXXXX\") */\nint todo;\n",
          "docs/a.md": "a place" "holder in a template\n"}, []),
    ],
    "private_paths": [
        ({"docs/a.md": "see /ho" "me/jo/src\n"}, [1]),
        ({"tests/golden/a/stdout": "x\n/wo" "rk/x\n"}, [2]),
        ({"cli/a.c": "\tf = open(\"/tmp/fairlead.sock\");\n"}, [1]),
        ({"docs/a.md": "src/work/x, a path like $HOME/work/x, /usr/share/doc\n",
          "cli/a.c": "\tchar t[] = \"/tmp/fairlead-XXXXXX\";\n"}, []),
    ],
    "float_in_header": [
        ({"planner/include/planner/a.h": "int x;\ndouble f(void);\n"}, [2]),
        ({"planner/include/planner/a.h": "/* double the rate */\n",
          "planner/src/a.c": "double x;\n"}, []),
    ],
    "unit_test_each": [
        ({"base/src/a.c": "", "topo/src/b.c": "", "tests/unit/base/test_b.c": ""}, [1, 1]),
        ({"topo/src/import_x.c": "", "tests/unit/topo/test_import.c": ""}, [1]),
        ({"base/src/json_get.c": "", "base/src/json.c": ""}, [1, 1]),
        ({"base/src/a.c": "", "tests/unit/base/test_a.c": "", "cli/c.c": "",
          "base/src/a_part_two.c": ""}, []),
    ],
    "fuzz_seeds": [
        ({"tests/fuzz/fuzz_x.c": "", "tests/fuzz/corpus/xy/1": ""}, [1]),
        ({"tests/fuzz/fuzz_x.c": "", "tests/fuzz/corpus/x/1": ""}, []),
    ],
    "golden_whole": [
        ({"tests/golden/a/cmd": "", "tests/golden/a/stdout": ""}, [1, 1]),
        ({"tests/golden/a/cmd": "", "tests/golden/a/stdout": "", "tests/golden/a/stderr": "",
          "tests/golden/a/exit": "0\n"}, []),
    ],
    "json_valid": [
        ({"docs/schema/a.json": "{\n  \"a\": 1,\n}\n"}, [3]),
        ({"docs/schema/a.json": "{}\n", "tests/fuzz/corpus/x/bad.json": "{"}, []),
    ],
    "markdown_links": [
        ({"docs/a.md": "x\n[b](b.md) [c](../c.md#part)\n"}, [2, 2]),
        ({"docs/a.md": "[b](b.md) [c](../c.md#part) [d](https://example.org/) [e](#e) [f](adr/)\n",
          "docs/b.md": "", "c.md": "", "docs/adr/1.md": ""}, []),
    ],
}


class TextRules(unittest.TestCase):
    def test_samples(self):
        for name, samples in SAMPLES.items():
            rule = getattr(rules, name)
            for number, (tree, want) in enumerate(samples, 1):
                with self.subTest(rule=name, sample=number):
                    found = list(rule(tree))
                    self.assertEqual([line for _path, line, _text in found], want, found)

    def test_every_rule_has_a_bad_and_a_good_sample(self):
        special = {"stale_exceptions"}
        for rule in rules.RULES:
            with self.subTest(rule=rule.__name__):
                wants = [bool(want) for _tree, want in SAMPLES.get(rule.__name__, ())]
                if rule.__name__ not in special:
                    self.assertIn(True, wants)
                    self.assertIn(False, wants)

    def test_stale_exceptions(self):
        saved = dict(rules.TESTED_ELSEWHERE)
        try:
            rules.TESTED_ELSEWHERE.clear()
            rules.TESTED_ELSEWHERE["base/src/a.c"] = "tests/unit/base/test_b.c"
            both = {"base/src/a.c": "", "tests/unit/base/test_b.c": ""}
            self.assertEqual(list(rules.stale_exceptions(both)), [])
            self.assertEqual(list(rules.unit_test_each(both)), [])
            self.assertEqual(len(list(rules.stale_exceptions({"base/src/a.c": ""}))), 1)
        finally:
            rules.TESTED_ELSEWHERE.clear()
            rules.TESTED_ELSEWHERE.update(saved)

    def test_line_numbers_survive_comments_and_strings(self):
        code = "/* a\n * b */\nchar *s = \"/* no */ \\\" x\"; // c\nsystem(1);\n"
        bare = rules.bare_code(code)
        self.assertEqual(bare.count("\n"), code.count("\n"))
        self.assertEqual(bare.split("\n")[3], "system(1);")
        self.assertNotIn("no", bare)


COMMANDS = {
    "schema": "fairlead.commands.v1",
    "common_options": [{"name": "json"}],
    "command": {"name": "fairlead", "options": [], "commands": [{"name": "topo", "commands": [
        {"name": "show", "options": [{"name": "rate"}, {"name": "rate-limit"}]}]}]},
}
PROGRAM_PAGE = "OPTIONS\n\n**--json**\n  One document.\n"
TOPO_PAGE = "topo show\n\n**--rate** *RATE*\n\n**--rate-limit** *RATE*\n\n**topo**\n"


class ManPages(unittest.TestCase):
    def pages(self, topo=TOPO_PAGE, program=PROGRAM_PAGE):
        return {"docs/man/fairlead.1.rst": program, "docs/man/fairlead-topo.1.rst": topo}

    def test_complete_pages(self):
        self.assertEqual(list(documents.man_pages(COMMANDS, self.pages())), [])

    def test_an_option_that_is_the_head_of_another_is_still_missed(self):
        page = TOPO_PAGE.replace("**--rate** ", "")
        found = list(documents.man_pages(COMMANDS, self.pages(page)))
        self.assertEqual(len(found), 1)
        self.assertIn("--rate of \"fairlead topo show\"", found[0][2])

    def test_a_missing_command_and_a_missing_page(self):
        found = list(documents.man_pages(COMMANDS, self.pages("topo\n--rate --rate-limit\n")))
        self.assertEqual(len(found), 1)
        found = list(documents.man_pages(COMMANDS, {}))
        self.assertTrue(all("no such man page" in text for _p, _l, text in found))

    def test_a_program_without_commands_is_a_finding(self):
        self.assertEqual(len(list(documents.man_pages({"command": {"name": "fairlead"}}, self.pages()))), 1)

    def test_an_entry_for_an_option_that_is_gone(self):
        page = TOPO_PAGE + "\n**-o**, **--old** *FILE*\n  Gone.\n\n--older\n  Gone.\n"
        found = list(documents.stale_man_options(COMMANDS, self.pages(page)))
        self.assertEqual(len(found), 2)
        self.assertEqual(list(documents.stale_man_options(COMMANDS, self.pages())), [])


class Schemas(unittest.TestCase):
    SCHEMA = {"properties": {"schema": {"const": "fairlead.plan.v1"}, "n": {"type": "integer"}}}

    def tree(self, stdout):
        return {"docs/schema/plan.json": json.dumps(self.SCHEMA),
                "tests/golden/a/stdout": stdout}

    @staticmethod
    def validate(_schema, document):
        if not isinstance(document.get("n"), int):
            yield "n is no integer"

    def test_output_that_fits(self):
        tree = self.tree('{"schema": "fairlead.plan.v1", "n": 1}\n')
        self.assertEqual(list(documents.golden_schemas(tree, self.validate)), [])

    def test_output_that_does_not_fit_or_names_nothing(self):
        for text in ('{"schema": "fairlead.plan.v1", "n": "1"}', '{"schema": "fairlead.x.v1"}',
                     '{"n": 1}'):
            found = list(documents.golden_schemas(self.tree(text), self.validate))
            self.assertEqual(len(found), 1, text)

    def test_text_output_is_none_of_its_business(self):
        self.assertEqual(list(documents.golden_schemas(self.tree("NODE RATE\n"), self.validate)), [])

    def test_a_schema_file_that_is_broken_or_nameless(self):
        def refuse(schema):
            if "bad" in schema:
                raise ValueError("bad schema")
        for text in ("{", '{"bad": 1}', "{}"):
            found = list(documents.schema_files({"docs/schema/a.json": text}, refuse))
            self.assertEqual(len(found), 1, text)
        self.assertEqual(list(documents.schema_files(self.tree(""), refuse)), [])

    def test_the_real_validator_where_it_is_installed(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("no python3-jsonschema")
        validator = jsonschema.validators.validator_for(self.SCHEMA)(self.SCHEMA)
        self.assertTrue(list(validator.iter_errors({"schema": "x"})))


if __name__ == "__main__":
    unittest.main()
