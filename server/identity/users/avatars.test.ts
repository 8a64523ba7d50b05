import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withSignInApp } from '../sign-in/testing/sign-in-app.ts';
import { avatarPicture } from './avatar-picture.ts';
import { drawnPng } from './testing/drawn-png.ts';

/** 32 × 16, red above blue. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wEEEAANAA0ADQANAA4ADQAOABAAEAAOABQAFgATABYAFAAeABsAGQAZABsAHgAtACAAIgAgACIAIAAtAEQAKgAyACoAKgAyACoARAA8AEkAOwA3ADsASQA8AGwAVQBLAEsAVQBsAH0AaQBjAGkAfQCXAIcAhwCXAL4AtQC+APkA+QFOEQANAA0ADQANAA4ADQAOABAAEAAOABQAFgATABYAFAAeABsAGQAZABsAHgAtACAAIgAgACIAIAAtAEQAKgAyACoAKgAyACoARAA8AEkAOwA3ADsASQA8AGwAVQBLAEsAVQBsAH0AaQBjAGkAfQCXAIcAhwCXAL4AtQC+APkA+QFO/8IAEQgAEAAgAwEiAAIRAQMRAf/EACgAAQEAAAAAAAAAAAAAAAAAAAAFAQEBAAAAAAAAAAAAAAAAAAAABf/aAAwDAQACEAMQAAAAgpKparJI/8QAFBABAAAAAAAAAAAAAAAAAAAAMP/aAAgBAQABPwAP/8QAGBEAAgMAAAAAAAAAAAAAAAAAABZko+H/2gAIAQIBAT8AWplei1Mr0//EABgRAAIDAAAAAAAAAAAAAAAAAAAWZKLh/9oACAEDAQE/AGCJfBgiXw//2Q==',
  'base64',
);
const png = drawnPng(300, 200, (x) => (x < 150 ? [250, 0, 0, 255] : [0, 0, 250, 255]));

describeWithDatabase('pictures of people', (open) => {
  const service = withSignInApp(open);

  async function send(
    file: Buffer,
    token: string,
    path = '/me/avatar',
    type = 'application/octet-stream',
  ) {
    const reply = await service.app.inject({
      method: 'PUT',
      url: `/api${path}`,
      headers: { authorization: `Apikey ${token}`, 'content-type': type },
      payload: file,
    });
    return { status: reply.statusCode, json: reply.json<Record<string, unknown>>() };
  }
  const image = (name: unknown, headers = {}) =>
    service.app.inject({ url: `/api/public/renderImage/${String(name)}`, headers });
  const me = async (token: string) => (await service.ask('GET', '/me', { token })).json;

  test.each([
    ['PNG', png],
    ['JPEG', jpeg],
  ])(
    'a %s becomes a square PNG that everybody can see who knows its name, for ever',
    async (_, file) => {
      const token = await service.tokenOf('stan');
      expect(await me(token)).toMatchObject({ avatar: null });
      const { status, json } = await send(file, token);
      expect(status).toBe(200);
      expect(json['avatar']).toMatch(/^[\w-]{43}\.png$/);
      expect(await me(token)).toMatchObject({ avatar: json['avatar'] });

      const served = await image(json['avatar']);
      expect(served.statusCode).toBe(200);
      expect(served.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${String(json['avatar'])}"`,
        'x-content-type-options': 'nosniff',
      });
      expect(served.rawPayload.subarray(1, 4).toString()).toBe('PNG');
      expect([served.rawPayload.readUInt32BE(16), served.rawPayload.readUInt32BE(20)]).toEqual([
        128, 128,
      ]);
      const again = await image(json['avatar'], { 'if-none-match': served.headers.etag });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    },
  );

  test('a new picture takes the place of the old one, and none is left in the end', async () => {
    const token = await service.tokenOf('stan');
    const first = (await send(png, token)).json['avatar'];
    const second = (await send(jpeg, token)).json['avatar'];
    expect([(await image(first)).statusCode, (await image(second)).statusCode]).toEqual([404, 200]);
    expect((await service.ask('DELETE', '/me/avatar', { token })).json).toEqual({ avatar: null });
    expect([(await image(second)).statusCode, (await me(token))['avatar']]).toEqual([404, null]);
  });

  test('an administrator sets anybody’s picture', async () => {
    const [operator, stan] = [await service.tokenOf('operator'), await service.tokenOf('stan')];
    const { id } = await me(stan);
    expect((await send(png, stan, `/user/${String(id)}/avatar`)).status).toBe(403);
    const { json } = await send(png, operator, `/user/${String(id)}/avatar`);
    expect((await me(stan))['avatar']).toBe(json['avatar']);
    expect((await send(png, operator, '/user/999999/avatar')).status).toBe(404);
    expect(
      (await service.ask('DELETE', `/user/${String(id)}/avatar`, { token: operator })).status,
    ).toBe(200);
    expect((await me(stan))['avatar']).toBeNull();
  });

  const noPicture = { status: 422, json: { code: 'no_picture' } };
  test.each([
    ['a page with a script', Buffer.from('<svg onload="alert(1)"/>'), noPicture],
    ['a picture that breaks off', png.subarray(0, 120), noPicture],
    [
      'what only begins like a JPEG',
      Buffer.from(`ffd8ffc00011080010002003012200021101031101${'00'.repeat(64)}`, 'hex'),
      noPicture,
    ],
    [
      'more than 1 MB',
      Buffer.concat([png, Buffer.alloc(1024 * 1024)]),
      { status: 413, json: { code: 'picture_too_large' } },
    ],
    ['nothing', Buffer.alloc(0), noPicture],
  ])('%s is rejected with a message', async (_, file, refusal) => {
    const token = await service.tokenOf('stan');
    expect(await send(file, token)).toMatchObject(refusal);
    expect((await me(token))['avatar']).toBeNull();
  });

  test('a small file that says it unpacks to a huge picture is not unpacked', async () => {
    const bomb = Buffer.from(png);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    expect(await send(bomb, await service.tokenOf('stan'))).toMatchObject({
      status: 422,
      json: {
        userMessage:
          'The picture is 60000 × 60000 pixels. It may have at most 25 million; choose a smaller one.',
      },
    });
  });

  test('of many at once some are told to come again, and the others have their picture', async () => {
    const token = await service.tokenOf('stan');
    const replies = await Promise.all(Array.from({ length: 30 }, () => send(png, token)));
    const told = replies.map(({ status, json }) =>
      status === 200 ? 'set' : `${status} ${String(json['code'])}`,
    );
    expect([...new Set(told)].toSorted((a, b) => a.localeCompare(b))).toEqual(['503 busy', 'set']);
    expect((await me(token))['avatar']).toBeTypeOf('string');
  });

  test('an upload that its sender breaks off is their doing, and leaves the picture as it was', async () => {
    const upload = Readable.from(
      (function* () {
        yield png.subarray(0, 100);
        throw new Error('aborted');
      })(),
    );
    await expect(avatarPicture(upload)).rejects.toMatchObject({
      code: 'picture_broken_off',
    });
  });

  test('no other name leads to a file', async () => {
    for (const name of [
      'x.png',
      `${'a'.repeat(43)}.png`,
      '..%2f..%2fpackage.json',
      `${'a'.repeat(43)}.svg`,
    ])
      expect((await image(name)).statusCode).toBe(404);
  });
});
