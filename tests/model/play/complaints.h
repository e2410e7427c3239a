// SPDX-License-Identifier: MIT
//
// Complaints: writes failed expectations of the drivers to the board.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <mutex>

#include "model/play/board.h"

namespace opennd::modeled {

class Complaints final : public testing::EmptyTestEventListener {
public:
    // `side` is that of the calling thread.
    Complaints(Board& board, std::function<unsigned()> side) : board_(board), side_(std::move(side)) {}

    // Replaces the printer of failed expectations, for good.
    static void listen(Board& board, std::function<unsigned()> side);

    void OnTestPartResult(const testing::TestPartResult& result) override;

private:
    Board& board_;
    const std::function<unsigned()> side_;
    std::mutex mutex_;
};

}  // namespace opennd::modeled
