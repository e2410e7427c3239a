// SPDX-License-Identifier: MIT
// From an interface type to its IID.
#pragma once

#include "ndspi.h"
#include "opennd_immediate.h"

namespace opennd {

template <typename Interface>
const GUID& iid_of();

template <>
inline const GUID& iid_of<IUnknown>() {
    return IID_IUnknown;
}
template <>
inline const GUID& iid_of<IClassFactory>() {
    return IID_IClassFactory;
}
template <>
inline const GUID& iid_of<INDOverlapped>() {
    return IID_INDOverlapped;
}
template <>
inline const GUID& iid_of<INDCompletionQueue>() {
    return IID_INDCompletionQueue;
}
template <>
inline const GUID& iid_of<INDMemoryWindow>() {
    return IID_INDMemoryWindow;
}
template <>
inline const GUID& iid_of<INDEndpoint>() {
    return IID_INDEndpoint;
}
template <>
inline const GUID& iid_of<INDConnector>() {
    return IID_INDConnector;
}
template <>
inline const GUID& iid_of<INDListen>() {
    return IID_INDListen;
}
template <>
inline const GUID& iid_of<INDAdapter>() {
    return IID_INDAdapter;
}
template <>
inline const GUID& iid_of<INDProvider>() {
    return IID_INDProvider;
}
template <>
inline const GUID& iid_of<IND2Overlapped>() {
    return IID_IND2Overlapped;
}
template <>
inline const GUID& iid_of<IND2CompletionQueue>() {
    return IID_IND2CompletionQueue;
}
template <>
inline const GUID& iid_of<IND2ImmediateCompletionQueue>() {
    return IID_IND2ImmediateCompletionQueue;
}
template <>
inline const GUID& iid_of<IND2ImmediateQueuePair>() {
    return IID_IND2ImmediateQueuePair;
}
template <>
inline const GUID& iid_of<IND2SharedReceiveQueue>() {
    return IID_IND2SharedReceiveQueue;
}
template <>
inline const GUID& iid_of<IND2MemoryRegion>() {
    return IID_IND2MemoryRegion;
}
template <>
inline const GUID& iid_of<IND2MemoryWindow>() {
    return IID_IND2MemoryWindow;
}
template <>
inline const GUID& iid_of<IND2QueuePair>() {
    return IID_IND2QueuePair;
}
template <>
inline const GUID& iid_of<IND2Connector>() {
    return IID_IND2Connector;
}
template <>
inline const GUID& iid_of<IND2Listener>() {
    return IID_IND2Listener;
}
template <>
inline const GUID& iid_of<IND2Adapter>() {
    return IID_IND2Adapter;
}
template <>
inline const GUID& iid_of<IND2Provider>() {
    return IID_IND2Provider;
}

}  // namespace opennd
