# SPDX-License-Identifier: Apache-2.0

import contextlib
import datetime
import io
from unittest import mock

from gunicorn import config as gunicorn_config
from oslo_config import cfg

from magnum_ng.cmd import api
from magnum_ng.cmd import checks
from magnum_ng.drivers.common import driver
from magnum_ng.tests import base
from magnum_ng.tests.unit.db import base as db_base


class TestServer(base.TestCase):
    def test_the_options_of_api_are_those_of_the_server(self):
        self.config('api', host='::1', port=1234, workers=3, threads=7, graceful_timeout=9)
        server = api.Server(None)
        self.assertEqual([('::1', 1234)], server.cfg.address)
        self.assertEqual((3, 7, 9, 'gthread'), (server.cfg.workers, server.cfg.threads,
                                                server.cfg.graceful_timeout,
                                                server.cfg.worker_class_str))
        self.assertFalse(server.cfg.is_ssl)

    def test_there_are_as_many_workers_as_processors(self):
        with mock.patch('oslo_concurrency.processutils.get_worker_count', return_value=5):
            self.assertEqual(5, api.settings()['workers'])

    def test_tls_comes_with_its_option(self):
        self.config('api', ssl_cert_file='/c', ssl_key_file='/k')
        self.assertNotIn('certfile', api.settings())
        self.config('api', enabled_ssl=True)
        self.assertEqual(('/c', '/k'), (api.settings()['certfile'], api.settings()['keyfile']))

    def test_all_settings_but_the_newest_are_known_to_the_server(self):
        known = gunicorn_config.make_settings()
        self.assertEqual(set(), set(api.settings()) - set(known) - {'control_socket_disable'})

    def test_a_large_token_fits_a_header(self):
        self.assertGreater(api.Server(None).cfg.limit_request_field_size, 32768)

    def test_requests_are_logged_without_their_query(self):
        logger = api.ServerLogger(gunicorn_config.Config())
        response = mock.Mock(status='200 OK', sent=5)
        with self.assertLogs('magnum.api.access', 'INFO') as logs:
            logger.access(response, None, {'REMOTE_ADDR': '::1', 'REQUEST_METHOD': 'GET',
                                           'RAW_URI': '/v1/clusters?name=secret'},
                          datetime.timedelta(seconds=1))
        self.assertIn('::1 "GET /v1/clusters" status: 200 len: 5 time: 1.0000', logs.output[0])
        self.assertNotIn('secret', logs.output[0])

    def test_a_worker_shares_no_connection_with_its_parent(self):
        with (mock.patch('magnum_ng.db.sqlalchemy.session.get_engine') as engine,
              mock.patch('magnum_ng.common.rpc.cleanup') as cleanup,
              mock.patch('magnum_ng.common.rpc.init') as init):
            api._start_worker(None, None)
        engine().dispose.assert_called_once_with(close=False)
        cleanup.assert_called_once_with()
        init.assert_called_once_with(api.CONF)


class TestChecks(db_base.DbTestCase):
    DATABASE_IN_FILE = True

    def refused(self, check, *texts):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            exit_ = self.assertRaises(SystemExit, check)
        self.assertEqual(1, exit_.code)
        self.assertEqual(1, said.getvalue().count('\n'), said.getvalue())
        for text in texts:
            self.assertIn(text, said.getvalue())
        return said.getvalue()

    def test_a_good_configuration_passes(self):
        info = mock.Mock(error=None, disabled=False)
        with mock.patch.object(driver, 'report', return_value=[info]):
            api.check_configuration()

    def test_without_a_driver_there_is_no_service(self):
        with mock.patch.object(driver, 'report', return_value=[]):
            self.refused(checks.check_drivers, 'No cluster driver can be used', '[drivers]')

    def test_an_unknown_certificate_back_end(self):
        self.config('certificates', cert_manager_type='nonsense')
        self.refused(checks.check_certificates, '[certificates]cert_manager_type = nonsense')

    def test_a_bad_transport(self):
        self.config(transport_url='nonsense://x')
        self.refused(checks.check_messaging, '[DEFAULT]transport_url')

    def test_a_bad_transport_does_not_show_its_password(self):
        for url in ('rabbit://magnum:s3cr#et@host/', 'rabbit://magnum:s3cr/et@host/'):
            self.config(transport_url=url)
            said = self.refused(checks.check_messaging, '[DEFAULT]transport_url')
            self.assertNotIn('s3cr', said)

    def test_tls_without_files(self):
        self.refused(checks.check_tls_files, '[api]ssl_cert_file')
        self.config('api', ssl_cert_file=__file__, ssl_key_file='/nope')
        self.refused(checks.check_tls_files, '[api]ssl_key_file = /nope cannot be read')

    def test_a_bad_paste_file(self):
        for error in (cfg.ConfigFilesNotFoundError(['x']), LookupError('no section'),
                      ImportError('no module')):
            self.refused(lambda error=error: checks.load_api(mock.Mock(side_effect=error)),
                         '[api]api_paste_config = api-paste.ini')

    def test_a_database_without_tables_or_none_at_all(self):
        engine = mock.Mock()
        engine.connect.side_effect = ValueError('first line\nsecond')
        with mock.patch('magnum_ng.db.sqlalchemy.session.get_engine', return_value=engine):
            self.refused(checks.check_database, '[database]connection cannot be used: first line')
