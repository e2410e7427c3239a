/* SPDX-License-Identifier: MIT
 *
 * opennd.h: what Linux needs beside Network Direct itself. A C ABI.
 *
 * Network Direct programs on Windows get events, completion ports and memory from Win32. Here are the same three things
 * for Linux, with pollable descriptors, plus the choice of transport, the log and explanations of what failed.
 *
 * Conventions. Every function is thread-safe and returns an ND status (ndstatus.h) unless it says otherwise. A NULL
 * output pointer gives ND_INVALID_PARAMETER. A HANDLE is never a raw descriptor; its two lowest bits are ignored, as on
 * Windows (ND2-OVL-05). A handle that is unknown, closed or of another kind gives ND_INVALID_HANDLE.
 */
#ifndef OPENND_OPENND_H
#define OPENND_OPENND_H

#include "ndspi.h"

/* The classes that DllGetClassObject of this library knows: for programs that load it as a module of providers instead of
 * calling ndsupport.h. Either gives providers of both versions (ND2-PRV-02). The second is the one under which the catalog
 * lists version 1, because programs take two entries with one id for one provider. */
DEFINE_GUID(CLSID_OpenNDProvider, 0x2C8F2A54, 0x6E43, 0x4F5B, 0x8D, 0x1F, 0x4F, 0x70, 0x65, 0x6E, 0x4E, 0x44);
DEFINE_GUID(CLSID_OpenNDProviderV1, 0x2C8F2A54, 0x6E43, 0x4F5B, 0x8D, 0x1F, 0x4F, 0x70, 0x65, 0x6E, 0x4E, 0x31);

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Wait without limit. The value of INFINITE on Windows. */
#define OPENND_FOREVER 0xFFFFFFFFu

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Makes an event. A manual-reset event stays signalled until it is reset; an auto-reset one lets one waiter through.
 * The caller owns *event and closes it with opennd_handle_close.
 * ND_SUCCESS; ND_INVALID_PARAMETER; ND_INSUFFICIENT_RESOURCES: no handle left in this process. */
HRESULT opennd_event_create(BOOL manual_reset, BOOL signalled, HANDLE* event);

/* Signals the event; no effect if it is signalled. ND_SUCCESS; ND_INVALID_HANDLE. */
HRESULT opennd_event_set(HANDLE event);

/* Takes the signal away; no effect if there is none. ND_SUCCESS; ND_INVALID_HANDLE. */
HRESULT opennd_event_reset(HANDLE event);

/* Waits until the event is signalled, at most timeout_ms milliseconds (0 looks once, OPENND_FOREVER waits without
 * limit). An auto-reset event is reset by the wait that succeeds. ND_SUCCESS; ND_TIMEOUT; ND_INVALID_HANDLE. */
HRESULT opennd_event_wait(HANDLE event, DWORD timeout_ms);

/* Gives a descriptor that polls readable while the event is signalled. It belongs to the event: do not read, write or
 * close it; it is valid until the handle is closed. An event that was never asked needs none. ND_SUCCESS;
 * ND_INVALID_HANDLE; ND_INVALID_PARAMETER; ND_INSUFFICIENT_RESOURCES: no descriptor left in this process. */
HRESULT opennd_event_descriptor(HANDLE event, int* descriptor);

/* Takes the signals of all the events at once, as waiting for each would, or of none. An event may be named twice.
 * ND_SUCCESS; ND_TIMEOUT: not all are signalled; ND_INVALID_HANDLE; ND_INVALID_PARAMETER: count is 0, or events is NULL;
 * ND_NO_MEMORY. */
HRESULT opennd_event_take_all(const HANDLE events[], ULONG count);

/* ---- completion ports -------------------------------------------------------------------------------------------- */

/* One completed overlapped request, or one posted packet. The layout is that of OVERLAPPED_ENTRY on Windows. */
typedef struct opennd_packet {
    ULONG_PTR key;          /* given at association, or to opennd_port_post */
    OVERLAPPED* overlapped; /* the request; owned by the program, complete when the packet is taken */
    ULONG_PTR status;       /* HRESULT of the request, as in OVERLAPPED.Internal */
    DWORD bytes;            /* OVERLAPPED.InternalHigh (0 for ND requests), or as posted */
} opennd_packet;

/* Makes a completion port. Any number of threads may wait; packets are first in, first out, each goes to one waiter
 * (ND2-OVL-10). The caller owns *port and closes it with opennd_handle_close; waiters then return ND_CANCELED and packets
 * not yet taken are dropped. ND_SUCCESS; ND_INVALID_PARAMETER; ND_INSUFFICIENT_RESOURCES. */
HRESULT opennd_port_create(HANDLE* port);

/* Lets every request that completes on overlapped_file from now on leave a packet with this key at the port, unless the
 * lowest bit of its hEvent is set (ND2-OVL-05, -08, -09). ND_SUCCESS; ND_INVALID_HANDLE; ND_INVALID_PARAMETER: the file
 * is associated already (ND2-FILE-06). */
HRESULT opennd_port_associate(HANDLE port, HANDLE overlapped_file, ULONG_PTR key);

/* Takes up to capacity packets, waiting at most timeout_ms for the first. *count is how many were taken.
 * ND_SUCCESS: one or more; ND_TIMEOUT: none in time; ND_CANCELED: the port was closed; ND_INVALID_HANDLE;
 * ND_INVALID_PARAMETER: capacity 0 or a NULL pointer. */
HRESULT opennd_port_wait(HANDLE port, opennd_packet packets[], ULONG capacity, DWORD timeout_ms, ULONG* count);

/* Leaves a packet of the program's own; overlapped may be NULL or any pointer and is not looked at. The packet's status
 * is ND_SUCCESS. ND_SUCCESS; ND_INVALID_HANDLE; ND_NO_MEMORY. */
HRESULT opennd_port_post(HANDLE port, DWORD bytes, ULONG_PTR key, OVERLAPPED* overlapped);

/* Leaves the packet of a request that the program itself carries out, with the status it ended with. Otherwise as
 * opennd_port_post. */
HRESULT opennd_port_complete(HANDLE port, HRESULT status, DWORD bytes, ULONG_PTR key, OVERLAPPED* overlapped);

/* Gives a descriptor that polls readable while a packet waits. It belongs to the port: do not read, write or close it;
 * it is valid until the handle is closed. ND_SUCCESS; ND_INVALID_HANDLE; ND_INVALID_PARAMETER. */
HRESULT opennd_port_descriptor(HANDLE port, int* descriptor);

/* ---- handles ----------------------------------------------------------------------------------------------------- */

/* Closes an event, a port or an overlapped file (IND2Adapter::CreateOverlappedFile). Requests in progress that use it go
 * on undisturbed (ND2-FILE-02, -03; ND2-OVL-06). ND_SUCCESS; ND_INVALID_HANDLE: unknown, or closed already. */
HRESULT opennd_handle_close(HANDLE handle);

/* Makes a second handle for the same object, which lives until each is closed. The caller owns *duplicate.
 * ND_SUCCESS; ND_INVALID_HANDLE; ND_INVALID_PARAMETER; ND_INSUFFICIENT_RESOURCES: no handle left in this process. */
HRESULT opennd_handle_duplicate(HANDLE handle, HANDLE* duplicate);

typedef enum opennd_handle_kind {
    OPENND_HANDLE_EVENT = 1,
    OPENND_HANDLE_PORT = 2,
    OPENND_HANDLE_OVERLAPPED_FILE = 3
} opennd_handle_kind;

/* Tells the kind of object behind the handle. ND_SUCCESS; ND_INVALID_HANDLE: unknown, or closed; ND_INVALID_PARAMETER. */
HRESULT opennd_handle_query(HANDLE handle, opennd_handle_kind* kind);

/* ---- overlapped requests ----------------------------------------------------------------------------------------- */

/* Tells the status of a request of any object of this process, as GetOverlappedResult of each object does, for programs
 * that have no object at hand (ND2-OVL-17 to -21). wait: until it is complete.
 * ND_PENDING: in progress; ND_INVALID_PARAMETER: overlapped is NULL; otherwise the request's status. */
HRESULT opennd_overlapped_result(OVERLAPPED* overlapped, BOOL wait);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Allocates zeroed, page-aligned memory that peers on this host can map, so that an RDMA Write to it is a plain store.
 * Register it like any other memory. A process that connects to this one and is granted access to any part of such memory
 * can map all of it: see docs/threat_model.md. The caller owns *memory and frees it with opennd_memory_free.
 * ND_SUCCESS; ND_INVALID_BUFFER_SIZE: bytes is 0; ND_INVALID_PARAMETER; ND_NO_MEMORY; ND_INSUFFICIENT_RESOURCES. */
HRESULT opennd_memory_allocate(SIZE_T bytes, VOID** memory);

/* Frees memory of opennd_memory_allocate; NULL does nothing. Deregister it first.
 * ND_SUCCESS; ND_INVALID_PARAMETER: not the start of such memory. */
HRESULT opennd_memory_free(VOID* memory);

/* ---- transports -------------------------------------------------------------------------------------------------- */

/* Chooses the transports for connections and listeners made from now on in this process: names separated by commas, tried
 * in that order ("loopback,shm"), or excluded with a leading '^' ("^loopback"). NULL or "" restores the default, which is
 * the environment variable OPENND_TRANSPORT, or all of them. ND_SUCCESS; ND_INVALID_PARAMETER: an unknown name, or an
 * empty choice. */
HRESULT opennd_transport_select(const char* list);

/* Tells which transport a connection to remote would take, and why, in words. Both texts are cut to fit and always
 * terminated. ND_SUCCESS; ND_NETWORK_UNREACHABLE: none of the chosen transports reaches it (reason says so);
 * ND_INVALID_ADDRESS; ND_INVALID_PARAMETER. */
HRESULT opennd_transport_explain(const struct sockaddr* remote, SIZE_T remote_bytes, char* name, SIZE_T name_bytes,
                                 char* reason, SIZE_T reason_bytes);

/* Tells which transport the connection of an IND2Connector or INDConnector took: the name, and how bulk data travel
 * ("shm", "process_vm"). On one host it may try a copy, and take as long as the peer keeps that page of its memory away.
 * Both texts are cut to fit and always terminated. ND_SUCCESS; ND_INVALID_PARAMETER: not a connector of this library;
 * ND_CONNECTION_INVALID: not connected. */
HRESULT opennd_connection_transport(IUnknown* connector, char* name, SIZE_T name_bytes, char* path, SIZE_T path_bytes);

/* Describes the RDMA device that has this address of the host, whatever transports are chosen: JSON (docs/verbs.md), cut to fit and always
 * terminated; *needed gets the bytes of the whole, with the end. Takes seconds where rdma-core is not loaded yet.
 * ND_SUCCESS; ND_BUFFER_OVERFLOW: it was cut; ND_NOT_SUPPORTED: no RDMA device has the address (opennd_last_error says why);
 * ND_INVALID_ADDRESS; ND_INVALID_PARAMETER: report or needed is NULL, or report_bytes is 0; ND_NO_MEMORY. */
HRESULT opennd_device_report(const struct sockaddr* local, SIZE_T local_bytes, char* report, SIZE_T report_bytes,
                             SIZE_T* needed);

/* ---- providers --------------------------------------------------------------------------------------------------- */

/* One entry of the catalog of providers: a provider of adapters, and the module that a program would load to ask it. */
typedef struct opennd_provider {
    GUID class_id;     /* the class to ask DllGetClassObject of the module for */
    ULONG version;     /* ND_VERSION_1 or ND_VERSION_2 */
    char name[256];    /* for people; UTF-8 */
    char module[4096]; /* absolute path of the shared object; of the program, where OpenND is linked into it */
} opennd_provider;

/* Lists the entries: OpenND of version 2, OpenND of version 1, then those of other vendors in the order of their files in the
 * folder OPENND_PROVIDERS, or /etc/opennd/providers.d (docs/providers.md). The folder is read at the first need, and
 * again by each NdStartup that finds the helper functions stopped. capacity is how many entries there is room for; *count
 * how many there are. (NDS-CAT-01)
 * ND_SUCCESS; ND_BUFFER_OVERFLOW: entries is NULL or too small, and untouched; ND_INVALID_PARAMETER: count is NULL;
 * ND_NO_MEMORY. */
HRESULT opennd_provider_list(opennd_provider entries[], ULONG capacity, ULONG* count);

/* Adds an entry of another vendor, as the vendor's setup does: writes a file into that folder, and reads it again. The module
 * is not looked at. Needs the right to write there. (NDS-CAT-01)
 * ND_SUCCESS; ND_SHARING_VIOLATION: an entry has this class; ND_INVALID_PARAMETER: provider is NULL, the name or the path
 * empty or of several lines, the path relative, or another version; ND_UNSUCCESSFUL: the folder cannot be written to;
 * ND_NO_MEMORY. */
HRESULT opennd_provider_install(const opennd_provider* provider);

/* Removes an entry of another vendor. ND_SUCCESS; ND_NO_MORE_ENTRIES: no other vendor's entry has this class; ND_INVALID_PARAMETER: class_id is
 * NULL; ND_UNSUCCESSFUL: the folder cannot be written to; ND_NO_MEMORY. */
HRESULT opennd_provider_remove(const GUID* class_id);

/* ---- overrun of completion queues -------------------------------------------------------------------------------- */

/* Sets the behaviour of completion queues made from now on in this process when more completions wait than the depth
 * asked for (ND2-CQ-OVR-01 to -04). "forgiving": there is room for the outstanding requests of all queue pairs, and the
 * log names an overrun that hardware would have had. "strict": as on hardware, the queue fails for good: Notify
 * requests, pending and new, and Resize give ND_BUFFER_OVERFLOW, its queue pairs go to error, nothing further is
 * reported; earlier results can still be taken. A completion counts when it is due, even if it is due during
 * GetResults;
 * flushed requests always have room. NULL or "" restores the default, which is the environment variable OPENND_OVERRUN, or
 * forgiving. Transports over hardware are as strict as it is. ND_SUCCESS; ND_INVALID_PARAMETER: another word. */
HRESULT opennd_overrun_select(const char* rule);

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* A setting that the library takes from the environment. No text is NULL. */
typedef struct opennd_setting {
    const char* variable;      /* "OPENND_NO_RECEIVE_MS" */
    const char* values;        /* the values that it may have, in words: "0 to 3000 milliseconds" */
    const char* default_value; /* without the variable: "1000"; empty: none */
    const char* meaning;       /* one line */
} opennd_setting;

/* The settings, in static storage; *count, unless count is NULL, gets their number. Most are read once, at the first use of
 * the library. NULL, and 0: out of memory. */
const opennd_setting* opennd_settings(ULONG* count);

/* Where the value of a setting comes from. */
typedef enum opennd_setting_source {
    OPENND_SETTING_DEFAULT,     /* the variable is not set */
    OPENND_SETTING_ENVIRONMENT, /* the variable */
    OPENND_SETTING_REFUSED      /* the default: the variable has a value that the setting does not take */
} opennd_setting_source;

/* The value that a setting has by the environment of this moment, cut to fit and always terminated; *source, unless source is NULL, gets
 * where it comes from. A setting that was read at the first use of the library keeps the value of then. Any thread, as long as
 * no other changes the environment.
 * ND_SUCCESS; ND_INVALID_PARAMETER: variable or value is NULL, value_bytes is 0, or no setting has that name; ND_NO_MEMORY. */
HRESULT opennd_setting_value(const char* variable, char* value, SIZE_T value_bytes, opennd_setting_source* source);

/* ---- profiles of NICs ---------------------------------------------------------------------------------------------- */

/* What a profile says of its NIC in one line (docs/profiles.md). */
typedef enum opennd_profile_kind {
    OPENND_PROFILE_LIMIT,       /* a published limit */
    OPENND_PROFILE_QUIRK,       /* a peculiarity that adapters of software imitate */
    OPENND_PROFILE_NOT_IMITATED /* one that they do not */
} opennd_profile_kind;

/* No text is NULL. */
typedef struct opennd_profile_figure {
    const char* profile; /* "cxgb4" */
    const char* title;   /* of the profile: "Chelsio T4 to T6, iWARP" */
    opennd_profile_kind kind;
    const char* name; /* "MaxReadSge"; of a quirk its word: "no_queue_resize"; of one that is not imitated a sentence */
    const char* published; /* "1"; empty but for limits */
    const char* effect;    /* under the profile: the number that Query gives, or the imitation in words; may be empty */
    const char* source;    /* where it is published */
} opennd_profile_figure;

/* The lines of all profiles that the library knows, one profile after the other, "strict" behind them and last the file that
 * OPENND_PROFILE names; in static storage; *count, unless count is NULL, gets their number. NULL, and 0: out of memory. Any thread. */
const opennd_profile_figure* opennd_profile_figures(ULONG* count);

/* The name of the profile that this process has by OPENND_PROFILE, cut to fit and always terminated; empty: none. It was read
 * at the first use of the library. Any thread.
 * ND_SUCCESS; ND_NOT_SUPPORTED: OPENND_PROFILE names none that exists, and no adapter opens; ND_INVALID_PARAMETER: name is NULL, or
 * name_bytes is 0; ND_NO_MEMORY. */
HRESULT opennd_profile(char* name, SIZE_T name_bytes);

/* ---- processes -------------------------------------------------------------------------------------------------- */

/* The processes of this host, as far as this network namespace goes, that have opened an adapter and tell what they do; *count how many
 * there are, capacity how many there is room for. Processes of other users too. OPENND_INSPECTION=off hides a process.
 * ND_SUCCESS; ND_BUFFER_OVERFLOW: processes is NULL or too small, and untouched; ND_INVALID_PARAMETER: count is NULL;
 * ND_NO_MEMORY. */
HRESULT opennd_process_list(ULONG processes[], ULONG capacity, ULONG* count);

/* Tells what one of them does, as JSON (docs/inspection.md), cut to fit and always terminated; *needed gets the bytes of the whole, with the
 * end. Takes some seconds where the process is stopped. Any thread; not from a callback.
 * ND_SUCCESS; ND_BUFFER_OVERFLOW: it was cut; ND_CONNECTION_REFUSED: no such process tells what it does; ND_ACCESS_VIOLATION: this
 * process may not trace it, or it answers others at present; ND_IO_TIMEOUT: it does not answer; ND_INVALID_PARAMETER: report or needed is NULL,
 * report_bytes is 0, or the answer is none: no JSON object, more than 32 MiB, 32 levels or 4 million values. "pid" and "user" are the kernel's word; ND_INSUFFICIENT_RESOURCES; ND_NO_MEMORY. */
HRESULT opennd_process_report(ULONG process, char* report, SIZE_T report_bytes, SIZE_T* needed);

/* Tells the same of a process with its objects: queue pairs with the requests in them, completion queues, shared receive queues, memory regions, memory
 * windows. It looks into every queue pair, which costs the process some microseconds for each. As opennd_process_report. */
HRESULT opennd_process_objects(ULONG process, char* objects, SIZE_T objects_bytes, SIZE_T* needed);

/* Tells the last 256 events of a process, the oldest first: connections made, refused, ended and lost, and failures with their explanations, as the log has
 * them with OPENND_LOG=info, whatever its OPENND_LOG; with OPENND_DUMP_REQUESTS posts and results too. JSON, and as opennd_process_report. */
HRESULT opennd_process_events(ULONG process, char* events, SIZE_T events_bytes, SIZE_T* needed);

/* Lets another process capture its connections into a file that this one opens (docs/captures.md), those that are up too, until
 * opennd_capture_end. `options` is JSON: {"file": "/tmp/x.pcapng"}, and docs/captures.md has the rest. The report is JSON: "file" and
 * "connections", or "refused" with the reason; then the capture is still to be ended. ND_SUCCESS; ND_BUFFER_OVERFLOW: it has begun, and
 * the report is cut; otherwise *capture is NULL, as opennd_process_report. A capture also ends with the process that asked for it. */
typedef struct OPENND_CAPTURE OPENND_CAPTURE;
HRESULT opennd_capture_begin(ULONG process, const char* options, OPENND_CAPTURE** capture, char* report,
                             SIZE_T report_bytes, SIZE_T* needed);
/* Ends a capture, waits until it is written, and frees it. The report has "file", "connections", "packets" and "dropped". ND_SUCCESS,
 * ND_BUFFER_OVERFLOW; ND_CONNECTION_ABORTED or another failure: the process has ended. */
HRESULT opennd_capture_end(OPENND_CAPTURE* capture, char* report, SIZE_T report_bytes, SIZE_T* needed);

/* ---- faults on purpose ---------------------------------------------------------------------------------------------- */

/* Puts a plan of faults in force, as `send:timeout nth=100; seed=7` (docs/faults.md), with counts of 0; NULL or an empty line ends them.
 * Adapters that open, connections and completion queues that are made, after the first plan have the faults of the one in force; the clock
 * of a plan begins here. Any thread.
 * ND_SUCCESS; ND_INVALID_PARAMETER: the line is wrong, opennd_last_error says where, and nothing has changed; ND_NO_MEMORY. */
HRESULT opennd_faults_set(const char* line);
/* Reads a line and changes nothing. JSON, cut to fit and always terminated: "kinds", all there are, then "seed" and "rules", or "fault" with
 * "position", "token", "expected" and, where the word resembles one, "meant". *needed gets the bytes of the whole. ND_SUCCESS, also for a wrong line; ND_BUFFER_OVERFLOW; ND_INVALID_PARAMETER. */
HRESULT opennd_faults_check(const char* line, char* text, SIZE_T text_bytes, SIZE_T* needed);
/* Counts what each rule in force did: an array with "rule", "events" and "injected", likewise. */
HRESULT opennd_faults_counts(char* text, SIZE_T text_bytes, SIZE_T* needed);

/* ---- choices for the machine --------------------------------------------------------------------------------------- */

/* A choice between ways of doing the same, which the library makes for the machine that it runs on. No text is NULL. */
typedef struct opennd_choice {
    const char* subject;  /* "long copies" */
    const char* value;    /* "instruction" */
    const char* ground;   /* how it was decided: "setting", "processor" or "measured" */
    const char* reason;   /* one line, with what was measured */
    const char* variable; /* the setting that decides it instead */
} opennd_choice;

/* The choices, in static storage; *count, unless count is NULL, gets their number. Each is made once in a process, by the first
 * connection that needs it or by this call; what is measured takes some hundred microseconds. No choice changes a result.
 * NULL, and 0: out of memory. Any thread. */
const opennd_choice* opennd_choices(ULONG* count);

/* ---- explanations ------------------------------------------------------------------------------------------------ */

/* The name of a status as ndstatus.h spells it ("ND_CANCELED"), or "unknown status". Never NULL; static storage. */
const char* opennd_status_name(HRESULT status);

/* "major.minor.patch" of the library that is loaded. Static storage. */
const char* opennd_version(void);

typedef enum opennd_log_level {
    OPENND_LOG_ERROR = 0, /* OpenND itself failed, or the checking layer saw a misuse */
    OPENND_LOG_WARN = 1,  /* a request of the program or of a peer failed; names the object, the limit and the remedy */
    OPENND_LOG_INFO = 2,  /* which transport and which data path were chosen */
    OPENND_LOG_DEBUG = 3, /* connection events */
    OPENND_LOG_OFF = 4    /* nothing */
} opennd_log_level;

/* Called with one line, no line end. message is valid during the call. May be called from any thread, several at a time;
 * must not call into OpenND. */
typedef void (*opennd_log_function)(void* context, opennd_log_level level, const char* message);

/* Sends log lines of this level and graver ones to sink, and those of the checking layer at every level but OPENND_LOG_OFF.
 * NULL restores the default: standard error, at the level named by the environment variable OPENND_LOG (error, warn, info,
 * debug, off; default error). When it returns, the sink given before is not running and will not run again. ND_SUCCESS; ND_INVALID_PARAMETER: no such level. */
HRESULT opennd_log_sink(opennd_log_function sink, void* context, opennd_log_level level);

/* Adds one line, no line end, to the log, which drops it if the level is not wanted. For libraries on top of this one. */
VOID opennd_log_write(opennd_log_level level, const char* message);

/* ---- why something failed ---------------------------------------------------------------------------------------- */

/* One failure, explained. No text is NULL; each is at most 247 bytes, terminated, and complete in itself. */
typedef struct opennd_error {
    ULONG bytes;             /* sizeof(opennd_error), given by the program; on return, how many bytes were filled in */
    HRESULT status;          /* of the call or the result */
    const char* status_name; /* "ND_DATA_OVERRUN" */
    const char* object;      /* which object: "queue pair", "listener 127.0.0.1:5000" */
    const char* operation;   /* its method: "Send" */
    const char* asked;       /* the argument: "17 scatter/gather entries" */
    const char* limit;       /* the largest possible value: "16" */
    const char* remedy;      /* the change to make: "use fewer entries" */
    const char* requirement; /* the rule behind it, as docs/requirements has it: "ND2-QP-POST-04" */
} opennd_error;

/* Tells why the last failing call of the calling thread failed (ND2-GEN-02, ND2-GEN-10).
 *
 * Every method and function of OpenND that returns a failing status keeps an explanation for the thread that called it;
 * the exceptions are QueryInterface, which only asks, and this function. A call that succeeds, ND_PENDING included,
 * leaves it alone; so test the status first.
 *
 * A request that was accepted and fails later is explained to the log and to the error sink once, where it is found,
 * which may be a thread of OpenND. The thread that fetches the failed result, by GetResults or GetOverlappedResult, gets
 * status and operation of the first failed result of that call, with the meaning of the status there; not the particulars.
 *
 * The texts belong to the thread. They stay as they are until its next failing call, its next fetch of a failed result,
 * or its end. If nothing has failed, or it was cleared, status is ND_SUCCESS and the texts are empty.
 *
 * ND_SUCCESS; ND_INVALID_PARAMETER: error is NULL, or error->bytes is less than the first version of the structure has. */
HRESULT opennd_last_error(opennd_error* error);

/* Forgets the last failure of the calling thread. */
VOID opennd_last_error_clear(VOID);

/* Called with each failure where it is found. error and its texts are valid during the call. May be called from any
 * thread, but never twice at a time; OpenND's locks may be held: it must not call into OpenND, nor wait. */
typedef void (*opennd_error_function)(void* context, const opennd_error* error);

/* Sends every failure to sink, in parts, at every level of the log; NULL: to none. The log gets each as one line at
 * OPENND_LOG_WARN:
 *     object: operation: status name: asked; limit: limit; remedy (requirement)
 * When it returns, the sink given before is not running and will not run again. ND_SUCCESS. */
HRESULT opennd_error_sink(opennd_error_function sink, void* context);

/* ---- the checking layer -------------------------------------------------------------------------------------------- */

/* A rule of the checking layer (docs/checking.md). No text is NULL. */
typedef struct opennd_check_rule {
    const char* id;      /* "CHECK-READ-LIMIT" */
    BOOL note;           /* tells what happened; all others tell of a misuse */
    const char* title;   /* the fault in one line */
    const char* meaning; /* why it is one */
    const char* remedy;  /* what to change */
} opennd_check_rule;

/* All rules, in static storage; *count, unless count is NULL, gets their number. NULL, and 0: out of memory. Any thread. */
const opennd_check_rule* opennd_check_rules(ULONG* count);

/* One observation of the checking layer. No text is NULL. */
typedef struct opennd_diagnostic {
    const char* rule;   /* its id */
    BOOL note;          /* as in the rule */
    const char* object; /* "queue pair 3" */
    const char* fact;   /* "Read of 8 bytes, and the outbound read limit of the connection is 0" */
    const char* remedy; /* as in the rule */
    const char* site;   /* the program's frames, the innermost first: "at serve() in main.cpp:112 < ..." */
} opennd_diagnostic;

/* Called with each observation. diagnostic and its texts are valid during the call. May be called from any thread, but never twice at a
 * time; OpenND's locks may be held: it must not call into OpenND, nor wait. */
typedef void (*opennd_check_function)(void* context, const opennd_diagnostic* diagnostic);

/* Sends every diagnostic to sink, also those that the log has once; NULL: to none. Without OPENND_CHECK there are none.
 * When it returns, the sink given before is not running and will not run again. ND_SUCCESS; ND_NO_MEMORY: the old one stays. */
HRESULT opennd_check_sink(opennd_check_function sink, void* context);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
