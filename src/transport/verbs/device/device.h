// SPDX-License-Identifier: MIT
// One port of an RDMA device of this process: a context of OpenND's own, the watchers of its events, and its end. All opens of the
// port share one object; each open has its own ibv_pd, and so its own protection domain.
//
// librdmacm opens each device once for the whole process: another user of it may read that context's events, or change its descriptor.
// So OpenND opens the device again. rdma_cm takes queue pairs of any context by their number.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "model/adapter_abilities.h"
#include "model/processor_group.h"
#include "platform/descriptor/descriptor.h"
#include "platform/thread/event_loop.h"
#include "transport/verbs/device/named_pages.h"
#include "transport/verbs/device/rdma_core.h"
#include "transport/verbs/device/settings.h"

namespace opennd::verbs {

class EventChannel;
class Reaper;

// Deviations of a driver from the verbs. The table by driver is device.cpp's, and nothing else asks for the
// name of a driver.
struct Quirks {
    bool solicited_only_never_fires = false;         // armed for all, and OpenND looks for itself
    bool refuses_fenced_reads = false;               // held until earlier Reads are done
    bool overtakes_reads = false;                    // other requests complete before earlier Reads: held as well
    bool fails_requests_of_a_broken_stream = false;  // LOC_QP_OP of the request that it was sending
    bool keeps_late_requests = false;                // posted after its connection had ended: never given back
    bool binds_no_windows = false;                   // which it allocates
    bool ignores_inline_data = false;                // takes any length for a queue pair, and reads the memory later
    bool receives_need_an_entry = false;             // a receive of nothing is refused without one
    bool reads_need_no_remote_write = false;         // iWARP: a Read fills a region without that right
    bool tells_invalidation_as_checksum = false;     // the kernel's flag, which is another one in user space
    // An ibv_cq that was asked for solicited results and failures tells of solicited receives alone.
    bool failures_make_no_event = false;
    bool tells_no_last_receive = false;  // a queue pair of a shared receive queue makes no LAST_WQE_REACHED
};

struct DeviceFacts {
    std::string name;      // "siw0"
    std::string driver;    // of user space: "siw", "rxe", "mlx5"; empty: unknown
    std::string firmware;  // as the driver words it; may be empty
    std::uint32_t vendor_id = 0;
    std::uint32_t part_id = 0;
    std::uint8_t port = 1;
    Technology technology = Technology::infiniband;
    Quirks quirks;

    bool is_iwarp() const { return technology == Technology::iwarp; }
};

std::string_view name_of(Technology technology);
// Returns a line of the kernel's own words about the device, of a file of its folder in sysfs; empty: there is none.
std::string sysfs_line(const DeviceFacts& facts, std::string_view file);

// Returns the port that an id is bound to. iWARP devices tell none, and have one.
inline std::uint8_t port_of(const rdma_cm_id& id) { return id.port_num == 0 ? 1 : id.port_num; }

// Returns the facts that the device tells; the rest is empty.
DeviceFacts facts_of(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port);

// Calls ibv_query_port, which is no function of the library. Returns an errno, or 0.
int query_port(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port, ibv_port_attr& attributes);

// The parts of VerbsTransport that all devices share; all of them outlive every object.
struct SharedParts {
    const RdmaCore& core;
    EventLoop& event_loop;
    Reaper& reaper;         // for calls that block
    EventChannel& channel;  // rdma_cm's events of all ids of this process
    Settings settings = {};
};

// The device's messages to one of its objects. Every call comes on the service thread or a helper, or from a call that found the
// device removed; no lock held.
class DeviceUser {
public:
    // A result is in this ibv_cq, which was armed. The pointer is only compared.
    virtual void on_completion_event(const ibv_cq*) {}
    // An ibv_async_event about its ibv_qp, ibv_cq or ibv_srq.
    virtual void on_async_event(ibv_event_type) {}
    // The device is gone: nothing that was posted completes any more. May come twice.
    virtual void on_device_removed() {}

protected:
    ~DeviceUser() = default;
};

class Device final : public RefCounted {
public:
    // Opens the device and port that an id was bound to. insufficient_resources, no_memory, explained.
    static Result<Ref<Device>> open(const SharedParts& parts, const rdma_cm_id& bound);
    // Makes the device of an open context, which is its own from here on.
    static Result<Ref<Device>> create(const SharedParts& parts, ibv_context* context, DeviceFacts facts);
    ~Device() override;

    const VerbsFunctions& ibv() const { return parts_.core.ibv; }
    const CmFunctions& rdma() const { return parts_.core.rdma; }
    EventLoop& event_loop() const { return parts_.event_loop; }
    Reaper& reaper() const { return parts_.reaper; }
    EventChannel& channel() const { return parts_.channel; }
    const Settings& settings() const { return parts_.settings; }

    ibv_context* context() const { return context_; }
    // Returns true if the id is bound to this device and port.
    bool serves(const rdma_cm_id& id) const;
    ibv_comp_channel* completion_channel() const { return completion_channel_; }
    const DeviceFacts& facts() const { return facts_; }
    const Quirks& quirks() const { return facts_.quirks; }

    // Returns false if a queue pair of a shared receive queue makes no LAST_WQE_REACHED: by the driver's quirk, or since one made none.
    bool tells_last_receive() const { return tells_last_receive_.load(std::memory_order_relaxed); }
    void expect_no_last_receive();

    // Returns the interrupt vector of the next ibv_cq: that of one of the processors, if the program names some, which take
    // turns; all take turns otherwise. Drivers bind their vectors to processors in order.
    int next_vector(const ProcessorGroup& processors);

    NamedPages& named_pages() { return named_pages_; }

    // Makes a key for all memory of this process, which this side may read and write. Null, with errno: there is none.
    ibv_mr* register_everything(ibv_pd* domain) const;
    // Returns true if there are such keys; otherwise requests need the names of named_pages(). The first call finds out
    // with the help of `domain`, which is of any open; all opens go by its answer, because a mapping has names for all
    // or for none.
    bool pages_on_demand(ibv_pd* domain) EXCLUDES(paging_mutex_);

    // Lets `user`, a part of `owner`, hear of events of the ibv_cq, ibv_qp or ibv_srq `object`, and of the device's
    // end; with any other pointer, of the end alone. Nothing is told in this call: after it the caller looks at
    // ended(). Any lock may be held. The list holds no reference.
    void add(const void* object, const RefCounted& owner, DeviceUser& user) EXCLUDES(mutex_);
    // Removes a user, before the object is destroyed; at the latest from the destructor of its owner.
    void remove(const void* object) EXCLUDES(mutex_);

    // Hands on the events that have come, for a caller that waits for one and may be the service thread. No lock held.
    void drain_async_events();

    // Tells every user of DEVICE_REMOVAL of rdma_cm, or of DEVICE_FATAL, once. Any thread, no lock held.
    void end() EXCLUDES(mutex_);
    bool ended() const { return ended_.load(std::memory_order_acquire); }
    // Explains the refusal of a call after the end: device_removed.
    Status refuse_after_end(std::string_view object, std::string_view operation) const;

private:
    class CompletionWatch;
    class AsyncWatch;

    Device(const SharedParts& parts, ibv_context* context, DeviceFacts facts);
    Status watch();
    // A user, and the reference that keeps it.
    struct User {
        Ref<const RefCounted> owner;
        DeviceUser* user = nullptr;
    };
    User user_of(const void* object) EXCLUDES(mutex_);
    void drain_completion_channel();

    // Constant after create().
    const SharedParts parts_;
    ibv_context* const context_;
    const DeviceFacts facts_;
    ibv_comp_channel* completion_channel_ = nullptr;
    // The descriptors of rdma-core; a child of fork closes them, so that with its parent the hardware's queue pairs
    // end.
    std::optional<LentDescriptor> completion_events_, device_events_, commands_;

    NamedPages named_pages_;
    Mutex paging_mutex_;  // held across the trial registration
    std::optional<bool> pages_on_demand_ GUARDED_BY(paging_mutex_);

    std::atomic<bool> tells_last_receive_{true};  // relaxed: it stands alone
    std::atomic<unsigned> next_vector_{0};        // relaxed: it stands alone
    std::atomic<bool> ended_{false};              // set once; release and acquire: users are told after it

    Mutex mutex_;  // nothing is called under it
    struct Listed {
        const RefCounted* owner;
        DeviceUser* user;
    };
    // The users, by the pointer to the object of libibverbs. An owner with the count 0 is being destroyed.
    std::unordered_map<const void*, Listed> users_ GUARDED_BY(mutex_);
};

// "RDMA device mlx5_0 (driver mlx5, firmware 28.39), RoCE v2, port 1 active at 100 Gb/sec (4X EDR), NUMA node 0, locked memory
// without limit", for nd info and opennd_transport_explain. Unknown parts are left out.
std::string text_of(const Device& device);

}  // namespace opennd::verbs
