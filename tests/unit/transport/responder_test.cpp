// SPDX-License-Identifier: MIT
// What the responder lets the peer of its queue pair do with tokens, for wires that bring Reads and Writes as messages. The
// local wire's own peer asks for no more than it may; a hostile one does.
#include "transport/soft/responder.h"

#include <vector>

#include <gtest/gtest.h>

#include "scattered_memory.h"
#include "scripted_queue_pair.h"
#include "support/requirement.h"

namespace opennd::test {
namespace {

using support::proves;

class ResponderTest : public ScriptedQueuePair {
protected:
    static constexpr std::size_t kBytes = 64;

    ResponderTest() {
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
        other_ = Ref<soft::SoftQueuePair>(static_cast<soft::SoftQueuePair*>(made.get()));
        other_->attach(make_ref<ScriptedChannel>(), nullptr, {1, 1});
    }
    ~ResponderTest() override { other_->close(); }

    Ref<TransportWindowBinding> bind_on(soft::SoftQueuePair& queue_pair, const Ref<TransportMemory>& region,
                                        std::uint64_t address) {
        const Ref<TransportWindowBinding> binding =
            adapter_
                ->bind_window(queue_pair, *region, reinterpret_cast<std::byte*>(address), kBytes,
                              Access::remote_read | Access::remote_write, {})
                .take();
        WorkRequest bind{Operation::bind, RequestFlags::silent_success, nullptr, {}};
        bind.subject = binding.get();
        EXPECT_EQ(queue_pair.post(bind), Status::success);
        return binding;
    }
    // What the peer of queue_pair_ is told that uses the token.
    Status asked_by_peer(Token token, std::uint64_t address, Access wanted) {
        Status told = Status::internal_error;
        channel_->on_receive = [&](soft::Responder& responder) -> std::size_t {
            std::span<const Sge> places;
            soft::ResolvedMemory memory;
            told = responder.check_remote(token, address, kBytes, wanted, places, memory);
            return 0;
        };
        EXPECT_EQ(poll(), 0u);
        channel_->on_receive = [](soft::Responder&) { return 0; };
        return told;
    }
    void expect_own_window_alone(const Ref<TransportMemory>& region, std::uint64_t address, Access wanted) {
        const auto own = bind_on(*queue_pair_, region, address);
        const auto others = bind_on(*other_, region, address);
        EXPECT_EQ(asked_by_peer(own->remote_token(), address, wanted), Status::success);
        EXPECT_EQ(asked_by_peer(others->remote_token(), address, wanted), Status::access_violation);
        EXPECT_EQ(queue_pair_->state(), QueuePairState::error) << "a hostile peer's connection ends";
        own->end();
        others->end();
        region->deregister();
    }

    Ref<soft::SoftQueuePair> other_;
    std::vector<std::byte> memory_ = std::vector<std::byte>(kBytes);
    const std::uint64_t place_ = reinterpret_cast<std::uint64_t>(memory_.data());
    static constexpr std::uint64_t kBase = 0xdead'beef'0000'0000;  // no address
};

TEST_F(ResponderTest, LetsThePeerWriteThroughWindowsOfItsConnectionAlone) {
    proves("ND2-MW-03");
    expect_own_window_alone(adapter_->register_memory(memory_.data(), kBytes, Access::local_write).take(), place_,
                            Access::remote_write);
}

TEST_F(ResponderTest, LetsThePeerReadThroughWindowsOfItsConnectionAlone) {
    proves("ND2-MW-03");
    expect_own_window_alone(adapter_->register_memory(memory_.data(), kBytes, Access::local_write).take(), place_,
                            Access::remote_read);
}

TEST_F(ResponderTest, LetsThePeerReachPagesThroughWindowsOfItsConnectionAlone) {
    proves("ND2-MW-03");
    const ScatteredMemory pages(1);
    expect_own_window_alone(adapter_->register_pages(pages.list(kBase, 0, kBytes), Access::local_write).take(), kBase,
                            Access::remote_write);
}

}  // namespace
}  // namespace opennd::test
