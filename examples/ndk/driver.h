/* SPDX-License-Identifier: MIT
 *
 * What the system knows a driver by.
 */
#pragma once

#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
