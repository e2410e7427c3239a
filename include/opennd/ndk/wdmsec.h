/* SPDX-License-Identifier: MIT
 *
 * wdmsec.h: included by drivers that make devices with names and descriptors. A host makes the devices here, so that nothing
 * is left of it but what it builds on.
 */
#ifndef OPENND_NDK_WDMSEC_H
#define OPENND_NDK_WDMSEC_H

#include "wdm.h"

#endif
