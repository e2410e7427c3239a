// SPDX-License-Identifier: MIT
//
// What the kernel of a test may lack, or an emulator of another processor in its place (qemu-user). Each looks by doing it, and says why
// a test that needs it cannot be: "" where it works.
#pragma once

#include <string>

namespace opennd::support {

// Pages of shared memory go back with MADV_REMOVE, and read as zero again.
std::string keeps_removed_pages();

// A process copies from the memory of another, and to it.
std::string copies_between_no_processes();

// recvmsg() takes a packet from a socket where there is no room for it.
std::string receives_only_with_room();

// Addresses that nobody has touched take no memory.
std::string charges_for_addresses();

// A child of fork starts threads, though its parent had some.
std::string starts_no_threads_behind_fork();

// A program of GoogleTest starts itself again.
std::string starts_no_program();

}  // namespace opennd::support
