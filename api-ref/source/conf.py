# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the API reference."""

extensions = ['openstackdocstheme', 'os_api_ref']

project = 'Container Infrastructure Management API Reference'
copyright = 'magnum_ng developers'
root_doc = 'index'
html_theme = 'openstackdocs'
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
