# SPDX-License-Identifier: Apache-2.0
"""Tables of our own: what is queued, who works on it, and what the core has to remember.

They stand beside the tables of the original, which does not notice them.
"""

import datetime

from sqlalchemy import Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from magnum_ng.db.sqlalchemy.models import Base, Timestamps


class Operation(Timestamps, Base):
    """An accepted operation on a cluster; the row goes when the operation has ended.

    The order of the ids is the order in which the operations of a cluster run.
    ``before`` is what an undo puts back, ``arguments`` what the driver call needs: never a token.
    """

    __tablename__ = 'ng_operation'
    __table_args__ = (
        UniqueConstraint('uuid', name='uniq_ng_operation0uuid'),
        Index('ix_ng_operation_cluster_uuid', 'cluster_uuid'),
        Base.__table_args__)

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str] = mapped_column(String(36))
    cluster_uuid: Mapped[str] = mapped_column(String(36))
    action: Mapped[str] = mapped_column(String(32))
    nodegroup_uuid: Mapped[str | None] = mapped_column(String(36))
    arguments: Mapped[str | None] = mapped_column(Text)
    before: Mapped[str | None] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    owner: Mapped[str | None] = mapped_column(String(128))
    expires_at: Mapped[datetime.datetime]
    user_id: Mapped[str | None]
    project_id: Mapped[str | None]
    request_id: Mapped[str | None]


class ClusterLock(Timestamps, Base):
    """Who may call the driver of a cluster, and until when."""

    __tablename__ = 'ng_cluster_lock'
    __table_args__ = (Index('ix_ng_cluster_lock_owner', 'owner'), Base.__table_args__)

    cluster_uuid: Mapped[str] = mapped_column(String(36), primary_key=True)
    owner: Mapped[str] = mapped_column(String(128))
    purpose: Mapped[str] = mapped_column(String(16))
    expires_at: Mapped[datetime.datetime]


class ProjectLock(Timestamps, Base):
    """A row per project, locked while its clusters are counted and one is added."""

    __tablename__ = 'ng_project_lock'

    project_id: Mapped[str] = mapped_column(primary_key=True)


class ClusterNote(Timestamps, Base):
    """What the core has to remember about a cluster beyond the end of an operation.

    ``upgrade``: the template to refer to once the upgrade is complete.
    ``timeout``: the creation was given up; a driver that still completes it is believed.
    ``retired-N``: a certificate that has been replaced and is to be deleted.
    """

    __tablename__ = 'ng_cluster_note'

    cluster_uuid: Mapped[str] = mapped_column(String(36), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    value: Mapped[str | None]


class Conductor(Timestamps, Base):
    """The last report of a conductor of ours; ``magnum_service`` has those of the original too."""

    __tablename__ = 'ng_conductor'

    host: Mapped[str] = mapped_column(primary_key=True)
    last_seen_up: Mapped[datetime.datetime]
