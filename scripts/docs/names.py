"""A Sphinx extension: names of the interface become links to their description: in pages those that stand as code, `usw_sum()` or
`usw_options_t::place`; in the reference, whose comments have no code, all."""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

WORD = re.compile(r"((?<![\w<])(?:usw|USW)_\w+(?:::\w+)?(?:\(\))?(?![\w<]))")
PLACES = (nodes.reference, nodes.title, nodes.literal, nodes.literal_block, addnodes.desc_signature, addnodes.pending_xref,
          addnodes.literal_strong)


def described(env):
    """Every described name, and where: {name: (document, anchor)}."""
    places = {}
    for domain in ("cpp", "c"):
        for name, _, _, document, anchor, _ in env.domains[domain].get_objects():
            places.setdefault(name, (document, anchor))
            places.setdefault(name.replace(".", "::"), (document, anchor))
    for name, (document, anchor) in list(places.items()):
        places.setdefault(name.rpartition("::")[2], (document, anchor))
    return places


class LinkNames(SphinxPostTransform):
    default_priority = 900

    def run(self, **kwargs):
        if not hasattr(self.env, "usw_names"):
            self.env.usw_names = described(self.env)
        if self.env.docname.startswith("reference/api/"):
            for node in list(self.document.findall(nodes.Text)):
                if WORD.search(node) and not self.is_within(node, PLACES):
                    node.parent.replace(node, [self.linked(part) for part in WORD.split(node) if part])
        else:
            for node in list(self.document.findall(nodes.literal)):
                if WORD.fullmatch(node.astext()) and not self.is_within(node, (nodes.reference, nodes.title)):
                    node.parent.replace(node, self.linked(node.astext(), node))

    @staticmethod
    def is_within(node, kinds):
        while node.parent is not None:
            node = node.parent
            if isinstance(node, kinds):
                return True
        return False

    def linked(self, text, node=None):
        """The node, or the text, within a link if it is a described name."""
        node = nodes.Text(text) if node is None else node
        place = self.env.usw_names.get(text.removesuffix("()"))
        if not place:
            return node
        uri = self.app.builder.get_relative_uri(self.env.docname, place[0])
        reference = nodes.reference("", "", internal=True, refuri=f"{uri}#{place[1]}")
        reference += node
        return reference


def setup(app):
    app.add_post_transform(LinkNames)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
