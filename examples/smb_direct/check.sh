#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Server and client, of the same version of Network Direct and of two: in one process, or in two.
#
#     check.sh PROGRAM one|two
set -euo pipefail
program=$1 processes=$2

in_one_process() {
    "$program" both 127.0.0.1 "$1" "$2"
}

in_two_processes() {
    coproc server { exec "$program" server 127.0.0.1 "$1"; }
    server_process=$server_PID
    exec {from_server}<&"${server[0]}"
    read -r line <&"$from_server"
    "$program" client 127.0.0.1 "${line##* }" "$2"
    cat <&"$from_server"
    exec {from_server}<&-
    wait "$server_process"
}

for served_by in nd2 nd1; do
    windows=0 # version 2 has no Send that invalidates
    [ "$served_by" = nd2 ] || windows=16
    for used_by in nd2 nd1; do
        echo "a server of $served_by, a client of $used_by"
        if [ "$processes" = one ]; then output=$(in_one_process "$served_by" "$used_by"); else output=$(in_two_processes "$served_by" "$used_by"); fi
        echo "$output"
        grep -qx "server: 48 requests, $windows windows invalidated" <<<"$output"
    done
done
