import type { CatalogueEvent, EventType } from '@patch/contract/event-endpoints.ts';
import { generate } from 'selfsigned';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, describeApp, hour, minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import { addEvent } from '../events/event-store.ts';
import { type OutboxSender, type OutboxSenderParts, startOutboxSender } from './outbox-sender.ts';
import { Receiver } from './testing/receiver.ts';

const type: EventType = 'source.failed';

describeApp('channels', (service) => {
  const { operator, stan } = service;
  const start = service.now;
  let receiver: Receiver;
  let sender: OutboxSender;

  const startSender = (more: Partial<OutboxSenderParts> = {}) =>
    startOutboxSender({
      database: service.database,
      box: service.box,
      log: service.app.log as never,
      clock: () => service.now,
      channelTargets: ['127.0.0.1'],
      baseUrl: { configured: 'https://patch.example.org', fallback: () => null },
      post: { timeoutMs: 400 },
      ...more,
    });

  beforeEach(async () => {
    service.now = start;
    await service.database.script('delete from channel; delete from event; delete from outbox');
    receiver = new Receiver();
    await receiver.start();
    sender = startSender();
  });
  afterEach(async () => {
    await sender.stop();
    await receiver.stop();
  });

  const create = async (more: object = {}) => {
    const body = {
      kind: 'webhook',
      name: 'Hook',
      secretAddress: receiver.address(),
      types: [type],
      ...more,
    };
    const { status, json } = await operator.post('/channels', body);
    if (status !== 201) throw new Error(`The channel was not created: ${JSON.stringify(json)}`);
    const { channel, secret } = json as { channel: { id: number }; secret: string };
    return { id: channel.id, secret };
  };
  const happen = (title = 'AlmaLinux could not be synced') =>
    addEvent(
      service.database,
      {
        type,
        title,
        path: '/patch-repository/sync',
        subject: { source: 'almaLinux' },
        items: [{ name: 'AlmaLinux', about: 'Not fetched', path: null }],
        totalCount: 1,
      },
      service.now,
    );
  const deliveries = async (id: number) =>
    (await operator.get(`/channels/${id}/deliveries`).list) as unknown as readonly {
      id: number;
      state: string;
      attempts: number;
      lastError: string;
      eventId: string;
      type: string;
    }[];
  const channel = async () =>
    (
      (await operator.get('/channels').list) as unknown as { enabled: boolean; problem: string }[]
    )[0];
  const problem = async (id: number) => {
    await happen();
    await sender.sendDue();
    return (await deliveries(id))[0]?.lastError;
  };

  test('delivers an event that the library of Standard Webhooks verifies', async () => {
    const { id, secret } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    service.now = Date.now();
    await happen();
    await sender.sendDue();
    const [request] = receiver.received;
    const payload = new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {});
    const { objList } = (await operator.get('/events').json) as { objList: CatalogueEvent[] };
    expect(payload).toMatchObject({
      id: objList[0]?.id,
      type,
      data: {
        title: 'AlmaLinux could not be synced',
        url: 'https://patch.example.org/patch-repository/sync',
      },
    });
    expect(request?.headers['webhook-id']).toBe(objList[0]?.id);
    expect(() => new Webhook(secret).verify(`${request?.body} `, request?.headers ?? {})).toThrow(
      'No matching signature found',
    );
    expect(await deliveries(id)).toMatchObject([{ state: 'sent', attempts: 1, lastError: '' }]);
  });

  test('signs with both secrets for a day after a rotation, then with the new one', async () => {
    const { id, secret: former } = await create();
    const { json } = await operator.post(`/channels/${id}/secret`);
    const secret = String(json['secret']);
    expect(json['channel']).toMatchObject({ formerSecretUntil: service.now + day });
    const verified = async (by: string) => {
      receiver.received.length = 0;
      await happen();
      await sender.sendDue();
      const { body = '', headers = {} } = receiver.received[0] ?? {};
      const signatures = new Webhook(by).sign(
        String(headers['webhook-id']),
        new Date(service.now),
        body,
      );
      return headers['webhook-signature']?.split(' ').includes(signatures);
    };
    expect(await verified(former)).toBe(true);
    expect(await verified(secret)).toBe(true);
    service.now += day;
    expect(await verified(former)).toBe(false);
    expect(await verified(secret)).toBe(true);
  });

  test('sends only events of the types that it subscribes to, and a test to the channel alone', async () => {
    const { id } = await create({ types: ['source.silent'] });
    const second = new Receiver();
    await second.start();
    await create({ name: 'Second', secretAddress: second.address() });
    await happen();
    expect(await operator.post(`/channels/${id}/test`).status).toBe(200);
    await sender.sendDue();
    const types = (of: Receiver) =>
      of.received.map(({ body }) => (JSON.parse(body) as CatalogueEvent).type);
    expect([types(receiver), types(second)]).toEqual([['channel.test'], [type]]);
    await second.stop();
  });

  test('retries with the same id over a day, and then gives up', async () => {
    const { id } = await create();
    receiver.answer = (response) => void response.writeHead(500).end('Out of order');
    await happen();
    for (const wait of [0, 1, 5, 15, 60, 360, 480, 519, 600]) {
      service.now += wait * minute;
      await sender.sendDue();
    }
    expect(service.now - start).toBeGreaterThan(day);
    expect(await deliveries(id)).toMatchObject([
      { state: 'failed', attempts: 8, lastError: 'The receiver replied 500: Out of order' },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(8);
    // Sent again by hand.
    receiver.answer = (response) => void response.writeHead(200).end();
    const [ended] = await deliveries(id);
    const eventId = ended?.eventId;
    const path = `/channels/${id}/deliveries/${ended?.id}/redeliver`;
    expect(await operator.post(path).status).toBe(200);
    await sender.sendDue();
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(eventId);
    expect(await deliveries(id)).toMatchObject([{ state: 'sent', attempts: 1, eventId }]);
    expect(await channel()).toMatchObject({ enabled: true, problem: '' });
  });

  test.each([
    [0, 410, 'The receiver said that the address has ended (410).'],
    [7, 500, 'All deliveries of a week failed. The last one: The receiver replied 500'],
  ])(
    'is switched off after %i days with %i, and its owner gets a mail',
    async (days, status, why) => {
      const { id } = await create();
      receiver.answer = (response) => void response.writeHead(status).end();
      await happen();
      await sender.sendDue();
      for (let passed = 0; passed < days; passed += 1) {
        expect(await channel()).toMatchObject({ enabled: true });
        service.now += day;
        await happen();
        await sender.sendDue();
      }
      expect(await channel()).toMatchObject({ enabled: false, problem: why });
      const mails = await service.rows(
        'select recipient, subject from outbox where channel_id is null',
      );
      expect(mails).toEqual([
        { recipient: 'Operator@Example.org', subject: "The channel 'Hook' was switched off" },
      ]);
      expect((await deliveries(id)).every(({ state }) => state === 'failed')).toBe(true);
      const before = receiver.received.length;
      await happen();
      await sender.sendDue();
      expect(receiver.received).toHaveLength(before);
      expect(await operator.post(`/channels/${id}/test`).status).toBe(409);
      await operator.put(`/channels/${id}`, { enabled: true });
      expect(await channel()).toMatchObject({ enabled: true, problem: '', failingSince: null });
    },
  );

  test('has at most one delivery in flight for an address, also with two senders', async () => {
    await create();
    const second = startSender();
    receiver.answer = async (response) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      response.writeHead(204).end();
    };
    for (let n = 0; n < 12; n += 1) await happen(`${n}`);
    await Promise.all([sender.sendDue(), second.sendDue()]);
    await sender.sendDue();
    await second.stop();
    expect(receiver.mostOpen).toBe(1);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  });

  test('delivers to other channels while one hangs', async () => {
    await create();
    const second = new Receiver();
    await second.start();
    await create({ name: 'Second', secretAddress: second.address() });
    receiver.answer = () => undefined;
    await happen();
    const sending = sender.sendDue();
    await expect.poll(() => second.received.length).toBe(1);
    await sending;
    await second.stop();
  });

  test('gives up on a receiver that hangs or is slow', async () => {
    const { id } = await create();
    receiver.answer = () => undefined;
    expect(await problem(id)).toBe('The receiver did not answer within 0.4 seconds.');
  });

  test('follows no redirect', async () => {
    const { id } = await create();
    receiver.answer = (response) =>
      void response.writeHead(307, { location: receiver.address('/other') }).end();
    expect(await problem(id)).toMatch(/^The receiver redirects to another address \(307\)/);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  test.each([200, 500])('does not read a reply of 10 MB with status %i', async (status) => {
    const { id } = await create();
    let sent = 0;
    receiver.answer = async (response) => {
      response.writeHead(status);
      const piece = Buffer.alloc(64 * 1024, 'x');
      while (sent < 10_000_000 && !response.destroyed) {
        sent += piece.length;
        response.write(piece);
        while (response.writableNeedDrain && !response.destroyed)
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
      }
      response.end();
    };
    const said = await problem(id);
    expect(said).toBe(status === 200 ? '' : `The receiver replied 500: ${'x'.repeat(974)}`);
    expect(sent).toBeLessThan(9_000_000);
  });

  test('says why a certificate is not accepted', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'other' }], {
      keySize: 2048,
      algorithm: 'sha256',
    });
    const secure = new Receiver({ key, cert });
    await secure.start();
    const { id } = await create({ secretAddress: secure.address() });
    expect(await problem(id)).toBe(
      'The certificate of 127.0.0.1 is self-signed. NODE_EXTRA_CA_CERTS adds an authority.',
    );
    expect(secure.received).toEqual([]);
    await secure.stop();
  });

  test('connects to the address that was checked when the name changes between two answers', async () => {
    let asked = 0;
    await sender.stop();
    // The first answer is of another machine; a second one would be of this machine.
    sender = startSender({
      channelTargets: [],
      post: {
        timeoutMs: 300,
        resolve: async () => {
          asked += 1;
          return [{ address: asked === 1 ? '192.0.2.7' : '127.0.0.1', family: 4 }];
        },
      },
    });
    const { id } = await create({
      secretAddress: `https://changing.example:${receiver.port}/hook`,
    });
    expect(await problem(id)).toMatch(/did not answer|cannot be reached/);
    expect(asked).toBe(1);
    service.now += minute;
    expect(await problem(id)).toMatch(/^127\.0\.0\.1 is an address of this machine/);
    expect(receiver.received).toEqual([]);
  });

  test.each([
    ['http://chat.example.org/x', 'must begin with https'],
    ['ftp://chat.example.org/x', 'must begin with https'],
    ['https://user:word@chat.example.org/x', 'must not contain a user name'],
    ['https://10.1.2.3/x', '10.1.2.3 is an address of a private network'],
    ['https://[::ffff:127.0.0.1]/x', 'is an address of this machine'],
    ['https://[64:ff9b::a00:1]/x', 'is an address of a private network'],
    ['https://2130706434/x', '127.0.0.2 is an address of this machine'],
    ['chat', 'must be complete'],
  ])('refuses the address %s', async (address, words) => {
    const body = { kind: 'webhook', name: 'Hook', secretAddress: address, types: [] };
    const { status, json } = await operator.post('/channels', body);
    expect([status, json['code']]).toEqual([422, 'channel_target']);
    expect(JSON.stringify(json)).toContain(words);
  });

  test('has a name and an address of its own, which no reply, log or audit entry shows', async () => {
    const { secret } = await create({
      secretAddress: receiver.address('/secret-path?sig=secret-sign'),
    });
    const same = {
      kind: 'webhook',
      name: 'Other',
      types: [],
      secretAddress: receiver.address('/secret-path?sig=secret-sign'),
    };
    expect(await operator.post('/channels', same).status).toBe(409);
    expect(
      await operator.post('/channels', {
        ...same,
        name: 'hOOK',
        secretAddress: receiver.address('/b'),
      }).status,
    ).toBe(409);
    expect(await channel()).toMatchObject({ address: `http://127.0.0.1:${receiver.port}/…` });
    const stored = await service.rows('select * from channel');
    const audited = await service.rows('select * from audit_entry');
    const seen = JSON.stringify([stored, audited, service.lines]);
    const shown = [secret, 'secret-path', 'secret-sign'].filter((word) => seen.includes(word));
    expect(shown).toEqual([]);
    expect(await stan.get('/channels').status).toBe(403);
  });

  test('waits with a delivery until a killed sender’s lease has ended, and keeps the id', async () => {
    const { id } = await create();
    await happen();
    receiver.answer = () => undefined;
    const abandoned = startSender({ post: { timeoutMs: 60_000 } });
    void abandoned.sendDue().catch(() => undefined);
    await expect.poll(() => receiver.received.length).toBe(1);
    receiver.answer = (response) => void response.writeHead(204).end();
    await sender.sendDue();
    expect(receiver.received).toHaveLength(1);
    service.now += hour;
    await sender.sendDue();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    expect(await deliveries(id)).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });
});
