# SPDX-License-Identifier: Apache-2.0
"""The addresses of the API, for what describes, measures or tests it. Pecan finds its own way."""

from typing import NamedTuple


class Route(NamedTuple):
    """An address, and the function that serves it.

    ``controller`` names the attributes that lead from the root controller to its own.
    """

    method: str
    path: str
    controller: tuple
    function: str
    public: bool = False


def _collection(name, path, ident, methods, controller=None, detail=False):
    controller = controller or ('v1', name)
    names = {'GET': 'get_all', 'POST': 'post'}
    routes = [Route(method, path, controller, names[method])
              for method in ('GET', 'POST') if method in methods[0]]
    if detail:
        routes.append(Route('GET', f'{path}/detail', controller, 'detail'))
    names = {'GET': 'get_one', 'PATCH': 'patch', 'DELETE': 'delete'}
    routes += [Route(method, f'{path}/{ident}', controller, names[method])
               for method in ('GET', 'PATCH', 'DELETE') if method in methods[1]]
    return routes


_ALL = ('GET', 'PATCH', 'DELETE')

ROUTES = (
    Route('GET', '/', (), 'get', public=True),
    Route('GET', '/v1', ('v1',), 'get', public=True),
    *_collection('clustertemplates', '/v1/clustertemplates', '{cluster_template_ident}',
                 (('GET', 'POST'), _ALL), detail=True),
    *_collection('clusters', '/v1/clusters', '{cluster_ident}', (('GET', 'POST'), _ALL),
                 detail=True),
    *_collection('nodegroups', '/v1/clusters/{cluster_id}/nodegroups', '{nodegroup_id}',
                 (('GET', 'POST'), _ALL), ('v1', 'clusters', 'nodegroups')),
    Route('POST', '/v1/clusters/{cluster_ident}/actions/resize', ('v1', 'clusters', 'actions'),
          'resize'),
    Route('POST', '/v1/clusters/{cluster_ident}/actions/upgrade', ('v1', 'clusters', 'actions'),
          'upgrade'),
    Route('POST', '/v1/certificates', ('v1', 'certificates'), 'post'),
    Route('GET', '/v1/certificates/{cluster_ident}', ('v1', 'certificates'), 'get_one'),
    Route('PATCH', '/v1/certificates/{cluster_ident}', ('v1', 'certificates'), 'patch'),
    Route('PATCH', '/v1/credentials/{cluster_ident}', ('v1', 'credentials'), 'patch'),
    *_collection('quotas', '/v1/quotas', '{project_id}/{resource}', (('GET', 'POST'), _ALL)),
    Route('GET', '/v1/stats', ('v1', 'stats'), 'get_all'),
    Route('GET', '/v1/mservices', ('v1', 'mservices'), 'get_all'),
    *_collection('federations', '/v1/federations', '{federation_ident}', (('GET', 'POST'), _ALL),
                 detail=True),
)
