import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { password } from '../../testing/factories.ts';
import { describeApp, minute } from './testing/sign-in-app.ts';

describeApp('forgotten password', (service) => {
  const { anyone, operator, stan } = service;
  beforeEach(() => service.database.script('delete from outbox; delete from password_reset'));

  const forget = (email = 'stan@example.org', from = '192.0.2.1') =>
    service.ask('POST', '/user/forgotpassword', { body: { email }, from });
  const mails = () => service.rows('select recipient, body from outbox order by id');
  const arrived = (count: number) => expect.poll(async () => (await mails()).length).toBe(count);
  const link = /https:\/\/patch\.example\.org\/reset-password\/([\w-]{43})\n/;
  const newestLink = async () =>
    link.exec(String((await mails()).at(-1)?.['body']))?.[1] ?? 'no link';
  async function requestLink(from?: string): Promise<string> {
    await forget('stan@example.org', from);
    await arrived(1);
    return newestLink();
  }
  const seen = (id: string) => anyone.get(`/user/passwordreset/${id}`);
  const reset = (id: string, newPassword = 'Another-Horse-8', more = {}) =>
    anyone.post(`/user/passwordreset/${id}`, { newPassword, ...more });

  test('emails a link that sets a new password once and ends every session', async () => {
    const token = await service.createToken('stan');
    const id = await requestLink();
    expect(await mails()).toMatchObject([{ recipient: 'Stan@Example.org' }]);
    expect(await seen(id).json).toMatchObject({ name: 'Stan', policy: { minLength: 8 } });
    expect(await reset(id).json).toEqual({ message: 'Password has been reset successfully.' });
    expect(await service.me(token)).toBe(401);
    expect(await service.signIn('stan', password).status).toBe(401);
    expect(await service.signIn('stan', 'Another-Horse-8').status).toBe(200);
    expect(await reset(id, 'Third-Horse-9').outcome).toBe('404 reset_link_over');
  });

  test.each([true, false])(
    'names the API keys, and revokes them with the old password on request: %s',
    async (endApiKeys) => {
      const body = { name: 'Reports', scopes: ['read'], expiresAt: service.now + minute };
      const { key } = await stan.post('/me/apikeys', body).json;
      const id = await requestLink('192.0.2.77');
      expect(await seen(id).json).toMatchObject({ apiKeys: ['Reports'] });
      await reset(id, 'Another-Horse-8', { endApiKeys });
      expect(await service.me(String(key))).toBe(endApiKeys ? 401 : 200);
    },
  );

  test('does not reveal whether an address is known', async () => {
    const [known, unknown] = [await forget(), await forget('nobody@example.org')];
    expect(known.status).toBe(200);
    expect(unknown.json).toEqual(known.json);
    await arrived(1);
  });

  test('rejects a link when the clock is set back to before it was created', async () => {
    const now = service.now;
    service.now += 365 * 24 * 60 * minute;
    const id = await requestLink();
    expect(await seen(id).status).toBe(200);
    service.now = now;
    expect(await seen(id).outcome).toBe('404 reset_link_over');
    expect(await reset(id).outcome).toBe('404 reset_link_over');
  });

  test('keeps a link valid for half an hour, or until a newer one is requested', async () => {
    const first = await requestLink();
    service.now += 2 * minute;
    await forget();
    await arrived(2);
    expect(await seen(first).status).toBe(404);
    const second = await newestLink();
    expect(await seen(second).status).toBe(200);
    service.now += 30 * minute;
    expect(await reset(second).status).toBe(404);
    expect(await reset('x'.repeat(43)).status).toBe(404);
    expect(await reset('short').status).toBe(422);
    service.now -= 32 * minute;
  });

  test('sends one email for many concurrent requests', async () => {
    await Promise.all(Array.from({ length: 8 }, () => forget()));
    await expect.poll(async () => (await mails()).length).toBeGreaterThan(0);
    await setTimeout(300);
    expect(await mails()).toHaveLength(1);
  });

  const byOperator = async (body: object) => {
    const { id } = await stan.get('/me').json;
    return operator.put(`/user/${String(id)}`, body).status;
  };
  test.each([
    [
      'they change the password',
      () =>
        stan.post('/user/changepassword', {
          oldPassword: password,
          newPassword: 'Changed-Horse-6',
        }).status,
    ],
    ['an administrator sets the password', () => byOperator({ password: 'Given-Horse-9' })],
    ['an administrator changes the address', () => byOperator({ email: 'stanley@example.org' })],
  ])('invalidates a link once %s', async (_, change) => {
    const id = await requestLink();
    expect(await change()).toBe(200);
    expect([await seen(id).status, await reset(id).status]).toEqual([404, 404]);
  });

  test('lets a locked-out user sign in with the new password, and keeps the link valid after a weak one', async () => {
    const id = await requestLink();
    for (let turn = 0; turn < 5; turn++) await service.signIn('stan', 'wrong');
    expect(await service.signIn('stan').status).toBe(429);
    expect(await reset(id, 'weak').outcome).toBe('422 weak_password');
    expect(await service.signIn('stan').status).toBe(429);
    expect(await reset(id).status).toBe(200);
    expect(await service.signIn('stan', 'Another-Horse-8').status).toBe(200);
  });

  test('lets one of two concurrent uses of a link set the password', async () => {
    const id = await requestLink();
    const both = ['Another-Horse-8', 'Third-Horse-9'].map((typed) => reset(id, typed).status);
    expect((await Promise.all(both)).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });
});
