import { fastify } from 'fastify';
import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { addRun } from '../../ingest/runs/run-store.ts';
import { addEndedRun } from '../../testing/factories.ts';
import { writeTitled } from '../../testing/record-factories.ts';
import { addMail } from '../mail/mail-outbox-store.ts';
import { measureRequests } from './request-metrics.ts';

describeApp('metricsRoute', (service) => {
  beforeEach(() =>
    service.database.script('delete from sync_run; delete from outbox; delete from channel;'),
  );

  const read = (
    headers: Record<string, string> = {},
    app = service.app,
    remoteAddress = '127.0.0.1',
  ) => app.inject({ url: '/metrics', headers, remoteAddress });
  const line = (text: string, begins: string) =>
    text.split('\n').find((each) => each.startsWith(begins)) ?? `no ${begins}`;

  test('counts and times requests by call and status, with pages as one call and without streams', async () => {
    const app = await service.start();
    await app.inject('/api/me');
    await app.inject('/api/me');
    await app.inject({ method: 'POST', url: '/api/linux/almalinux/search', payload: {} });
    await app.inject('/');
    const { statusCode, headers, body } = await read({}, app);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
    expect(body).toContain('patch_http_request_duration_seconds_count{call="me",status="401"} 2');
    expect(body).toContain(
      'patch_http_request_duration_seconds_count{call="search_almalinux_patch",status="401"} 1',
    );
    expect(body).toMatch(
      /patch_http_request_duration_seconds_bucket\{le="0.1",call="me",status="401"\} \d/,
    );
    expect(body).toMatch(
      /patch_http_request_duration_seconds_count\{call="other",status="\d{3}"\} 1/,
    );
    expect(line(body, 'patch_http_requests_open')).toBe('patch_http_requests_open 1');
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).toContain('nodejs_eventloop_lag_seconds');
    await app.close();
  });

  test('reports syncs, emails, deliveries to channels and the database', async () => {
    const { database, now } = service;
    // It ends a millisecond after its start.
    await addEndedRun(database, 'debian', now - 2 * hour - 1);
    await addRun(database, 'debian', 'operator', now);
    await addRun(database, 'wsus', 'operator', now);
    for (const days of [1, 4, 7])
      await writeTitled(database, 'debian_patch', [`${days}`], { releaseDate: now - days * day });
    await addMail(
      database,
      { kind: 'Test', recipient: 'a@example.org', subject: '', body: '' },
      now,
    );
    await database.query(
      `with sent as (insert into channel (kind, name, name_folded, shown_address, sealed_address, address_hash, types, created_time)
         values ('slack', 'Chat', 'chat', '', '', '', '[]', 0) returning id)
       insert into outbox (kind, recipient, subject, body, state, channel_id, queued_time, next_time)
       select 'Event', '', '', '', state, id, 0, 0 from sent, unnest(array['sent', 'sent', 'failed']) as state`,
    );
    expect((await read()).body).not.toMatch(/^patch_catalogue_/m);
    await database.query(
      "insert into publishing_state (tried_time, published_time, failure) values (2000, 1000, 'No bucket')",
    );
    const { body } = await read();
    expect(body).toContain('patch_catalogue_published_timestamp_seconds 1');
    expect(body).toContain('patch_catalogue_publishing_failed 1');
    expect(body).toContain('patch_database_up 1');
    expect(body).toMatch(
      /patch_database_statement_duration_seconds_count\{statement="select sync_run"\} [1-9]/,
    );
    expect(line(body, 'patch_database_connections{state="open"}')).toMatch(/ [1-9]\d*$/);
    expect(line(body, 'patch_database_waiting')).toMatch(/ \d+$/);
    expect(body).toContain('patch_sync_age_seconds{source="debian"} 7200');
    expect(body).toContain(
      `patch_sync_last_success_timestamp_seconds{source="debian"} ${(now - 2 * hour) / 1000}`,
    );
    expect(body).toContain('patch_source_freshness{source="debian",state="fresh"} 1');
    expect(body).toContain('patch_source_freshness{source="debian",state="silent"} 0');
    expect(body).toContain(
      `patch_source_newest_record_timestamp_seconds{source="debian"} ${now / 1000 - 24 * 3600}`,
    );
    expect(body).toContain('patch_source_usual_gap_seconds{source="debian"} 259200');
    expect(body).toContain('patch_source_freshness{source="wsus",state="never"} 1');
    expect(body).not.toContain('{source="wsus"}');
    expect(body).toContain('patch_sync_runs{state="queued"} 2');
    expect(body).toContain('patch_sync_runs{state="succeeded"} 1');
    expect(body).toContain('patch_sync_runs{state="failed"} 0');
    expect(body).toContain('patch_sync_queue_length 2');
    expect(body).toContain('patch_mail_outbox{state="queued"} 1');
    expect(body).toContain('patch_mail_outbox{state="sent"} 0');
    expect(body).toContain('patch_channel_deliveries{kind="slack",state="sent"} 2');
    expect(body).toContain('patch_channel_deliveries{kind="slack",state="failed"} 1');
    expect(body).toContain('patch_channel_deliveries{kind="teams",state="sent"} 0');
  });

  test('allows reading from this machine, with the token or a read key, and not through a proxy', async () => {
    const metricsToken = 'a-token-of-some-length';
    const app = await service.start({ metricsToken });
    const status = async (headers: Record<string, string>, remoteAddress = '198.51.100.7') =>
      (await read(headers, app, remoteAddress)).statusCode;
    const { operator } = service;
    expect(await status({})).toBe(401);
    const withoutToken = async (headers: Record<string, string>, near: string) =>
      (await read(headers, service.app, near)).statusCode;
    for (const near of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(await withoutToken({}, near), near).toBe(200);
      // A proxy on this machine may forward requests without a header.
      expect(await status({}, near), near).toBe(401);
    }
    expect(await withoutToken({ 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1')).toBe(401);
    expect(
      await withoutToken({ authorization: 'Bearer another-token-of-length' }, '127.0.0.1'),
    ).toBe(401);
    expect(await status({ authorization: `Bearer ${metricsToken}` })).toBe(200);
    expect(await status({ authorization: 'Bearer another-token-of-length' })).toBe(401);
    for (const [token, expected] of [
      [await service.createKey(operator, 'read'), 200],
      [await service.createKey(operator, 'manage'), 401],
      [await operator.token(), 401],
    ])
      expect(await status({ authorization: `Apikey ${token}` })).toBe(expected);
    expect(await withoutToken({ authorization: `Bearer ${metricsToken}` }, '198.51.100.7')).toBe(
      401,
    );
    expect((await read({}, app, '198.51.100.7')).json()).toMatchObject({
      code: 'metrics_not_allowed',
      requestId: expect.any(String),
    });
    await app.close();
  });

  test('omits database figures while the database is unavailable', async () => {
    let isDown = false;
    const { database } = service;
    const app = await service.start({
      database: {
        ...database,
        query: (text, values) =>
          isDown ? new Promise(() => undefined) : database.query(text, values),
      },
    });
    expect((await read({}, app)).body).toContain('patch_sync_queue_length 0');
    isDown = true;
    const { statusCode, body } = await read({}, app);
    expect(statusCode).toBe(200);
    expect(body).toContain('patch_database_up 0');
    expect(body).not.toMatch(/^patch_(sync|source|mail|channel)_\w+(\{.*\})? /m);
    expect(body).toContain('process_resident_memory_bytes');
    await app.close();
  });
});

test('does not count a request as open after its caller disconnected', async () => {
  const app = fastify();
  const registry = new Registry();
  measureRequests(app, registry);
  const arrived = Promise.withResolvers<void>();
  app.get('/slow', () => {
    arrived.resolve();
    return new Promise(() => undefined);
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const disconnect = new AbortController();
  const reply = fetch(`${address}/slow`, { signal: disconnect.signal });
  await arrived.promise;
  const open = async () =>
    (await registry.getMetricsAsJSON()).find(({ name }) => name === 'patch_http_requests_open')
      ?.values[0]?.value;
  expect(await open()).toBe(1);
  disconnect.abort();
  await expect(reply).rejects.toThrow('aborted');
  await expect.poll(open).toBe(0);
  await app.close();
});
