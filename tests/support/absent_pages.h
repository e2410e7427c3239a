// SPDX-License-Identifier: MIT
//
// AbsentPages: memory of this process without its pages: every access waits in the kernel for a word of userfaultfd
// that never comes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace opennd::support {

class AbsentPages {
public:
    // Why there can be none in this environment; "" if there can.
    static std::string unavailable();

    // The whole pages of private memory within `bytes`, from now until this goes. Their contents are lost. Throws if it
    // cannot be.
    explicit AbsentPages(std::span<std::byte> bytes);
    AbsentPages(const AbsentPages&) = delete;
    AbsentPages& operator=(const AbsentPages&) = delete;
    ~AbsentPages();  // waiting accesses get pages of zeros

    // Returns when somebody waits for one of them. False: nobody does by the deadline.
    bool are_waited_for() const;

private:
    int descriptor_;
};

}  // namespace opennd::support
