/* SPDX-License-Identifier: MIT
 * The least a C program does: starts, opens the loopback adapter through its table of functions, lets it go. */
#include <arpa/inet.h>
#include <ndsupport.h>
#include <opennd.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    struct sockaddr_in address;
    IND2Adapter* adapter = NULL;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);

    if (FAILED(NdStartup())) return 1;
    if (FAILED(NdOpenAdapter(&IID_IND2Adapter, (struct sockaddr*)&address, sizeof address, (void**)&adapter))) return 2;
    if (adapter->lpVtbl->Release(adapter) != 0) return 3;
    if (FAILED(NdCleanup())) return 4;
    printf("C: OpenND %s\n", opennd_version());
    return 0;
}
