/* SPDX-License-Identifier: MIT
 *
 * crtdbg.h: checks of Microsoft's debug library. Assertions are those of <assert.h>; heap checks do nothing and are
 * left to sanitizers.
 */
#ifndef OPENND_WINDOWS_CRTDBG_H
#define OPENND_WINDOWS_CRTDBG_H

#include <assert.h>

#define _ASSERT(condition)  assert(condition)
#define _ASSERTE(condition) assert(condition)

#define _CRTDBG_ALLOC_MEM_DF    0x01
#define _CRTDBG_CHECK_ALWAYS_DF 0x04
#define _CRTDBG_LEAK_CHECK_DF   0x20
#define _CRTDBG_REPORT_FLAG     (-1)

#define _CrtSetDbgFlag(flags) ((int)0)
#define _CrtDumpMemoryLeaks() ((int)0)
#define _CrtCheckMemory()     ((int)1)

#endif
