# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the release notes."""

from docutils import nodes

extensions = ['openstackdocstheme', 'reno.sphinxext']

project = 'magnum_ng release notes'
copyright = 'magnum_ng developers'
root_doc = 'index'
html_theme = 'openstackdocs'
html_use_index = False
html_theme_options = {
    'show_other_versions': False,
    'display_badge': False,
    'analytics_tracking_code': '',
}
# The header, the footer and the styles that are not the theme's.
templates_path = ['../../doc/theme/templates']
html_static_path = ['../../doc/theme/static']
openstackdocs_auto_name = False
openstackdocs_auto_version = False
pygments_style = 'native'


def name_what_has_no_tag(app, doctree):
    """Without any tag, reno calls what is coming 0.0.0."""
    for title in doctree.findall(nodes.title):
        if title.astext() == '0.0.0':
            title.children = [nodes.Text('Not released yet')]


def setup(app):
    # Before the table of contents is read off.
    app.connect('doctree-read', name_what_has_no_tag, priority=100)
