# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('x509', title='Signing of certificates')

OPTS = [
    cfg.BoolOpt('allow_ca', default=False,
                help='Whether requests for CA certificates are signed.'),
    cfg.ListOpt('allowed_extensions',
                default=['keyUsage', 'extendedKeyUsage', 'subjectAltName', 'basicConstraints',
                         'subjectKeyIdentifier'],
                help='X.509 extensions that a signing request may carry.'),
    cfg.ListOpt('allowed_key_usage',
                default=['Digital Signature', 'Key Encipherment', 'Non Repudiation'],
                help='Key usages that a signing request may carry. "CRL Sign" and "Certificate '
                     'Sign" need allow_ca too.'),
    cfg.IntOpt('term_of_validity', default=365 * 5,
               help='Days that signed certificates are valid.'),
    cfg.IntOpt('rsa_key_size', default=2048, help='Size in bits of generated RSA keys.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
