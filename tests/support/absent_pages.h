// SPDX-License-Identifier: MIT
//
// AbsentPages: memory of this process whose pages do not come, for whoever touches them: the kernel waits for a word of
// userfaultfd that nobody gives.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace opennd::support {

class AbsentPages {
public:
    // Why there can be none in this environment; "" if there can.
    static std::string unavailable();

    // The whole pages of private memory within `bytes`, from now until this goes. What they held is lost. Throws if it cannot be.
    explicit AbsentPages(std::span<std::byte> bytes);
    AbsentPages(const AbsentPages&) = delete;
    AbsentPages& operator=(const AbsentPages&) = delete;
    ~AbsentPages();  // who waits gets pages of zeros

    // Returns when somebody waits for one of them. False: nobody does by the deadline.
    bool are_waited_for() const;

private:
    int descriptor_;
};

}  // namespace opennd::support
