import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { minute, withSignInApp } from './testing/sign-in-app.ts';

describeWithDatabase('a forgotten password', (open) => {
  const service = withSignInApp(open);
  beforeEach(() => service.database.script('delete from mail_outbox; delete from password_reset'));

  const forget = (email: string, from = '192.0.2.1') =>
    service.ask('POST', '/user/forgotpassword', { body: { email }, from });
  const mails = async () =>
    await queryRows(
      service.database,
      z.object({ recipient: z.string(), body: z.string() }),
      'select recipient, body from mail_outbox order by id',
    );
  async function linkOf(email: string, from?: string): Promise<string> {
    await forget(email, from);
    await expect.poll(async () => (await mails()).length).toBe(1);
    return (
      /https:\/\/patch\.example\.org\/reset-password\/([\w-]{43})\n/.exec(
        (await mails())[0]?.body ?? '',
      )?.[1] ?? 'no link'
    );
  }
  const reset = (id: string, newPassword = 'Another-Horse-8') =>
    service.ask('POST', `/user/passwordreset/${id}`, { body: { newPassword } });

  test('emails a link that sets a new password once and ends every session', async () => {
    const token = await service.tokenOf('stan');
    const id = await linkOf('stan@example.org');
    expect((await mails())[0]?.recipient).toBe('Stan@Example.org');
    expect((await service.ask('GET', `/user/passwordreset/${id}`)).json).toMatchObject({
      name: 'Stan',
      policy: { minLength: 8 },
    });
    expect(await reset(id)).toMatchObject({
      status: 200,
      json: { message: 'Password has been reset successfully.' },
    });
    expect(await service.me(token)).toBe(401);
    expect((await service.signIn('stan', password)).status).toBe(401);
    expect((await service.signIn('stan', 'Another-Horse-8')).status).toBe(200);
    expect(await reset(id, 'Third-Horse-9')).toMatchObject({
      status: 404,
      json: { code: 'reset_link_over' },
    });
  });

  test.each([true, false])(
    'names the API keys, and revokes them with the old password on request: %s',
    async (endApiKeys) => {
      const token = await service.tokenOf('stan');
      const made = await service.ask('POST', '/me/apikeys', {
        token,
        body: { name: 'Reports', scopes: ['read'], expiresAt: service.now + minute },
      });
      const id = await linkOf('stan@example.org', '192.0.2.77');
      expect((await service.ask('GET', `/user/passwordreset/${id}`)).json).toMatchObject({
        apiKeys: ['Reports'],
      });
      await service.ask('POST', `/user/passwordreset/${id}`, {
        body: { newPassword: 'Another-Horse-8', endApiKeys },
      });
      expect(await service.me(String(made.json['key']))).toBe(endApiKeys ? 401 : 200);
    },
  );

  test('does not reveal whether an address is known', async () => {
    const [known, unknown] = [await forget('stan@example.org'), await forget('nobody@example.org')];
    expect(known).toMatchObject({ status: 200 });
    expect(unknown.json).toEqual(known.json);
    await expect.poll(async () => (await mails()).length).toBe(1);
  });

  test('keeps a link valid for half an hour, or until a newer one is requested', async () => {
    const first = await linkOf('stan@example.org');
    service.now += 2 * minute;
    await forget('stan@example.org');
    await expect.poll(async () => (await mails()).length).toBe(2);
    expect((await service.ask('GET', `/user/passwordreset/${first}`)).status).toBe(404);
    const second = /reset-password\/([\w-]{43})/.exec((await mails())[1]?.body ?? '')?.[1] ?? '';
    service.now += 30 * minute;
    expect((await reset(second)).status).toBe(404);
    expect((await reset('x'.repeat(43))).status).toBe(404);
    expect((await reset('short')).status).toBe(422);
    service.now -= 32 * minute;
  });

  test('rejects a weak password and keeps the link valid', async () => {
    const id = await linkOf('stan@example.org');
    expect(await reset(id, 'weak')).toMatchObject({ status: 422, json: { code: 'weak_password' } });
    expect((await reset(id)).status).toBe(200);
  });

  test('sends one email for many concurrent requests', async () => {
    await Promise.all(Array.from({ length: 8 }, () => forget('stan@example.org')));
    await expect.poll(async () => (await mails()).length).toBeGreaterThan(0);
    await setTimeout(300);
    expect(await mails()).toHaveLength(1);
  });

  test('invalidates a link once the password or the address was changed', async () => {
    const otherwise = [
      async () => {
        const body = { oldPassword: password, newPassword: 'Changed-Horse-6' };
        return service.ask('POST', '/user/changepassword', {
          token: await service.tokenOf('stan'),
          body,
        });
      },
      async () => byOperator({ password: 'Given-Horse-9' }),
      async () => byOperator({ email: 'stanley@example.org' }),
    ];
    const byOperator = async (body: object) => {
      const rows = await queryRows(
        service.database,
        IdRow,
        "select id from users where name = 'Stan'",
      );
      return service.ask('PUT', `/user/${rows[0]?.id}`, {
        token: await service.tokenOf('operator'),
        body,
      });
    };
    for (const change of otherwise) {
      await service.repopulate();
      await service.database.script('delete from mail_outbox');
      const id = await linkOf('stan@example.org');
      expect((await change()).status).toBe(200);
      expect((await service.ask('GET', `/user/passwordreset/${id}`)).status).toBe(404);
      expect((await reset(id)).status).toBe(404);
    }
  });

  test('a locked-out user signs in with the new password', async () => {
    const id = await linkOf('stan@example.org');
    for (let turn = 0; turn < 5; turn++) await service.signIn('stan', 'wrong');
    expect((await service.signIn('stan')).status).toBe(429);
    expect((await reset(id, 'weak')).status).toBe(422);
    expect((await service.signIn('stan')).status).toBe(429);
    expect((await reset(id)).status).toBe(200);
    expect((await service.signIn('stan', 'Another-Horse-8')).status).toBe(200);
  });

  test('lets one of two concurrent uses of a link set the password', async () => {
    const id = await linkOf('stan@example.org');
    const statuses = (
      await Promise.all([reset(id, 'Another-Horse-8'), reset(id, 'Third-Horse-9')])
    ).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404]);
  });
});
