// SPDX-License-Identifier: MIT
// See device_facts.h.
#include "transport/verbs/device_facts.h"

#include <array>
#include <cstring>
#include <string_view>

#include "platform/process/shared_object.h"

namespace opennd::verbs {
namespace {

struct Row {
    std::string_view driver;
    Quirks quirks;
};

// Found with siw and rxe of Linux 6.1 and rdma-core 44.
constexpr std::array kRows{
    Row{"siw",
        {.solicited_only_never_fires = true,
         .refuses_fenced_reads = true,
         .overtakes_reads = true,
         .fails_requests_of_a_broken_stream = true,
         .receives_need_an_entry = true,
         .reads_need_no_remote_write = true}},
    Row{"rxe", {.tells_invalidation_as_checksum = true, .failures_make_no_event = true, .tells_no_last_receive = true}},
};

Quirks quirks_of(std::string_view driver) {
    for (const Row& row : kRows)
        if (row.driver == driver) return row.quirks;
    return {};
}

// The provider is the file that the device's own functions lie in: libsiw-rdmav34.so, libmlx5.so.1.
std::string driver_of(const ibv_context& context) {
    const std::string file = file_of_code(reinterpret_cast<const void*>(context.ops.post_send));
    std::string_view name = file;
    name.remove_prefix(std::min(name.rfind('/') + 1, name.size()));
    if (!name.starts_with("lib")) return {};
    name.remove_prefix(3);
    return std::string(name.substr(0, name.find_first_of("-.")));
}

// RoCE is of version 2 where an entry of the port's table of GIDs is.
Technology technology_of(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port,
                         const ibv_port_attr& link) {
    if (context->device->transport_type == IBV_TRANSPORT_IWARP) return Technology::iwarp;
    if (link.link_layer != IBV_LINK_LAYER_ETHERNET) return Technology::infiniband;
    for (int index = 0; index < link.gid_tbl_len; ++index) {
        ibv_gid_entry entry{};
        if (ibv.query_gid_ex(context, port, static_cast<std::uint32_t>(index), &entry, 0, sizeof entry) == 0 &&
            entry.gid_type == IBV_GID_TYPE_ROCE_V2)
            return Technology::roce_v2;
    }
    return Technology::roce;
}

}  // namespace

int query_port(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port, ibv_port_attr& attributes) {
    attributes = {};
    // The driver's own function first: the exported one does not know the newest members.
    if (verbs_context* const newer = __extension__ verbs_get_ctx_op(context, query_port))
        return newer->query_port(context, port, &attributes, sizeof(attributes));
    return ibv.query_port(context, port, reinterpret_cast<_compat_ibv_port_attr*>(&attributes));
}

DeviceFacts facts_of(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port) {
    DeviceFacts facts;
    facts.name = ibv.get_device_name(context->device);
    facts.driver = driver_of(*context);
    facts.port = port;
    facts.quirks = quirks_of(facts.driver);
    ibv_port_attr link{};
    (void)query_port(ibv, context, port, link);  // a port that does not tell is InfiniBand's, as the verbs define
    facts.technology = technology_of(ibv, context, port, link);
    ibv_device_attr attributes{};
    if (ibv.query_device(context, &attributes) == 0) {
        facts.firmware.assign(attributes.fw_ver, strnlen(attributes.fw_ver, sizeof(attributes.fw_ver)));
        facts.vendor_id = attributes.vendor_id;
        facts.part_id = attributes.vendor_part_id;
    }
    return facts;
}

}  // namespace opennd::verbs
