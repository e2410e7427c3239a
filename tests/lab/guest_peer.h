// SPDX-License-Identifier: MIT
//
// GuestPeer: a verbs_peer that runs in the guest, started from here, and its output. OPENND_LAB_EXEC is the command
// that runs another one in the guest, OPENND_LAB_PEER the guest's address, OPENND_TEST_ADDRESS this side's.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace opennd::lab {

// Empty: the test runs in the lab.
std::string no_lab();

// Of the guest.
std::string guest_address();

// The output of a command in the guest.
std::string in_guest(const std::string& command);

class GuestPeer {
public:
    // It listens when this returns.
    static GuestPeer listening(std::uint16_t port, bool accepts = true);
    static GuestPeer connecting(std::uint16_t port, unsigned bytes = 0, unsigned reads = 16);
    GuestPeer(GuestPeer&& other) noexcept;
    GuestPeer(const GuestPeer&) = delete;
    ~GuestPeer();  // waits for it

    // The next line that it prints, without its end; empty at the end.
    std::string line();
    // Waits for its end.
    int exit_code();

private:
    explicit GuestPeer(const std::string& arguments);

    std::FILE* output_;
};

}  // namespace opennd::lab
