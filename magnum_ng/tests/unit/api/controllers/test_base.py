# SPDX-License-Identifier: Apache-2.0

from unittest import mock

from oslo_context import context as oslo_context
from webob import exc

from magnum_ng.api import hooks
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers import versions
from magnum_ng.common import exception
from magnum_ng.tests import base as test_base


class Versioned(base.Controller):
    @base.Controller.api_version('1.1', '1.4')
    def act(self):
        return 'old'

    @base.Controller.api_version('1.7')  # noqa: F811
    def act(self):  # noqa: F811
        return 'new'


class Inheriting(Versioned):
    pass


class TestVersions(test_base.TestCase):
    def act(self, controller, version):
        with mock.patch('pecan.request') as request:
            request.version = versions.Version(None, None, None, from_string=version)
            return controller().act()

    def test_the_version_picks_the_method(self):
        for controller in (Versioned, Inheriting):
            for version, result in (('1.1', 'old'), ('1.4', 'old'), ('1.7', 'new'),
                                    ('1.14', 'new')):
                self.assertEqual(result, self.act(controller, version))

    def test_without_a_method_for_the_version_there_is_a_406(self):
        error = self.assertRaises(exc.HTTPNotAcceptable, self.act, Versioned, '1.5')
        self.assertEqual('Version 1.5 was requested but the requested API act is not supported '
                         'for this version.', error.detail)

    def test_ranges_must_not_overlap(self):
        def define():
            class Overlapping(base.Controller):
                @base.Controller.api_version('1.1', '1.4')
                def act(self):
                    pass

                @base.Controller.api_version('1.4')  # noqa: F811
                def act(self):  # noqa: F811
                    pass

        self.assertRaises(exception.ApiVersionsIntersect, define)

    def test_versions_compare_by_numbers(self):
        old, new = (versions.Version(None, None, None, from_string=text)
                    for text in ('1.9', '1.10'))
        self.assertLess(old, new)
        self.assertEqual('1.10', str(new))
        self.assertTrue(new.matches(old, versions.MAXIMUM))
        null = versions.Version(None, None, None, from_string='0.0')
        self.assertRaises(ValueError, null.matches, old, new)

    def test_the_list_of_versions_has_no_gap(self):
        self.assertEqual([f'1.{minor}' for minor in range(1, len(versions.VERSIONS) + 1)],
                         list(versions.VERSIONS))


class TestTypes(test_base.TestCase):
    def test_the_fields_of_a_type_are_no_attribute_that_clients_can_send(self):
        class Thing(base.APIBase):
            fields = ('a',)
            a = str
            b = int

        self.assertEqual(['a', 'b', 'created_at', 'updated_at'],
                         [attribute.name for attribute in Thing._wsme_attributes])
        self.assertEqual({'a': 'x'}, Thing(a='x', b=1).as_dict())
        thing = Thing(a='x', b=1)
        thing.unset_fields_except(['b'])
        self.assertEqual({}, thing.as_dict())


class TestContext(test_base.TestCase):
    def test_the_context_of_the_last_request_is_forgotten(self):
        self.make_context(overwrite=True)
        self.assertIsNotNone(oslo_context.get_current())
        hooks.forget_context()
        self.assertIsNone(oslo_context.get_current())
