/* SPDX-License-Identifier: MIT
 *
 * The names by which the system finds a driver.
 */
#pragma once

#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
