// SPDX-License-Identifier: MIT
// The interrupt vectors of completion queues.
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

using VectorTest = DataPathTest;

TEST_F(VectorTest, AreTakenInTurns) {
    const std::size_t before = fake_.counts().vectors.size();  // the trial of the limits
    CountingSink sink;
    std::vector<Ref<TransportCompletionQueue>> queues;
    for (int i = 0; i < 6; ++i) queues.push_back(adapter_->create_completion_queue(8, NotifyRule::level, sink).take());
    std::vector<int> vectors = fake_.counts().vectors;
    vectors.erase(vectors.begin(), vectors.begin() + static_cast<std::ptrdiff_t>(before));
    EXPECT_EQ(vectors, (std::vector<int>{0, 1, 2, 3, 0, 1}));
    for (const auto& queue : queues) queue->close();
}

}  // namespace
}  // namespace opennd::verbs
