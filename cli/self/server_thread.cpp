// SPDX-License-Identifier: MIT
//
// A server in a thread, for what only happens inside one process. Read self_server.h first.
#include "self/self_server.h"

#include "interruption.h"

#include <future>
#include <thread>

namespace nd {
namespace {

class ServerThread : public SelfServer {
public:
    explicit ServerThread(std::function<void(const ReadyFunction&)> server) {
        std::promise<SocketAddress> ready;
        std::future<SocketAddress> address = ready.get_future();
        thread_ = std::thread([this, server = std::move(server), ready = std::move(ready)]() mutable {
            bool told = false;
            try {
                server([&](const SocketAddress& listening) {
                    told = true;
                    ready.set_value(listening);
                });
            } catch (...) {
                if (told)
                    failure_ = std::current_exception();
                else
                    ready.set_exception(std::current_exception());
            }
        });
        try {
            address_ = address.get();
        } catch (...) {
            thread_.join();
            throw;
        }
    }

    ~ServerThread() override {
        if (!thread_.joinable()) return;
        interrupt();  // it may wait for a client that never comes
        thread_.join();
    }

    SocketAddress address() const override { return address_; }

    std::string early_death() override { return {}; }

    void finish() override {
        thread_.join();
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    std::thread thread_;
    std::exception_ptr failure_;  // written by the thread, read after the join
    SocketAddress address_;
};

}  // namespace

std::unique_ptr<SelfServer> start_server_thread(std::function<void(const ReadyFunction&)> server) {
    return std::make_unique<ServerThread>(std::move(server));
}

}  // namespace nd
