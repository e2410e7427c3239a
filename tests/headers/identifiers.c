/* SPDX-License-Identifier: MIT
 *
 * identifiers.c: gives the identifiers storage a second time, in C. See identifiers_test.cpp.
 */
#define INITGUID
#include <ndsupport.h>

const IID* opennd_test_c_identifier(int number);

const IID* opennd_test_c_identifier(int number) {
    static const IID* const identifiers[] = {&IID_IUnknown, &IID_IND2Adapter, &IID_INDAdapter};
    return IsEqualIID(identifiers[number], identifiers[number]) ? identifiers[number] : NULL;
}
