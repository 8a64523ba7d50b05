/** Codes of all errors that a caller can act on. server/platform/http/error-status.ts maps each to its status. */
import type { FilterErrorCode } from '@patch/contract/filter/filter-conditions.ts';

/** The request itself may be valid: time, space or a part of the service is missing now. */
const temporaryErrorCodes = [
  'audit_unwritten',
  'busy',
  'caller_left',
  'disk_full',
  'file_elsewhere',
  'locked_out',
  'no_downloads',
  'not_ready',
  'searches_busy',
  'secret_key_changed',
  'stopping',
  'too_many_requests',
  'too_many_searches',
  'too_many_streams',
] as const;

export type TemporaryErrorCode = (typeof temporaryErrorCodes)[number];

/** The same request fails again until the caller or the data changes. */
export type LastingErrorCode =
  | FilterErrorCode
  | 'activated_already'
  | 'bad_cursor'
  | 'changed_meanwhile'
  | 'channel_off'
  | 'channel_target'
  | 'client_revoked'
  | 'concerns_not_accepted'
  | 'cursor_ended'
  | 'download_ended'
  | 'download_not_done'
  | 'download_running'
  | 'email_taken'
  | 'empty_inventory'
  | 'empty_upload'
  | 'expired_already'
  | 'expires_too_late'
  | 'expiry_passed'
  | 'family_not_licensed'
  | 'file_gone'
  | 'guessable_password'
  | 'idle_beyond_session'
  | 'invalid_input'
  | 'invalid_mirror'
  | 'invalid_osv_query'
  | 'invalid_schedule'
  | 'key_known'
  | 'last_administrator'
  | 'licence_expired'
  | 'machines_not_allowed'
  | 'mail_not_configured'
  | 'mail_target'
  | 'metrics_not_allowed'
  | 'must_change_password'
  | 'must_set_up_second_factor'
  | 'name_taken'
  | 'no_address'
  | 'no_channel_secret'
  | 'no_client_token'
  | 'no_feed'
  | 'no_formats_key'
  | 'no_picture'
  | 'no_recipient'
  | 'no_room'
  | 'no_such_alert'
  | 'no_such_call'
  | 'no_such_atom_feed'
  | 'no_such_channel'
  | 'no_such_delivery'
  | 'no_such_download'
  | 'no_such_export'
  | 'no_such_key'
  | 'no_such_picture'
  | 'no_such_run'
  | 'no_such_session'
  | 'no_such_ticket'
  | 'no_such_user'
  | 'no_such_view'
  | 'no_sync_running'
  | 'not_activated'
  | 'not_allowed'
  | 'not_found'
  | 'not_json'
  | 'not_revoked'
  | 'not_signed_in'
  | 'not_to_be_applied'
  | 'not_with_api_key'
  | 'nothing_followed'
  | 'nothing_quarantined'
  | 'oneself'
  | 'otp_required'
  | 'otp_wrong'
  | 'own_key'
  | 'own_password'
  | 'own_second_factor'
  | 'own_type'
  | 'part_added_twice'
  | 'part_is_own'
  | 'passkey_known'
  | 'passkey_not_made'
  | 'passkeys_unavailable'
  | 'password_needed'
  | 'perpetual_licence'
  | 'picture_broken_off'
  | 'picture_file_too_large'
  | 'picture_too_large'
  | 'proof_otp_required'
  | 'proof_otp_wrong'
  | 'prove_at_provider'
  | 'reauthentication_required'
  | 'reset_link_over'
  | 'restricted_field'
  | 'revoked_already'
  | 'run_of_another_family'
  | 'same_password'
  | 'scope_missing'
  | 'scope_not_allowed'
  | 'search_too_expensive'
  | 'second_factor_required'
  | 'secret_needed'
  | 'session_ended'
  | 'settled_by_environment'
  | 'several_sorts'
  | 'source_disabled'
  | 'sso_not_configured'
  | 'sso_over'
  | 'sync_running'
  | 'too_far_by_fields'
  | 'too_large'
  | 'too_many_atom_feeds'
  | 'too_many_channels'
  | 'too_many_downloads'
  | 'too_many_keys'
  | 'too_many_passkeys'
  | 'too_many_views'
  | 'two_factor_not_begun'
  | 'two_factor_off'
  | 'two_factor_on'
  | 'unaskable_criteria'
  | 'unknown_api_key'
  | 'unknown_client'
  | 'unknown_download_run'
  | 'unknown_list'
  | 'unknown_part'
  | 'unknown_session'
  | 'unknown_sort'
  | 'unknown_time_zone'
  | 'weak_password'
  | 'wrong_code'
  | 'wrong_content_encoding'
  | 'wrong_content_type'
  | 'wrong_credentials'
  | 'wrong_password';

export type AppErrorCode = LastingErrorCode | TemporaryErrorCode;

const temporary: ReadonlySet<AppErrorCode> = new Set(temporaryErrorCodes);

export const isTemporary = (code: AppErrorCode): boolean => temporary.has(code);
