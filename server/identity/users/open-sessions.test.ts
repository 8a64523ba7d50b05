import { beforeEach, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { minute, withSignInApp } from '../sign-in/testing/sign-in-app.ts';

describeWithDatabase('open sessions', (open) => {
  const service = withSignInApp(open);
  let [operator, here, there] = ['', '', ''];
  let stansId = 0;

  async function signInWith(userAgent: string, address: string): Promise<string> {
    const reply = await service.app.inject({
      method: 'POST',
      url: '/api/authenticate',
      headers: { 'user-agent': userAgent, 'x-forwarded-for': address },
      payload: { username: 'stan', password },
    });
    return reply.json<{ token: string }>().token;
  }
  const list = async (path: string, token: string) =>
    (await service.ask('GET', path, { token })).json['objList'] as {
      id: number;
      current: boolean;
    }[];
  const end = (path: string, token: string) => service.ask('DELETE', path, { token });

  beforeEach(async () => {
    operator = await service.tokenOf('operator');
    there = await signInWith('Phone/1', '192.0.2.8');
    service.now += minute;
    here = await signInWith('Desk/2', '192.0.2.9');
    stansId = Number((await service.ask('GET', '/me', { token: here })).json['id']);
    await service.me(there);
  });

  test('are listed with where they are and what with, the own one first', async () => {
    const startedAt = service.now - minute;
    expect(await list('/me/sessions', there)).toMatchObject([
      {
        address: '192.0.2.8',
        userAgent: 'Phone/1',
        startedAt,
        lastUsedAt: service.now,
        current: true,
      },
      {
        address: '192.0.2.9',
        userAgent: 'Desk/2',
        startedAt: service.now,
        lastUsedAt: service.now,
        current: false,
      },
    ]);
    expect(
      (await list(`/user/${stansId}/sessions`, operator)).map(({ current }) => current),
    ).toEqual([false, false]);
    expect(JSON.stringify(await list('/me/sessions', there))).not.toContain(there);
  });

  test('one is ended at once, though it was just believed', async () => {
    const id = (await list('/me/sessions', here)).find(({ current }) => !current)?.id;
    expect((await end(`/me/sessions/${id}`, here)).json).toEqual({ ended: 1 });
    expect([await service.me(there), await service.me(here)]).toEqual([401, 200]);
    expect(await end(`/me/sessions/${id}`, here)).toMatchObject({
      status: 404,
      json: { code: 'no_such_session' },
    });
  });

  test('all others are ended, and the own one stays', async () => {
    expect((await end('/me/sessions', here)).json).toEqual({ ended: 1 });
    expect([await service.me(there), await service.me(here), await service.me(operator)]).toEqual([
      401, 200, 200,
    ]);
  });

  test('an administrator ends anybody’s, one or all', async () => {
    const [first] = await list(`/user/${stansId}/sessions`, operator);
    expect((await end(`/user/${stansId}/sessions/${first?.id}`, operator)).status).toBe(200);
    expect([await service.me(there), await service.me(here)]).toEqual([200, 401]);
    expect((await end(`/user/${stansId}/sessions`, operator)).json).toEqual({ ended: 1 });
    expect([await service.me(there), await service.me(here), await service.me(operator)]).toEqual([
      401, 401, 200,
    ]);
    expect((await end('/user/999999/sessions', operator)).status).toBe(404);
  });

  test('nobody sees or ends another’s', async () => {
    const [operators] = await list('/me/sessions', operator);
    expect((await end(`/me/sessions/${operators?.id}`, here)).status).toBe(404);
    expect((await service.ask('GET', `/user/${stansId}/sessions`, { token: here })).status).toBe(
      403,
    );
    expect((await end(`/user/${stansId}/sessions`, here)).status).toBe(403);
    expect(await service.me(operator)).toBe(200);
  });
});
