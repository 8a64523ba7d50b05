import { randomBytes } from 'node:crypto';
import { backupCodeCount } from '@patch/contract/two-factor-endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { findUserByLogin } from '../accounts/user-store.ts';
import { minute, withSignInApp } from '../sign-in/testing/sign-in-app.ts';
import { fromBase32 } from './testing/from-base32.ts';
import { stepAt, totpOfStep } from './totp.ts';
import { removeSecondFactors, renewBackupCodes } from './two-factor-store.ts';

describeWithDatabase('two-factor', (open) => {
  const service = withSignInApp(open);
  let stan: string;
  let secret: Uint8Array;

  const code = (steps = 0) => totpOfStep(secret, stepAt(service.now) + steps);
  const post = (path: string, body?: object, token = stan) =>
    service.ask('POST', `/user/twofactor${path}`, { token, ...(body !== undefined && { body }) });
  const status = async () => (await service.ask('GET', '/user/twofactor', { token: stan })).json;
  const signIn = (otp?: string, from?: string) =>
    service.ask('POST', '/authenticate', {
      body: { username: 'stan', password, otp },
      ...(from !== undefined && { from }),
    });
  const enable = async (otp?: string) =>
    (await post('', { password, otp: otp ?? code() })).json['backupCodes'] as string[];

  async function begin(): Promise<void> {
    const { json, status: told } = await post('/secret');
    expect(told, JSON.stringify(json)).toBe(200);
    secret = fromBase32(String(json['secret']));
    expect(json['uri']).toBe(
      `otpauth://totp/Patch%20Repository:Stan?secret=${String(json['secret'])}&issuer=Patch%20Repository&algorithm=SHA1&digits=6&period=30`,
    );
  }

  beforeEach(async () => {
    stan = await service.tokenOf('stan');
    await begin();
  });

  test('stays disabled until a code of the app was correct', async () => {
    expect(await status()).toEqual({ enabled: false, enabledAt: null, backupCodesLeft: 0 });
    expect((await signIn()).status).toBe(200);
    expect(await post('', { password, otp: '000000' })).toMatchObject({
      status: 422,
      json: { code: 'wrong_code', userMessage: expect.stringContaining('clock of your phone') },
    });
    expect(await post('', { password: 'wrong', otp: code() })).toMatchObject({
      status: 422,
      json: { code: 'wrong_password' },
    });
    expect((await signIn()).status).toBe(200);
    await enable();
    expect(await status()).toEqual({ enabled: true, enabledAt: service.now, backupCodesLeft: 10 });
    expect((await signIn()).status).toBe(401);
    expect(await post('/secret')).toMatchObject({ status: 409, json: { code: 'two_factor_on' } });
    expect(await post('', { password, otp: code(1) })).toMatchObject({
      status: 409,
      json: { code: 'two_factor_on' },
    });
  });

  test('accepts only the latest secret', async () => {
    const first = code();
    await begin();
    expect((await post('', { password, otp: first })).status).toBe(422);
    expect(await enable()).toHaveLength(backupCodeCount);
  });

  test('stores the secret sealed and the backup codes hashed', async () => {
    const [backup = ''] = await enable();
    const { rows } = await service.database.query(
      'select *, (select code_hash from two_factor_backup_code limit 1) from two_factor',
    );
    const kept = JSON.stringify(rows);
    expect(rows).toHaveLength(1);
    for (const plain of [
      backup,
      backup.replaceAll('-', ''),
      Buffer.from(secret).toString('base64url'),
    ])
      expect(kept).not.toContain(plain);
  });

  describe('signing in', () => {
    let backupCodes: string[];
    beforeEach(async () => {
      backupCodes = await enable();
    });

    test('asks for the code only after a correct password', async () => {
      expect(await signIn()).toMatchObject({ status: 401, json: { code: 'otp_required' } });
      expect(await signIn('')).toMatchObject({ status: 401, json: { code: 'otp_required' } });
      expect(await signIn('000000')).toMatchObject({ status: 401, json: { code: 'otp_wrong' } });
      expect(await service.signIn('stan', 'wrong')).toMatchObject({
        status: 401,
        json: { code: 'wrong_credentials' },
      });
      expect((await signIn(` ${code(1)} `)).status).toBe(200);
      expect((await service.signIn('operator')).status).toBe(200);
    });

    test('takes a code once, and none from before it', async () => {
      // The code that enabled it.
      expect(await signIn(code())).toMatchObject({ status: 401, json: { code: 'otp_wrong' } });
      service.now += 2 * minute;
      const [before, now] = [code(-1), code()];
      expect((await signIn(now)).status).toBe(200);
      expect((await signIn(now)).status).toBe(401);
      expect((await signIn(before)).status).toBe(401);
      expect((await signIn(code(1))).status).toBe(200);
    });

    test('accepts a code once across concurrent sign-ins', async () => {
      const replies = await Promise.all(Array.from({ length: 4 }, () => signIn(backupCodes[0])));
      expect(replies.map((reply) => reply.status).toSorted((one, two) => one - two)).toEqual([
        200, 401, 401, 401,
      ]);
    });

    test('takes each backup code once, however it is typed', async () => {
      const [first = '', second = ''] = backupCodes;
      expect(first).toMatch(/^[\da-hjkmnp-tv-z]{4}(-[\da-hjkmnp-tv-z]{4}){2}$/);
      expect((await signIn(first)).status).toBe(200);
      expect((await signIn(first)).status).toBe(401);
      expect(
        (
          await signIn(
            second.toUpperCase().replaceAll('-', '').replaceAll('0', 'O').replaceAll('1', 'l'),
          )
        ).status,
      ).toBe(200);
      expect(await status()).toMatchObject({ backupCodesLeft: 8 });
    });

    test('counts missing and wrong codes like wrong passwords', async () => {
      const statuses = [];
      for (const otp of [undefined, '000000', undefined]) statuses.push((await signIn(otp)).status);
      for (const typed of ['wrong', 'wrong'])
        statuses.push((await service.signIn('stan', typed)).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
      expect(await signIn(code(1))).toMatchObject({
        status: 429,
        json: { code: 'locked_out' },
        headers: { 'retry-after': '900' },
      });
      service.now += 15 * minute;
      expect((await signIn(code())).status).toBe(200);
    });

    test('clears the count after a correct code', async () => {
      for (let turn = 1; turn <= 3; turn++) {
        service.now += minute;
        for (const otp of [undefined, '000000', undefined])
          expect((await signIn(otp)).status).toBe(401);
        expect((await signIn(code())).status).toBe(200);
      }
    });

    test('locks the codes, not the password, after wrong codes from many addresses', async () => {
      for (let host = 0; host < 20; host++)
        expect((await signIn('000000', `198.51.100.${host}`)).status).toBe(401);
      expect(await signIn(code(1), '198.51.100.99')).toMatchObject({
        status: 429,
        json: { userMessage: expect.stringContaining('codes') },
      });
      expect(await signIn(undefined, '198.51.100.98')).toMatchObject({
        status: 401,
        json: { code: 'otp_required' },
      });
    });

    test('accepts a backup code without the key that sealed the secret', async () => {
      const other = await service.start({ box: secretBox(randomBytes(32)) });
      const at = (otp: string) =>
        service.ask('POST', '/authenticate', {
          body: { username: 'stan', password, otp },
          of: other,
        });
      expect(await at(code(1))).toMatchObject({
        status: 503,
        json: { code: 'secret_key_changed' },
      });
      expect((await at(backupCodes[0] ?? '')).status).toBe(200);
      await other.close();
    });
  });

  test('replaces the backup codes with password and code, and rejects the old ones', async () => {
    const [old = ''] = await enable();
    expect(await post('/backupcodes', { password, otp: '000000' })).toMatchObject({
      status: 422,
      json: { code: 'wrong_code' },
    });
    expect(await post('/backupcodes', { password: 'wrong', otp: code(1) })).toMatchObject({
      status: 422,
      json: { code: 'wrong_password' },
    });
    const renewed = (await post('/backupcodes', { password, otp: code(1) })).json[
      'backupCodes'
    ] as string[];
    expect(new Set(renewed).size).toBe(10);
    expect((await signIn(old)).status).toBe(401);
    expect((await signIn(renewed[0])).status).toBe(200);
  });

  test('is disabled with password and code', async () => {
    await enable();
    expect(await post('/off', { password })).toMatchObject({
      status: 422,
      json: {
        userMessage: 'otp is required unless a passkey is given; only one of them is allowed.',
      },
    });
    expect((await post('/off', { password, otp: code() })).status).toBe(422);
    expect((await post('/off', { password, otp: code(1) })).status).toBe(200);
    expect(await status()).toEqual({ enabled: false, enabledAt: null, backupCodesLeft: 0 });
    expect((await signIn()).status).toBe(200);
    expect(await post('/off', { password, otp: code(1) })).toMatchObject({
      status: 409,
      json: { code: 'two_factor_off' },
    });
  });

  test('guessing at a screen that was left open is locked out', async () => {
    await enable();
    for (let turn = 0; turn < 5; turn++)
      expect((await post('/off', { password, otp: '000000' })).status).toBe(422);
    expect((await post('/off', { password, otp: code(1) })).status).toBe(429);
  });

  test('an administrator can disable another user’s', async () => {
    await enable();
    const id = (await findUserByLogin(service.database, 'stan'))?.user.id;
    const remove = async (of: number | undefined, token: string) =>
      service.ask('DELETE', `/user/${of}/twofactor`, { token });
    const operator = await service.tokenOf('operator');
    expect((await remove(id, stan)).status).toBe(403);
    expect(await remove(id, operator)).toMatchObject({
      status: 200,
      json: { message: 'The second factor of Stan has been disabled.' },
    });
    expect((await signIn()).status).toBe(200);
    expect((await remove(id, operator)).status).toBe(409);
    expect((await remove(999_999, operator)).status).toBe(404);
  });

  test('an administrator needs password and code to disable their own', async () => {
    stan = await service.tokenOf('operator');
    const { id } = (await service.ask('GET', '/me', { token: stan })).json;
    const { json } = await post('/secret');
    secret = fromBase32(String(json['secret']));
    await enable();
    expect(
      await service.ask('DELETE', `/user/${String(id)}/twofactor`, { token: stan }),
    ).toMatchObject({
      status: 409,
      json: { code: 'own_second_factor' },
    });
    expect(await status()).toMatchObject({ enabled: true });
    expect((await post('/off', { password, otp: code(1) })).status).toBe(200);
  });

  test('of backup codes that are made twice at once one set is good, and none once it is switched off', async () => {
    await enable();
    const { database } = service;
    const id = (await findUserByLogin(database, 'stan'))?.user.id ?? 0;
    const replace = (name: string) => renewBackupCodes(database, id, [`${name} 1`, `${name} 2`]);
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(replace))).toEqual([true, true, true, true]);
    expect(await status()).toMatchObject({ backupCodesLeft: 2 });
    await removeSecondFactors(database, id);
    expect(await replace('e')).toBe(false);
  });

  test('no code and no secret is ever logged', async () => {
    const codes = await enable();
    await signIn(code(1));
    const log = service.lines.join('');
    expect(log).toContain('/api/user/twofactor');
    for (const plain of [...codes, Buffer.from(secret).toString('base64url')])
      expect(log).not.toContain(plain);
  });
});
