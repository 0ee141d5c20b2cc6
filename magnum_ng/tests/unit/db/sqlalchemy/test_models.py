# SPDX-License-Identifier: Apache-2.0

import json
import os

import sqlalchemy as sa

from magnum_ng.db.sqlalchemy import models
from magnum_ng.tests import base

with open(os.path.join(os.path.dirname(__file__), 'data', 'schema-models.json')) as _file:
    RECORDED = json.load(_file)


def described(column):
    """Return a column the way the record has it."""
    type_ = str(column.type)
    if isinstance(column.type, models.JsonEncodedType):
        type_ += f' (JSON {column.type.type.__name__})'
    found = {'name': column.name, 'type': type_, 'nullable': column.nullable,
             'primary_key': column.primary_key}
    for key, default in (('client_side_default', column.default),
                         ('client_side_onupdate', column.onupdate)):
        if default is not None:
            found[key] = 'callable (utcnow)' if default.is_callable else default.arg
    return found


class RecordedSchemaTest(base.TestCase):

    def test_tables_are_those_of_the_original(self):
        own = {name for name in models.Base.metadata.tables if not name.startswith('ng_')}
        self.assertEqual(set(RECORDED), own)

    def test_columns_keep_name_type_null_default_and_order(self):
        for name, recorded in RECORDED.items():
            found = [described(column) for column in models.Base.metadata.tables[name].columns]
            self.assertEqual(recorded['columns'], found, name)

    def test_unique_constraints_are_those_of_the_original(self):
        for name, recorded in RECORDED.items():
            found = [{'name': constraint.name, 'columns': [c.name for c in constraint.columns]}
                     for constraint in models.Base.metadata.tables[name].constraints
                     if isinstance(constraint, sa.UniqueConstraint)]
            self.assertCountEqual(recorded['unique_constraints'], found, name)
            self.assertEqual(set(), models.Base.metadata.tables[name].indexes)
            self.assertEqual(set(), models.Base.metadata.tables[name].foreign_keys)

    def test_models_keep_their_names(self):
        for name, recorded in RECORDED.items():
            self.assertEqual(name, getattr(models, recorded['model']).__tablename__)


class TypesTest(base.TestCase):

    def bind(self, type_, value, dialect='sqlite'):
        dialect = sa.make_url(f'{dialect}://').get_dialect()()
        return type_.process_bind_param(value, dialect)

    def test_a_missing_value_is_stored_as_the_empty_container(self):
        self.assertEqual('{}', self.bind(models.JSONEncodedDict(), None))
        self.assertEqual('[]', self.bind(models.JSONEncodedList(), None))

    def test_a_null_of_the_database_reads_as_none(self):
        self.assertIsNone(models.JSONEncodedDict().process_result_value(None, None))
        self.assertEqual([1], models.JSONEncodedList().process_result_value('[1]', None))

    def test_a_value_of_another_type_is_refused(self):
        error = self.assertRaises(TypeError, self.bind, models.JSONEncodedDict(), [])
        self.assertEqual("JSONEncodedDict supposes to store <class 'dict'> objects, "
                         "but <class 'list'> given", str(error))

    def test_json_types_may_be_part_of_a_cached_statement(self):
        for type_ in (models.JsonEncodedType, models.JSONEncodedDict, models.JSONEncodedList,
                      models.ReasonText):
            self.assertIs(True, vars(type_)['cache_ok'])

    def test_a_reason_is_cut_to_what_the_column_holds(self):
        stored = self.bind(models.ReasonText(), 'é' * 40000)
        self.assertEqual('é' * 32767, stored)

    def test_a_reason_loses_what_the_table_cannot_hold(self):
        self.assertEqual('a\ufffdb', self.bind(models.ReasonText(), 'a\U0001f600b',
                                               'mysql+pymysql'))
        self.assertEqual('a\U0001f600b', self.bind(models.ReasonText(), 'a\U0001f600b'))
        self.assertEqual('a\ufffdb', self.bind(models.ReasonText(), 'a\x00b'))

    def test_rows_give_items_and_dictionaries(self):
        row = models.Quota(project_id='p', hard_limit=3)
        row['resource'] = 'Cluster'
        row.update({'hard_limit': 4})
        self.assertEqual({'id': None, 'project_id': 'p', 'resource': 'Cluster', 'hard_limit': 4,
                          'created_at': None, 'updated_at': None}, row.as_dict())
