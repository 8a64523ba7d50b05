import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ApiReply, Caller } from '../../testing/caller.ts';
import { describeApp } from '../sign-in/testing/sign-in-app.ts';
import { avatarPicture } from './avatar-picture.ts';
import { drawnPng } from './testing/drawn-png.ts';

/** A JPEG of 32 × 16 pixels, red above blue. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wEEEAANAA0ADQANAA4ADQAOABAAEAAOABQAFgATABYAFAAeABsAGQAZABsAHgAtACAAIgAgACIAIAAtAEQAKgAyACoAKgAyACoARAA8AEkAOwA3ADsASQA8AGwAVQBLAEsAVQBsAH0AaQBjAGkAfQCXAIcAhwCXAL4AtQC+APkA+QFOEQANAA0ADQANAA4ADQAOABAAEAAOABQAFgATABYAFAAeABsAGQAZABsAHgAtACAAIgAgACIAIAAtAEQAKgAyACoAKgAyACoARAA8AEkAOwA3ADsASQA8AGwAVQBLAEsAVQBsAH0AaQBjAGkAfQCXAIcAhwCXAL4AtQC+APkA+QFO/8IAEQgAEAAgAwEiAAIRAQMRAf/EACgAAQEAAAAAAAAAAAAAAAAAAAAFAQEBAAAAAAAAAAAAAAAAAAAABf/aAAwDAQACEAMQAAAAgpKparJI/8QAFBABAAAAAAAAAAAAAAAAAAAAMP/aAAgBAQABPwAP/8QAGBEAAgMAAAAAAAAAAAAAAAAAABZko+H/2gAIAQIBAT8AWplei1Mr0//EABgRAAIDAAAAAAAAAAAAAAAAAAAWZKLh/9oACAEDAQE/AGCJfBgiXw//2Q==',
  'base64',
);
const png = drawnPng(300, 200, (x) => (x < 150 ? [250, 0, 0, 255] : [0, 0, 250, 255]));

describeApp('pictures of users', (service) => {
  const { operator, stan } = service;
  const send = (file: Buffer, path = '/me/avatar', by: Caller = stan) => by.put(path, file);
  const image = (name: unknown, headers = {}) =>
    service.anyone.get(`/public/renderImage/${String(name)}`, headers);
  const avatar = async () => (await stan.get('/me').json)['avatar'];

  test.each([
    ['PNG', png],
    ['JPEG', jpeg],
  ])(
    'a %s becomes a square PNG that everybody can see who knows its name, for ever',
    async (_, file) => {
      expect(await avatar()).toBeNull();
      const name = String((await send(file).json)['avatar']);
      expect(name).toMatch(/^[\w-]{43}\.png$/);
      expect(await avatar()).toBe(name);

      const { status, headers, bytes }: ApiReply = await image(name);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${name}"`,
        'x-content-type-options': 'nosniff',
      });
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([128, 128]);
      const again = await image(name, { 'if-none-match': headers['etag'] });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    },
  );

  test('replaces the old picture, and removes the last one', async () => {
    const first = (await send(png).json)['avatar'];
    const second = (await send(jpeg).json)['avatar'];
    expect([await image(first).status, await image(second).status]).toEqual([404, 200]);
    expect(await stan.delete('/me/avatar').json).toEqual({ avatar: null });
    expect([await image(second).status, await avatar()]).toEqual([404, null]);
  });

  test('lets an administrator set anybody’s picture', async () => {
    const path = `/user/${String((await stan.get('/me').json)['id'])}/avatar`;
    const { json } = await send(png, path, operator);
    expect(await avatar()).toBe(json['avatar']);
    expect(await send(png, '/user/999999/avatar', operator).status).toBe(404);
    expect(await operator.delete(path).status).toBe(200);
    expect(await avatar()).toBeNull();
  });

  const almostJpeg = `ffd8ffc00011080010002003012200021101031101${'00'.repeat(64)}`;
  test.each([
    ['a picture that breaks off', png.subarray(0, 120), '422 no_picture'],
    ['what only begins like a JPEG', Buffer.from(almostJpeg, 'hex'), '422 no_picture'],
    ['more than 1 MB', Buffer.concat([png, Buffer.alloc(1024 * 1024)]), '413 picture_too_large'],
  ])('rejects %s with a message', async (_, file, refusal) => {
    expect(await send(file).outcome).toBe(refusal);
    expect(await avatar()).toBeNull();
  });

  test('does not decode a small file whose header announces a huge picture', async () => {
    const bomb = Buffer.from(png);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    expect(await send(bomb).refusal).toEqual([
      422,
      'The picture is 60000 × 60000 pixels. It may have at most 25 million; choose a smaller one.',
    ]);
  });

  test('returns 503 to excess uploads and accepts the rest', async () => {
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => send(png).outcome));
    expect(new Set(outcomes)).toEqual(new Set(['200', '503 busy']));
    expect(await avatar()).toBeTypeOf('string');
  });

  test("reports an interrupted upload as the sender's error, and keeps the picture", async () => {
    const upload = Readable.from(
      (function* () {
        yield png.subarray(0, 100);
        throw new Error('aborted');
      })(),
    );
    const failure = { code: 'picture_broken_off' };
    await expect(avatarPicture(upload)).rejects.toMatchObject(failure);
  });

  test('serves no file under another name', async () => {
    const unknown = 'a'.repeat(43);
    for (const name of ['x.png', `${unknown}.png`, '..%2f..%2fpackage.json', `${unknown}.svg`])
      expect(await image(name).status).toBe(404);
  });
});
