# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the release notes."""

extensions = ['openstackdocstheme', 'reno.sphinxext']

project = 'magnum_ng release notes'
copyright = 'magnum_ng developers'
root_doc = 'index'
html_theme = 'openstackdocs'
html_theme_options = {'show_other_versions': False}
openstackdocs_auto_name = False
pygments_style = 'native'
