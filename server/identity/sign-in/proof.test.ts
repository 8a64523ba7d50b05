/** What a stolen session cannot do: create keys and accounts that outlive it. */
import { endpoints } from '@patch/contract/endpoints.ts';
import {
  defaultSettings,
  type GeneralSettings,
  provenSettings,
} from '@patch/contract/settings-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { addJob } from '../../operations/downloads/download-job-store.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { stepAt, totpOfStep } from '../two-factor/totp.ts';
import { minute, withSignInApp } from './testing/sign-in-app.ts';

describeWithDatabase('a session whose person has not proved themselves lately', (open) => {
  const service = withSignInApp(open);
  let token: string;
  beforeEach(async () => {
    token = await service.tokenOf('operator');
    service.now += 11 * minute;
  });

  const prove = (body: object) => service.ask('POST', '/me/proof', { token, body });
  const newKey = (name: string) =>
    service.ask('POST', '/me/apikeys', {
      token,
      body: { name, scopes: ['read'], expiresAt: service.now + minute },
    });

  test('makes no API key and nothing about accounts, roles and second factors', async () => {
    const asking = endpoints.filter(({ reauthenticates }) => reauthenticates === true);
    expect(asking.map(({ name }) => name).toSorted()).toEqual([
      'add_passkey',
      'begin_passkey',
      'change_user',
      'create_api_key',
      'create_user',
      'delete_user',
      'invite_user',
      'remove_passkey',
      'remove_user_two_factor',
      'save_email_config',
      'save_password_policy',
      'save_sso_config',
    ]);
    for (const call of asking) {
      const reply = await service.ask(call.method, call.path.replace('{id}', '1'), {
        token,
        body: {},
      });
      expect(reply, call.name).toMatchObject({
        status: 403,
        json: { code: 'reauthentication_required' },
      });
      expect(reply.json['userMessage']).toBe(
        'Confirm your identity first. Enter your password again.',
      );
    }
  });

  test('sets nothing that accounts depend on, and the other settings', async () => {
    const settings = (body: object) => service.ask('PUT', '/settings', { token, body });
    const refused = { status: 403, json: { code: 'reauthentication_required' } };
    for (const name of provenSettings)
      expect(await settings({ [name]: defaultSettings[name], runsKept: 99 }), name).toMatchObject(
        refused,
      );
    const of = provenSettings.reduce<Partial<GeneralSettings>>(
      (rest, name) => ({ ...rest, [name]: undefined }),
      defaultSettings,
    );
    expect((await settings({ ...of, feedMirror: undefined, runsKept: 100 })).status).toBe(200);
  });

  test('gets no database dump, not even an existing one of another user', async () => {
    const ask = (kind: string) =>
      service.ask('POST', '/downloads', { token, body: { kind, options: {} } });
    expect(await ask('database_dump')).toMatchObject({
      status: 403,
      json: { code: 'reauthentication_required' },
    });
    // Nothing is dumped in this process, but nothing else prevents the other kinds.
    expect(await ask('logs')).toMatchObject({ status: 503, json: { code: 'no_downloads' } });
    const job = { place: 'here', about: '', askedBy: 'Operator', fileName: 'file', options: {} };
    const ticketOf = async (kind: 'database_dump' | 'logs') => {
      const { id } = await addJob(service.database, { ...job, kind }, service.now);
      return service.ask('POST', `/downloads/${id}/ticket`, { token });
    };
    expect(await ticketOf('database_dump')).toMatchObject({
      status: 403,
      json: { code: 'reauthentication_required' },
    });
    expect(await ticketOf('logs')).toMatchObject({
      status: 409,
      json: { code: 'download_not_done' },
    });
  });

  test('is trusted for ten minutes after a correct password, and not after a wrong one', async () => {
    expect(await prove({ password: 'wrong' })).toMatchObject({
      status: 422,
      json: { code: 'wrong_password' },
    });
    expect((await newKey('One')).status).toBe(403);
    expect((await prove({ password })).json).toEqual({ provenUntil: service.now + 10 * minute });
    expect((await newKey('One')).status).toBe(201);
    service.now += 10 * minute - 1;
    expect((await newKey('Two')).status).toBe(201);
    service.now += 1;
    expect((await newKey('Three')).status).toBe(403);
  });

  test('is asked for the second factor as well', async () => {
    const secret = Buffer.alloc(20, 7);
    await service.database.query(
      "insert into two_factor (user_id, sealed_secret, last_step, enabled_time) select id, $1, -1, 1 from users where name = 'Operator'",
      [service.box.seal(secret.toString('base64url'))],
    );
    expect(await prove({ password })).toMatchObject({
      status: 422,
      json: { code: 'otp_required' },
    });
    expect(await prove({ password, otp: '000000' })).toMatchObject({
      status: 422,
      json: { code: 'otp_wrong' },
    });
    expect((await newKey('One')).status).toBe(403);
    expect((await prove({ password, otp: totpOfStep(secret, stepAt(service.now)) })).status).toBe(
      200,
    );
    expect((await newKey('One')).status).toBe(201);
  });

  test('cannot guess passwords: after five wrong ones, further attempts are refused', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn += 1)
      statuses.push((await prove({ password: 'wrong' })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });
});
