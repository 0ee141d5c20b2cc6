# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the API reference."""

import re

extensions = ['openstackdocstheme', 'os_api_ref']

project = 'Container Infrastructure Management API Reference'
copyright = 'magnum_ng developers'
root_doc = 'index'
html_theme = 'openstackdocs'
html_use_index = False
html_theme_options = {
    'sidebar_mode': 'toc',
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


def drop_empty_entries(app, pagename, templatename, context, doctree):
    """Take those entries out of the table of contents that have no text and lead nowhere."""
    context['toc'] = re.sub(r'<li><a [^>]*href="#[^"]*-selector"></a></li>\s*', '',
                            context.get('toc', ''))


def setup(app):
    app.connect('html-page-context', drop_empty_entries)
