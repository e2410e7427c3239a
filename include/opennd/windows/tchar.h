/* SPDX-License-Identifier: MIT
 *
 * tchar.h: names for text of either width: wide in programs built with _UNICODE, otherwise narrow.
 */
#ifndef OPENND_WINDOWS_TCHAR_H
#define OPENND_WINDOWS_TCHAR_H

#include "win32/entry.h"
#include "win32/printing.h"
#include "win32/text.h"
#include "win32/types.h"

#ifdef _UNICODE

#define _T(literal)    OPENND_WIDE(literal)
#define _TEXT(literal) OPENND_WIDE(literal)
#define __T(literal)   OPENND_WIDE(literal)

#define _tmain      wmain
#define _tprintf    wprintf
#define _ftprintf   fwprintf
#define _stprintf_s swprintf_s
#define _sntprintf  _snwprintf
#define _vtprintf   vwprintf
#define _vftprintf  vfwprintf
#define _fputts     fputws
#define _putts      _putws
#define _fgetts     fgetws
#define _tcscmp     wcscmp
#define _tcsncmp    wcsncmp
#define _tcsicmp    _wcsicmp
#define _tcsnicmp   _wcsnicmp
#define _tcslen     wcslen
#define _tcsnlen    wcsnlen
#define _tcscpy     wcscpy
#define _tcscpy_s   wcscpy_s
#define _tcscat_s   wcscat_s
#define _tcsncpy_s  wcsncpy_s
#define _tcschr     wcschr
#define _tcsrchr    wcsrchr
#define _tcsstr     wcsstr
#define _tcsdup     _wcsdup
#define _tcstok_s   wcstok_s
#define _tcstol     wcstol
#define _tcstoul    wcstoul
#define _tstoi      _wtoi
#define _ttoi       _wtoi
#define _tstol      _wtol
#define _ttol       _wtol
#define _ttoi64     _wtoi64
#define _tfopen     _wfopen
#define _tfopen_s   _wfopen_s
#define _tfreopen   _wfreopen

#else

#define _T(literal)    literal
#define _TEXT(literal) literal
#define __T(literal)   literal

#define _tmain      main
#define _tprintf    printf
#define _ftprintf   fprintf
#define _stprintf_s sprintf_s
#define _sntprintf  _snprintf
#define _vtprintf   vprintf
#define _vftprintf  vfprintf
#define _fputts     fputs
#define _putts      puts
#define _fgetts     fgets
#define _tcscmp     strcmp
#define _tcsncmp    strncmp
#define _tcsicmp    _stricmp
#define _tcsnicmp   _strnicmp
#define _tcslen     strlen
#define _tcsnlen    strnlen
#define _tcscpy     strcpy
#define _tcscpy_s   strcpy_s
#define _tcscat_s   strcat_s
#define _tcsncpy_s  strncpy_s
#define _tcschr     strchr
#define _tcsrchr    strrchr
#define _tcsstr     strstr
#define _tcsdup     _strdup
#define _tcstok_s   strtok_s
#define _tcstol     strtol
#define _tcstoul    strtoul
#define _tstoi      atoi
#define _ttoi       atoi
#define _tstol      atol
#define _ttol       atol
#define _ttoi64     _atoi64
#define _tfopen     fopen
#define _tfopen_s   fopen_s
#define _tfreopen   freopen

#endif

#endif
