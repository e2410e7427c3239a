#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs message_v1 or message_v2 as two processes, and compares the output of both.
set -euo pipefail
program=$1

coproc server { "$program" server 127.0.0.1; }
server_process=$server_PID
exec {from_server}<&"${server[0]}"
read -r line <&"$from_server"
answer=$("$program" client 127.0.0.1 "${line##* }")
said=$(cat <&"$from_server")
wait "$server_process"
echo "$said"
echo "$answer"
[ "$(sed 's/process [0-9]*$/process N/' <<<"$said")" = "message: look at your memory
written: greetings from process N
the client has left" ]
[ "$answer" = "answer: I have read it" ]
