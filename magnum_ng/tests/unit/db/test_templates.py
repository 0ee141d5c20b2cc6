# SPDX-License-Identifier: Apache-2.0

from oslo_utils import uuidutils

from magnum_ng.common import exception
from magnum_ng.tests.unit.db import base, counting


class TemplateTestCase(base.DbTestCase):

    def template(self, name='t', project_id='mine', **values):
        return self.dbapi.create_cluster_template(
            {'name': name, 'project_id': project_id, **values})

    def member(self, project_id='mine'):
        return self.make_context(project_id=project_id)

    def admin(self, all_tenants=False):
        return self.make_context(project_id='admins', is_admin=True, all_tenants=all_tenants)


class ReadTest(TemplateTestCase):

    def test_a_template_is_found_by_id_uuid_and_name(self):
        created = self.template(labels={'a': 'b'})
        for found in (self.dbapi.get_cluster_template_by_id(self.member(), created.id),
                      self.dbapi.get_cluster_template_by_uuid(self.member(), created.uuid),
                      self.dbapi.get_cluster_template_by_name(self.member(), 't')):
            self.assertEqual(created.as_dict(), found.as_dict())

    def test_what_is_not_there_is_not_found(self):
        for method, key in ((self.dbapi.get_cluster_template_by_id, 99),
                            (self.dbapi.get_cluster_template_by_uuid, uuidutils.generate_uuid()),
                            (self.dbapi.get_cluster_template_by_name, 'nobody')):
            self.assertRaises(exception.ClusterTemplateNotFound, method, self.member(), key)

    def test_a_second_template_with_a_uuid_is_refused(self):
        uuid = self.template().uuid
        self.assertRaises(exception.ClusterTemplateAlreadyExists, self.template, uuid=uuid)

    def test_names_of_two_own_templates_are_a_conflict(self):
        self.template()
        self.template()
        error = self.assertRaises(exception.Conflict, self.dbapi.get_cluster_template_by_name,
                                  self.member(), 't')
        self.assertEqual('Multiple ClusterTemplates exist with same name. Please use the '
                         'ClusterTemplate uuid instead.', str(error))

    def test_the_own_template_wins_over_a_public_one_of_that_name(self):
        self.template(project_id='theirs', public=True)
        own = self.template()
        self.assertEqual(own.id, self.dbapi.get_cluster_template_by_name(self.member(), 't').id)

    def test_several_templates_come_in_one_statement_whoever_owns_them(self):
        mine, theirs = self.template(), self.template(project_id='theirs', hidden=True)
        with counting.statements() as sent:
            found = self.dbapi.get_cluster_templates_by_uuids(
                [mine.uuid, theirs.uuid, theirs.uuid, None, 'gone'])
        self.assertEqual({mine.uuid: mine.id, theirs.uuid: theirs.id},
                         {uuid: row.id for uuid, row in found.items()})
        self.assertEqual(1, len(sent))
        with counting.statements() as sent:
            self.assertEqual({}, self.dbapi.get_cluster_templates_by_uuids([None]))
        self.assertEqual([], sent)

    def test_lists_are_sorted_filtered_and_paged(self):
        for name in 'bca':
            self.template(name, image_id=f'image-{name}')
        page = self.dbapi.get_cluster_template_list(self.member(), limit=2, sort_key='name')
        self.assertEqual(['a', 'b'], [row.name for row in page])
        rest = self.dbapi.get_cluster_template_list(self.member(), marker=page[1],
                                                    sort_key='name')
        self.assertEqual(['c'], [row.name for row in rest])
        found = self.dbapi.get_cluster_template_list(
            self.member(), {'image_id': 'image-c', 'bogus': 1})
        self.assertEqual(['c'], [row.name for row in found])


class VisibilityTest(TemplateTestCase):

    def setUp(self):
        super().setUp()
        for name, project_id, public, hidden in (
                ('own', 'mine', False, False), ('own hidden', 'mine', False, True),
                ('public', 'theirs', True, False), ('public hidden', 'theirs', True, True),
                ('public old', 'theirs', True, None), ('private', 'theirs', False, False)):
            self.template(name, project_id, public=public, hidden=hidden)

    def names(self, context):
        listed = {row.name for row in self.dbapi.get_cluster_template_list(context)}
        for row in self.dbapi.get_cluster_template_list(self.admin(all_tenants=True)):
            try:
                self.dbapi.get_cluster_template_by_uuid(context, row.uuid)
                self.assertIn(row.name, listed)
            except exception.ClusterTemplateNotFound:
                self.assertNotIn(row.name, listed)
        return listed

    def test_a_project_sees_its_own_and_what_is_public(self):
        self.assertEqual({'own', 'own hidden', 'public', 'public old'}, self.names(self.member()))
        self.assertEqual({'public', 'public old'}, self.names(self.member('nobody')))

    def test_an_administrator_sees_what_is_hidden_too(self):
        self.assertEqual({'public', 'public hidden', 'public old'}, self.names(self.admin()))

    def test_all_tenants_is_everything(self):
        self.assertEqual(6, len(self.names(self.admin(all_tenants=True))))


class ChangeTest(TemplateTestCase):

    def setUp(self):
        super().setUp()
        self.row = self.template()

    def use(self):
        self.dbapi.create_cluster({'name': 'c', 'cluster_template_id': self.row.uuid})

    def test_a_change_is_stored(self):
        for key in (self.row.id, self.row.uuid):
            changed = self.dbapi.update_cluster_template(key, {'name': f'n{key}', 'coe': 'k'})
            self.assertEqual(f'n{key}', changed.name)

    def test_the_uuid_cannot_change(self):
        error = self.assertRaises(
            exception.InvalidParameterValue, self.dbapi.update_cluster_template, self.row.id,
            {'uuid': uuidutils.generate_uuid()})
        self.assertEqual('Cannot overwrite UUID for an existing ClusterTemplate.', str(error))

    def test_what_is_not_there_cannot_change_or_go(self):
        for method, arguments in ((self.dbapi.update_cluster_template, ({},)),
                                  (self.dbapi.destroy_cluster_template, ())):
            self.assertRaises(exception.ClusterTemplateNotFound, method, 999, *arguments)
            self.assertRaises(exception.InvalidIdentity, method, 'name', *arguments)

    def test_a_template_in_use_changes_in_what_clusters_do_not_notice(self):
        self.use()
        for values in ({'name': 'new'}, {'public': True}, {'hidden': True}, {'hidden': False},
                       {'tags': 'a'}):
            (name, value), = values.items()
            self.assertEqual(value, self.dbapi.update_cluster_template(self.row.id, values)[name])

    def test_a_template_in_use_keeps_everything_else(self):
        self.use()
        for values in ({'public': False}, {'tags': None}, {'image_id': 'i'}, {},
                       {'name': 'new', 'public': True}):
            self.assertRaises(exception.ClusterTemplateReferenced,
                              self.dbapi.update_cluster_template, self.row.id, values)

    def test_a_template_in_use_stays(self):
        self.use()
        for key in (self.row.id, self.row.uuid):
            error = self.assertRaises(exception.ClusterTemplateReferenced,
                                      self.dbapi.destroy_cluster_template, key)
            self.assertEqual(f'ClusterTemplate {key} is referenced by one or multiple clusters.',
                             str(error))
        self.dbapi.get_cluster_template_by_id(self.member(), self.row.id)

    def test_a_free_template_goes(self):
        self.dbapi.create_cluster({'name': 'c', 'cluster_template_id': 'another'})
        self.dbapi.destroy_cluster_template(self.row.uuid)
        self.assertRaises(exception.ClusterTemplateNotFound,
                          self.dbapi.get_cluster_template_by_id, self.member(), self.row.id)
