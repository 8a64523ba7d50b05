/** A stolen session cannot create keys and accounts that outlive it. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { defaultSettings, provenSettings } from '@patch/contract/operations/settings-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { addJob } from '../../operations/downloads/download-job-store.ts';
import type { Caller } from '../../testing/caller.ts';
import { buildJob, password } from '../../testing/factories.ts';
import { stepAt, totpAtStep } from '../two-factor/totp.ts';
import { describeApp, minute } from './testing/sign-in-app.ts';

const refused = '403 reauthentication_required';

describeApp('a session without a recent proof of identity', (service) => {
  let session: Caller;
  beforeEach(async () => {
    session = service.as(await service.createToken('operator'));
    service.now += 11 * minute;
  });

  const prove = (body: object) => session.post('/me/proof', body);
  const newKey = (name: string) =>
    session.post('/me/apikeys', { name, scopes: ['read'], expiresAt: service.now + minute })
      .outcome;

  test('cannot create API keys or change accounts, roles and second factors', async () => {
    const asking = endpoints.filter(({ reauthenticates }) => reauthenticates === true);
    expect(asking.map(({ name }) => name).toSorted()).toEqual([
      'add_passkey',
      'begin_passkey',
      'change_user',
      'create_api_key',
      'create_source_feed',
      'create_user',
      'create_view_feed',
      'delete_user',
      'invite_user',
      'remove_passkey',
      'remove_user_two_factor',
      'save_email_config',
      'save_password_policy',
      'save_sso_config',
    ]);
    for (const { name, method, path } of asking) {
      const token = await session.token();
      const reply = service.ask(method, path.replace('{id}', '1'), { token, body: {} });
      expect(await reply.outcome, name).toBe(refused);
      const words = 'Confirm your identity first. Enter your password again.';
      expect(await reply.refusal).toEqual([403, words]);
    }
  });

  test('cannot change settings that accounts depend on, but the others', async () => {
    const set = (body: object) => session.put('/settings', body).outcome;
    for (const name of provenSettings)
      expect(await set({ [name]: defaultSettings[name], runsKept: 99 }), name).toBe(refused);
    const proven: readonly string[] = [...provenSettings, 'feedMirror'];
    const others = Object.entries(defaultSettings).filter(([name]) => !proven.includes(name));
    expect(await set({ ...Object.fromEntries(others), runsKept: 100 })).toBe('200');
  });

  test('gets no database dump, not even an existing one of another user', async () => {
    const make = (kind: string) => session.post('/downloads', { kind, options: {} }).outcome;
    expect(await make('database_dump')).toBe(refused);
    // No dump is created in this process, but nothing else prevents the other kinds.
    expect(await make('logs')).toBe('503 no_downloads');
    const requestTicket = async (kind: 'database_dump' | 'logs') => {
      const { id } = await addJob(service.database, buildJob({ kind }), service.now);
      return session.post(`/downloads/${id}/ticket`).outcome;
    };
    expect(await requestTicket('database_dump')).toBe(refused);
    expect(await requestTicket('logs')).toBe('409 download_not_done');
  });

  test('is trusted for ten minutes after a correct password, and not after a wrong one', async () => {
    expect(await prove({ password: 'wrong' }).outcome).toBe('422 wrong_password');
    expect(await newKey('One')).toBe(refused);
    expect(await prove({ password }).json).toEqual({ provenUntil: service.now + 10 * minute });
    expect(await newKey('One')).toBe('201');
    service.now += 10 * minute - 1;
    expect(await newKey('Two')).toBe('201');
    service.now += 1;
    expect(await newKey('Three')).toBe(refused);
  });

  test('needs the second factor as well', async () => {
    const secret = Buffer.alloc(20, 7);
    await service.database.query(
      "insert into two_factor (user_id, sealed_secret, last_step, enabled_time) select id, $1, -1, 1 from users where name = 'Operator'",
      [service.box.seal(secret.toString('base64url'))],
    );
    expect(await prove({ password }).outcome).toBe('422 otp_required');
    expect(await prove({ password, otp: '000000' }).outcome).toBe('422 otp_wrong');
    expect(await newKey('One')).toBe(refused);
    const otp = totpAtStep(secret, stepAt(service.now));
    expect(await prove({ password, otp }).status).toBe(200);
    expect(await newKey('One')).toBe('201');
  });

  test('cannot guess passwords: after five wrong ones, further attempts are refused', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) statuses.push(await prove({ password: 'w' }).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });
});
