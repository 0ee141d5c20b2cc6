# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the documentation."""

import html
from importlib import metadata
import shutil

from docutils import nodes
from docutils.parsers import rst

extensions = [
    'openstackdocstheme',
    'oslo_config.sphinxconfiggen',
    'oslo_config.sphinxext',
    'oslo_policy.sphinxext',
    'oslo_policy.sphinxpolicygen',
]

project = 'magnum_ng'
copyright = 'magnum_ng developers'
root_doc = 'index'
html_theme = 'openstackdocs'
html_use_index = False
pygments_style = 'native'
add_function_parentheses = True
exclude_patterns = []
# The link check is for links among the pages; it needs no network.
linkcheck_ignore = [r'https?://']

# There is no repository or bug tracker of OpenStack behind this project.
openstackdocs_auto_name = False
openstackdocs_auto_version = False
version = release = metadata.version('magnum')
html_theme_options = {
    'display_global_toc_section': True,
    'show_other_versions': False,
    'display_badge': False,
    'analytics_tracking_code': '',
}
# The header, the footer and the styles that are not the theme's.
templates_path = ['../theme/templates']
html_static_path = ['../theme/static']

config_generator_config_file = [
    ('../../etc/magnum/magnum-config-generator.conf', '_static/magnum'),
]
policy_generator_config_file = '../../etc/magnum/magnum-policy-generator.conf'
sample_policy_basename = '_static/magnum'

# Graphs are drawn where Graphviz is installed; elsewhere their description can be unfolded.
if shutil.which('dot'):
    extensions.append('sphinx.ext.graphviz')
    graphviz_output_format = 'svg'


class DescribedGraph(rst.Directive):
    """A graph as the text it is made from, folded."""

    has_content = True

    def run(self):
        text = html.escape('\n'.join(self.content))
        return [nodes.raw('', f'<details><summary>The graph, in the language of Graphviz</summary>'
                              f'<pre>{text}</pre></details>', format='html')]


def setup(app):
    if 'sphinx.ext.graphviz' not in extensions:
        app.add_directive('graphviz', DescribedGraph)
