/* SPDX-License-Identifier: MIT
 *
 * sal.h: annotations of parameters for Microsoft's analysers, in both styles. All become nothing (spec section 6.1).
 *
 * The older style uses names of the C++ library's own kind, __in and __out; standard_headers.h keeps the two apart. A
 * program whose other libraries use those names may #undef them.
 */
#ifndef OPENND_WINDOWS_SAL_H
#define OPENND_WINDOWS_SAL_H

#ifdef __cplusplus
#include "win32/standard_headers.h"
#endif

/* clang-format off */

/* ---- _In_ and its kin -------------------------------------------------------------------------------------------- */

#define _Analysis_noreturn_
#define _Benign_race_begin_
#define _Benign_race_end_
#define _COM_Outptr_
#define _COM_Outptr_opt_
#define _Check_return_
#define _Const_
#define _Deref_in_
#define _Deref_inout_
#define _Deref_out_
#define _Deref_out_opt_
#define _Enum_is_bitflag_
#define _Field_z_
#define _Frees_ptr_
#define _Frees_ptr_opt_
#define _IRQL_requires_same_
#define _In_
#define _In_opt_
#define _In_opt_z_
#define _In_z_
#define _Inout_
#define _Inout_opt_
#define _Inout_z_
#define _Interlocked_
#define _Interlocked_operand_
#define _Maybenull_
#define _Must_inspect_result_
#define _No_competing_thread_
#define _No_competing_thread_begin_
#define _No_competing_thread_end_
#define _Notnull_
#define _Null_
#define _Null_terminated_
#define _Out_
#define _Out_opt_
#define _Outptr_
#define _Outptr_opt_
#define _Outptr_result_maybenull_
#define _Points_to_data_
#define _Post_
#define _Post_invalid_
#define _Post_ptr_invalid_
#define _Post_z_
#define _Pre_
#define _Pre_maybenull_
#define _Pre_notnull_
#define _Printf_format_string_
#define _Requires_no_locks_held_
#define _Reserved_
#define _Ret_maybenull_
#define _Ret_notnull_
#define _Ret_z_
#define _Strict_type_match_
#define _Use_decl_annotations_

#define _Acquires_exclusive_lock_(...)
#define _Acquires_lock_(...)
#define _Acquires_shared_lock_(...)
#define _Analysis_assume_(...)
#define _At_(...)
#define _Create_lock_level_(...)
#define _Field_range_(...)
#define _Field_size_(...)
#define _Field_size_bytes_(...)
#define _Field_size_bytes_opt_(...)
#define _Field_size_opt_(...)
#define _Function_class_(...)
#define _Group_(...)
#define _Guarded_by_(...)
#define _Has_lock_kind_(...)
#define _Has_lock_level_(...)
#define _IRQL_raises_(...)
#define _IRQL_requires_(...)
#define _IRQL_requires_max_(...)
#define _IRQL_requires_min_(...)
#define _IRQL_saves_global_(...)
#define _In_bytecount_(...)
#define _In_bytecount_c_(...)
#define _In_count_(...)
#define _In_opt_bytecount_(...)
#define _In_opt_count_(...)
#define _In_range_(...)
#define _In_reads_(...)
#define _In_reads_bytes_(...)
#define _In_reads_bytes_opt_(...)
#define _In_reads_opt_(...)
#define _In_reads_or_z_(...)
#define _In_reads_z_(...)
#define _Inout_bytecount_(...)
#define _Inout_opt_bytecount_(...)
#define _Inout_range_(...)
#define _Inout_updates_(...)
#define _Inout_updates_all_(...)
#define _Inout_updates_bytes_(...)
#define _Inout_updates_bytes_all_(...)
#define _Inout_updates_bytes_opt_(...)
#define _Inout_updates_opt_(...)
#define _Inout_updates_z_(...)
#define _Lock_level_order_(...)
#define _On_failure_(...)
#define _Out_bytecap_(...)
#define _Out_bytecap_c_(...)
#define _Out_cap_(...)
#define _Out_opt_bytecap_(...)
#define _Out_opt_cap_(...)
#define _Out_range_(...)
#define _Out_writes_(...)
#define _Out_writes_all_(...)
#define _Out_writes_bytes_(...)
#define _Out_writes_bytes_all_(...)
#define _Out_writes_bytes_opt_(...)
#define _Out_writes_opt_(...)
#define _Out_writes_opt_z_(...)
#define _Out_writes_z_(...)
#define _Outptr_result_buffer_(...)
#define _Outptr_result_bytebuffer_(...)
#define _Post_satisfies_(...)
#define _Pre_satisfies_(...)
#define _Readable_bytes_(...)
#define _Readable_elements_(...)
#define _Releases_exclusive_lock_(...)
#define _Releases_lock_(...)
#define _Releases_shared_lock_(...)
#define _Requires_exclusive_lock_held_(...)
#define _Requires_lock_held_(...)
#define _Requires_lock_not_held_(...)
#define _Requires_shared_lock_held_(...)
#define _Ret_range_(...)
#define _Ret_reallocated_bytes_(...)
#define _Ret_writes_(...)
#define _Ret_writes_bytes_(...)
#define _Ret_writes_bytes_maybenull_(...)
#define _Return_type_success_(...)
#define _Struct_size_bytes_(...)
#define _Success_(...)
#define _When_(...)
#define _Writable_bytes_(...)
#define _Writable_elements_(...)
#define _Write_guarded_by_(...)

#define _In_reads_to_ptr_(...)
#define _Inout_updates_bytes_to_(...)
#define _Inout_updates_to_(...)
#define _Out_bytecap_post_bytecount_(...)
#define _Out_cap_post_count_(...)
#define _Out_opt_bytecap_post_bytecount_(...)
#define _Out_opt_cap_post_count_(...)
#define _Out_writes_bytes_to_(...)
#define _Out_writes_bytes_to_opt_(...)
#define _Out_writes_to_(...)
#define _Out_writes_to_opt_(...)

/* ---- __in and its kin -------------------------------------------------------------------------------------------- */

#define __RPC__deref_out
#define __RPC__in
#define __RPC__inout
#define __RPC__out
#define __callback
#define __checkReturn
#define __deref_in
#define __deref_inout
#define __deref_opt_out
#define __deref_out
#define __deref_out_opt
#define __drv_aliasesMem
#define __in
#define __in_opt
#define __inout
#define __inout_opt
#define __nullterminated
#define __out
#define __out_opt

#define __allowed(...)
#define __deref_out_bcount(...)
#define __deref_out_ecount(...)
#define __drv_maxIRQL(...)
#define __drv_requiresIRQL(...)
#define __field_bcount(...)
#define __field_ecount(...)
#define __in_bcount(...)
#define __in_bcount_opt(...)
#define __in_ecount(...)
#define __in_ecount_opt(...)
#define __inout_bcount(...)
#define __inout_bcount_opt(...)
#define __inout_ecount(...)
#define __inout_ecount_opt(...)
#define __out_bcount(...)
#define __out_bcount_opt(...)
#define __out_ecount(...)
#define __out_ecount_opt(...)
#define __range(...)
#define __success(...)

#define __deref_out_bcount_part(...)
#define __inout_bcount_part(...)
#define __inout_ecount_part(...)
#define __out_bcount_part(...)
#define __out_bcount_part_opt(...)
#define __out_ecount_part(...)
#define __out_ecount_part_opt(...)

/* clang-format on */

#endif
