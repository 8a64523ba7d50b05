import type { CatalogueEvent } from '@patch/contract/operations/event-endpoints.ts';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeChannels, testedType } from './testing/channel-service.ts';
import { Receiver } from './testing/receiver.ts';

describeChannels('channels', (service) => {
  const { app } = service;
  const { operator } = app;

  test('delivers an event that the library of Standard Webhooks verifies', async () => {
    const { id, secret } = await service.create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    app.now = Date.now();
    await service.happen();
    await service.sender.sendDue();
    const [request] = service.receiver.received;
    const payload = new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {});
    const { objList } = (await operator.get('/events').json) as { objList: CatalogueEvent[] };
    expect(payload).toMatchObject({
      id: objList[0]?.id,
      type: testedType,
      data: {
        title: 'AlmaLinux could not be synced',
        url: 'https://patch.example.org/patch-repository/sync',
      },
    });
    expect(request?.headers['webhook-id']).toBe(objList[0]?.id);
    expect(() => new Webhook(secret).verify(`${request?.body} `, request?.headers ?? {})).toThrow(
      'No matching signature found',
    );
    expect(await service.deliveries(id)).toMatchObject([
      { state: 'sent', attempts: 1, lastError: '' },
    ]);
  });

  test('signs with both secrets for a day after a rotation, then with the new one', async () => {
    const { id, secret: former } = await service.create();
    const { json } = await operator.post(`/channels/${id}/secret`);
    const secret = String(json['secret']);
    expect(json['channel']).toMatchObject({ formerSecretUntil: app.now + day });
    const verified = async (by: string) => {
      service.receiver.received.length = 0;
      await service.happen();
      await service.sender.sendDue();
      const { body = '', headers = {} } = service.receiver.received[0] ?? {};
      const signatures = new Webhook(by).sign(
        String(headers['webhook-id']),
        new Date(app.now),
        body,
      );
      return headers['webhook-signature']?.split(' ').includes(signatures);
    };
    expect(await verified(former)).toBe(true);
    expect(await verified(secret)).toBe(true);
    app.now += day;
    expect(await verified(former)).toBe(false);
    expect(await verified(secret)).toBe(true);
  });

  test('sends only events of the types that it subscribes to, and a test to the channel alone', async () => {
    const { id } = await service.create({ types: ['source.silent'] });
    const second = new Receiver();
    await second.start();
    await service.create({ name: 'Second', secretAddress: second.address() });
    await service.happen();
    expect(await operator.post(`/channels/${id}/test`).status).toBe(200);
    await service.sender.sendDue();
    const types = (of: Receiver) =>
      of.received.map(({ body }) => (JSON.parse(body) as CatalogueEvent).type);
    expect([types(service.receiver), types(second)]).toEqual([['channel.test'], [testedType]]);
    await second.stop();
  });

  test('has a name and an address of its own, which no reply, log or audit entry shows', async () => {
    const { secret } = await service.create({
      secretAddress: service.receiver.address('/secret-path?sig=secret-sign'),
    });
    const same = {
      kind: 'webhook',
      name: 'Other',
      types: [],
      secretAddress: service.receiver.address('/secret-path?sig=secret-sign'),
    };
    expect(await operator.post('/channels', same).status).toBe(409);
    expect(
      await operator.post('/channels', {
        ...same,
        name: 'hOOK',
        secretAddress: service.receiver.address('/b'),
      }).status,
    ).toBe(409);
    expect(await service.channel()).toMatchObject({
      address: `http://127.0.0.1:${service.receiver.port}/…`,
    });
    const stored = await app.rows('select * from channel');
    const audited = await app.rows('select * from audit_entry');
    const seen = JSON.stringify([stored, audited, app.lines]);
    const shown = [secret, 'secret-path', 'secret-sign'].filter((word) => seen.includes(word));
    expect(shown).toEqual([]);
  });
});
