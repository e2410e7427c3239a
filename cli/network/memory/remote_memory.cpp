// SPDX-License-Identifier: MIT
//
// Read remote_memory.h first. A descriptor is big-endian in all its members; so is a token of versions 1 and 2.
#include "network/memory/remote_memory.h"

#include <endian.h>

namespace nd {

RemoteMemory remote_memory(const ND_MW_DESCRIPTOR& descriptor) {
    return {be64toh(descriptor.Base), be64toh(descriptor.Length), descriptor.Token, 0};
}

RemoteTarget::RemoteTarget(const RemoteMemory& memory)
    : address(memory.address), token(memory.token), ndk_token(be32toh(memory.token)) {
    descriptor.Base = htobe64(memory.address);
    descriptor.Length = htobe64(memory.bytes);
    descriptor.Token = memory.token;
}

}  // namespace nd
