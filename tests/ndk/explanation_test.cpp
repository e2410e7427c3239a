// SPDX-License-Identifier: MIT
//
// NDK explains its refusals in its own words: functions, statuses and requirements of NDK, though most refusals are
// decided below all faces (ND2-GEN-02, ND2-GEN-10).
#include <opennd.h>

#include <string>
#include <vector>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

constexpr const char* kForeignWords[] = {"ND2", "ND1-", "IND", "ND_", "GetResults", "ResolveAddress"};

class NdkExplanations : public NdkTest {
protected:
    NdkExplanations() { opennd_error_sink(hear, &told_); }
    ~NdkExplanations() override { opennd_error_sink(nullptr, nullptr); }

    struct Told {
        HRESULT status;
        std::string operation, requirement, text;
    };
    static void hear(void* told, const opennd_error* error) {
        const std::string text = std::string(error->object) + ": " + error->operation + ": " + error->status_name +
                                 ": " + error->asked + "; limit: " + error->limit + "; " + error->remedy + " (" +
                                 error->requirement + ")";
        static_cast<std::vector<Told>*>(told)->push_back({error->status, error->operation, error->requirement, text});
    }

    template <typename Call>
    void expect(const char* function, NTSTATUS status, const char* requirement, Call&& call) {
        SCOPED_TRACE(function);
        told_.clear();
        EXPECT_STATUS(call(), status);
        ASSERT_EQ(told_.size(), 1u);
        EXPECT_EQ(told_[0].operation, function) << told_[0].text;
        EXPECT_EQ(told_[0].requirement, requirement) << told_[0].text;
        EXPECT_STATUS(told_[0].status, status) << told_[0].text;
        for (const char* word : kForeignWords)
            EXPECT_EQ(told_[0].text.find(word), std::string::npos) << word << " in: " << told_[0].text;
    }

    std::vector<Told> told_;
};
OPENND_OVER_EACH_TRANSPORT(NdkExplanations);

TEST_P(NdkExplanations, OfRequestsNameItsFunctions) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    Pair pair;
    NDK_QP* const queue_pair = pair.a.queue_pair.get();
    const NDK_QP_DISPATCH& call = *queue_pair->Dispatch;
    const std::vector<NDK_SGE> gigabytes(2, sge(pair.a.memory->data(), 0x30000000, pair.a.local_token));
    expect("NdkSend", STATUS_DATA_OVERRUN, "NDK-QP-POST-03",
           [&] { return call.NdkSend(queue_pair, nullptr, gigabytes.data(), 2, 0); });
    for (ULONG i = 0; i < kDepth; ++i) ASSERT_STATUS(pair.a.send(i, 0, 8), STATUS_SUCCESS);
    expect("NdkSend", STATUS_INSUFFICIENT_RESOURCES, "NDK-QP-POST-02", [&] { return pair.a.send(9, 0, 8); });
}

TEST_P(NdkExplanations, OfMemoryNameItsFunctions) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    Side side;
    Mdl nowhere(reinterpret_cast<const void*>(ULONG_PTR{0x7000}), 4096);
    Owned<NDK_MR> region;
    ASSERT_STATUS(side.domain->Dispatch->NdkCreateMr(side.domain.get(), FALSE, nullptr, nullptr, region.out()),
                  STATUS_SUCCESS);
    expect("NdkRegisterMr", STATUS_ACCESS_VIOLATION, "NDK-MR-REG-01",
           [&] { return region->Dispatch->NdkRegisterMr(region.get(), nowhere.get(), 4096, 0, nullptr, nullptr); });
    const ULONG most = side.adapter.info().MaxCqDepth;
    NDK_CQ* const queue = side.received.get();
    expect("NdkResizeCq", STATUS_INVALID_PARAMETER, "NDK-CQ-CREATE-01",
           [&] { return queue->Dispatch->NdkResizeCq(queue, most + 1, nullptr, nullptr); });
}

TEST_P(NdkExplanations, OfAddressesAndConnectionsNameItsFunctions) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    Pair pair;
    Side other;
    Host host(other.adapter);
    Loopback taken = host.address();
    Owned<NDK_SHARED_ENDPOINT> endpoint;
    expect("NdkCreateSharedEndpoint", STATUS_SHARING_VIOLATION, "NDK-SEP-01", [&] {
        return other.adapter.call().NdkCreateSharedEndpoint(other.adapter.get(), taken.get(), taken.length(), nullptr,
                                                            nullptr, endpoint.out());
    });
    const Owned<NDK_CONNECTOR> fresh = pair.a.adapter.create_connector();
    Calls calls;
    Loopback from;
    expect("NdkConnect", STATUS_CONNECTION_ACTIVE, "NDK-QP-STATE-02", [&] {
        return fresh->Dispatch->NdkConnect(fresh.get(), pair.a.queue_pair.get(), from.get(), from.length(), taken.get(),
                                           taken.length(), 1, 1, nullptr, 0, Calls::request, &calls);
    });
}

}  // namespace
}  // namespace opennd::ndk_test
