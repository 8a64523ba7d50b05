import { expect, test } from 'vitest';
import { day, hour, minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import { addMail } from '../mail/mail-outbox-store.ts';
import { describeChannels } from './testing/channel-service.ts';
import { Receiver } from './testing/receiver.ts';

describeChannels('deliveries to channels', (service) => {
  const { app } = service;
  const { operator } = app;
  const began = app.now;

  test('retries with the same id over a day, and then gives up', async () => {
    const { id } = await service.create();
    service.receiver.answer = (response) => void response.writeHead(500).end('Out of order');
    await service.happen();
    for (const wait of [0, 1, 5, 15, 60, 360, 480, 519, 600]) {
      app.now += wait * minute;
      await service.sender.sendDue();
    }
    expect(app.now - began).toBeGreaterThan(day);
    expect(await service.deliveries(id)).toMatchObject([
      { state: 'failed', attempts: 8, lastError: 'The receiver replied 500 Internal Server Error' },
    ]);
    expect(
      new Set(service.receiver.received.map(({ headers }) => headers['webhook-id'])).size,
    ).toBe(1);
    expect(service.receiver.received).toHaveLength(8);
    // Sent again by hand.
    service.receiver.answer = (response) => void response.writeHead(200).end();
    const [ended] = await service.deliveries(id);
    const eventId = ended?.eventId;
    const path = `/channels/${id}/deliveries/${ended?.id}/redeliver`;
    expect(await operator.post(path).status).toBe(200);
    await service.sender.sendDue();
    expect(service.receiver.received.at(-1)?.headers['webhook-id']).toBe(eventId);
    expect(await service.deliveries(id)).toMatchObject([{ state: 'sent', attempts: 1, eventId }]);
    expect(await service.channel()).toMatchObject({ enabled: true, problem: '' });
  });

  test.each([
    [0, 410, 'The receiver said that the address has ended (410).'],
    [
      7,
      500,
      'All deliveries of a week failed. The last one: The receiver replied 500 Internal Server Error',
    ],
  ])(
    'is switched off after %i days with %i, and its owner gets a mail',
    async (days, status, why) => {
      const { id } = await service.create();
      service.receiver.answer = (response) => void response.writeHead(status).end();
      await service.happen();
      await service.sender.sendDue();
      for (let passed = 0; passed < days; passed += 1) {
        expect(await service.channel()).toMatchObject({ enabled: true });
        app.now += day;
        await service.happen();
        await service.sender.sendDue();
      }
      expect(await service.channel()).toMatchObject({ enabled: false, problem: why });
      const mails = await app.rows(
        'select recipient, subject from outbox where channel_id is null',
      );
      expect(mails).toEqual([
        { recipient: 'Operator@Example.org', subject: "The channel 'Hook' was switched off" },
      ]);
      expect((await service.deliveries(id)).every(({ state }) => state === 'failed')).toBe(true);
      const before = service.receiver.received.length;
      await service.happen();
      await service.sender.sendDue();
      expect(service.receiver.received).toHaveLength(before);
      expect(await operator.post(`/channels/${id}/test`).status).toBe(409);
      await operator.put(`/channels/${id}`, { enabled: true });
      expect(await service.channel()).toMatchObject({
        enabled: true,
        problem: '',
        failingSince: null,
      });
    },
  );

  test.each([
    [429, '7200', 120],
    [503, 'date', 120],
    [429, '10', 1],
    [503, String(400 * 24 * 3600), 24 * 60],
    [503, 'soon', 1],
    [500, '7200', 1],
  ])('tries again after %i with Retry-After: %s in %i minutes', async (status, asked, minutes) => {
    const { id } = await service.create();
    const until = new Date(app.now + 120 * minute).toUTCString();
    service.receiver.answer = (response) =>
      void response.writeHead(status, { 'retry-after': asked === 'date' ? until : asked }).end();
    await service.happen();
    await service.sender.sendDue();
    service.receiver.answer = (response) => void response.writeHead(204).end();
    app.now += minutes * minute - 1000;
    await service.sender.sendDue();
    expect(service.receiver.received).toHaveLength(1);
    app.now += 1000;
    await service.sender.sendDue();
    expect(service.receiver.received).toHaveLength(2);
    app.now = began;
    expect(await service.deliveries(id)).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  test('sends nothing to a receiver that asks to wait, and meanwhile to the others', async () => {
    const { id } = await service.create();
    const second = new Receiver();
    await second.start();
    await service.create({ name: 'Second', secretAddress: second.address() });
    service.receiver.answer = (response) =>
      void response.writeHead(429, { 'retry-after': '3600' }).end();
    await service.happen('First');
    await service.sender.sendDue();
    expect((await service.deliveries(id))[0]?.lastError).toBe(
      'The receiver replied 429 Too Many Requests. It asks to wait; nothing is sent to it for 60 minutes',
    );
    for (const enabled of [false, true]) await operator.put(`/channels/${id}`, { enabled });
    expect((await service.channel())?.problem).toContain('It asks to wait');
    await service.happen('Before the end of the pause');
    service.receiver.answer = (response) => void response.writeHead(204).end();
    app.now += 59 * minute;
    await service.happen('Second');
    await service.sender.sendDue();
    expect([service.receiver.received.length, second.received.length]).toEqual([1, 3]);
    app.now += minute;
    await service.sender.sendDue();
    expect([service.receiver.received.length, second.received.length]).toEqual([3, 3]);
    await second.stop();
  });

  test('has at most one delivery in flight for an address, also with two senders', async () => {
    await service.create();
    const second = service.startSender();
    service.receiver.answer = async (response) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      response.writeHead(204).end();
    };
    for (let n = 0; n < 12; n += 1) await service.happen(`${n}`);
    await Promise.all([service.sender.sendDue(), second.sendDue()]);
    await service.sender.sendDue();
    await second.stop();
    expect(service.receiver.mostOpen).toBe(1);
    const ids = service.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  });

  test('delivers to other channels while one hangs', async () => {
    await service.create();
    const second = new Receiver();
    await second.start();
    await service.create({ name: 'Second', secretAddress: second.address() });
    service.receiver.answer = () => undefined;
    await service.happen();
    const sending = service.sender.sendDue();
    await expect.poll(() => second.received.length).toBe(1);
    await sending;
    await second.stop();
  });

  test('delivers to others what happens while a receiver hangs, and sends emails', async () => {
    const hanging = service.startSender({ post: { timeoutMs: 60_000 } });
    await service.create();
    let release = () => {};
    service.receiver.answer = (response) => {
      release = () => void response.writeHead(204).end();
    };
    for (const name of ['First', 'Second']) await service.happen(name);
    const sending = hanging.sendDue();
    await expect.poll(() => service.receiver.received.length).toBe(1);
    const second = new Receiver();
    await second.start();
    await service.create({ name: 'Second', secretAddress: second.address() });
    const mail = { kind: 'Exception', recipient: 'ada@example.org', subject: 'Late', body: '' };
    await addMail(app.database, mail, app.now);
    await service.happen('Third');
    hanging.look();
    await expect.poll(() => second.received.length).toBe(1);
    // Without a mail server it fails at once.
    const attempts = () => app.rows("select attempts from outbox where kind = 'Exception'");
    await expect.poll(attempts).toEqual([{ attempts: 1 }]);
    expect(service.receiver.received).toHaveLength(1);
    service.receiver.answer = (response) => void response.writeHead(204).end();
    release();
    await sending;
    expect(service.receiver.received).toHaveLength(3);
    await Promise.all([hanging.stop(), second.stop()]);
  });

  test('gives up on a receiver that hangs or is slow', async () => {
    const { id } = await service.create();
    service.receiver.answer = () => undefined;
    expect(await service.problem(id)).toBe('The receiver did not answer within 0.4 seconds.');
  });

  test('waits with a delivery until a killed sender’s lease has ended, and keeps the id', async () => {
    const { id } = await service.create();
    await service.happen();
    service.receiver.answer = () => undefined;
    const abandoned = service.startSender({ post: { timeoutMs: 60_000 } });
    void abandoned.sendDue().catch(() => undefined);
    await expect.poll(() => service.receiver.received.length).toBe(1);
    service.receiver.answer = (response) => void response.writeHead(204).end();
    await service.sender.sendDue();
    expect(service.receiver.received).toHaveLength(1);
    app.now += hour;
    await service.sender.sendDue();
    const ids = service.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    expect(await service.deliveries(id)).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });
});
