/* SPDX-License-Identifier: MIT
 *
 * ndspi.h: the interfaces of Network Direct. This is the header that programs include, by itself or through
 * ndsupport.h.
 *
 * ndspi_v2.h holds version 2 (IND2Provider and the objects below it), ndspi_v1.h version 1 (INDProvider). Both are
 * always declared; NDVER decides about a few constants only. C programs that define COBJMACROS get ndspi_cobj.h as well.
 */
#ifndef _NDSPI_H_
#define _NDSPI_H_

#include <netinet/in.h>
#include <sys/socket.h>

#include "ndcom.h"
#include "nddef.h"
#include "ndspi_v1.h"
#include "ndspi_v2.h"
#include "ndstatus.h"
#include "ndtypes.h"

#if defined(COBJMACROS) && defined(OPENND_C_INTERFACES)
#include "ndspi_cobj.h"
#endif

#endif
