# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the documentation."""

extensions = [
    'openstackdocstheme',
    'oslo_config.sphinxconfiggen',
    'oslo_config.sphinxext',
    'oslo_policy.sphinxext',
    'oslo_policy.sphinxpolicygen',
    'sphinx.ext.graphviz',
]

project = 'magnum_ng'
copyright = 'magnum_ng developers'
root_doc = 'index'
html_theme = 'openstackdocs'
pygments_style = 'native'
add_function_parentheses = True
exclude_patterns = []

# There is no repository or bug tracker of OpenStack behind this project.
openstackdocs_auto_name = False
html_theme_options = {'display_global_toc_section': True, 'show_other_versions': False}

config_generator_config_file = [
    ('../../etc/magnum/magnum-config-generator.conf', '_static/magnum'),
]
policy_generator_config_file = '../../etc/magnum/magnum-policy-generator.conf'
sample_policy_basename = '_static/magnum'
