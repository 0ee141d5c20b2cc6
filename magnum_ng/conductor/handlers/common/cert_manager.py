# SPDX-License-Identifier: Apache-2.0
"""The certificates of a cluster: made, read, signed with, put into files, deleted.

A cluster has three certificate authorities (Kubernetes, etcd, front proxy) and one client
certificate of the service. The cluster's row holds the references only.
"""

import concurrent.futures
import contextlib
import functools
import hashlib
import os
import shutil
import tempfile
import time

from oslo_db import exception as db_exc
from oslo_utils import uuidutils

import magnum_ng.conf
from magnum_ng.common import cert_manager
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common import short_id
from magnum_ng.common import utils
from magnum_ng.common.x509 import operations as x509
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.i18n import _

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

CONDUCTOR_CLIENT_NAME = 'Magnum-Conductor'

# the attributes of a cluster that hold references
REFERENCES = ('ca_cert_ref', 'etcd_ca_cert_ref', 'front_proxy_ca_cert_ref', 'magnum_cert_ref')

_CA_TYPES = {None: 'ca_cert_ref', 'kubernetes': 'ca_cert_ref', 'etcd': 'etcd_ca_cert_ref',
             'front-proxy': 'front_proxy_ca_cert_ref', 'front_proxy': 'front_proxy_ca_cert_ref'}

_CLIENT_FILES = ('ca.crt', 'client.key', 'client.crt')
_STATE_FILE = 'made-from'


def check_ca_cert_type(ca_cert_type):
    """Refuse what is no type of certificate authority.

    :raises InvalidParameterValue: always a 400
    """
    if ca_cert_type not in _CA_TYPES:
        raise exception.InvalidParameterValue(err=_(
            'ca_cert_type has to be kubernetes, etcd or front-proxy.'))


# Making them


def generate_certificates(cluster, context=None):
    """Make and store a new set; the dictionary of its references.

    Nothing of the cluster is changed, and the set that it refers to stays. If anything fails,
    what was stored of the new set is deleted again.

    :raises CertificatesToClusterFailed:
    """
    manager = cert_manager.get_backend().CertManager
    store = functools.partial(_store, manager, context)
    stored = {}
    try:
        new = _make_set(_get_issuer_name(cluster))
        if getattr(manager, 'concurrent', False):
            with concurrent.futures.ThreadPoolExecutor(len(new)) as pool:
                jobs = {attribute: pool.submit(store, *parts)
                        for attribute, parts in new.items()}
                concurrent.futures.wait(jobs.values())
            stored = {attribute: job.result() for attribute, job in jobs.items()
                      if job.exception() is None}
            for job in jobs.values():
                job.result()
        elif getattr(manager, 'store_certs', None):
            stored = dict(zip(new, manager.store_certs(
                [_arguments(*parts) for parts in new.values()], context), strict=True))
        else:
            for attribute, parts in new.items():
                stored[attribute] = store(*parts)
    except Exception as error:
        # the error's text may quote what was to be stored
        LOG.error('The certificates of cluster %s could not be made: %s', cluster.uuid,
                  type(error).__name__)
        with contextlib.suppress(db_exc.DBError):
            _delete(stored.values(), cluster, context)
        raise exception.CertificatesToClusterFailed(cluster_uuid=cluster.uuid) from error
    return stored


def generate_certificates_to_cluster(cluster, context=None):
    """Make a new set and refer to it from the cluster, which the caller saves."""
    for attribute, reference in generate_certificates(cluster, context).items():
        setattr(cluster, attribute, reference)


def swap_certificates(cluster, references):
    """Let the cluster refer to another set; the references of the one before."""
    before = {attribute: getattr(cluster, attribute, None) for attribute in REFERENCES}
    for attribute, reference in references.items():
        setattr(cluster, attribute, reference)
    return before


def _make_set(issuer_name):
    """Attribute -> (name, PEM of both parts, passphrase). The keys are made side by side."""
    with concurrent.futures.ThreadPoolExecutor(len(REFERENCES)) as pool:
        keys = list(pool.map(lambda _index: x509.generate_private_key(), REFERENCES))
    made = {attribute: _generate_ca_cert(issuer_name, key)
            for attribute, key in zip(REFERENCES[:3], keys)}
    made['magnum_cert_ref'] = _generate_client_cert(issuer_name, keys[3], made['ca_cert_ref'])
    return made


def _generate_ca_cert(issuer_name, key):
    passphrase = short_id.generate_id()
    pair = x509.generate_ca_certificate(issuer_name, encryption_password=passphrase,
                                        private_key=key)
    return issuer_name, pair, passphrase


def _generate_client_cert(issuer_name, key, authority):
    _name, ca_pair, ca_passphrase = authority
    passphrase = short_id.generate_id()
    pair = x509.generate_client_certificate(
        issuer_name, 'admin', 'system:masters', ca_pair['private_key'],
        encryption_password=passphrase, ca_key_password=ca_passphrase,
        ca_certificate=ca_pair['certificate'], private_key=key)
    return CONDUCTOR_CLIENT_NAME, pair, passphrase


def _arguments(name, pair, passphrase):
    return {'certificate': pair['certificate'], 'private_key': pair['private_key'],
            'private_key_passphrase': passphrase, 'name': name}


def _store(manager, context, *parts):
    return manager.store_cert(context=context, **_arguments(*parts))


def _get_issuer_name(cluster):
    return cluster.name or cluster.uuid


# Reading them and signing with them


def get_cluster_ca_certificate(cluster, context=None, ca_cert_type=None):
    """One of the cluster's certificate authorities, as a Cert.

    :raises InvalidParameterValue: no such type
    :raises Conflict: the cluster has none yet
    """
    check_ca_cert_type(ca_cert_type)
    return _get_cert(cluster, _CA_TYPES[ca_cert_type], context)


def get_cluster_magnum_cert(cluster, context=None):
    """The service's own client certificate for the cluster, as a Cert."""
    return _get_cert(cluster, 'magnum_cert_ref', context)


def _get_cert(cluster, attribute, context):
    reference = getattr(cluster, attribute)
    if not reference:
        raise exception.Conflict(_('The certificates of cluster %s do not exist yet.')
                                 % cluster.uuid)
    return cert_manager.get_backend().CertManager.get_cert(
        reference, resource_ref=cluster.uuid, context=context)


def sign_node_certificate(cluster, csr, ca_cert_type=None, context=None):
    """PEM text of a certificate for a signing request.

    :raises InvalidCsr: the request is not fit to be signed
    :raises CertificateValidationError: it asks for an extension that is not allowed
    """
    authority = get_cluster_ca_certificate(cluster, context, ca_cert_type)
    try:
        return x509.sign(csr, _get_issuer_name(cluster), authority.get_private_key(),
                         authority.get_private_key_passphrase(),
                         ca_certificate=authority.get_certificate())
    except (ValueError, TypeError) as error:
        # Not the request's fault, which has an error of its own: what is stored is no authority.
        LOG.warning('The authority of cluster %s cannot be read: %s', cluster.uuid,
                    type(error).__name__)
        raise exception.BackendError(service='certificate') from None


# Deleting them


def delete_certificates_from_cluster(cluster, context=None):
    """Delete the set that the cluster refers to, and the files made from it.

    What cannot be deleted is logged and left behind: it must not keep the cluster. Returns the
    references of that.
    """
    return delete_certificates({attribute: getattr(cluster, attribute, None)
                                for attribute in REFERENCES}, cluster, context)


def delete_certificates(references, cluster, context=None):
    """Delete a set by its references (attribute -> reference), one that was replaced say.

    Returns the references of what could not be deleted.
    """
    left = _delete(references.values(), cluster, context)
    delete_client_files(cluster, context)
    return left


def _delete(references, cluster, context):
    manager = cert_manager.get_backend().CertManager
    left = []
    for reference in references:
        if not reference:
            continue
        try:
            try:
                manager.delete_cert(reference, resource_ref=cluster.uuid, context=context)
            except Exception as error:
                if isinstance(error, db_exc.DBError) and db_session.in_transaction():
                    # all that was deleted in it is there again; who has begun it may repeat it
                    raise
                # a connection that was cut just now works again the next time
                time.sleep(0.5)
                manager.delete_cert(reference, resource_ref=cluster.uuid, context=context)
        except Exception as error:
            if isinstance(error, db_exc.DBError) and db_session.in_transaction():
                raise
            LOG.warning('Certificate %s of cluster %s is left behind: %s', reference,
                        cluster.uuid, type(error).__name__)
            left.append(reference)
    return left


# Files for libraries that take nothing else


def create_client_files(cluster, context=None):
    """Files with the CA, the key and the client certificate, open for reading.

    They are kept below ``[cluster] temp_cache_dir`` if that directory exists, readable for the
    service alone, until the references change; else they vanish when they are closed.
    """
    if os.path.isdir(CONF.cluster.temp_cache_dir):
        try:
            return _cached_files(cluster, context)
        except OSError as error:
            LOG.warning('[cluster] temp_cache_dir cannot be used: %s', error.strerror)
    else:
        LOG.debug('[cluster] temp_cache_dir does not exist; nothing is kept')
    return tuple(_temporary_file(text) for text in _client_texts(cluster, context))


def delete_client_files(cluster, context=None):
    """Remove the files kept for a cluster."""
    shutil.rmtree(_directory(cluster), ignore_errors=True)


def purge_client_files(uuids):
    """Remove the files kept for clusters other than these: they were deleted elsewhere."""
    for name in _entries(CONF.cluster.temp_cache_dir):
        if uuidutils.is_uuid_like(name) and name not in uuids:
            shutil.rmtree(os.path.join(CONF.cluster.temp_cache_dir, name), ignore_errors=True)


def _directory(cluster):
    return os.path.join(CONF.cluster.temp_cache_dir, cluster.uuid)


def _cached_files(cluster, context):
    directory = _directory(cluster)
    state = _state_of_cache(cluster)
    if _read(os.path.join(directory, _STATE_FILE)) != state:
        _fill_cache(directory, _client_texts(cluster, context) + (state,))
    return tuple(open(os.path.join(directory, name), encoding='utf-8')
                 for name in _CLIENT_FILES)


def _state_of_cache(cluster):
    """Which certificates the files were made from."""
    references = f'{cluster.ca_cert_ref} {cluster.magnum_cert_ref}'
    return hashlib.sha256(references.encode()).hexdigest()


def _fill_cache(directory, texts):
    """Write the files elsewhere and rename: they are there whole or not at all."""
    parent = os.path.dirname(directory)
    new = tempfile.mkdtemp(prefix='.new-', dir=parent)
    try:
        for name, text in zip(_CLIENT_FILES + (_STATE_FILE,), texts):
            _write_private(os.path.join(new, name), text)
        try:
            os.rename(new, directory)
        except OSError:
            # outdated files are in the way, or another thread was faster
            old = tempfile.mkdtemp(prefix='.old-', dir=parent)
            os.rename(directory, old)
            shutil.rmtree(old, ignore_errors=True)
            os.rename(new, directory)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _entries(directory):
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _read(path):
    try:
        with open(path, encoding='utf-8') as source:
            return source.read()
    except OSError:
        return None


def _client_texts(cluster, context):
    authority = get_cluster_ca_certificate(cluster, context)
    client = get_cluster_magnum_cert(cluster, context)
    parts = (authority.get_certificate(), client.get_decrypted_private_key(),
             client.get_certificate())
    return tuple(utils.as_text(part) for part in parts)


def _write_private(path, text):
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 'w') as target:
        target.write(text)


def _temporary_file(text):
    file = tempfile.NamedTemporaryFile('w+', encoding='utf-8')
    file.write(text)
    file.seek(0)
    return file
