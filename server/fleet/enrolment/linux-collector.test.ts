/** Runs patch-report.sh against a server, with every shell and client that is at hand: what it sends, says and hides. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readInventory } from '@patch/catalogue/machines/inventory/read-inventory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = new URL('collectors/patch-report.sh', import.meta.url).pathname;
const key = 'prk_of-this-test-alone';

interface Received {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

let folder: string;
let server: Server;
let received: Received[];
let answer: { readonly status: number; readonly body: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'collector-'));
  received = [];
  answer = { status: 200, body: '{"state":"stored"}' };
  server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request;
      received.push({ url, authorization: headers.authorization, body });
      response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Puts a program before those of the system, which passes its arguments on. */
async function addProgram(name: string, ...lines: readonly string[]): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  await chmod(path, 0o755);
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Reports with these settings, in the shell. */
async function report(
  settings: Readonly<Record<string, string>> = {},
  shell: readonly string[] = ['sh'],
): Promise<Ended> {
  const path = join(folder, 'settings');
  const lines = Object.entries({ PATCH_ADDRESS: address(), PATCH_KEY: key, ...settings }).map(
    ([name, value]) => `export ${name}='${value}'`,
  );
  await writeFile(path, lines.join('\n'));
  return run([...shell, script], { PATCH_SETTINGS: path });
}

function run(
  [program = '', ...words]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Ended> {
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, ...variables };
  return new Promise((resolve) => {
    execFile(program, words, { env, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test('sends what it prints, with the hash of the identifier and the name', async () => {
  const { stdout } = await run(['sh', script, 'print'], {});
  expect(await report()).toMatchObject({ code: 0, stdout: `${answer.body}\n`, stderr: '' });
  expect(received).toEqual([
    {
      url: expect.stringMatching(/^\/api\/machines\/report\?key=[0-9a-f]{32}&name=[\w.-]+&tags=$/),
      authorization: `Apikey ${key}`,
      body: stdout,
    },
  ]);
  const identifier = (await readFile('/etc/machine-id', 'utf8')).trim();
  expect(received[0]?.url).not.toContain(identifier);
});

test('has the key in no command line', async () => {
  await addProgram(
    'curl',
    `printf '%s\\n' "$@" >"${folder}/words"`,
    `PATH='${process.env['PATH'] ?? ''}' exec curl "$@"`,
  );
  expect((await report()).code).toBe(0);
  const words = await readFile(join(folder, 'words'), 'utf8');
  expect(words).toContain('--data-binary');
  expect(words).not.toContain(key);
});

test.each([
  [401, '{"code":"unknown_api_key"}', /refused the key \(401\).*run the line of a new one/],
  [403, '{"code":"scope_missing"}', /refused the key \(403\).*scope_missing/],
  [429, '', /takes no more reports at the moment \(429\)/],
  [422, '{"userMessage":"Not an inventory"}', /refused the report \(422\): .*Not an inventory/],
  [301, '', /refused the report \(301\)/],
  [500, 'broken', /refused the report \(500\): broken/],
])('says why a server answers %i, without the key', async (status, body, message) => {
  answer = { status, body };
  const { code, stdout, stderr } = await report();
  expect(stderr).toMatch(message);
  expect(code).toBe(1);
  expect(`${stdout}${stderr}`).not.toContain(key);
});

test('says that a server cannot be reached, and what may help', async () => {
  const { code, stderr } = await report({ PATCH_ADDRESS: 'http://127.0.0.1:1' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^patch-report: could not reach http:\/\/127\.0\.0\.1:1: curl: \(7\)/);
  expect(stderr).toContain('https_proxy');
});

test('names a certificate authority that it cannot read', async () => {
  const { code, stderr } = await report({
    PATCH_ADDRESS: address().replace('http:', 'https:'),
    PATCH_CA: join(folder, 'no.pem'),
  });
  expect(code).toBe(1);
  expect(stderr).toContain('PATCH_CA');
  expect(received).toEqual([]);
});

test('reports through the proxy of its settings', async () => {
  await report({ PATCH_ADDRESS: 'http://patch.invalid', http_proxy: address() });
  expect(received).toMatchObject([
    { url: expect.stringMatching(/^http:\/\/patch\.invalid\/api\/machines\/report\?/) },
  ]);
});

test('says what is missing without settings', async () => {
  const { code, stderr } = await run(['sh', script], { PATCH_SETTINGS: join(folder, 'none') });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `patch-report: cannot read ${folder}/none; run: PATCH_KEY=KEY patch-report.sh install ADDRESS\n`,
  });
});

test.each([
  ['without a key', []],
  ['without an address', ['PATCH_KEY=x']],
])('installs nothing %s', async (_, variables) => {
  const words = variables.length === 0 ? ['install', address()] : ['install'];
  const { code, stderr } = await run(['env', ...variables, 'sh', script, ...words], {});
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'patch-report: usage: PATCH_KEY=KEY patch-report.sh install ADDRESS\n',
  });
  expect(received).toEqual([]);
});

/** rpm prints what it was asked for; rpm before 4.14 knows no labels of modules. */
test.each([
  ['with labels', 'MODULARITYLABEL', 'nodejs:16:9040:rhel9'],
  ['without labels', 'NAME', undefined],
])('asks an rpm %s for what it knows', async (_, tag, label) => {
  await addProgram(
    'rpm',
    `[ "$1" = --querytags ] && echo ${tag} && exit`,
    `printf '%s' "$3" | sed 's/%{NAME}/nodejs/; s/%{EPOCH}/1/; s/%{VERSION}/16.20.2/; s/%{RELEASE}/4.el9/; s/%{ARCH}/x86_64/; s/%{MODULARITYLABEL}/nodejs:16:9040:rhel9/; s/\\\\n//'`,
    'echo',
  );
  await addProgram('dpkg-query', 'exit 127');
  const without = join(folder, 'script.sh');
  const written = await readFile(script, 'utf8');
  await writeFile(without, written.replace('/var/lib/dpkg/status', join(folder, 'no-status')));
  const { stdout } = await run(['sh', without, 'print'], {});
  const line = `nodejs 1:16.20.2-4.el9 x86_64${label === undefined ? '' : ` ${label}`}`;
  expect(stdout.split('\n')).toContain(line);
});

test('adds snaps, and a restart that the system says is due', async () => {
  await addProgram(
    'snap',
    "echo 'Name     Version  Rev   Tracking       Publisher  Notes'",
    "echo 'firefox  121.0-2  3600  latest/stable  mozilla**  -'",
  );
  await addProgram(
    'needs-restarting',
    "echo 'Updating Subscription Management repositories.'",
    "echo 'Core libraries or services have been updated since boot-up:'",
    "echo '  * kernel'",
    "echo 'Reboot is required to fully utilize these updates.'",
    'exit 1',
  );
  const { code, stdout } = await run(['sh', script, 'print'], {});
  const { machine, unreadableLines } = readInventory(stdout);
  expect({ code, unreadableLines }).toEqual({ code: 0, unreadableLines: 0 });
  expect(machine.applications.map(({ name }) => name)).toEqual(['firefox']);
  expect(machine.restartDue).toBe(true);
});
