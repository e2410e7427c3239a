// SPDX-License-Identifier: MIT
// VerbsAdapter: see adapter.h.
#include "transport/verbs/adapter.h"

#include <sys/resource.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

#include "base/explanation.h"
#include "model/page_list.h"
#include "platform/process/errno_status.h"
#include "transport/verbs/connection/connector.h"
#include "transport/verbs/connection/listener.h"
#include "transport/verbs/device/rdma_core.h"
#include "transport/verbs/memory/memory_region.h"
#include "transport/verbs/memory/window_binding.h"
#include "transport/verbs/queue/completion_queue.h"
#include "transport/verbs/queue/hardware_queue_pair.h"
#include "transport/verbs/queue/shared_receive_queue.h"

namespace opennd::verbs {
namespace {

// Refuses a feature that the device lacks: one line names the device, the feature and another way.
[[gnu::cold]] Status refuse_feature(const Device& device, std::string_view object, std::string_view operation,
                                    std::string_view asked, std::string_view remedy, std::string_view requirement) {
    return explain(Status::not_supported,
                   {.object = object,
                    .operation = operation,
                    .asked = asked,
                    .limit = phrase("RDMA device {} ({}) has none", device.facts().name, device.facts().driver),
                    .remedy = remedy,
                    .requirement = requirement});
}

// Returns the address of the first byte, if all the pages that `list` uses are neighbours: a device registers them as
// one range.
constexpr std::optional<std::uint64_t> single_run(const PageList& list) {
    const std::uint64_t pages = (list.first_byte + list.length + kPageBytes - 1) / kPageBytes;
    if (pages > list.pages.size() || pages == 0) return std::nullopt;
    for (std::uint64_t i = 1; i < pages; ++i)
        if (list.pages[i] != list.pages[i - 1] + kPageBytes) return std::nullopt;
    return list.pages[0] + list.first_byte;
}

// The token of a device that has no key for all memory.
class AddressToken final : public TransportMemory {
public:
    Token local_token() const override { return kByAddress; }
    Token remote_token() const override { return kNamesNothing; }
    void deregister() override {}
};

}  // namespace

Result<Ref<VerbsAdapter>> VerbsAdapter::create(Ref<Device> device, const DeviceLimits& can,
                                               const std::atomic<OverrunRule>& overrun_rule) {
    if (device->ended()) return device->refuse_after_end("adapter", "OpenAdapter");
    ibv_pd* const domain = device->ibv().alloc_pd(device->context());
    if (!domain) {
        const int error = errno;
        return explain(resource_status(error),
                       {.object = phrase("RDMA device {}", device->facts().name),
                        .operation = "OpenAdapter",
                        .asked = "one more protection domain",
                        .limit = std::generic_category().message(error),
                        .remedy = "close adapters, or raise the limit on open files (ulimit -n)",
                        .requirement = "ND2-PRV-OPEN-02"});
    }
    return Ref<VerbsAdapter>(new VerbsAdapter(std::move(device), domain, can, overrun_rule));
}

int VerbsAdapter::rights_of(Access access) const {
    return device_access(access, device()->facts().is_iwarp() && !device()->quirks().reads_need_no_remote_write,
                         traits().max_window_bytes != 0);
}

// Registers memory with rights for windows if it can. For windows the kernel wants memory that the process may write;
// read-only memory is registered without them.
template <typename Make>
ibv_mr* VerbsAdapter::with_rights(Access access, Make make) const {
    const int rights = rights_of(access);
    ibv_mr* const region = make(rights);
    const bool for_windows = (rights & IBV_ACCESS_MW_BIND) != 0 && (rights & IBV_ACCESS_LOCAL_WRITE) == 0;
    return region || errno != EFAULT || !for_windows ? region : make(rights & ~IBV_ACCESS_MW_BIND);
}

Result<Ref<TransportMemory>> VerbsAdapter::register_memory(std::byte* address, std::size_t bytes, Access access) {
    const auto start = reinterpret_cast<std::uint64_t>(address);
    const auto make = [&](int rights) { return device()->ibv().reg_mr(domain(), address, bytes, rights); };
    ibv_mr* const region = with_rights(access, make);
    return keep(region, errno, start, start, bytes, access);
}

// Registers pages that are one run: a device registers a range, whose key may count from any number, but only in one
// run.
Result<Ref<TransportMemory>> VerbsAdapter::register_pages(const PageList& pages, Access access) {
    const std::optional<std::uint64_t> run = single_run(pages);
    if (!run)
        return refuse_feature(*device(), "memory region", "Register", "pages that are no neighbours under one token",
                              "register each run of neighbouring pages by itself", "NDK-MAP-11");
    auto* const address = reinterpret_cast<void*>(*run);
    const auto make = [&](int rights) {
        return *run == pages.base ? device()->ibv().reg_mr(domain(), address, pages.length, rights)
                                  : device()->ibv().reg_mr_iova(domain(), address, pages.length, pages.base, rights);
    };
    ibv_mr* const region = with_rights(access, make);
    return keep(region, errno, *run, pages.base, pages.length, access);
}

Result<Ref<TransportMemory>> VerbsAdapter::keep(ibv_mr* region, int error, std::uint64_t address, std::uint64_t base,
                                                std::uint64_t bytes, Access access) {
    if (!region) return refuse_memory(error, address, bytes, access);
    const bool for_peers = any_of(access, Access::remote_read | Access::remote_write);
    try {
        auto made = make_ref<VerbsMemoryRegion>(Ref<VerbsAdapter>(this), region, for_peers);
        const bool writable = any_of(access, Access::local_write | Access::remote_write | Access::read_sink);
        regions().add(made->local_token(), {base, bytes, writable});
        return Ref<TransportMemory>(made);
    } catch (...) {
        (void)device()->ibv().dereg_mr(region);
        throw;
    }
}

Status VerbsAdapter::refuse_memory(int error, std::uint64_t address, std::uint64_t bytes, Access access) const {
    if (device()->ended()) return device()->refuse_after_end("memory region", "Register");
    const Phrase asked = phrase("{} bytes at {:#x}", bytes, address);
    if (error == EFAULT) {
        const bool written = any_of(access, Access::local_write | Access::remote_write | Access::read_sink);
        return explain(Status::access_violation,
                       {.object = "memory region",
                        .operation = "Register",
                        .asked = asked,
                        .limit = written ? "memory that is mapped and writable" : "memory that is mapped",
                        .remedy = "register memory of this process that exists, from first to last byte",
                        .requirement = "ND2-MR-REG-01"});
    }
    rlimit locked{};
    (void)getrlimit(RLIMIT_MEMLOCK, &locked);
    const bool limited = error == ENOMEM && locked.rlim_cur != RLIM_INFINITY;
    return explain(
        error == EINVAL ? Status::not_supported : Status::insufficient_resources,
        {.object = "memory region",
         .operation = "Register",
         .asked = asked,
         .limit = limited
                      ? phrase("{} bytes of locked memory for a process of this user (RLIMIT_MEMLOCK)",
                               static_cast<std::uint64_t>(locked.rlim_cur))
                      : phrase("RDMA device {}: {}", device()->facts().name, std::generic_category().message(error)),
         .remedy = limited ? "raise it: ulimit -l, memlock in /etc/security/limits.conf, or LimitMEMLOCK= of the "
                             "service"
                           : "register less, or ordinary memory",
         .requirement = "ND2-MR-REG-01"});
}

// Registers everything by on-demand paging, or gives a token of OpenND's own (device/named_pages.h).
Result<Ref<TransportMemory>> VerbsAdapter::register_address_space() {
    if (device()->ended()) return device()->refuse_after_end("protection domain", "a token of all memory");
    if (device()->pages_on_demand(domain())) {
        ibv_mr* const region = device()->register_everything(domain());
        return keep(region, errno, 0, 0, SIZE_MAX, Access::local_write);
    }
    begin_to_translate();
    return Ref<TransportMemory>(make_ref<AddressToken>());
}

Result<Ref<RefCounted>> VerbsAdapter::name_pages(std::span<const std::uint64_t> pages) {
    if (device()->pages_on_demand(domain())) return Ref<RefCounted>();
    return device()->named_pages().name(pages);
}

Result<Ref<TransportFastRegion>> VerbsAdapter::create_fast_region() {
    Result<Ref<TransportMemory>> all = register_address_space();
    if (!all.ok()) return all.status();
    Result<Ref<VerbsFastRegion>> made = fast_regions().create(Ref<VerbsAdapter>(this), all.take());
    if (!made.ok()) return made.status();
    begin_to_translate();
    return Ref<TransportFastRegion>(made.take());
}

Result<Ref<TransportCompletionQueue>> VerbsAdapter::create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                            CompletionQueueSink& sink) {
    Result<Ref<VerbsCompletionQueue>> made =
        VerbsCompletionQueue::create(device(), depth, overrun_rule_.load(std::memory_order_relaxed), rule, sink);
    if (!made.ok()) return made.status();
    return Ref<TransportCompletionQueue>(made.take());
}

Result<Ref<TransportSharedReceiveQueue>> VerbsAdapter::create_shared_receive_queue(
    const SharedReceiveQueueLimits& limits, SharedReceiveQueueSink& sink) {
    if (OpenDevice::limits().max_shared_receive_depth == 0)
        return refuse_feature(*device(), "adapter", "CreateSharedReceiveQueue", "a shared receive queue",
                              "give each queue pair receives of its own", "ND2-ADP-SRQ-01");
    Result<Ref<VerbsSharedReceiveQueue>> made = VerbsSharedReceiveQueue::create(Ref<VerbsAdapter>(this), limits, sink);
    if (!made.ok()) return made.status();
    return Ref<TransportSharedReceiveQueue>(made.take());
}

Result<Ref<TransportQueuePair>> VerbsAdapter::create_queue_pair(const QueuePairParameters& parameters) {
    Result<Ref<HardwareQueuePair>> made = HardwareQueuePair::create(Ref<VerbsAdapter>(this), parameters);
    if (!made.ok()) return made.status();
    return Ref<TransportQueuePair>(made.take());
}

Result<Ref<TransportWindowBinding>> VerbsAdapter::bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                              std::byte* address, std::size_t bytes, Access access,
                                                              const BindingTerms& terms) {
    if (traits().max_window_bytes == 0)
        return refuse_feature(*device(), "queue pair", "Bind", "a memory window of type 2",
                              "give the peer the token of a memory region with remote rights", "NDK-MW-01");
    unsigned rights = 0;
    if (any_of(access, Access::remote_read)) rights |= IBV_ACCESS_REMOTE_READ;
    if (any_of(access, Access::remote_write)) rights |= IBV_ACCESS_REMOTE_WRITE;
    Result<Ref<VerbsWindowBinding>> made = VerbsWindowBinding::create(
        Ref<VerbsAdapter>(this), static_cast<HardwareQueuePair&>(queue_pair),
        {static_cast<VerbsMemoryRegion&>(memory).get(), reinterpret_cast<std::uint64_t>(address), bytes, rights},
        terms);
    if (!made.ok()) return made.status();
    return Ref<TransportWindowBinding>(made.take());
}

Ref<TransportConnector> VerbsAdapter::connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                              const Address& remote, const ReadLimits& offer,
                                              std::span<const std::byte> private_data,
                                              Ref<TransportQueuePair> queue_pair) {
    return VerbsConnector::connect(Ref<TransportAdapter>(this), device(), std::move(sink), local, origin, remote, offer,
                                   private_data, std::move(queue_pair));
}

Result<Ref<TransportListener>> VerbsAdapter::create_listener(Ref<ListenerSink> sink) {
    return Ref<TransportListener>(make_ref<VerbsListener>(Ref<TransportAdapter>(this), device(), std::move(sink)));
}

}  // namespace opennd::verbs
