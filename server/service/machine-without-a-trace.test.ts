/** Runs the service as a process and expects that a word of an inventory is stored and printed nowhere. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceProcess } from '../testing/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const word = 'zq7wx-unmistakable';
const administrator = { username: 'admin', password: 'Correct-horse-7' };
const folder = temporaryFolder();
let service: ServiceProcess;
let url: string;
let headers: { readonly authorization: string };

beforeAll(async () => {
  service = new ServiceProcess(
    { DATA_DIR: folder, ADMIN_PASSWORD: administrator.password, LOG_LEVEL: 'debug' },
    folder,
  );
  ({ url, headers } = await service.signIn(administrator.username, administrator.password));
}, 120_000);
afterAll(async () => {
  if (service.isRunning) await service.stop();
});

const post = (body: string, type: string, query = '') =>
  fetch(`${url}/assessments${query}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body,
  });

/** Returns the files below the folder that contain the text. */
function filesWith(text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

test('writes no word of an inventory, accepted or refused, to a file, a log or a metric', async () => {
  const inventory = `ID=almalinux\nVERSION_ID="9.4"\nbash-5.1.8-9.el9.x86_64\n${word}-1.0-1.el9.x86_64\n${word} is not a package\n`;
  const answers = [
    await post(inventory, 'text/plain'),
    await post(inventory, 'text/plain', '?format=csv'),
    await post(JSON.stringify({ text: inventory }), 'application/json'),
    await post(JSON.stringify({ files: [{ name: word, text: inventory }] }), 'application/json'),
    await post(JSON.stringify({ text: inventory, [word]: 1 }), 'application/json'),
    await post(`{"text": "${word}`, 'application/json'),
    await post(`<${word}/>`, 'application/xml'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422, 400, 422]);
  const metrics = await fetch(new URL('/metrics', url));
  expect(await metrics.text()).not.toContain(word);
  await service.stop();
  expect(service.out + service.error).toContain('"msg"');
  expect(service.out + service.error).not.toContain(word);
  expect(filesWith(word)).toEqual([]);
  // The search works: it finds the stored name of the user.
  expect(filesWith(administrator.username).length).toBeGreaterThan(0);
});
