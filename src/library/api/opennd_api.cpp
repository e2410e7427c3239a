// SPDX-License-Identifier: MIT
// The functions of opennd.h: handles, memory, transports and the log. last_error.cpp tells why something failed.
#include "opennd.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/status_names.h"
#include "library/api/program_sink.h"
#include "library/api/text_buffer.h"
#include "library/library.h"
#include "library/version.h"
#include "platform/waiting/completion_port.h"
#include "platform/waiting/event.h"
#include "platform/waiting/handle_table.h"
#include "platform/waiting/overlapped_file.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/nd1/connection/connector.h"
#include "spi/nd2/connection/connector.h"
#include "spi/overlapped.h"
#include "spi/status_map.h"

namespace opennd {
namespace {

template <typename Object>
constexpr std::string_view kKind;
template <>
constexpr std::string_view kKind<Event> = "event";
template <>
constexpr std::string_view kKind<CompletionPort> = "port";
template <>
constexpr std::string_view kKind<OverlappedFile> = "overlapped file";

// `use` is called with the object behind the handle.
template <typename Object, typename Use>
HRESULT with(HANDLE handle, std::string_view operation, Use&& use) {
    return at_face([&]() -> HRESULT {
        const Ref<Object> object = handle_table().find<Object>(handle);
        return object ? use(*object) : refuse_handle({kKind<Object>, operation}, handle, kKind<Object>, "ND2-OVL-05");
    });
}

HRESULT leave_packet(HANDLE port, std::string_view operation, const CompletionPacket& packet) {
    return with<CompletionPort>(port, operation, [&](CompletionPort& p) {
        p.post(packet);
        return ND_SUCCESS;
    });
}

template <typename Object>
HRESULT give_handle(Result<Ref<Object>> object, HANDLE* handle) {
    if (!object.ok()) return to_hresult(object.status());
    *handle = handle_table().insert(object.take());
    return *handle ? ND_SUCCESS : ND_INSUFFICIENT_RESOURCES;
}

std::optional<SteadyTime> deadline_after(DWORD timeout_ms) {
    if (timeout_ms == OPENND_FOREVER) return std::nullopt;
    return now() + std::chrono::milliseconds(timeout_ms);
}

// These waits end with the status of version 1 and Win32, which succeeds.
HRESULT wait_result(Status status) { return status == Status::timed_out ? ND_TIMEOUT : to_hresult(status); }

using LogSink = ProgramSink<opennd_log_function>;

// A program may pass a number that is no level and no value of the type; to load it as the type would be undefined.
std::underlying_type_t<opennd_log_level> number_of(const opennd_log_level& level) {
    std::underlying_type_t<opennd_log_level> number = 0;
    std::memcpy(&number, &level, sizeof number);
    return number;
}

void call_log_sink(void* context, LogLevel level, const char* message) {
    const auto* sink = static_cast<const LogSink*>(context);
    sink->function(sink->context, static_cast<opennd_log_level>(level), message);
}

ProgramSinkOwner<opennd_log_function>& log_sink_owner() {
    static auto* const owner = new ProgramSinkOwner<opennd_log_function>;  // threads may log while the process exits
    return *owner;
}

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT opennd_event_create(BOOL manual_reset, BOOL signalled, HANDLE* event) {
    if (event == nullptr) return refuse_null(ND_INVALID_PARAMETER, {"event", "opennd_event_create"}, "event");
    return at_face([&] {
        const EventReset reset = manual_reset ? EventReset::manual : EventReset::automatic;
        return give_handle(Result(make_ref<Event>(reset, signalled != FALSE)), event);
    });
}

HRESULT opennd_event_set(HANDLE event) {
    return with<Event>(event, "opennd_event_set", [](Event& e) { return e.set(), ND_SUCCESS; });
}

HRESULT opennd_event_reset(HANDLE event) {
    return with<Event>(event, "opennd_event_reset", [](Event& e) { return e.reset(), ND_SUCCESS; });
}

HRESULT opennd_event_wait(HANDLE event, DWORD timeout_ms) {
    return with<Event>(event, "opennd_event_wait",
                       [&](Event& e) { return wait_result(e.wait(deadline_after(timeout_ms))); });
}

HRESULT opennd_event_descriptor(HANDLE event, int* descriptor) {
    if (descriptor == nullptr)
        return refuse_null(ND_INVALID_PARAMETER, {"event", "opennd_event_descriptor"}, "descriptor");
    return with<Event>(event, "opennd_event_descriptor", [&](Event& e) {
        const Result<int> made = e.descriptor();
        if (made.ok()) *descriptor = made.value();
        return to_hresult(made.status());
    });
}

HRESULT opennd_event_take_all(const HANDLE events[], ULONG count) {
    constexpr Site site{"event", "opennd_event_take_all"};
    if (events == nullptr || count == 0) return refuse_null(ND_INVALID_PARAMETER, site, "events, or its count,");
    return at_face([&]() -> HRESULT {
        std::vector<Ref<Event>> all(count);
        for (ULONG i = 0; i < count; ++i) {
            all[i] = handle_table().find<Event>(events[i]);
            if (!all[i]) return refuse_handle(site, events[i], kKind<Event>, "ND2-OVL-05");
        }
        return wait_result(Event::take_all(std::move(all)));
    });
}

HRESULT opennd_port_create(HANDLE* port) {
    if (port == nullptr) return refuse_null(ND_INVALID_PARAMETER, {"port", "opennd_port_create"}, "port");
    return at_face([&] { return give_handle(CompletionPort::create(), port); });
}

HRESULT opennd_port_associate(HANDLE port, HANDLE overlapped_file, ULONG_PTR key) {
    return with<CompletionPort>(port, "opennd_port_associate", [&](CompletionPort& p) {
        return with<OverlappedFile>(overlapped_file, "opennd_port_associate", [&](OverlappedFile& file) -> HRESULT {
            const Status status = file.associate(Ref<CompletionPort>(&p), key);
            if (ok(status)) return ND_SUCCESS;
            return explain(to_hresult(status), {.object = "overlapped file",
                                                .operation = "opennd_port_associate",
                                                .asked = "a second port for one file",
                                                .limit = "one association for each file, which lasts",
                                                .remedy = "take all packets of the file from the port it has",
                                                .requirement = "ND2-FILE-06"});
        });
    });
}

HRESULT opennd_port_wait(HANDLE port, opennd_packet packets[], ULONG capacity, DWORD timeout_ms, ULONG* count) {
    if (packets == nullptr || capacity == 0 || count == nullptr)
        return explain(ND_INVALID_PARAMETER,
                       {.object = "port",
                        .operation = "opennd_port_wait",
                        .asked = phrase("an array of {} packets{}{}", capacity, packets ? "" : ", packets NULL",
                                        count ? "" : ", count NULL"),
                        .limit = "an array of 1 packet or more, and a place for their number",
                        .remedy = "pass both pointers, and the length of the array",
                        .requirement = "ND2-OVL-10"});
    *count = 0;
    return with<CompletionPort>(port, "opennd_port_wait", [&](CompletionPort& p) {
        std::array<CompletionPacket, 64> batch;
        const std::size_t room = std::min<std::size_t>(capacity, batch.size());
        const Result<std::size_t> taken = p.wait({batch.data(), room}, deadline_after(timeout_ms));
        if (taken.status() == Status::canceled)
            return explain(ND_CANCELED, {.object = "port",
                                         .operation = "opennd_port_wait",
                                         .asked = "packets of a port that was closed meanwhile",
                                         .limit = "until opennd_handle_close",
                                         .remedy = "end the waiting threads before the port is closed",
                                         .requirement = "ND2-OVL-10"});
        if (!taken.ok()) return wait_result(taken.status());
        for (std::size_t i = 0; i < taken.value(); ++i)
            packets[i] = {batch[i].key, static_cast<OVERLAPPED*>(batch[i].overlapped), batch[i].status, batch[i].bytes};
        *count = static_cast<ULONG>(taken.value());
        return ND_SUCCESS;
    });
}

HRESULT opennd_port_post(HANDLE port, DWORD bytes, ULONG_PTR key, OVERLAPPED* overlapped) {
    return leave_packet(port, "opennd_port_post", {key, overlapped, ND_SUCCESS, bytes});
}

HRESULT opennd_port_complete(HANDLE port, HRESULT status, DWORD bytes, ULONG_PTR key, OVERLAPPED* overlapped) {
    return leave_packet(port, "opennd_port_complete", {key, overlapped, static_cast<std::uint32_t>(status), bytes});
}

HRESULT opennd_port_descriptor(HANDLE port, int* descriptor) {
    if (descriptor == nullptr)
        return refuse_null(ND_INVALID_PARAMETER, {"port", "opennd_port_descriptor"}, "descriptor");
    return with<CompletionPort>(port, "opennd_port_descriptor",
                                [&](CompletionPort& p) { return *descriptor = p.descriptor(), ND_SUCCESS; });
}

HRESULT opennd_handle_close(HANDLE handle) {
    return at_face([&] {
        return ok(handle_table().close(handle))
                   ? ND_SUCCESS
                   : refuse_handle({"handle", "opennd_handle_close"}, handle, "event, port or file", "ND2-FILE-08");
    });
}

HRESULT opennd_handle_duplicate(HANDLE handle, HANDLE* duplicate) {
    constexpr Site site{"handle", "opennd_handle_duplicate"};
    if (duplicate == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "duplicate");
    return at_face([&]() -> HRESULT {
        const Result<void*> second = handle_table().duplicate(handle);
        if (second.status() == Status::invalid_parameter)
            return refuse_handle(site, handle, "event, port or file", "ND2-FILE-08");
        if (!second.ok()) return to_hresult(second.status());
        *duplicate = second.value();
        return ND_SUCCESS;
    });
}

HRESULT opennd_handle_query(HANDLE handle, opennd_handle_kind* kind) {
    constexpr Site site{"handle", "opennd_handle_query"};
    if (kind == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "kind");
    return at_face([&]() -> HRESULT {
        const Ref<HandleObject> object = handle_table().find_object(handle);
        if (!object) return refuse_handle(site, handle, "event, port or file", "ND2-FILE-08");
        switch (object->kind()) {
            case HandleKind::event: *kind = OPENND_HANDLE_EVENT; break;
            case HandleKind::completion_port: *kind = OPENND_HANDLE_PORT; break;
            case HandleKind::overlapped_file: *kind = OPENND_HANDLE_OVERLAPPED_FILE; break;
        }
        return ND_SUCCESS;
    });
}

HRESULT opennd_overlapped_result(OVERLAPPED* overlapped, BOOL wait) { return overlapped_result(overlapped, wait); }

HRESULT opennd_memory_allocate(SIZE_T bytes, VOID** memory) {
    if (memory == nullptr) return refuse_null(ND_INVALID_PARAMETER, {"memory", "opennd_memory_allocate"}, "memory");
    *memory = nullptr;
    return at_face([&]() -> HRESULT {
        Result<void*> allocated = Library::instance().memory().allocate(bytes);
        if (!allocated.ok()) return to_hresult(allocated.status());
        *memory = allocated.take();
        return ND_SUCCESS;
    });
}

HRESULT opennd_memory_free(VOID* memory) {
    return at_face([&]() -> HRESULT {
        const Status status = Library::instance().memory().free(memory);
        if (ok(status)) return ND_SUCCESS;
        return explain(to_hresult(status), {.object = "mappable memory",
                                            .operation = "opennd_memory_free",
                                            .asked = phrase("memory at {}", memory),
                                            .limit = "a result of opennd_memory_allocate, once",
                                            .remedy = "free the pointer that was given, and only once",
                                            .requirement = "ND2-GEN-02"});
    });
}

HRESULT opennd_transport_select(const char* list) {
    return at_face([&] { return to_hresult(Library::instance().select_transports(list ? list : "")); });
}

HRESULT opennd_overrun_select(const char* rule) {
    return at_face([&] { return to_hresult(Library::instance().select_overrun_rule(rule ? rule : "")); });
}
namespace {
constexpr Site kExplain{"transports", "opennd_transport_explain"};
constexpr Site kConnectionTransport{"connector", "opennd_connection_transport"};

// Of either version; null: neither.
Ref<Connector> connector_behind(IUnknown* object) {
    if (const Ref<Nd2Connector> face = own_object<Nd2Connector>(object)) return face->core();
    const Ref<Nd1Connector> face = own_object<Nd1Connector>(object);
    return face ? face->core() : nullptr;
}
}  // namespace

HRESULT opennd_transport_explain(const sockaddr* remote, SIZE_T remote_bytes, char* name, SIZE_T name_bytes,
                                 char* reason, SIZE_T reason_bytes) {
    if (!is_buffer(name, name_bytes)) return refuse_null(ND_INVALID_PARAMETER, kExplain, "name, or its size,");
    if (!is_buffer(reason, reason_bytes)) return refuse_null(ND_INVALID_PARAMETER, kExplain, "reason, or its size,");
    return at_face([&]() -> HRESULT {
        const std::optional<Address> address = Address::from(remote, remote_bytes);
        if (!address) return refuse_address(kExplain, remote, remote_bytes);
        const TransportChoice choice = Library::instance().transport().explain(*address);
        copy_text(choice.transport, name, name_bytes);
        copy_text(choice.reason, reason, reason_bytes);
        if (!choice.transport.empty()) return ND_SUCCESS;
        return explain(ND_NETWORK_UNREACHABLE, {.object = kExplain.object,
                                                .operation = kExplain.operation,
                                                .asked = phrase("a transport to {}", address->text()),
                                                .limit = choice.reason,
                                                .remedy = "choose other transports (OPENND_TRANSPORT)",
                                                .requirement = "ND2-CON-CONN-05"});
    });
}

HRESULT opennd_connection_transport(IUnknown* connector, char* name, SIZE_T name_bytes, char* path, SIZE_T path_bytes) {
    if (!is_buffer(name, name_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kConnectionTransport, "name, or its size,");
    if (!is_buffer(path, path_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kConnectionTransport, "path, or its size,");
    return at_face([&]() -> HRESULT {
        const Ref<Connector> core = connector_behind(connector);
        if (!core) return refuse_object(ND_INVALID_PARAMETER, kConnectionTransport, "connector", "connector");
        const Result<ConnectionPath> taken = core->path();
        if (!taken.ok()) return to_hresult(taken.status());
        copy_text(taken.value().transport, name, name_bytes);
        copy_text(taken.value().bulk, path, path_bytes);
        return ND_SUCCESS;
    });
}

const char* opennd_status_name(HRESULT status) { return status_name(status); }

const char* opennd_version(void) { return kVersion; }

HRESULT opennd_log_sink(opennd_log_function function, void* context, opennd_log_level level) {
    static_assert(int(LogLevel::error) == OPENND_LOG_ERROR && int(LogLevel::warn) == OPENND_LOG_WARN &&
                  int(LogLevel::info) == OPENND_LOG_INFO && int(LogLevel::debug) == OPENND_LOG_DEBUG &&
                  int(LogLevel::off) == OPENND_LOG_OFF);
    const auto number = number_of(level);
    return at_face([&]() -> HRESULT {
        if (number > OPENND_LOG_OFF)
            return explain(ND_INVALID_PARAMETER, {.object = "log",
                                                  .operation = "opennd_log_sink",
                                                  .asked = phrase("level {}", number),
                                                  .limit = "OPENND_LOG_ERROR (0) to OPENND_LOG_OFF (4)",
                                                  .remedy = "pass one of the constants of opennd_log_level",
                                                  .requirement = "ND2-GEN-02"});
        log_sink_owner().replace(function, context, [number](LogSink* sink) {
            set_log_sink(sink ? call_log_sink : nullptr, sink, static_cast<LogLevel>(number));
        });
        return ND_SUCCESS;
    });
}

VOID opennd_log_write(opennd_log_level level, const char* message) {
    if (message == nullptr || number_of(level) >= OPENND_LOG_OFF) return;
    const auto inner = static_cast<LogLevel>(number_of(level));
    if (!log_enabled(inner)) return;
    (void)at_face([&]() -> HRESULT {
        log_write(inner, message);
        return ND_SUCCESS;
    });
}
