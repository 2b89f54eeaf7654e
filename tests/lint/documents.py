# SPDX-License-Identifier: Apache-2.0
"""Rules about what the program says of itself: commands against man pages, output against
schemas.  Like rules.py, each works on data that selftest.py can make up."""

import json
import re


def walk_commands(document):
    """Yields (words, options) for each node of a "fairlead.commands.v1" document.  The options
    that every command has belong to the program itself, which comes first."""
    root = document.get("command", {})
    common = [option["name"] for option in document.get("common_options", ())]
    yield (), common + _option_names(root)
    yield from _walk_children(root, ())


def _option_names(node):
    return [option["name"] for option in node.get("options", ())]


def _walk_children(node, words):
    for child in node.get("commands", ()):
        path = words + (child["name"],)
        yield path, _option_names(child)
        yield from _walk_children(child, path)


def page_of(words, tree):
    """The page of a noun is its own if there is one, or else the page of the program."""
    own = f"docs/man/fairlead-{words[0]}.1.rst" if words else ""
    return own if own in tree else "docs/man/fairlead.1.rst"


def _says_option(text, name):
    return re.search(rf"(?<![\w-])--{re.escape(name)}(?![\w-])", text)


def _says_command(text, words):
    return re.search(r"(?<![\w-])" + r"\s+".join(map(re.escape, words)) + r"(?![\w-])", text)


def man_pages(commands, tree):
    """Every command and option of the program stands in its man page."""
    nodes = list(walk_commands(commands))
    if len(nodes) < 2:
        yield "docs/man", 1, "the program names no command at all"
    for words, options in nodes:
        page = page_of(words, tree)
        text = tree.get(page)
        if text is None:
            yield page, 1, "there is no such man page"
            continue
        if words and not _says_command(text, words):
            yield page, 1, f"does not say what \"{' '.join(words)}\" is"
        for option in options:
            if not _says_option(text, option):
                where = " ".join(("fairlead",) + words)
                yield page, 1, f"--{option} of \"{where}\" is missing"


_PAGE_OPTION = re.compile(r"^\*{0,2}(?:-\w\*{0,2}, \*{0,2})?--([a-z][\w-]*)", re.M)


def stale_man_options(commands, tree):
    """Every option that a man page has an entry for exists in the program."""
    known = {}
    for words, options in walk_commands(commands):
        known.setdefault(page_of(words, tree), set()).update(options)
    everywhere = set(next(walk_commands(commands))[1])
    for page, names in known.items():
        for name in _PAGE_OPTION.findall(tree.get(page, "")):
            if name not in names | everywhere:
                yield page, 1, f"--{name} has an entry, but the program has no such option"


def load_schemas(tree):
    """"fairlead.x.v1" -> its JSON Schema."""
    schemas = {}
    for path, text in tree.items():
        if not re.fullmatch(r"docs/schema/[^/]+\.json", path):
            continue
        schema = json.loads(text)
        name = schema.get("properties", {}).get("schema", {}).get("const")
        if name:
            schemas[name] = schema
    return schemas


def schema_files(tree, check_schema):
    for path, text in tree.items():
        if not re.fullmatch(r"docs/schema/[^/]+\.json", path):
            continue
        try:
            schema = json.loads(text)
            check_schema(schema)
        except Exception as error:  # whatever the validator raises is the finding
            yield path, 1, str(error).split("\n")[0]
            continue
        if not schema.get("properties", {}).get("schema", {}).get("const"):
            yield path, 1, "properties.schema.const does not name the document"


def golden_documents(tree):
    """Yields (path, document) for each expected output that is one JSON document."""
    for path, text in tree.items():
        if not re.fullmatch(r"tests/golden/.+/stdout", path) or not text.startswith("{"):
            continue
        try:
            yield path, json.loads(text)
        except ValueError:
            continue  # an aligned text, or a cut one on purpose


def golden_schemas(tree, validate):
    """@validate(schema, document) yields messages."""
    schemas = load_schemas(tree)
    for path, document in golden_documents(tree):
        name = document.get("schema")
        if name not in schemas:
            yield path, 1, f"no schema in docs/schema names \"{name}\""
            continue
        for message in validate(schemas[name], document):
            yield path, 1, f"against {name}: {message}"
