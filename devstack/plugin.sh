#!/usr/bin/env bash
#
# Entry point of the devstack plugin:
#
#   enable_plugin magnum <repository> [<branch>]

_XTRACE_MAGNUM_PLUGIN=$(set +o | grep xtrace)
set +o xtrace

source "$DEST/magnum/devstack/lib/magnum"

if is_service_enabled magnum-api magnum-cond; then
    case "$1:$2" in
        stack:install)
            echo_summary "Installing magnum"
            install_magnum
            ;;
        stack:post-config)
            echo_summary "Configuring magnum"
            configure_magnum
            if is_service_enabled key; then
                create_magnum_accounts
            fi
            ;;
        stack:extra)
            echo_summary "Starting magnum"
            init_magnum
            start_magnum
            ;;
        unstack:*)
            stop_magnum
            ;;
        clean:*)
            stop_magnum
            cleanup_magnum
            ;;
    esac
fi

$_XTRACE_MAGNUM_PLUGIN
