import { FilterError } from '@patch/contract/filter/filter-conditions.ts';
import { expect, test } from 'vitest';
import { DatabaseError } from '../database/database-error.ts';
import { AppError } from '../errors/app-error.ts';
import { errorStatus, type ReplyErrorCode, toFailure, wireCode } from './failure-of.ts';

/** The public codes by status. Adding a code is compatible; removing one or changing its status is not. */
const publicErrors: Readonly<Record<number, string>> = {
  400: 'bad_request invalid_osv_query not_json picture_broken_off',
  401: 'metrics_not_allowed no_client_token not_signed_in otp_required otp_wrong session_ended sso_over unknown_api_key wrong_credentials',
  403: 'activated_already client_revoked family_not_licensed licence_expired limited_to_groups machines_not_allowed must_change_password must_set_up_second_factor not_allowed not_with_api_key reauthentication_required scope_missing unknown_client',
  404: 'file_gone no_such_ring no_such_rule no_such_alert no_such_atom_feed no_such_call no_such_channel no_such_checkpoint no_such_decision no_such_delivery no_such_download no_such_export no_such_group no_such_key no_such_picture no_such_plan no_such_run no_such_session no_such_ticket no_such_user no_such_view not_found nothing_quarantined reset_link_over',
  409: 'changed_meanwhile channel_off checkpoint_in_use no_channel_secret concerns_not_accepted cursor_ended download_ended download_not_done download_running email_taken group_has_criteria group_in_use group_reports key_known last_administrator mail_not_configured name_taken no_sync_running not_activated not_published not_revoked not_to_be_applied oneself own_key own_password own_second_factor own_type passkey_known passkeys_unavailable perpetual_licence prove_at_provider revoked_already second_factor_required source_disabled sync_running too_many_atom_feeds too_many_report_mails rule_keeps_too_few too_many_rings too_many_rules too_many_channels too_many_checkpoints too_many_decisions too_many_downloads too_many_groups too_many_keys too_many_notes too_many_passkeys too_many_plans too_many_views two_factor_not_begun two_factor_off two_factor_on',
  413: 'no_room picture_too_large too_large',
  422: 'bad_cursor channel_target empty_range empty_upload expired_already expires_too_late empty_inventory expiry_passed guessable_password idle_beyond_session invalid_input invalid_mirror invalid_schedule mail_target no_address no_enrolment_key no_feed no_picture no_recipient no_such_run nothing_followed otp_required otp_wrong part_added_twice part_is_own passkey_not_made password_needed picture_too_large report_refused restricted_field run_of_another_family same_password scope_not_allowed search_too_expensive secret_needed settled_by_environment several_sorts sso_not_configured syntax too_far_by_fields too_long too_many too_many_machines too_many_tags unaskable_criteria unknown_field unknown_list unknown_operator unknown_part unknown_sort unknown_time_zone unterminated_string weak_password wrong_code wrong_content_encoding wrong_content_type wrong_password wrong_type',
  429: 'locked_out too_many_requests too_many_searches too_many_streams',
  500: 'internal_error',
  503: 'audit_unwritten busy caller_left database_unavailable disk_full file_elsewhere no_downloads not_ready searches_busy secret_key_changed stopping',
};

const codes = Object.keys(errorStatus) as readonly ReplyErrorCode[];

test('assigns every error its public code and status', () => {
  const expected = Object.entries(publicErrors).flatMap(([status, names]) =>
    names.split(' ').map((name) => `${status} ${name}`),
  );
  const actual = new Set(codes.map((code) => `${errorStatus[code]} ${wireCode(code)}`));
  expect([...actual].toSorted()).toEqual(expected.toSorted());
});

test.each([
  ['unknown_session', 401, 'session_ended', { 'www-authenticate': 'Apikey' }],
  [
    'no_formats_key',
    401,
    'not_signed_in',
    { 'www-authenticate': 'Basic realm="Patch Repository"' },
  ],
  ['unknown_api_key', 401, 'unknown_api_key', { 'www-authenticate': 'Apikey' }],
  ['metrics_not_allowed', 401, 'metrics_not_allowed', { 'www-authenticate': 'Bearer' }],
  ['unknown_download_run', 422, 'no_such_run', {}],
  ['picture_file_too_large', 413, 'picture_too_large', {}],
  ['otp_wrong', 401, 'otp_wrong', {}],
  ['proof_otp_wrong', 422, 'otp_wrong', {}],
  ['proof_otp_required', 422, 'otp_required', {}],
] as const)('replies to %s with %i %s and its headers', (code, status, sent, headers) => {
  expect(toFailure(new AppError(code, 'Do this.'))).toEqual({
    status,
    code: sent,
    userMessage: 'Do this.',
    headers,
    isServerFault: false,
  });
});

test('sends the seconds to wait in retry-after', () => {
  const failure = toFailure(new AppError('locked_out', 'Wait.', { retryAfterSeconds: 61 }));
  expect(failure).toMatchObject({ status: 429, headers: { 'retry-after': '61' } });
});

test('replies to a filter that cannot be parsed with its own code', () => {
  const failure = toFailure(new FilterError('syntax', 'Expected a value at 5.', 5));
  expect(failure).toMatchObject({ status: 422, code: 'syntax' });
});

test.each([
  ['a lost connection', new DatabaseError('connection', 'connect ENOENT')],
  [
    'a lost connection that another error wraps',
    new Error('The list was not read', { cause: new DatabaseError('connection', 'reset') }),
  ],
  [
    'one of several errors',
    new AggregateError([new Error('other'), new DatabaseError('closed', 'ended')], 'Two failed'),
  ],
])('replies with database_unavailable and the seconds to wait to %s', (_, error) => {
  expect(toFailure(error)).toMatchObject({
    status: 503,
    code: 'database_unavailable',
    userMessage: 'The database is not responding. Try again in a moment.',
    headers: { 'retry-after': '5' },
  });
});

test('says that a change may be stored when its transaction was not confirmed', () => {
  expect(toFailure(new DatabaseError('commit_unknown', 'reset'))).toMatchObject({
    status: 503,
    code: 'database_unavailable',
    userMessage: expect.stringMatching(/may be stored or not.*before you try again/),
    headers: { 'retry-after': '5' },
  });
});

test('replies with internal_error to an error whose cause is a refused statement', () => {
  const cause = new DatabaseError('23505', 'duplicate key');
  expect(toFailure(new Error('failed', { cause }))).toMatchObject({ status: 500 });
});

test('replies with disk_full when the disk of the database is full', () => {
  expect(toFailure(new DatabaseError('53100', 'could not extend file "base/1/2"'))).toMatchObject({
    status: 503,
    code: 'disk_full',
    userMessage: 'The disk of the server is full. Ask your administrator to free space.',
    isServerFault: true,
  });
});
