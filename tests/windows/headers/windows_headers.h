/* SPDX-License-Identifier: MIT
 * Everything of the Windows-named set and of Network Direct. */
#include <winsock2.h>

#include <Windows.h>

#include <ntstatus.h>

#include <SDKDDKVer.h>
#include <WS2tcpip.h>
#include <WinSock2.h>
#include <coguid.h>
#include <comdef.h>
#include <crtdbg.h>
#include <evntprov.h>
#include <guiddef.h>
#include <ifdef.h>
#include <intrin.h>
#include <intsafe.h>
#include <io.h>
#include <libloaderapi.h>
#include <mstcpip.h>
#include <mswsock.h>
#include <ndspi.h>
#include <ndsupport.h>
#include <objbase.h>
#include <opennd.h>
#include <process.h>
#include <rpc.h>
#include <sal.h>
#include <sddl.h>
#include <shellapi.h>
#include <strsafe.h>
#include <sys/timeb.h>
#include <tchar.h>
#include <unknwn.h>
#include <winerror.h>
#include <winioctl.h>
#include <winnt.h>
#include <winternl.h>
#include <wrl/client.h>
#include <ws2def.h>
#include <ws2ipdef.h>
#include <ws2tcpip.h>
#include <wtypes.h>
