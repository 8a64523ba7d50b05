/**
 * Tries every input of every call with unexpected values in an otherwise valid request. Each is answered or refused in the common
 * error shape, never with an internal error. The inputs come from the contract's schemas, so that new calls are covered too.
 */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { Problem } from '@patch/contract/base/problem.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { drawnPng } from '../../identity/users/testing/drawn-png.ts';
import { activate, register } from '../../licensing/clients/testing/client-registry.ts';
import { DownloadFolder } from '../../operations/downloads/download-folder.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { writeEmailConfig } from '../../platform/mail/email-config-store.ts';
import { serviceSigner } from '../../platform/secrets/service-signer.ts';
import { openMigrated } from '../../testing/databases.ts';
import { alternatives, buildHints } from '../../testing/example-hints.ts';
import { buildExamples, type Hints } from '../../testing/example-input.ts';
import {
  buildEmailConfig,
  configWithoutOverrides,
  password,
  passwordHash,
} from '../../testing/factories.ts';
import {
  type CallExamples,
  oddRequests,
  type Pick,
  type RequestInput,
} from '../../testing/odd-requests.ts';
import { readRefusal } from '../../testing/refusal.ts';
import { buildParams, type SeededResources, seedRecords } from '../../testing/seeded-resources.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const day = 24 * 3_600_000;

/** The refusals of well-formed examples whose objects do not exist in this test. */
const refusedExamples: Readonly<Record<string, string>> = {
  prove_identity: '422 otp_wrong',
  enable_two_factor: '422 wrong_code',
  renew_backup_codes: '422 wrong_code',
  disable_two_factor: '422 wrong_code',
  add_passkey: '422 passkey_not_made',
  remove_passkey: '404 not_found',
  avatar_image: '404 no_such_picture',
  export_file: '404 no_such_export',
  audit_file: '404 no_such_export',
  download_file: '404 no_such_ticket',
  summarize_thirdparty_patch: '422 unknown_field',
  // The operator has a session, not an enrolment key.
  report_machine: '422 no_enrolment_key',
  // No record and no user of these names exist; the group is that of the key that was created before.
  create_machine_plan: '404 not_found',
  create_machine_group: '404 no_such_user',
  change_machine_group: '404 no_such_user',
  accept_missing: '404 no_such_group',
  change_missing_exception: '404 no_such_user',
  // No machine has the number of the examples.
  add_record_note: '404 not_found',
  assign_record: '404 not_found',
  record_notes: '404 not_found',
  client_changes: '422 bad_cursor',
  start_sync: '409 sync_running',
  cancel_sync: '409 no_sync_running',
  accept_quarantine: '404 nothing_quarantined',
  reject_quarantine: '404 nothing_quarantined',
  // Tries one of the four kinds: a bundle of a run's changes.
  new_download: '422 no_such_run',
  delete_download: '409 download_running',
  download_ticket: '409 download_not_done',
  apply_bundle: '409 not_to_be_applied',
  osv_query: '400 invalid_osv_query',
  osv_query_batch: '400 invalid_osv_query',
  osv_record: '404 not_found',
  osv_index_file: '404 not_found',
  osv_file: '404 not_found',
  csaf_index_file: '404 not_found',
  csaf_file: '404 not_found',
  csaf_advisory: '404 not_found',
  updateinfo_file: '404 not_found',
  // Nothing is published here.
  carried_client_keys: '409 not_published',
  tree_head: '404 not_found',
  tree_root: '404 not_found',
  tree_file: '404 not_found',
  events: '422 bad_cursor',
  // Its example names a channel.
  set_alert: '404 no_such_channel',
  revoke_atom_feed: '404 no_such_atom_feed',
  atom_feed: '404 no_such_atom_feed',
  create_channel: '422 channel_target',
  change_channel: '404 no_such_channel',
  delete_channel: '404 no_such_channel',
  test_channel: '404 no_such_channel',
  rotate_channel_secret: '404 no_such_channel',
  channel_deliveries: '404 no_such_channel',
  redeliver: '404 no_such_channel',
};

/** Calls that read headers of their own, or that represent the authentication of their access. */
const everyHeader: ReadonlySet<string> = new Set([
  'authenticate',
  'me',
  'client_changes',
  'sso_callback',
  'start_sso',
  'sync_events',
  'set_own_avatar',
]);

interface Replied {
  readonly status: number;
  readonly code: string;
  /** Why the reply is invalid; null when it is valid. */
  readonly wrong: string | null;
}

const service = withSignInApp(openMigrated);
const folder = temporaryFolder();
let app: FastifyInstance;
let seeded: SeededResources;
let token = '';
let clientToken = '';
let waitingCode = '';
let waitingId = 0;
let inputs = 0;

async function signIn(person: 'Operator' | 'Stan' = 'Operator'): Promise<string> {
  await service.database.script('delete from two_factor; delete from sign_in_attempts');
  await service.database.query(
    "update users set password_hash = $1 where name in ('Operator', 'Stan')",
    [passwordHash],
  );
  const { json } = await service.signIn(person, password, { from: service.newAddress(), of: app });
  return String(json['token']);
}

async function newSession(person: 'Operator' | 'Stan'): Promise<number> {
  await signIn(person);
  return Number((await service.rows('select max(id) as id from sessions'))[0]?.['id']);
}

const emailConfig = buildEmailConfig({ server: '127.0.0.1', toEmailId: 'ops@example.org' });

beforeAll(async () => {
  await service.repopulate();
  const files = new DownloadFolder(folder);
  app = await service.start({
    config: configWithoutOverrides,
    // Jobs do not run: other tests cover their work.
    downloads: Object.assign(files, {
      maxBytes: 10_000_000,
      signer: serviceSigner(new Uint8Array(32), 'odd input'),
      expiry: (at: number) => Promise.resolve(at + day),
      look: () => undefined,
      cancel: () => undefined,
      stop: () => Promise.resolve(),
    }),
    sync: {
      start: () => Promise.reject(new AppError('sync_running', 'A sync is running.')),
      cancel: () => Promise.reject(new AppError('no_sync_running', 'No sync is running.')),
    },
  });
  // Links contain the address.
  await app.listen({ host: '127.0.0.1', port: 0 });
  const records = await seedRecords(service.database);
  const [client, calling, waiting] = [
    await register(service),
    await register(service, { reportsMachines: true }),
    await register(service),
  ];
  await activate(service, client);
  clientToken = await activate(service, calling);
  waitingCode = waiting.activationCode;
  waitingId = waiting.id;
  seeded = {
    operatorId: 0,
    clientId: client.id,
    reportingId: calling.id,
    place: files.place,
    records,
    newSession,
    now: service.now,
  };
});
afterAll(async () => {
  await app.close();
  await service.database.close();
});
beforeEach(async () => {
  await service.database.script(
    'delete from sync_run; delete from download_job; delete from two_factor; delete from sign_in_attempts',
  );
  await writeEmailConfig(service.database, service.box, emailConfig);
  const rows = await service.rows("select id from users where name = 'Operator'");
  const operatorId = Number(rows[0]?.['id']);
  seeded = { ...seeded, operatorId };
  // Signs in again after a call that ended the session or gave the name to another user.
  const { id } = await operator().get('/me').json;
  if (id !== operatorId) token = await signIn();
});

async function ask(
  call: Endpoint,
  { params, query, body, headers = {}, file }: RequestInput,
  as: string,
): Promise<Replied> {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const payload = body ?? file;
  const search = query.map((pair) => pair.join('=')).join('&');
  const reply = await app.inject({
    method: call.method,
    url: `/api${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      'x-forwarded-for': service.newAddress(),
      authorization: `Apikey ${as}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
    payloadAsStream: true,
  });
  const { statusCode: status } = reply;
  if (status < 400) {
    reply.stream().destroy();
    return { status, code: '', wrong: null };
  }
  const text = Buffer.concat((await reply.stream().toArray()) as Buffer[]).toString();
  const problem = problemIn(text);
  // A refusal does not repeat long input.
  const isRight =
    status < 500 && problem !== null && problem.userMessage.trim() !== '' && text.length < 10_000;
  return {
    status,
    code: problem?.code ?? '',
    wrong: isRight ? null : `${status} ${text.slice(0, 300)}`,
  };
}

function problemIn(text: string): Problem | null {
  try {
    return readRefusal(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Prepares the objects that the call needs and returns the parameters of its path. */
async function prepareCall(call: Endpoint): Promise<Readonly<Record<string, string>>> {
  const { database } = service;
  if (call.tag === 'Sign-in' || call.tag === 'Two-factor') await secondFactorFor(call);
  const params = await buildParams(call, database, seeded);
  if (call.name === 'activate_client')
    await operator().post(`/windows/user/${waitingId}/reactivation`);
  if (call.name === 'end_alert') await setAlert(params);
  if (call.name === 'remove_user_two_factor') await addSecondFactor(Number(params['id']), true);
  const rows = await service.rows('select 1 from sessions where user_id = $1', [seeded.operatorId]);
  if (rows.length === 0) token = await signIn();
  return params;
}

async function secondFactorFor({ name }: Endpoint): Promise<void> {
  await service.database.script('delete from two_factor; delete from sign_in_attempts');
  if (['renew_backup_codes', 'disable_two_factor', 'prove_identity'].includes(name))
    await addSecondFactor(seeded.operatorId, true);
  if (name === 'enable_two_factor') await addSecondFactor(seeded.operatorId, false);
}

async function addSecondFactor(userId: number, enabled: boolean): Promise<void> {
  await service.database.query(
    'insert into two_factor (user_id, sealed_secret, last_step, enabled_time) values ($1, $2, -1, $3)',
    [userId, service.box.seal(Buffer.alloc(20, 7).toString('base64url')), enabled ? 1 : null],
  );
}

const setAlert = ({ id }: Readonly<Record<string, string>>) =>
  operator().put(`/views/${id}/alert`, {
    mode: 'digest',
    hour: 1,
    timeZone: 'UTC',
    ownAddress: true,
  });

const operator = () => service.as(token).at(app);

function examplesFor(call: Endpoint): CallExamples {
  const hints: Hints = { ...buildHints(call, service.now), activationCode: waitingCode };
  const [query] = buildExamples(call.query, hints) as readonly Record<string, unknown>[];
  const takesBody = call.method !== 'GET' && call.receives !== 'file';
  const bodies = takesBody ? buildExamples(call.body, hints).flatMap(apart) : [];
  const file = call.receives === 'file' ? drawnPng(4, 4, () => [1, 2, 3, 255]) : undefined;
  return { query: query ?? {}, bodies, file };
}

function apart(example: unknown): readonly unknown[] {
  const pair = alternatives.find((names) =>
    names.every((name) => Object.hasOwn(example as object, name)),
  );
  if (pair === undefined) return [example];
  return pair.map((left) =>
    Object.fromEntries(Object.entries(example as object).filter(([name]) => name !== left)),
  );
}

/** An odd token is refused; and since open streams per person are limited, the last inputs of a stream may be. */
const mayBeRefused = ({ streams }: Endpoint, input: string) =>
  input === 'authorization' || (streams === 'events' && input === 'content-type');

const isAnswered = (status: number) => ![401, 403, 429].includes(status);

interface Trial {
  readonly calls: readonly Endpoint[];
  /** The values that each input is tried with. */
  readonly pick: Pick;
  /** Fewer mean that inputs were not found. */
  readonly leastInputs: number;
}

export function testOddInput({ calls, pick, leastInputs }: Trial): void {
  test.each(calls)(
    '$method $path ($name) answers or refuses every input',
    { timeout: 120_000 },
    async (call) => {
      const wrong: string[] = [];
      const refused = new Set<string>();
      const tried = new Map<string, Set<number>>();
      const counts = call.tag === 'Sign-in' || call.tag === 'Two-factor';
      for await (const { input, value, request } of oddRequests(
        call,
        examplesFor(call),
        () => prepareCall(call),
        { everyHeader: everyHeader.has(call.name), pick },
      )) {
        // Failed sign-ins are counted.
        if (counts) await service.database.script('delete from sign_in_attempts');
        let reply = await ask(call, request, call.access === 'client' ? clientToken : token);
        if (reply.code === 'session_ended' && input !== 'authorization') {
          token = await signIn();
          reply = await ask(call, request, token);
        }
        tried.set(input, (tried.get(input) ?? new Set()).add(reply.status));
        if (reply.wrong !== null) wrong.push(`${input} = ${value.slice(0, 60)}: ${reply.wrong}`);
        if (input === '' && reply.status >= 400) refused.add(`${reply.status} ${reply.code}`);
      }
      expect(wrong.slice(0, 10), `${wrong.length} in all`).toEqual([]);
      const untried = [...tried].filter(
        ([input, statuses]) => !mayBeRefused(call, input) && ![...statuses].some(isAnswered),
      );
      expect(untried.map(([input]) => input)).toEqual([]);
      expect((await app.inject('/api/health')).statusCode).toBe(200);
      expect([...refused]).toEqual(
        call.name in refusedExamples ? [refusedExamples[call.name]] : [],
      );
      inputs += tried.size;
    },
  );

  test('tried as many inputs as the calls have', () => {
    expect(inputs).toBeGreaterThan(leastInputs);
  });
}
