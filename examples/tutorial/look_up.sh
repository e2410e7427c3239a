#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Looks words up with look_up, and compares the lines with those that grep finds. Then the words that the server has no line for, and a
# server without a line.
set -euo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export LC_ALL=C

# More than the client's memory has room for at a time, and in no order.
seq -f 'word %.0f' 60000 | shuf >lines
for word in 'word 7' 'word 59999' '' 'word 7 and more' z; do
    coproc server { exec "$program" server 127.0.0.1 lines; }
    server_process=$server_PID
    exec {from_server}<&"${server[0]}"
    read -r line <&"$from_server"
    "$program" client 127.0.0.1 "${line##* }" "$word" >found
    [ "$(cat <&"$from_server")" = "the client has left" ]
    exec {from_server}<&-
    wait "$server_process"
    (grep "^$word" lines || true) | sort | cmp - found
done

status=0
"$program" server 127.0.0.1 /dev/null || status=$?
[ "$status" = 2 ]
