/* SPDX-License-Identifier: MIT
 *
 * wdmsec.h: included by drivers that make devices with names and descriptors. The host makes the devices here, so that
 * only the headers it builds on remain.
 */
#ifndef OPENND_NDK_WDMSEC_H
#define OPENND_NDK_WDMSEC_H

#include "wdm.h"

#endif
