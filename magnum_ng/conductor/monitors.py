# SPDX-License-Identifier: Apache-2.0
"""Monitors: how the health and the metrics of a cluster are read."""

import abc

from magnum_ng.drivers.common import driver


class MonitorBase(metaclass=abc.ABCMeta):
    """Base class of monitors, kept small because drivers bring their own.

    The health poller calls ``poll_health_status()``, which is not part of the base class, and
    then reads ``health_status`` and ``health_status_reason`` from the dictionary ``data``.
    """

    def __init__(self, context, cluster):
        self.context = context
        self.cluster = cluster

    @property
    @abc.abstractmethod
    def metrics_spec(self):
        """Dictionary: name of a metric -> dictionary of its ``unit`` and its method ``func``."""

    @abc.abstractmethod
    def pull_data(self):
        """Read from the cluster what the metrics are computed from."""

    def get_metric_names(self):
        return list(self.metrics_spec)

    def get_metric_unit(self, metric_name):
        return self.metrics_spec[metric_name]['unit']

    def compute_metric_value(self, metric_name):
        """The metric's value, computed from what ``pull_data()`` read last."""
        return getattr(self, self.metrics_spec[metric_name]['func'])()


def create_monitor(context, cluster):
    """The monitor that the cluster's driver offers, or None."""
    return driver.Driver.get_driver_for_cluster(context, cluster).get_monitor(context, cluster)
