"""Sphinx's configuration of the documentation. scripts/docs/build.sh calls it: USW_DOCS_XML is the folder of Doxygen's XML,
USW_VERSION the version, the source folder has the filled-in pages. Names of the interface that stand in a page as code become links."""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

project = "Upsweep"
version = release = os.environ.get("USW_VERSION", "")
project_copyright = "The Upsweep authors, Apache-2.0"
extensions = ["myst_parser", "breathe", "names", "entries"]
exclude_patterns = ["perf", "tests"]  # links to folders of the tree, for what pages include
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
breathe_projects = {"upsweep": os.environ.get("USW_DOCS_XML", "xml")}
breathe_default_project = "upsweep"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_show_include = False
c_id_attributes = ["USW_API", "USW_INLINE"]
c_maximum_signature_line_length = cpp_maximum_signature_line_length = 100
highlight_language = "text"
nitpicky = False

html_theme = "furo"
html_title = f"Upsweep {version}"
html_static_path = [str(pathlib.Path(__file__).resolve().parent / "static")]
html_css_files = ["upsweep.css"]
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
html_theme_options = {"navigation_with_keys": True}
