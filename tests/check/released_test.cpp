// SPDX-License-Identifier: MIT
//
// Calls on objects after their last Release, which are told and fail; without the checking layer they are lost. The environment has
// OPENND_CHECK=warn.
#include <string>
#include <utility>
#include <vector>

#include "conformance/nd2/nd2_test.h"
#include "support/diagnostics.h"

namespace opennd::conformance::nd2 {
namespace {

using support::Diagnostics;

class ReleasedObject : public Nd2Test {
protected:
    // The pointer that a program goes on with.
    template <typename Interface>
    static Interface* released(ComPtr<Interface> object) {
        Interface* const pointer = object.get();
        object.reset();
        return pointer;
    }
    ComPtr<IND2MemoryWindow> memory_window() {
        ComPtr<IND2MemoryWindow> window;
        support::require(adapter_->CreateMemoryWindow(IID_IND2MemoryWindow, window.out()), ND_SUCCESS,
                         "CreateMemoryWindow");
        return window;
    }
    // Of the rule, in order: "Notify".
    std::vector<std::string> methods_told() const {
        std::vector<std::string> methods;
        for (const Diagnostics::Told& each : diagnostics_.of("CHECK-AFTER-RELEASE"))
            methods.push_back(each.fact.substr(0, each.fact.find(' ')));
        return methods;
    }

    Diagnostics diagnostics_;
};

TEST_F(ReleasedObject, IsToldWithItsKindTheMethodAndBothPlaces) {
    IND2CompletionQueue* const queue = released(completion_queue());
    ND2_RESULT result;
    EXPECT_EQ(queue->GetResults(&result, 1), 0u) << "it has no status to fail with";
    const auto told = diagnostics_.of("CHECK-AFTER-RELEASE");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].object.substr(0, 20), "IND2CompletionQueue ") << told[0].object;
    EXPECT_EQ(told[0].fact.find("GetResults after the last Release, which was at "), 0u) << told[0].fact;
    EXPECT_NE(told[0].fact.find("released_test.cpp:"), std::string::npos) << told[0].fact;
    EXPECT_NE(told[0].site.find("released_test.cpp:"), std::string::npos) << told[0].site;
    EXPECT_FALSE(told[0].note);
}

TEST_F(ReleasedObject, FailsEachCallWithoutHarm) {
    OVERLAPPED overlapped{};
    IND2Connector* const gone = released(connector());
    EXPECT_TRUE(is(gone->CancelOverlappedRequests(), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(gone->Bind(nullptr, 0), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(gone->Disconnect(&overlapped), ND_INVALID_HANDLE));
    EXPECT_EQ(gone->AddRef(), 0u);
    EXPECT_EQ(gone->Release(), 0u);
    IND2MemoryWindow* const window = released(memory_window());
    EXPECT_EQ(window->GetRemoteToken(), 0u);
    EXPECT_EQ(methods_told(), (std::vector<std::string>{"CancelOverlappedRequests", "Bind", "Disconnect", "AddRef",
                                                        "Release", "GetRemoteToken"}));
}

TEST_F(ReleasedObject, IsNoArgumentOfACall) {
    IND2CompletionQueue* const queue = released(completion_queue());
    ComPtr<IND2QueuePair> pair;
    EXPECT_TRUE(FAILED(adapter_->CreateQueuePair(IID_IND2QueuePair, queue, queue, nullptr, 1, 1, 1, 1, 0, pair.out())));
    EXPECT_EQ(pair.get(), nullptr);
    EXPECT_EQ(methods_told().front(), "QueryInterface");
}

TEST_F(ReleasedObject, StaysKnownWhileOthersComeAndGo) {
    IND2CompletionQueue* const queue = released(completion_queue());
    for (int i = 0; i < 1000; ++i) (void)memory_window();
    OVERLAPPED overlapped{};
    EXPECT_TRUE(is(queue->Notify(ND_CQ_NOTIFY_ANY, &overlapped), ND_INVALID_HANDLE));
    for (int i = 0; i < 10'000; ++i) (void)memory_window();  // more than are kept
    EXPECT_EQ(methods_told(), std::vector<std::string>{"Notify"});
}

TEST_F(ReleasedObject, IsNotWhatStillHasAReference) {
    const auto queue = completion_queue();
    queue->AddRef();
    EXPECT_EQ(queue->Release(), 1u);
    EXPECT_TRUE(diagnostics_.all().empty());
}

}  // namespace
}  // namespace opennd::conformance::nd2
