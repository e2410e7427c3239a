// SPDX-License-Identifier: MIT
//
// The server of the store believes nothing that a client says: requests that it must refuse, each with its status, and the next one is
// answered as ever.
#include <gtest/gtest.h>

#include <future>

#include "peer.h"
#include "store.h"

namespace smb_direct::test {
namespace {

class RefusedRequests : public testing::Test {
protected:
    static void SetUpTestSuite() { need(NdStartup(), "NdStartup"); }
    static void TearDownTestSuite() { need(NdCleanup(), "NdCleanup"); }

    void SetUp() override {
        std::promise<unsigned short> port;
        auto told = port.get_future();
        serving_ = std::async(std::launch::async, [port = std::move(port)]() mutable {
            Connection connection(make_nd2_queue, example::loopback(), Role::responder, store_limits(), kLargest);
            connection.accept([&](unsigned short free) { port.set_value(free); });
            serve_store(connection);
            connection.disconnect();
        });
        client_.connect(example::loopback(told.get()));
    }
    void TearDown() override {
        client_.disconnect();
        serving_.get();
    }

    std::uint32_t status_of(const StoreRequest& request, std::size_t data = 0) {
        Bytes message(StoreRequest::kBytes + data);
        write(request, message);
        client_.send(std::move(message));
        const auto answer = client_.receive();
        return answer ? parse<StoreResponse>(*answer).status : 0xFFFFFFFF;
    }

    // It takes the shortest messages that it may.
    static Limits client_limits() {
        Limits limits = store_limits();
        limits.max_fragmented_size = Session::kLeastFragmented;
        return limits;
    }

    Connection client_{make_nd2_queue, example::loopback(), Role::initiator, client_limits(), kLargest};
    std::future<void> serving_;
};

TEST_F(RefusedRequests, HaveTheirStatus) {
    const BufferDescriptor short_buffer{0, 1, 99};
    EXPECT_EQ(status_of({kRead, kNone, 0, 0, 0, {}}), kInvalidParameter) << "no bytes";
    EXPECT_EQ(status_of({kRead, kNone, kLargest + 1, 0, 0, {}}), kInvalidParameter) << "more than MaxReadWriteSize";
    EXPECT_EQ(status_of({kRead, kNone, 0xFFFFFFFF, 0, 0, {}}), kInvalidParameter);
    EXPECT_EQ(status_of({kRead, kNone, 131072, 0, 0, {}}), kInvalidParameter)
        << "a longer answer than the client takes";
    EXPECT_EQ(status_of({kRead, kNone, 131072 - 8, 0, 0, {}}), kSuccess);
    EXPECT_EQ(status_of({7, kNone, 1, 0, 0, {}}), kInvalidParameter) << "another command";
    EXPECT_EQ(status_of({kRead, 3, 1, 0, 0, {}}), kInvalidParameter) << "another channel";
    EXPECT_EQ(status_of({kWrite, kNone, 10, 0, 0, {}}, 9), kInvalidParameter) << "less data than it says";
    EXPECT_EQ(status_of({kWrite, kNone, 10, 0, 0, {}}, 11), kInvalidParameter);
    EXPECT_EQ(status_of({kRead, kRdma, 100, 0, 0, short_buffer}), kInvalidParameter) << "more than the client opened";
    EXPECT_EQ(status_of({kWrite, kRdmaInvalidate, 100, 0, 0, short_buffer}), kInvalidParameter);
    EXPECT_EQ(status_of({kRead, kNone, 2, 0, (4 << 20) - 1, {}}), kEndOfFile);
    EXPECT_EQ(status_of({kWrite, kNone, 1, 0, 0xFFFFFFFFFFFFFFFF, {}}, 1), kEndOfFile);
    EXPECT_EQ(status_of({kRead, kNone, 1, 0, (4 << 20) - 1, {}}), kSuccess);
    EXPECT_EQ(status_of({kWrite, kNone, 10, 0, 0, {}}, 10), kSuccess);
}

}  // namespace
}  // namespace smb_direct::test
