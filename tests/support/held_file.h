// SPDX-License-Identifier: MIT
//
// HeldFile: a file with a last close() that waits until let_go(): a TCP socket that lingers for bytes that are never
// read.
#pragma once

#include <thread>

namespace opennd::support {

class HeldFile {
public:
    HeldFile();  // throws if it cannot be
    HeldFile(const HeldFile&) = delete;
    HeldFile& operator=(const HeldFile&) = delete;
    ~HeldFile() { let_go(); }

    // To be sent to somebody else.
    int descriptor() const { return file_; }
    // Closes this end's descriptor, where another that was sent stays open until afterwards: the last close() is that one's.
    void leave_to_another();
    // The same where all others may be closed by now: then this is the last close(), and a thread of its own waits in it.
    void leave();
    // Ends the close() in progress, and makes later ones return at once.
    void let_go();

private:
    int file_ = -1, reader_ = -1;
    std::thread leaving_;
};

}  // namespace opennd::support
