// SPDX-License-Identifier: MIT
//
// See complaints.h.
#include "model/play/complaints.h"

#include <string>
#include <utility>

namespace opennd::modeled {

void Complaints::listen(Board& board, std::function<unsigned()> side) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Complaints(board, std::move(side)));
}

void Complaints::OnTestPartResult(const testing::TestPartResult& result) {
    if (!result.failed()) return;
    const std::lock_guard lock(mutex_);
    Writer(board_.trails[side_()]).complain(std::string(result.summary()) + '\n');
}

}  // namespace opennd::modeled
