import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { password } from '../../testing/factories.ts';
import { describeApp, minute } from '../sign-in/testing/sign-in-app.ts';

describeApp('open sessions', (service) => {
  const { operator } = service;
  let here: Caller;
  let there: Caller;
  let ofStan = '';

  const signInWith = async (userAgent: string, address: string) => {
    const headers = { 'user-agent': userAgent, 'x-forwarded-for': address };
    const body = { username: 'stan', password };
    return service.as((await service.anyone.post('/authenticate', body, headers).json)['token']);
  };
  /** Returns which sessions are still signed in. */
  const seen = async () => [
    await there.get('/me').status,
    await here.get('/me').status,
    await operator.get('/me').status,
  ];

  beforeEach(async () => {
    there = await signInWith('Phone/1', '192.0.2.8');
    service.now += minute;
    here = await signInWith('Desk/2', '192.0.2.9');
    ofStan = `/user/${String((await here.get('/me').json)['id'])}/sessions`;
    await seen();
  });

  test('are listed with address and browser, the own one first', async () => {
    const { now } = service;
    const phone = { address: '192.0.2.8', userAgent: 'Phone/1', startedAt: now - minute };
    const desk = { address: '192.0.2.9', userAgent: 'Desk/2', startedAt: now };
    const listed = await there.get('/me/sessions').list;
    expect(listed).toMatchObject([
      { ...phone, lastUsedAt: now, current: true },
      { ...desk, lastUsedAt: now, current: false },
    ]);
    expect((await operator.get(ofStan).list).map(({ current }) => current)).toEqual([false, false]);
    expect(JSON.stringify(listed)).not.toContain(await there.token());
  });

  test('are refused at once when one is ended, although it was just cached', async () => {
    const [, other] = await here.get('/me/sessions').list;
    const path = `/me/sessions/${String(other?.['id'])}`;
    expect(await here.delete(path).json).toEqual({ ended: 1 });
    expect(await seen()).toEqual([401, 200, 200]);
    expect(await here.delete(path).outcome).toBe('404 no_such_session');
  });

  test('are all ended except the own one', async () => {
    expect(await here.delete('/me/sessions').json).toEqual({ ended: 1 });
    expect(await seen()).toEqual([401, 200, 200]);
  });

  test('are ended by an administrator for anybody, one or all', async () => {
    const [first] = await operator.get(ofStan).list;
    expect(await operator.delete(`${ofStan}/${String(first?.['id'])}`).status).toBe(200);
    expect(await seen()).toEqual([200, 401, 200]);
    expect(await operator.delete(ofStan).json).toEqual({ ended: 1 });
    expect(await seen()).toEqual([401, 401, 200]);
    expect(await operator.delete('/user/999999/sessions').status).toBe(404);
  });

  test('are not ended as own ones by another user', async () => {
    const [operators] = await operator.get('/me/sessions').list;
    expect(await here.delete(`/me/sessions/${String(operators?.['id'])}`).status).toBe(404);
    expect(await seen()).toEqual([200, 200, 200]);
  });
});
