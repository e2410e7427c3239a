// SPDX-License-Identifier: MIT
// See rdma_core.h.
#include "transport/verbs/device/rdma_core.h"

#include <dirent.h>

#include <memory>
#include <string>

#include "platform/process/optional_library.h"

namespace opennd::verbs {
namespace {

constexpr const char* kInstall = "install rdma-core, libibverbs1, librdmacm1 and ibverbs-providers";
constexpr const char* kUpdate = "update rdma-core to version 25 or later";

void find_all(OptionalLibrary& library, VerbsFunctions& ibv) {
    library.find(ibv.get_device_name, "ibv_get_device_name");
    library.find(ibv.open_device, "ibv_open_device");
    library.find(ibv.close_device, "ibv_close_device");
    library.find(ibv.query_device, "ibv_query_device");
    library.find(ibv.query_port, "ibv_query_port");
    library.find(ibv.alloc_pd, "ibv_alloc_pd");
    library.find(ibv.dealloc_pd, "ibv_dealloc_pd");
    library.find(ibv.reg_mr, "ibv_reg_mr");
    library.find(ibv.reg_mr_iova, "ibv_reg_mr_iova");
    library.find(ibv.dereg_mr, "ibv_dereg_mr");
    library.find(ibv.create_comp_channel, "ibv_create_comp_channel");
    library.find(ibv.destroy_comp_channel, "ibv_destroy_comp_channel");
    library.find(ibv.create_cq, "ibv_create_cq");
    library.find(ibv.destroy_cq, "ibv_destroy_cq");
    library.find(ibv.get_cq_event, "ibv_get_cq_event");
    library.find(ibv.ack_cq_events, "ibv_ack_cq_events");
    library.find(ibv.get_async_event, "ibv_get_async_event");
    library.find(ibv.ack_async_event, "ibv_ack_async_event");
    library.find(ibv.create_srq, "ibv_create_srq");
    library.find(ibv.modify_srq, "ibv_modify_srq");
    library.find(ibv.destroy_srq, "ibv_destroy_srq");
    library.find(ibv.create_qp, "ibv_create_qp");
    library.find(ibv.query_qp, "ibv_query_qp");
    library.find(ibv.modify_qp, "ibv_modify_qp");
    library.find(ibv.destroy_qp, "ibv_destroy_qp");
    library.find(ibv.wc_status_str, "ibv_wc_status_str");
    library.find(ibv.event_type_str, "ibv_event_type_str");
    library.find_newer(ibv.query_gid_ex, "_ibv_query_gid_ex");
    library.find_newer(ibv.query_ece, "ibv_query_ece");
    library.find_newer(ibv.set_ece, "ibv_set_ece");
    library.find_newer(ibv.is_fork_initialized, "ibv_is_fork_initialized");
}

void find_all(OptionalLibrary& library, CmFunctions& rdma) {
    library.find(rdma.create_event_channel, "rdma_create_event_channel");
    library.find(rdma.destroy_event_channel, "rdma_destroy_event_channel");
    library.find(rdma.create_id, "rdma_create_id");
    library.find(rdma.destroy_id, "rdma_destroy_id");
    library.find(rdma.bind_addr, "rdma_bind_addr");
    library.find(rdma.resolve_addr, "rdma_resolve_addr");
    library.find(rdma.resolve_route, "rdma_resolve_route");
    library.find(rdma.init_qp_attr, "rdma_init_qp_attr");
    library.find(rdma.connect, "rdma_connect");
    library.find(rdma.establish, "rdma_establish");
    library.find(rdma.listen, "rdma_listen");
    library.find(rdma.accept, "rdma_accept");
    library.find(rdma.reject, "rdma_reject");
    library.find(rdma.notify, "rdma_notify");
    library.find(rdma.disconnect, "rdma_disconnect");
    library.find(rdma.get_cm_event, "rdma_get_cm_event");
    library.find(rdma.ack_cm_event, "rdma_ack_cm_event");
    library.find(rdma.set_option, "rdma_set_option");
    library.find_newer(rdma.get_remote_ece, "rdma_get_remote_ece");
    library.find_newer(rdma.set_local_ece, "rdma_set_local_ece");
}

// Returns true if the folder has an entry whose name begins so.
bool has_entry(const char* path, std::string_view beginning) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path), &closedir);
    if (!folder) return false;
    while (const dirent* const entry = readdir(folder.get()))
        if (entry->d_name[0] != '.' && std::string_view(entry->d_name).starts_with(beginning)) return true;
    return false;
}

}  // namespace

std::optional<RdmaCore> load_rdma_core(std::string& reason, const RdmaLibraries& libraries) {
    RdmaCore core{};
    // Its providers keep addresses of it in every context, and threads of its own may run.
    OptionalLibrary verbs(libraries.verbs, kInstall, kUpdate);
    find_all(verbs, core.ibv);
    OptionalLibrary cm(libraries.cm, kInstall, kUpdate);
    find_all(cm, core.rdma);
    for (const OptionalLibrary* const library : {&verbs, &cm}) {
        if (library->keep()) continue;
        reason = library->failure();
        return std::nullopt;
    }
    return core;
}

bool has_rdma_device(const DeviceFolders& folders) {
    return has_entry(folders.classes, "") || has_entry(folders.files, "uverbs");
}

}  // namespace opennd::verbs
