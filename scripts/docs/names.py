"""A Sphinx extension: names of the interface that stand in a page as code, `usw_sum()` or `usw_options_t::place`, become links
to their description. A name that looks like one of the library's and has no description is a warning, and so a failure."""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

NAME = re.compile(r"(?:usw|USW)_\w+(?:(?:::|\.)\w+)?(?:\(\))?\Z")
LOG = logging.getLogger(__name__)


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
        if self.env.docname.startswith("reference/api/"):
            return
        if not hasattr(self.env, "usw_names"):
            self.env.usw_names = described(self.env)
        for node in list(self.document.findall(nodes.literal)):
            name = node.astext()
            if not NAME.match(name) or isinstance(node.parent, (nodes.reference, nodes.title, addnodes.desc_name)):
                continue
            place = self.env.usw_names.get(name.removesuffix("()"))
            if place:
                self.link(node, *place)

    def link(self, node, document, anchor):
        uri = self.app.builder.get_relative_uri(self.env.docname, document)
        reference = nodes.reference("", "", internal=True, refuri=f"{uri}#{anchor}")
        node.replace_self(reference)
        reference += node


def setup(app):
    app.add_post_transform(LinkNames)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
