import { generate } from 'selfsigned';
import { expect, test } from 'vitest';
import { minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeChannels } from './testing/channel-service.ts';
import { Receiver } from './testing/receiver.ts';

describeChannels('addresses of channels', (service) => {
  const { app } = service;
  const { operator } = app;

  test('follows no redirect', async () => {
    const { id } = await service.create();
    service.receiver.answer = (response) =>
      void response.writeHead(307, { location: service.receiver.address('/other') }).end();
    expect(await service.problem(id)).toMatch(/^The receiver redirects to another address \(307\)/);
    expect(service.receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  test.each([200, 500])('does not read a reply of 10 MB with status %i', async (status) => {
    const { id } = await service.create();
    let sent = 0;
    service.receiver.answer = async (response) => {
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
    const said = await service.problem(id);
    expect(said).toBe(status === 200 ? '' : 'The receiver replied 500 Internal Server Error');
    expect(sent).toBeLessThan(9_000_000);
  });

  test('says why a certificate is not accepted', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'other' }], {
      keySize: 2048,
      algorithm: 'sha256',
    });
    const secure = new Receiver({ key, cert });
    await secure.start();
    const { id } = await service.create({ secretAddress: secure.address() });
    expect(await service.problem(id)).toBe(
      'The certificate of 127.0.0.1 is self-signed. NODE_EXTRA_CA_CERTS adds an authority.',
    );
    expect(secure.received).toEqual([]);
    await secure.stop();
  });

  test('connects to the address that was checked when the name changes between two answers', async () => {
    let resolutions = 0;
    await service.sender.stop();
    // The first answer is of another machine; a second one would be of this machine.
    service.sender = service.startSender({
      channelTargets: ['192.0.2.0/24'],
      post: {
        timeoutMs: 300,
        resolve: async () => {
          resolutions += 1;
          return [{ address: resolutions === 1 ? '192.0.2.7' : '127.0.0.1', family: 4 }];
        },
      },
    });
    const { id } = await service.create({
      secretAddress: `https://changing.example:${service.receiver.port}/hook`,
    });
    expect(await service.problem(id)).toMatch(/did not answer|cannot be reached/);
    expect(resolutions).toBe(1);
    app.now += minute;
    expect(await service.problem(id)).toMatch(/^127\.0\.0\.1 is an address of this machine/);
    expect(service.receiver.received).toEqual([]);
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
});
