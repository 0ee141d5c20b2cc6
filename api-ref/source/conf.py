# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the API reference."""

extensions = ['openstackdocstheme', 'os_api_ref']

project = 'Container Infrastructure Management API Reference'
copyright = 'magnum_ng developers'
root_doc = 'index'
html_theme = 'openstackdocs'
html_theme_options = {'sidebar_mode': 'toc', 'show_other_versions': False}
openstackdocs_auto_name = False
pygments_style = 'native'
