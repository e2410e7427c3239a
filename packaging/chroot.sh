# SPDX-License-Identifier: MIT
# Chroots of a Debian release, for scripts of this folder that are run as root. mmdebstrap makes them; DEBIAN_ARCHIVE names another archive.
# shellcheck shell=bash
archive=${DEBIAN_ARCHIVE:-http://deb.debian.org/debian}

# chroot_of SUITE FOLDER PACKAGES: a new one.
chroot_of() {
    rm -rf "$2"
    mmdebstrap --quiet --variant=apt --include="$3" "$1" "$2" "$archive"
}

# inside FOLDER COMMAND...: with the file systems that programs expect.
inside() {
    local folder=$1
    shift
    unshare --mount --fork --pid --kill-child bash -c '
        set -e
        mount -t proc proc "$0/proc"
        mount -t tmpfs tmpfs "$0/dev/shm" 2>/dev/null || { mkdir -p "$0/dev/shm"; mount -t tmpfs tmpfs "$0/dev/shm"; }
        exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' "$folder" "$@"
}
