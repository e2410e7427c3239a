// SPDX-License-Identifier: MIT
// See after_lock.h.
#include "transport/completion/after_lock.h"

#include <array>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace opennd {

struct AfterLock::Work {
    std::array<std::vector<std::function<void()>>, 4> turns;
};

void AfterLock::Delete::operator()(Work* work) const { delete work; }

void AfterLock::append(Turn turn, std::function<void()> work) {
    until_memory([&] {
        if (!work_) work_.reset(new Work);
        work_->turns[static_cast<std::size_t>(turn)].push_back(std::move(work));
    });
}

void AfterLock::run_all() {
    std::exception_ptr failure;
    while (work_) {
        const std::unique_ptr<Work, Delete> all = std::move(work_);
        for (const auto& turn : all->turns)
            for (const std::function<void()>& each : turn) {
                try {
                    each();
                } catch (const std::bad_alloc&) {
                    failure = std::current_exception();
                }
            }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace opennd
