// SPDX-License-Identifier: MIT
//
// OpenND's handler of SIGSEGV and SIGBUS beside the program's own: each gets what is its own, whoever came first, and a fault that is
// nobody's ends the process as it always did. Requirements ND2-MR-REG-07, ND2-GEN-02.
#include <gtest/gtest.h>
#include <opennd.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csetjmp>
#include <cstddef>
#include <thread>
#include <vector>

#include "process/child.h"
#include "support/adapter.h"
#include "support/overlapped_request.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "support/status.h"
#include "support/vanishing_memory.h"

namespace opennd::process {
namespace {

using support::proves;
using support::VanishingMemory;
using support::Way;

sigjmp_buf recovery;
volatile sig_atomic_t faults_seen = 0;
const void* volatile fault_address = nullptr;
struct sigaction before_ours;

void note_and_recover(int, siginfo_t* info, void* context) {
    fault_address = info->si_addr;
    if (context != nullptr) faults_seen = faults_seen + 1;
    siglongjmp(recovery, 1);
}

// As libraries do that look at faults and hand on those of others.
void note_and_hand_on(int signal, siginfo_t* info, void* context) {
    faults_seen = faults_seen + 1;
    if ((before_ours.sa_flags & SA_SIGINFO) != 0)
        before_ours.sa_sigaction(signal, info, context);
    else
        ::signal(signal, SIG_DFL);
}

void set_handler(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction* before = nullptr) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(signal, &action, before);
}

// The program's own fault, from which its handler recovers.
bool recovers_from(const volatile std::byte* address) {
    if (sigsetjmp(recovery, 1) != 0) return true;
    (void)*address;
    return false;
}

class Registrar {
public:
    Registrar() {
        support::require(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
        support::require(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 16, 0, 0, queue_.out()),
                         ND_SUCCESS, "CreateCompletionQueue");
    }
    support::ComPtr<IND2MemoryRegion> registered(const void* memory, std::size_t bytes) {
        support::ComPtr<IND2MemoryRegion> region;
        support::require(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region.out()), ND_SUCCESS,
                         "CreateMemoryRegion");
        support::OverlappedRequest request;
        support::require(support::finish(region->Register(memory, bytes, ND_MR_FLAG_ALLOW_LOCAL_WRITE, request.get()),
                                         request, region.get()),
                         ND_SUCCESS, "Register");
        return region;
    }
    // The status of a Send of this memory, by a connection of its own.
    HRESULT status_of_send(VanishingMemory& memory, std::size_t bytes);

private:
    struct End {
        support::ComPtr<IND2QueuePair> queue_pair;
        support::ComPtr<IND2Connector> connector;
    };
    End end();

    support::Startup startup_;
    support::ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    support::ComPtr<IND2CompletionQueue> queue_;
};

Registrar::End Registrar::end() {
    End made;
    support::require(adapter_->CreateQueuePair(IID_IND2QueuePair, queue_.get(), queue_.get(), nullptr, 4, 4, 1, 1, 0,
                                               made.queue_pair.out()),
                     ND_SUCCESS, "CreateQueuePair");
    support::require(adapter_->CreateConnector(IID_IND2Connector, file_, made.connector.out()), ND_SUCCESS,
                     "CreateConnector");
    return made;
}

HRESULT Registrar::status_of_send(VanishingMemory& memory, std::size_t bytes) {
    const auto region = registered(memory.data(), bytes);
    memory.vanish();
    support::ComPtr<IND2Listener> listener;
    support::require(adapter_->CreateListener(IID_IND2Listener, file_, listener.out()), ND_SUCCESS, "CreateListener");
    SocketAddress address = support::loopback_address();
    support::require(listener->Bind(support::as_sockaddr(address), sizeof address), ND_SUCCESS, "Bind");
    ULONG length = sizeof address;
    support::require(listener->Listen(1), ND_SUCCESS, "Listen");
    support::require(listener->GetLocalAddress(support::as_sockaddr(address), &length), ND_SUCCESS, "GetLocalAddress");
    End active = end(), passive = end();
    support::OverlappedRequest incoming, connected, accepted, completed;
    const SocketAddress own = support::loopback_address();
    (void)listener->GetConnectionRequest(passive.connector.get(), incoming.get());
    support::require(active.connector->Bind(support::as_sockaddr(own), sizeof own), ND_SUCCESS, "Bind");
    (void)active.connector->Connect(active.queue_pair.get(), support::as_sockaddr(address), sizeof address, 1, 1,
                                    nullptr, 0, connected.get());
    support::require(incoming.wait(listener.get()), ND_SUCCESS, "GetConnectionRequest");
    (void)passive.connector->Accept(passive.queue_pair.get(), 1, 1, nullptr, 0, accepted.get());
    support::require(connected.wait(active.connector.get()), ND_SUCCESS, "Connect");
    support::require(
        support::finish(active.connector->CompleteConnect(completed.get()), completed, active.connector.get()),
        ND_SUCCESS, "CompleteConnect");
    support::require(accepted.wait(passive.connector.get()), ND_SUCCESS, "Accept");
    const ND2_SGE entry{memory.data(), static_cast<ULONG>(bytes), region->GetLocalToken()};
    support::require(active.queue_pair->Send(nullptr, &entry, 1, 0), ND_SUCCESS, "Send");
    ND2_RESULT result{};
    if (!support::wait_until([&] { return queue_->GetResults(&result, 1) == 1; })) return ND_PENDING;
    return result.Status;
}

class FaultHandlers : public testing::TestWithParam<std::size_t> {
protected:
    // Both ways to copy end so: by instructions of the library's, and in the C library.
    static std::size_t bytes() { return GetParam(); }
};

TEST_P(FaultHandlers, OfAProgramThatCameFirstGetItsFaults) {
    proves("ND2-MR-REG-07");
    in_child([] {
        set_handler(SIGSEGV, note_and_recover);
        VanishingMemory own(Way::protected_, 4096), sent(Way::unmapped, bytes()), cut(Way::cut_short, bytes());
        own.vanish();
        Registrar registrar;
        EXPECT_EQ(registrar.status_of_send(sent, bytes()), ND_ACCESS_VIOLATION);
        EXPECT_EQ(registrar.status_of_send(cut, bytes()), ND_ACCESS_VIOLATION);
        EXPECT_EQ(faults_seen, 0);
        EXPECT_TRUE(recovers_from(own.data() + 5));
        EXPECT_EQ(faults_seen, 1);
        EXPECT_EQ(fault_address, own.data() + 5);
    });
}

TEST_P(FaultHandlers, OfAProgramThatCameLaterStandBehindAtTheNextRegister) {
    proves("ND2-MR-REG-07");
    in_child([] {
        VanishingMemory own(Way::protected_, 4096), first(Way::unmapped, bytes()), second(Way::unmapped, bytes());
        own.vanish();
        Registrar registrar;
        EXPECT_EQ(registrar.status_of_send(first, bytes()), ND_ACCESS_VIOLATION);
        set_handler(SIGSEGV, note_and_recover);
        EXPECT_EQ(registrar.status_of_send(second, bytes()), ND_ACCESS_VIOLATION);
        EXPECT_TRUE(recovers_from(own.data()));
        EXPECT_TRUE(recovers_from(own.data())) << "again";
        EXPECT_EQ(faults_seen, 2);
    });
}

// A handler that hands on to the one that it found, which is OpenND's: a fault does not go round in a circle.
TEST_P(FaultHandlers, ThatHandOnToEachOtherEndWithTheDefaultAction) {
    proves("ND2-MR-REG-07", "ND2-GEN-02");
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (support::kThreadSanitizer || support::kAddressSanitizer) GTEST_SKIP() << "a sanitizer has a handler of its own";
    const auto body = [] {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        VanishingMemory own(Way::protected_, 4096), first(Way::unmapped, bytes()), second(Way::unmapped, bytes());
        own.vanish();
        Registrar registrar;
        bool right = registrar.status_of_send(first, bytes()) == ND_ACCESS_VIOLATION;
        set_handler(SIGSEGV, note_and_hand_on, &before_ours);
        right = right && registrar.status_of_send(second, bytes()) == ND_ACCESS_VIOLATION && faults_seen == 0;
        if (!right) _exit(3);
        (void)*const_cast<const volatile std::byte*>(own.data());
        _exit(4);
    };
    EXPECT_EXIT(body(), testing::KilledBySignal(SIGSEGV), "");
}

TEST_P(FaultHandlers, LeaveTheDefaultActionAndSentSignals) {
    proves("ND2-GEN-02");
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (support::kThreadSanitizer || support::kAddressSanitizer) GTEST_SKIP() << "a sanitizer has a handler of its own";
    const auto killed_by = [](void (*die)()) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        VanishingMemory sent(Way::unmapped, bytes());
        Registrar registrar;
        if (registrar.status_of_send(sent, bytes()) == ND_ACCESS_VIOLATION) die();
        _exit(3);
    };
    EXPECT_EXIT(killed_by([] {
                    kill(getpid(), SIGSEGV);
                    pause();
                }),
                testing::KilledBySignal(SIGSEGV), "");
    EXPECT_EXIT(killed_by([] {
                    kill(getpid(), SIGBUS);
                    pause();
                }),
                testing::KilledBySignal(SIGBUS), "");
    EXPECT_EXIT(killed_by([] {
                    VanishingMemory own(Way::cut_short, 4096);
                    own.vanish();
                    (void)*const_cast<const volatile std::byte*>(own.data());
                }),
                testing::KilledBySignal(SIGBUS), "");
}

TEST_P(FaultHandlers, RunOnAStackOfTheProgramsAndKeepTheMask) {
    proves("ND2-MR-REG-07");
    in_child([] {
        std::vector<std::byte> memory(256 * 1024);
        const stack_t stack{memory.data(), 0, memory.size()};
        ASSERT_EQ(sigaltstack(&stack, nullptr), 0);
        Registrar registrar;
        for (int round = 0; round < 5; ++round) {  // a signal that stayed blocked would end the process the second time
            VanishingMemory sent(Way::unmapped, bytes());
            EXPECT_EQ(registrar.status_of_send(sent, bytes()), ND_ACCESS_VIOLATION);
            stack_t now{};
            ASSERT_EQ(sigaltstack(nullptr, &now), 0);
            EXPECT_EQ(now.ss_flags & SS_ONSTACK, 0);
            sigset_t blocked;
            ASSERT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &blocked), 0);
            EXPECT_EQ(sigismember(&blocked, SIGSEGV), 0);
        }
        const stack_t off{nullptr, SS_DISABLE, 0};
        sigaltstack(&off, nullptr);
    });
}

INSTANTIATE_TEST_SUITE_P(OfBytes, FaultHandlers, testing::Values(8, 4000), testing::PrintToStringParamName());

}  // namespace
}  // namespace opennd::process
