// SPDX-License-Identifier: MIT
// A program as it stands in a Visual Studio project, down to its entry point, and nothing in it knows of Linux: an adapter, a
// server on a thread of its own, a client, one message. docs/porting.md tells how it is built.
#include <ndstatus.h>
#include <ndsupport.h>
#include <process.h>
#include <tchar.h>
#include <winsock2.h>
#include <ws2tcpip.h>

static const char kGreeting[] = "Hello from the client";

#define CHECK(call)                                                           \
    do {                                                                      \
        HRESULT hr_ = (call);                                                 \
        if (FAILED(hr_)) {                                                    \
            _tprintf(_T("%S failed: %08x, line %d\n"), #call, hr_, __LINE__); \
            exit(EXIT_FAILURE);                                               \
        }                                                                     \
    } while (0)

// Everything that one end of a connection needs.
class Endpoint {
public:
    Endpoint(const SOCKADDR_IN& address) : m_address(address) {
        ::ZeroMemory(&m_overlapped, sizeof(m_overlapped));
        m_overlapped.hEvent = ::CreateEvent(nullptr, FALSE, FALSE, nullptr);
        m_pBuffer = static_cast<char*>(::HeapAlloc(::GetProcessHeap(), HEAP_ZERO_MEMORY, kBytes));
        CHECK(NdOpenAdapter(IID_IND2Adapter, reinterpret_cast<const SOCKADDR*>(&m_address), sizeof(m_address),
                            reinterpret_cast<void**>(&m_pAdapter)));
        CHECK(m_pAdapter->CreateOverlappedFile(&m_hFile));
        CHECK(m_pAdapter->CreateCompletionQueue(IID_IND2CompletionQueue, m_hFile, 4, 0, 0,
                                                reinterpret_cast<void**>(&m_pCq)));
        CHECK(m_pAdapter->CreateQueuePair(IID_IND2QueuePair, m_pCq, m_pCq, nullptr, 2, 2, 1, 1, 0,
                                          reinterpret_cast<void**>(&m_pQp)));
        CHECK(m_pAdapter->CreateConnector(IID_IND2Connector, m_hFile, reinterpret_cast<void**>(&m_pConnector)));
        CHECK(m_pAdapter->CreateMemoryRegion(IID_IND2MemoryRegion, m_hFile, reinterpret_cast<void**>(&m_pMr)));
        Wait(m_pMr, m_pMr->Register(m_pBuffer, kBytes, ND_MR_FLAG_ALLOW_LOCAL_WRITE, &m_overlapped));
    }

    ~Endpoint() {
        Wait(m_pMr, m_pMr->Deregister(&m_overlapped));
        m_pMr->Release();
        m_pConnector->Release();
        m_pQp->Release();
        m_pCq->Release();
        ::CloseHandle(m_hFile);
        m_pAdapter->Release();
        ::CloseHandle(m_overlapped.hEvent);
        ::HeapFree(::GetProcessHeap(), 0, m_pBuffer);
    }

    void Connect(const SOCKADDR_IN& server) {
        CHECK(m_pConnector->Bind(reinterpret_cast<const SOCKADDR*>(&m_address), sizeof(m_address)));
        Wait(m_pConnector, m_pConnector->Connect(m_pQp, reinterpret_cast<const SOCKADDR*>(&server), sizeof(server), 0,
                                                 0, nullptr, 0, &m_overlapped));
        Wait(m_pConnector, m_pConnector->CompleteConnect(&m_overlapped));
    }

    void Accept(IND2Listener* pListener) {
        ND2_SGE sge = {m_pBuffer, kBytes, m_pMr->GetLocalToken()};
        CHECK(m_pQp->Receive(this, &sge, 1));
        Wait(pListener, pListener->GetConnectionRequest(m_pConnector, &m_overlapped));
        Wait(m_pConnector, m_pConnector->Accept(m_pQp, 0, 0, nullptr, 0, &m_overlapped));
    }

    void Send(const char* text, ULONG bytes) {
        ::CopyMemory(m_pBuffer, text, bytes);
        ND2_SGE sge = {m_pBuffer, bytes, m_pMr->GetLocalToken()};
        CHECK(m_pQp->Send(this, &sge, 1, 0));
        Result();
    }

    const char* Received() {
        Result();
        return m_pBuffer;
    }

    void Disconnect() { Wait(m_pConnector, m_pConnector->Disconnect(&m_overlapped)); }

    IND2Listener* Listen() {
        IND2Listener* pListener = nullptr;
        CHECK(m_pAdapter->CreateListener(IID_IND2Listener, m_hFile, reinterpret_cast<void**>(&pListener)));
        CHECK(pListener->Bind(reinterpret_cast<const SOCKADDR*>(&m_address), sizeof(m_address)));
        CHECK(pListener->Listen(1));
        return pListener;
    }

private:
    static const ULONG kBytes = 4096;

    void Wait(IND2Overlapped* pObject, HRESULT hr) {
        CHECK(hr == ND_PENDING ? pObject->GetOverlappedResult(&m_overlapped, TRUE) : hr);
    }

    void Result() {
        ND2_RESULT result;
        while (m_pCq->GetResults(&result, 1) == 0) Wait(m_pCq, m_pCq->Notify(ND_CQ_NOTIFY_ANY, &m_overlapped));
        CHECK(result.Status);
    }

    SOCKADDR_IN m_address;
    OVERLAPPED m_overlapped;
    HANDLE m_hFile = nullptr;
    char* m_pBuffer = nullptr;
    IND2Adapter* m_pAdapter = nullptr;
    IND2CompletionQueue* m_pCq = nullptr;
    IND2QueuePair* m_pQp = nullptr;
    IND2Connector* m_pConnector = nullptr;
    IND2MemoryRegion* m_pMr = nullptr;
};

struct ServerParam {
    SOCKADDR_IN address;
    HANDLE hListening;
    SOCKADDR_IN listening;
    bool matched;
};

unsigned __stdcall Server(void* pContext) {
    ServerParam* pParam = static_cast<ServerParam*>(pContext);
    Endpoint endpoint(pParam->address);
    IND2Listener* pListener = endpoint.Listen();
    ULONG cbAddress = sizeof(pParam->listening);
    CHECK(pListener->GetLocalAddress(reinterpret_cast<SOCKADDR*>(&pParam->listening), &cbAddress));
    ::SetEvent(pParam->hListening);
    endpoint.Accept(pListener);
    const char* pText = endpoint.Received();
    pParam->matched = strcmp(pText, kGreeting) == 0;
    _tprintf(_T("The server received \"%S\"\n"), pText);
    pListener->Release();
    return 0;
}

int __cdecl _tmain(int argc, TCHAR* argv[]) {
    WSADATA data;
    if (::WSAStartup(MAKEWORD(2, 2), &data) != 0) return EXIT_FAILURE;
    CHECK(NdStartup());

    SOCKADDR_IN address = {0};
    INT cbAddress = sizeof(address);
    TCHAR loopback[] = _T("127.0.0.1");
    ::WSAStringToAddress(argc > 1 ? argv[1] : loopback, AF_INET, nullptr, reinterpret_cast<SOCKADDR*>(&address),
                         &cbAddress);
    CHECK(NdCheckAddress(reinterpret_cast<const SOCKADDR*>(&address), sizeof(address)));

    ServerParam param = {address, ::CreateEvent(nullptr, TRUE, FALSE, nullptr), {0}, false};
    HANDLE hServer = reinterpret_cast<HANDLE>(::_beginthreadex(nullptr, 0, Server, &param, 0, nullptr));
    ::WaitForSingleObject(param.hListening, INFINITE);
    {
        Endpoint client(address);
        client.Connect(param.listening);
        client.Send(kGreeting, sizeof(kGreeting));
        ::WaitForSingleObject(hServer, INFINITE);
        client.Disconnect();
    }
    ::CloseHandle(hServer);
    ::CloseHandle(param.hListening);
    CHECK(NdCleanup());
    ::WSACleanup();
    return param.matched ? EXIT_SUCCESS : EXIT_FAILURE;
}
