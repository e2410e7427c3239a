#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The driver in two processes: a server, and two clients one after the other. Fails if one of the three does.
set -euo pipefail
program=$1

coproc server { "$program" server 127.0.0.1; }
server_process=$server_PID
read -r line <&"${server[0]}"
echo "$line"
"$program" client 127.0.0.1 "${line##* }"
"$program" client 127.0.0.1 "${line##* }"
to_server=${server[1]}
exec {to_server}>&- # the end of its input
wait "$server_process"
