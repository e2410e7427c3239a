// SPDX-License-Identifier: MIT
// See object_of.h.
#include "ndk/object_of.h"

#include <cstdlib>

#include "base/log.h"
#include "ndk/connection/connector.h"
#include "ndk/connection/listener.h"
#include "ndk/connection/shared_endpoint.h"
#include "ndk/memory/memory_region.h"
#include "ndk/memory/memory_window.h"
#include "ndk/memory/protection_domain.h"
#include "ndk/queue/completion_queue.h"
#include "ndk/queue/queue_pair.h"
#include "ndk/queue/shared_receive_queue.h"

namespace opennd {
namespace {

// The header is the first member of the consumer's structure.
template <typename Face, typename Seen>
NdkObject& as(NDK_OBJECT_HEADER* header) {
    return *static_cast<Face*>(reinterpret_cast<Seen*>(header));
}

}  // namespace

NdkObject& object_of(NDK_OBJECT_HEADER* header) {
    switch (header ? header->ObjectType : NdkObjectTypeUndefined) {
        case NdkObjectTypeQp: return as<NdkQueuePair, NDK_QP>(header);
        case NdkObjectTypeCq: return as<NdkCompletionQueue, NDK_CQ>(header);
        case NdkObjectTypeMr: return as<NdkMemoryRegion, NDK_MR>(header);
        case NdkObjectTypeMw: return as<NdkMemoryWindow, NDK_MW>(header);
        case NdkObjectTypePd: return as<NdkProtectionDomain, NDK_PD>(header);
        case NdkObjectTypeSharedEndpoint: return as<NdkSharedEndpoint, NDK_SHARED_ENDPOINT>(header);
        case NdkObjectTypeConnector: return as<NdkConnector, NDK_CONNECTOR>(header);
        case NdkObjectTypeListener: return as<NdkListener, NDK_LISTENER>(header);
        case NdkObjectTypeSrq: return as<NdkSharedReceiveQueue, NDK_SRQ>(header);
        case NdkObjectTypeUndefined:
        case NdkObjectTypeAdapter:
        case NdkObjectTypeMax: break;
    }
    log(LogLevel::error, "closing {}: it is no NDK object, or none any more; this cannot go on (NDK-GEN-07)",
        static_cast<const void*>(header));
    std::abort();
}

}  // namespace opennd
