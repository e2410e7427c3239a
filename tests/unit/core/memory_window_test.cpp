// SPDX-License-Identifier: MIT
// Which Bind and which Invalidate may be posted on a window, while others of it are on their way.
#include "core/memory/memory_window.h"

#include "support/requirement.h"
#include "unit/core/fake_adapter_fixture.h"

namespace opennd {
namespace {

using support::proves;

class MemoryWindowTest : public FakeAdapterTest {
protected:
    MemoryWindowTest() {
        EXPECT_EQ(window_->begin_bind(*here_), Status::success);
        window_->bound(binding_, *here_);
    }
    ~MemoryWindowTest() override { window_->close(); }

    const Ref<QueuePair> here_ = make_queue_pair(), elsewhere_ = make_queue_pair();
    const Ref<MemoryWindow> window_ = make_ref<MemoryWindow>(adapter_);
    const Ref<TransportWindowBinding> binding_ = make_ref<fake::FakeWindowBinding>();
};

TEST_F(MemoryWindowTest, IsBoundAnewBehindItsInvalidateOnTheSameQueuePairAlone) {
    proves("ND2-QP-INV-04", "ND2-QP-BIND-01");
    EXPECT_EQ(window_->begin_bind(*here_), Status::invalid_state) << "it is bound";
    window_->invalidate_posted(binding_);
    EXPECT_EQ(window_->begin_bind(*elsewhere_), Status::invalid_state) << "another queue pair may be first";
    EXPECT_EQ(window_->begin_bind(*here_), Status::success);
    window_->bind_failed();
}

TEST_F(MemoryWindowTest, IsInvalidatedOnceAndWhereItIsBound) {
    proves("ND2-QP-INV-02");
    EXPECT_EQ(window_->binding_on(*elsewhere_), nullptr);
    ASSERT_EQ(window_->binding_on(*here_), binding_);
    window_->invalidate_posted(binding_);
    EXPECT_EQ(window_->binding_on(*here_), nullptr) << "its Invalidate is on its way";
}

}  // namespace
}  // namespace opennd
