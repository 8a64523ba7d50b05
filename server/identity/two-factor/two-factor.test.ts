import { randomBytes } from 'node:crypto';
import { backupCodeCount } from '@patch/contract/accounts/two-factor-endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import type { Caller } from '../../testing/caller.ts';
import { password } from '../../testing/factories.ts';
import { describeApp, minute } from '../sign-in/testing/sign-in-app.ts';
import { fromBase32 } from './testing/from-base32.ts';
import { stepAt, totpAtStep } from './totp.ts';
import { removeSecondFactors, renewBackupCodes } from './two-factor-store.ts';

describeApp('authenticator app', (service) => {
  let user: Caller;
  let secret: Uint8Array;

  const code = (steps = 0) => totpAtStep(secret, stepAt(service.now) + steps);
  const post = (path: string, body?: object) => user.post(`/user/twofactor${path}`, body);
  const state = () => user.get('/user/twofactor').json;
  const readId = async (caller: Caller) => Number((await caller.get('/me').json)['id']);
  const signIn = (otp?: string, from?: string) =>
    service.signIn('stan', password, { ...(otp !== undefined && { otp }), ...(from && { from }) });
  const enable = async () =>
    (await post('', { password, otp: code() }).json)['backupCodes'] as string[];

  async function begin(name: string): Promise<void> {
    user = service.as(await service.createToken(name));
    const { secret: letters, uri } = await post('/secret').json;
    secret = fromBase32(String(letters));
    expect(uri).toBe(
      `otpauth://totp/Patch%20Repository:${name}?secret=${String(letters)}&issuer=Patch%20Repository&algorithm=SHA1&digits=6&period=30`,
    );
  }
  beforeEach(() => begin('Stan'));

  test('stays disabled until a code of the app was correct', async () => {
    const disabled = { enabled: false, enabledAt: null, backupCodesLeft: 0 };
    expect(await state()).toEqual(disabled);
    const wrong = post('', { password, otp: '000000' });
    expect(await wrong.outcome).toBe('422 wrong_code');
    expect((await wrong.refusal)[1]).toContain('clock of your phone');
    expect(await post('', { password: 'wrong', otp: code() }).outcome).toBe('422 wrong_password');
    expect(await signIn().status).toBe(200);
    await enable();
    expect(await state()).toEqual({ enabled: true, enabledAt: service.now, backupCodesLeft: 10 });
    expect(await signIn().status).toBe(401);
    expect(await post('/secret').outcome).toBe('409 two_factor_on');
    expect(await post('', { password, otp: code(1) }).outcome).toBe('409 two_factor_on');
  });

  test('accepts only the latest secret', async () => {
    const first = code();
    await begin('Stan');
    expect(await post('', { password, otp: first }).status).toBe(422);
    expect(await enable()).toHaveLength(backupCodeCount);
  });

  test('stores the secret sealed and the backup codes hashed', async () => {
    const [backup = ''] = await enable();
    const rows = await service.rows(
      'select *, (select code_hash from two_factor_backup_code limit 1) from two_factor',
    );
    expect(rows).toHaveLength(1);
    const plain = Buffer.from(secret).toString('base64url');
    for (const text of [backup, backup.replaceAll('-', ''), plain])
      expect(JSON.stringify(rows)).not.toContain(text);
  });

  describe('signing in', () => {
    let backupCodes: string[];
    beforeEach(async () => {
      backupCodes = await enable();
    });

    test('asks for the code only after a correct password', async () => {
      for (const [otp, outcome] of [
        [undefined, '401 otp_required'],
        ['', '401 otp_required'],
        ['000000', '401 otp_wrong'],
      ])
        expect(await signIn(otp).outcome).toBe(outcome);
      expect(await service.signIn('stan', 'wrong').outcome).toBe('401 wrong_credentials');
      expect(await signIn(` ${code(1)} `).status).toBe(200);
      expect(await service.signIn('operator').status).toBe(200);
    });

    test('accepts a code once, and none from before it', async () => {
      // The code that enabled the app.
      expect(await signIn(code()).outcome).toBe('401 otp_wrong');
      service.now += 2 * minute;
      const statuses = [];
      for (const otp of [code(), code(), code(-1), code(1)])
        statuses.push(await signIn(otp).status);
      expect(statuses).toEqual([200, 401, 401, 200]);
    });

    test('accepts a code once across concurrent sign-ins', async () => {
      const tries = Array.from({ length: 4 }, () => signIn(backupCodes[0]).status);
      const statuses = await Promise.all(tries);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    });

    test('accepts each backup code once, however it is typed', async () => {
      const [first = '', second = ''] = backupCodes;
      expect(first).toMatch(/^[\da-hjkmnp-tv-z]{4}(-[\da-hjkmnp-tv-z]{4}){2}$/);
      expect([await signIn(first).status, await signIn(first).status]).toEqual([200, 401]);
      const typed = second.toUpperCase().replaceAll('-', '').replaceAll('0', 'O');
      expect(await signIn(typed.replaceAll('1', 'l')).status).toBe(200);
      expect(await state()).toMatchObject({ backupCodesLeft: 8 });
    });

    test('counts missing and wrong codes like wrong passwords', async () => {
      for (const otp of [undefined, '000000', undefined])
        expect(await signIn(otp).status).toBe(401);
      for (const typed of ['wrong', 'wrong'])
        expect(await service.signIn('stan', typed).status).toBe(401);
      const { headers, json } = await signIn(code(1));
      expect([headers['retry-after'], json['code']]).toEqual(['900', 'locked_out']);
      service.now += 15 * minute;
      expect(await signIn(code()).status).toBe(200);
    });

    test('clears the count after a correct code', async () => {
      for (let turn = 1; turn <= 3; turn++) {
        service.now += minute;
        for (const otp of [undefined, '000000', undefined])
          expect(await signIn(otp).status).toBe(401);
        expect(await signIn(code()).status).toBe(200);
      }
    });

    test('locks the codes, not the password, after wrong codes from many addresses', async () => {
      for (let host = 0; host < 20; host++)
        expect(await signIn('000000', `198.51.100.${host}`).status).toBe(401);
      const locked = await signIn(code(1), '198.51.100.99').refusal;
      expect(locked).toEqual([429, expect.stringContaining('codes')]);
      expect(await signIn(undefined, '198.51.100.98').outcome).toBe('401 otp_required');
    });

    test('accepts a backup code without the key that sealed the secret', async () => {
      const of = await service.start({ box: secretBox(randomBytes(32)) });
      const at = (otp = '') => service.signIn('stan', password, { otp, of });
      expect(await at(code(1)).outcome).toBe('503 secret_key_changed');
      expect(await at(backupCodes[0]).status).toBe(200);
      await of.close();
    });
  });

  test('replaces the backup codes with password and code, and rejects the old ones', async () => {
    const [old = ''] = await enable();
    const renew = (otp: string, typed = password) => post('/backupcodes', { password: typed, otp });
    expect(await renew('000000').outcome).toBe('422 wrong_code');
    expect(await renew(code(1), 'wrong').outcome).toBe('422 wrong_password');
    const renewed = (await renew(code(1)).json)['backupCodes'] as string[];
    expect(new Set(renewed).size).toBe(10);
    expect([await signIn(old).status, await signIn(renewed[0]).status]).toEqual([401, 200]);
  });

  test('is disabled with password and code', async () => {
    await enable();
    const off = (otp?: string) => post('/off', { password, otp });
    const words = 'otp is required unless a passkey is given; only one of them is allowed.';
    expect(await off().refusal).toEqual([422, words]);
    expect([await off(code()).status, await off(code(1)).status]).toEqual([422, 200]);
    expect(await state()).toEqual({ enabled: false, enabledAt: null, backupCodesLeft: 0 });
    expect(await signIn().status).toBe(200);
    expect(await off(code(1)).outcome).toBe('409 two_factor_off');
  });

  test('locks out guessing in an open session', async () => {
    await enable();
    for (let turn = 0; turn < 5; turn++)
      expect(await post('/off', { password, otp: '000000' }).status).toBe(422);
    expect(await post('/off', { password, otp: code(1) }).status).toBe(429);
  });

  test('lets an administrator disable another user’s, but their own only with password and code', async () => {
    await enable();
    const remove = (id: number, by = service.operator) => by.delete(`/user/${id}/twofactor`);
    const id = await readId(user);
    expect(await remove(id).json).toEqual({
      message: 'The second factor of Stan has been disabled.',
    });
    expect(await signIn().status).toBe(200);
    expect([await remove(id).status, await remove(999_999).status]).toEqual([409, 404]);
    await begin('Operator');
    await enable();
    expect(await remove(await readId(user), user).outcome).toBe('409 own_second_factor');
    expect(await state()).toMatchObject({ enabled: true });
    expect(await post('/off', { password, otp: code(1) }).status).toBe(200);
  });

  test('keeps one of two concurrent sets of backup codes, and none after it is disabled', async () => {
    await enable();
    const id = await readId(user);
    const replace = (name: string) =>
      renewBackupCodes(service.database, id, [`${name} 1`, `${name} 2`]);
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(replace))).toEqual([true, true, true, true]);
    expect(await state()).toMatchObject({ backupCodesLeft: 2 });
    await removeSecondFactors(service.database, id);
    expect(await replace('e')).toBe(false);
  });

  test('logs no code and no secret', async () => {
    const codes = await enable();
    await signIn(code(1));
    const log = service.lines.join('');
    expect(log).toContain('/api/user/twofactor');
    for (const plain of [...codes, Buffer.from(secret).toString('base64url')])
      expect(log).not.toContain(plain);
  });
});
