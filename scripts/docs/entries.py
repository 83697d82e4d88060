"""A Sphinx extension: how entries of the reference look. Breathe gives each @note a box of its own, before the parameters; here
parameters and result come first, then one small table: determinism, accuracy, threads, cost, since, see also. Of all pages: wide
tables."""

import re

from docutils import nodes
from sphinx import addnodes

HEAD = re.compile(r"(Determinism|Accuracy|Threads|Cost)(?:, )?[^:.]*: ")
ORDER = ("Determinism", "Accuracy", "Threads", "Cost", "Note", "Since", "See also")


def without_head(paragraph, head):
    """The paragraph, without the word that becomes the row's title."""
    first = paragraph[0]
    if isinstance(first, nodes.Text) and first.startswith(head):
        text = first[len(head):]
        paragraph[0] = nodes.Text(text[:1].upper() + text[1:])
    return paragraph


def rows_of(box):
    """(title, nodes) of a note or another box."""
    if isinstance(box, addnodes.seealso):
        return [("See also", list(box.children))]
    text = box.astext()
    match = HEAD.match(text)
    if not match:
        return [("Note", list(box.children))]
    plain = match[0] == f"{match[1]}: "
    children = list(box.children)
    if plain:
        children[0] = without_head(children[0], match[0])
    return [(match[1], children)]


def since_of(node):
    """The text of a list that has @since alone."""
    if not isinstance(node, nodes.definition_list) or len(node) != 1:
        return None
    term, definition = node[0][0], node[0][-1]
    return list(definition.children) if term.astext() == "Since" else None


def blocks(content):
    """The nodes of an entry. Breathe puts boxes and lists into the paragraph before them."""
    for node in list(content.children):
        inner = [child for child in node.children if isinstance(child, (nodes.note, addnodes.seealso, nodes.definition_list))]
        if isinstance(node, nodes.paragraph) and inner:
            for child in inner:
                node.remove(child)
            if node.astext().strip():
                yield node
            yield from inner
        else:
            yield node


def unlinked(box):
    """Doxygen takes words of @see for titles of groups: "for options" becomes "for Options of a call"."""
    for link in list(box.findall(addnodes.pending_xref)):
        if link.get("reftarget", "").startswith("group__") and "_1g" not in link["reftarget"]:
            link.replace_self(nodes.Text(link["reftarget"].removeprefix("group__")))
    return box


def rearrange(content):
    rows, rest, fields = [], [], []
    for node in blocks(content):
        since = since_of(node)
        if isinstance(node, (nodes.note, addnodes.seealso)):
            rows += rows_of(unlinked(node))
        elif since:
            rows.append(("Since", since))
        elif isinstance(node, nodes.field_list):
            fields.append(node)
        else:
            rest.append(node)
    if not rows:
        return
    rows.sort(key=lambda row: ORDER.index(row[0]))
    table = nodes.field_list(classes=["facts"])
    for title, body in rows:
        table += nodes.field("", nodes.field_name("", title), nodes.field_body("", *body))
    described = [node for node in rest if not isinstance(node, addnodes.desc)]
    members = [node for node in rest if isinstance(node, addnodes.desc)]
    content.children = []
    content += [*described, *fields, table, *members]


def flatten_groups(document):
    """A group's text and entries stand in the page itself: the page has the group's title."""
    for group in list(document.findall(addnodes.desc)):
        if group.get("objtype") == "group":
            group.replace_self(group[-1].children)


def with_spaces(block):
    """A block of code as it stands in the comment: build.sh marks the spaces that Breathe would lose."""
    text = block.astext().replace("\ue000", " ")
    block.replace_self(nodes.literal_block(text, text, language="cpp" if "auto " in text else "c"))


def without_wrapping(table):
    """Tables of many columns scroll; their cells stay one line."""
    if len(list(table.findall(nodes.colspec))) > 8:
        table["classes"].append("wide")


def on_read(app, document):
    for table in document.findall(nodes.table):
        without_wrapping(table)
    if not app.env.docname.startswith("reference/api/"):
        return
    flatten_groups(document)
    for block in list(document.findall(nodes.literal_block)):
        with_spaces(block)
    for content in list(document.findall(addnodes.desc_content)):
        rearrange(content)


def setup(app):
    app.connect("doctree-read", on_read)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
