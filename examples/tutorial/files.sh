#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sends files of several sizes with send_file and compares them. Then one side is killed in the middle of a file: the other has to
# end with 2, because its requests end so, and no file may have the name of a whole one.
set -euo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

start_server() {
    coproc server { exec "$program" server 127.0.0.1 received 2>server_errors; }
    server_process=$server_PID
    exec {from_server}<&"${server[0]}"
    read -r line <&"$from_server"
    port=${line##* }
}

end_of_server() { # its exit status; its output is read to the end
    cat <&"$from_server" >/dev/null
    exec {from_server}<&-
    wait "$server_process"
}

# The client reads a pipe. When 4 MB have gone into it, the client has waited for a half of the window more than once.
start_transfer() {
    rm -f pipe received
    mkfifo pipe
    start_server
    "$program" client 127.0.0.1 "$port" pipe 2>client_errors &
    client_process=$!
    exec {to_client}>pipe
    head -c 4M /dev/zero >&"$to_client"
}

for bytes in 0 1 5000 1048576 2097152 7340033; do
    head -c "$bytes" /dev/urandom >sent
    start_server
    "$program" client 127.0.0.1 "$port" sent
    end_of_server || cat server_errors
    cmp sent received
    rm received
done

start_transfer
kill -KILL "$client_process"
status=0
end_of_server || status=$?
echo "the server ended with $status: $(cat server_errors)"
[ "$status" = 2 ]
grep -qE "ND_(CANCELED|IO_TIMEOUT)" server_errors
wait "$client_process" || true
exec {to_client}>&-
[ ! -e received ]

start_transfer
kill -KILL "$server_process"
end_of_server || true
head -c 4M /dev/zero >&"$to_client" || true # the client reads on, and learns of it by its next result
exec {to_client}>&-
status=0
wait "$client_process" || status=$?
echo "the client ended with $status: $(cat client_errors)"
[ "$status" = 2 ]
grep -qE "ND_(CANCELED|IO_TIMEOUT)" client_errors
[ ! -e received ]
