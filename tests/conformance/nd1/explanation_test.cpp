// SPDX-License-Identifier: MIT
//
// Version 1 explains its refusals in its own words: its objects, methods, numbers and requirements, though most
// refusals are decided below both versions (ND2-GEN-02, ND2-GEN-10).
#include <sys/mman.h>

#include <string>
#include <vector>

#include "conformance/nd1/nd1_test.h"

namespace opennd::conformance::nd1 {
namespace {

// Nothing of these is in version 1.
constexpr const char* kForeignWords[] = {"ND2",           "NDK-",          "Ndk",           "STATUS_",
                                         "queue pair",    "QueuePair",     "MemoryRegion",  "ResolveAddress",
                                         "memory region", "GetReadLimits", "GetPrivateData"};

struct Told {
    HRESULT status;
    std::string operation, requirement, text;
};

// Collects every failure that is told while it exists, the logged ones too.
class Listener {
public:
    Listener() { require(opennd_error_sink(hear, this), ND_SUCCESS, "opennd_error_sink"); }
    ~Listener() { opennd_error_sink(nullptr, nullptr); }
    std::vector<Told> told;

private:
    static void hear(void* self, const opennd_error* error) {
        const std::string text = std::string(error->object) + ": " + error->operation + ": " + error->status_name +
                                 ": " + error->asked + "; limit: " + error->limit + "; " + error->remedy + " (" +
                                 error->requirement + ")";
        static_cast<Listener*>(self)->told.push_back({error->status, error->operation, error->requirement, text});
    }
};

class Nd1Explanations : public Nd1Test {
protected:
    // `call` is refused with `status`, and that is told once, as a refusal of the method.
    template <typename Call>
    void expect(const char* operation, HRESULT status, const char* requirement, Call&& call) {
        SCOPED_TRACE(operation);
        Listener listener;
        EXPECT_TRUE(is(call(), status));
        ASSERT_EQ(listener.told.size(), 1u);
        const Told& told = listener.told.front();
        EXPECT_EQ(told.operation, operation) << told.text;
        EXPECT_EQ(told.requirement, requirement) << told.text;
        EXPECT_TRUE(is(told.status, status)) << told.text;
        for (const char* word : kForeignWords)
            EXPECT_EQ(told.text.find(word), std::string::npos) << word << " in: " << told.text;
        opennd_error last{};
        last.bytes = sizeof last;
        EXPECT_TRUE(is(opennd_last_error(&last), ND_SUCCESS));
        EXPECT_TRUE(is(last.status, status));
        EXPECT_EQ(last.operation, told.operation);
        EXPECT_EQ(last.requirement, told.requirement);
    }

    ND_RESULT result_, another_;
    Request request_;
};

TEST_P(Nd1Explanations, OfAnAdapterNameItsMethods) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    Side side;
    INDAdapter& adapter = *side.adapter.get();
    ComPtr<INDCompletionQueue> queue;
    expect("CreateCompletionQueue", ND_INVALID_PARAMETER, "ND1-AD-CQ-02",
           [&] { return adapter.CreateCompletionQueue(0, queue.put()); });
    void* const nothing = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(nothing, MAP_FAILED);
    ND_MR_HANDLE handle = nullptr;
    expect("RegisterMemory", ND_ACCESS_VIOLATION, "ND1-AD-REG-05",
           [&] { return adapter.RegisterMemory(nothing, 4096, request_, &handle); });
    ::munmap(nothing, 4096);
    Listening listening(adapter);
    ComPtr<INDListen> second;
    expect("Listen", ND_ADDRESS_ALREADY_EXISTS, "ND1-AD-LSN-08",
           [&] { return adapter.Listen(0, kProtocol, listening.address.ipv4.sin_port, nullptr, second.put()); });
}

TEST_P(Nd1Explanations, OfWindowsAndQueuesNameTheEndpoint) {
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-GEN-02", "ND2-GEN-10");
    Pair pair({.outbound = 2});
    pair.connected();
    INDEndpoint& endpoint = *pair.a.endpoint.get();
    const auto window = memory_window(*pair.a.adapter.get());
    ND_MW_DESCRIPTOR descriptor{};
    const auto bind = [&](ND_RESULT& result, INDMemoryWindow* of) {
        return endpoint.Bind(&result, pair.a.mr, of, pair.a.memory.data(), 64, ND_OP_FLAG_ALLOW_READ, &descriptor);
    };
    ASSERT_TRUE(is(bind(result_, window.get()), ND_SUCCESS));
    expect("Bind", ND_INVALID_DEVICE_STATE, "ND1-EP-BIND-06", [&] { return bind(another_, window.get()); });
    ASSERT_TRUE(is(pair.a.send(another_), ND_SUCCESS));
    const auto free = memory_window(*pair.a.adapter.get());
    ND_RESULT third;
    expect("Bind", ND_NO_MORE_ENTRIES, "ND1-EP-BIND-07", [&] { return bind(third, free.get()); });
    expect("Invalidate", ND_NO_MORE_ENTRIES, "ND1-EP-INV-01",
           [&] { return endpoint.Invalidate(&third, window.get(), 0); });
    expect("Send", ND_NO_MORE_ENTRIES, "ND1-EP-GEN-02", [&] { return pair.a.send(third); });
    expect("DeregisterMemory", ND_DEVICE_BUSY, "ND1-AD-DRG-02",
           [&] { return pair.a.adapter->DeregisterMemory(pair.a.mr, request_); });
    pair.a.endpoint->Flush();
    expect("Resize", ND_BUFFER_OVERFLOW, "ND1-CQ-RSZ-03", [&] { return pair.a.outbound->Resize(1); });
}

TEST_P(Nd1Explanations, OfConnectorsNameTheirMethods) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    Side side;
    INDConnector& connector = *side.connector.get();
    SocketAddress address;
    SIZE_T bytes = sizeof address;
    expect("GetPeerAddress", ND_CONNECTION_INVALID, "ND1-CN-ADDR-02",
           [&] { return connector.GetPeerAddress(as_sockaddr(address), &bytes); });
}

TEST_P(Nd1Explanations, OfAFailedConnectNameItAndBothAddresses) {
    proves("ND2-GEN-10");
    Side side;
    const SocketAddress nobody = support::loopback_address(1);
    ASSERT_TRUE(
        is(side.connector->Connect(side.endpoint.get(), as_sockaddr(nobody), sizeof nobody, 0, 0, nullptr, 0, request_),
           ND_PENDING));
    SIZE_T bytes = 0;
    EXPECT_TRUE(is(side.connector->GetOverlappedResult(request_, &bytes, TRUE), ND_CONNECTION_REFUSED));
    opennd_error last{};
    last.bytes = sizeof last;
    ASSERT_TRUE(is(opennd_last_error(&last), ND_SUCCESS));
    EXPECT_STREQ(last.operation, "Connect");
    const std::string asked = last.asked, host = support::loopback_host();
    EXPECT_NE(asked.find("between " + host + ":"), std::string::npos) << asked;
    EXPECT_EQ(asked.substr(asked.find(" and ")), " and " + host + ":1");
}

INSTANTIATE_TEST_SUITE_P(, Nd1Explanations, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
