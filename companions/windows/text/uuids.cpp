// SPDX-License-Identifier: MIT
// UUIDs: compared, made.
#include <sys/random.h>

#include <cstring>

#include "ndcom.h"
#include "rpcdce.h"

namespace {

constexpr UUID kNil{};

const UUID& value(const UUID* uuid) { return uuid != nullptr ? *uuid : kNil; }

int succeed(RPC_STATUS* status, int result) {
    if (status != nullptr) *status = RPC_S_OK;
    return result;
}

int compare(const UUID& one, const UUID& other) {
    if (one.Data1 != other.Data1) return one.Data1 < other.Data1 ? -1 : 1;
    if (one.Data2 != other.Data2) return one.Data2 < other.Data2 ? -1 : 1;
    if (one.Data3 != other.Data3) return one.Data3 < other.Data3 ? -1 : 1;
    const int difference = std::memcmp(one.Data4, other.Data4, sizeof one.Data4);
    return (difference > 0) - (difference < 0);
}

}  // namespace

int UuidCompare(UUID* Uuid1, UUID* Uuid2, RPC_STATUS* Status) {
    return succeed(Status, compare(value(Uuid1), value(Uuid2)));
}

int UuidEqual(UUID* Uuid1, UUID* Uuid2, RPC_STATUS* Status) {
    return succeed(Status, value(Uuid1) == value(Uuid2) ? TRUE : FALSE);
}

int UuidIsNil(UUID* Uuid, RPC_STATUS* Status) { return succeed(Status, value(Uuid) == kNil ? TRUE : FALSE); }

unsigned short UuidHash(UUID* Uuid, RPC_STATUS* Status) {
    UINT16 halves[sizeof(UUID) / sizeof(UINT16)];
    std::memcpy(halves, &value(Uuid), sizeof halves);
    unsigned hash = 0;
    for (const UINT16 half : halves) hash = hash * 31 + half;
    return static_cast<unsigned short>(succeed(Status, static_cast<int>(hash & 0xFFFF)));
}

RPC_STATUS UuidCreate(UUID* Uuid) {
    while (getrandom(Uuid, sizeof *Uuid, 0) != static_cast<ssize_t>(sizeof *Uuid)) {
        // Interrupted before the system had enough of them.
    }
    Uuid->Data3 = static_cast<USHORT>((Uuid->Data3 & 0x0FFF) | 0x4000);
    Uuid->Data4[0] = static_cast<UINT8>((Uuid->Data4[0] & 0x3F) | 0x80);
    return RPC_S_OK;
}

RPC_STATUS UuidCreateNil(UUID* NilUuid) {
    *NilUuid = kNil;
    return RPC_S_OK;
}
