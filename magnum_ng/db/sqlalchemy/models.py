# SPDX-License-Identifier: Apache-2.0
"""Tables of the original, column for column.

The tables of our own are in :mod:`magnum_ng.db.sqlalchemy.ng_models`; they share the metadata.
"""

import datetime
import json
from typing import Any

from oslo_db.sqlalchemy import models as oslo_models
from oslo_serialization import jsonutils
from oslo_utils import timeutils
from sqlalchemy import DateTime, String, Text, UniqueConstraint
from sqlalchemy import types as sa_types
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# What a MySQL TEXT column holds, in bytes.
TEXT_BYTES = 65535


class JsonEncodedType(sa_types.TypeDecorator):
    """Text that holds JSON; a missing value is stored as the empty container."""

    impl = Text
    cache_ok = True
    type: type = object

    def process_bind_param(self, value, dialect):
        if value is None:
            value = self.type()
        elif not isinstance(value, self.type):
            raise TypeError(f'{type(self).__name__} supposes to store {self.type} objects, '
                            f'but {type(value)} given')
        return json.dumps(value, default=jsonutils.to_primitive)

    def process_result_value(self, value, dialect):
        return None if value is None else json.loads(value)


class JSONEncodedDict(JsonEncodedType):
    """A dictionary stored as JSON."""

    cache_ok = True
    type = dict


class JSONEncodedList(JsonEncodedType):
    """A list stored as JSON."""

    cache_ok = True
    type = list


class ReasonText(sa_types.TypeDecorator):
    """Text that is stored whatever it is: no message of a driver may stop a status update."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value, dialect):
        if not isinstance(value, str):
            return value
        encoded = value.encode('utf-8', 'replace')
        if len(encoded) > TEXT_BYTES:
            value = encoded[:TEXT_BYTES].decode('utf-8', 'ignore')
        if dialect.name == 'mysql' and not value.isascii():
            # The tables of the original hold three bytes a character.
            value = ''.join(c if c <= '\uffff' else '\ufffd' for c in value)
        return value.replace('\x00', '\ufffd')


class Base(oslo_models.ModelBase, DeclarativeBase):
    """What all rows can do: item access, ``update``, ``as_dict``."""

    __table_args__: Any = {'mysql_engine': 'InnoDB', 'mysql_charset': 'utf8mb4'}

    type_annotation_map = {
        datetime.datetime: DateTime(),
        str: String(255),
    }

    def as_dict(self) -> dict[str, Any]:
        return {column.name: self[column.name] for column in self.__table__.columns}


class Timestamps:
    """When a row came and when it last changed; the last two columns of each table."""

    created_at: Mapped[datetime.datetime | None] = mapped_column(
        default=lambda: timeutils.utcnow(), sort_order=1000)
    updated_at: Mapped[datetime.datetime | None] = mapped_column(
        onupdate=lambda: timeutils.utcnow(), sort_order=1001)


class Cluster(Timestamps, Base):
    """A cluster. Sizes and addresses are those of its nodegroups."""

    __tablename__ = 'cluster'
    __table_args__ = (UniqueConstraint('uuid'), Base.__table_args__)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[str | None]
    user_id: Mapped[str | None]
    uuid: Mapped[str | None] = mapped_column(String(36))
    name: Mapped[str | None]
    cluster_template_id: Mapped[str | None]
    keypair: Mapped[str | None]
    docker_volume_size: Mapped[int | None]
    labels: Mapped[dict | None] = mapped_column(JSONEncodedDict)
    master_flavor_id: Mapped[str | None]
    flavor_id: Mapped[str | None]
    stack_id: Mapped[str | None]
    api_address: Mapped[str | None]
    status: Mapped[str | None] = mapped_column(String(20))
    status_reason: Mapped[str | None] = mapped_column(ReasonText)
    health_status: Mapped[str | None] = mapped_column(String(20))
    health_status_reason: Mapped[dict | None] = mapped_column(JSONEncodedDict)
    create_timeout: Mapped[int | None]
    discovery_url: Mapped[str | None]
    coe_version: Mapped[str | None]
    container_version: Mapped[str | None]
    ca_cert_ref: Mapped[str | None] = mapped_column(String(512))
    magnum_cert_ref: Mapped[str | None] = mapped_column(String(512))
    etcd_ca_cert_ref: Mapped[str | None] = mapped_column(String(512))
    front_proxy_ca_cert_ref: Mapped[str | None] = mapped_column(String(512))
    fixed_network: Mapped[str | None]
    fixed_subnet: Mapped[str | None]
    floating_ip_enabled: Mapped[bool | None] = mapped_column(default=True)
    master_lb_enabled: Mapped[bool | None] = mapped_column(default=False)


class ClusterTemplate(Timestamps, Base):
    """What clusters are made from."""

    __tablename__ = 'cluster_template'
    __table_args__ = (UniqueConstraint('uuid'), Base.__table_args__)

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str | None] = mapped_column(String(36))
    project_id: Mapped[str | None]
    user_id: Mapped[str | None]
    name: Mapped[str | None]
    image_id: Mapped[str | None]
    flavor_id: Mapped[str | None]
    master_flavor_id: Mapped[str | None]
    keypair_id: Mapped[str | None]
    external_network_id: Mapped[str | None]
    fixed_network: Mapped[str | None]
    fixed_subnet: Mapped[str | None]
    network_driver: Mapped[str | None]
    volume_driver: Mapped[str | None]
    dns_nameserver: Mapped[str | None]
    apiserver_port: Mapped[int | None]
    docker_volume_size: Mapped[int | None]
    docker_storage_driver: Mapped[str | None]
    cluster_distro: Mapped[str | None]
    coe: Mapped[str | None]
    http_proxy: Mapped[str | None]
    https_proxy: Mapped[str | None]
    no_proxy: Mapped[str | None]
    registry_enabled: Mapped[bool | None] = mapped_column(default=False)
    labels: Mapped[dict | None] = mapped_column(JSONEncodedDict)
    tls_disabled: Mapped[bool | None] = mapped_column(default=False)
    public: Mapped[bool | None] = mapped_column(default=False)
    server_type: Mapped[str | None]
    insecure_registry: Mapped[str | None]
    master_lb_enabled: Mapped[bool | None] = mapped_column(default=False)
    floating_ip_enabled: Mapped[bool | None] = mapped_column(default=True)
    hidden: Mapped[bool | None] = mapped_column(default=False)
    tags: Mapped[str | None]
    driver: Mapped[str | None]


class NodeGroup(Timestamps, Base):
    """Machines of one kind within a cluster."""

    __tablename__ = 'nodegroup'
    __table_args__ = (
        UniqueConstraint('uuid', name='uniq_nodegroup0uuid'),
        UniqueConstraint('cluster_id', 'name', name='uniq_nodegroup0cluster_id0name'),
        Base.__table_args__)

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str | None] = mapped_column(String(36))
    name: Mapped[str | None]
    cluster_id: Mapped[str | None]
    project_id: Mapped[str | None]
    docker_volume_size: Mapped[int | None]
    labels: Mapped[dict | None] = mapped_column(JSONEncodedDict)
    flavor_id: Mapped[str | None]
    image_id: Mapped[str | None]
    node_addresses: Mapped[list | None] = mapped_column(JSONEncodedList)
    node_count: Mapped[int | None]
    role: Mapped[str | None]
    max_node_count: Mapped[int | None]
    min_node_count: Mapped[int | None]
    is_default: Mapped[bool | None] = mapped_column(default=False)
    stack_id: Mapped[str | None]
    status: Mapped[str | None] = mapped_column(String(20))
    status_reason: Mapped[str | None] = mapped_column(ReasonText)
    version: Mapped[str | None] = mapped_column(String(20))
    node_labels: Mapped[dict | None] = mapped_column(JSONEncodedDict)
    node_taints: Mapped[list | None] = mapped_column(JSONEncodedList)


class X509KeyPair(Timestamps, Base):
    """A certificate with its key, for deployments without a secret store."""

    __tablename__ = 'x509keypair'
    __table_args__ = (
        UniqueConstraint('uuid', name='uniq_x509keypair0uuid'), Base.__table_args__)

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str | None] = mapped_column(String(36))
    certificate: Mapped[str | None] = mapped_column(Text)
    private_key: Mapped[str | None] = mapped_column(Text)
    private_key_passphrase: Mapped[str | None] = mapped_column(Text)
    intermediates: Mapped[str | None] = mapped_column(Text)
    project_id: Mapped[str | None]
    user_id: Mapped[str | None]


class MagnumService(Timestamps, Base):
    """The heartbeat of one process."""

    __tablename__ = 'magnum_service'
    __table_args__ = (
        UniqueConstraint('host', 'binary', name='uniq_magnum_service0host0binary'),
        Base.__table_args__)

    id: Mapped[int] = mapped_column(primary_key=True)
    host: Mapped[str | None]
    binary: Mapped[str | None]
    disabled: Mapped[bool | None] = mapped_column(default=False)
    disabled_reason: Mapped[str | None]
    last_seen_up: Mapped[datetime.datetime | None]
    forced_down: Mapped[bool | None] = mapped_column(default=False)
    report_count: Mapped[int] = mapped_column(default=0)


class Quota(Timestamps, Base):
    """How much of a resource a project may have."""

    __tablename__ = 'quotas'
    __table_args__ = (
        UniqueConstraint('project_id', 'resource', name='uniq_quotas0project_id0resource'),
        Base.__table_args__)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[str | None]
    resource: Mapped[str | None]
    hard_limit: Mapped[int | None]


class Federation(Timestamps, Base):
    """A group of clusters; kept for the API's sake."""

    __tablename__ = 'federation'
    __table_args__ = (
        UniqueConstraint('uuid', name='uniq_federation0uuid'), Base.__table_args__)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[str | None]
    uuid: Mapped[str | None] = mapped_column(String(36))
    name: Mapped[str | None]
    hostcluster_id: Mapped[str | None]
    member_ids: Mapped[list | None] = mapped_column(JSONEncodedList)
    status: Mapped[str | None] = mapped_column(String(20))
    status_reason: Mapped[str | None] = mapped_column(ReasonText)
    properties: Mapped[dict | None] = mapped_column(JSONEncodedDict)


from magnum_ng.db.sqlalchemy import ng_models  # noqa: E402,F401 (same metadata)
