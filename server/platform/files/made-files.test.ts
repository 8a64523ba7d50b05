import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { MadeFiles } from './made-files.ts';

/** Files whose content is the state that was current when they were begun. */
function openFiles() {
  const folder = temporaryFolder(onTestFinished);
  const files = new MadeFiles({ folder, log: { info: () => undefined } as never });
  const begun: { readonly tag: string; readonly end: (error?: Error) => void }[] = [];
  const current = { state: 'a' };
  const get = () =>
    files.get({ name: 'list', extension: 'txt' }, async () => {
      const tag = current.state;
      return {
        tag,
        async make(path) {
          const { promise, resolve, reject } = Promise.withResolvers<void>();
          begun.push({ tag, end: (error) => (error === undefined ? resolve() : reject(error)) });
          await promise;
          writeFileSync(path, `content of ${tag}`);
          return {};
        },
      };
    });
  const read = async () => {
    const { path, tag, bytes } = await get();
    const content = readFileSync(path, 'utf8');
    expect(bytes).toBe(content.length);
    return [tag, content];
  };
  return { folder, begun, current, read };
}

test('makes the file of the new state for who asks while that of the old one is being made', async () => {
  const { folder, begun, current, read } = openFiles();
  const first = read();
  await expect.poll(() => begun.length).toBe(1);
  current.state = 'b';
  const [second, third] = [read(), read()];
  begun[0]?.end();
  expect(await first).toEqual(['a', 'content of a']);
  await expect.poll(() => begun.length).toBe(2);
  current.state = 'c';
  const fourth = read();
  begun[1]?.end();
  expect(await second).toEqual(['b', 'content of b']);
  expect(await third).toEqual(['b', 'content of b']);
  await expect.poll(() => begun.length).toBe(3);
  begun[2]?.end();
  expect(await fourth).toEqual(['c', 'content of c']);
  expect(readdirSync(folder)).toEqual(['list.c.txt']);
  expect(await read()).toEqual(['c', 'content of c']);
  expect(begun.map(({ tag }) => tag)).toEqual(['a', 'b', 'c']);
});

test('tells a failure to those who waited for that file alone', async () => {
  const { begun, current, read } = openFiles();
  const first = read();
  await expect.poll(() => begun.length).toBe(1);
  current.state = 'b';
  const second = read();
  const failure = first.catch(String);
  begun[0]?.end(new Error('no space'));
  expect(await failure).toBe('Error: no space');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end();
  expect(await second).toEqual(['b', 'content of b']);
});
