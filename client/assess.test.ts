/** Tests the command that assesses a machine, called like from a pipeline, against the real service on loopback. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getList } from '@patch/catalogue/lists.ts';
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import { withSignInApp } from '@patch/server/identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '@patch/server/testing/databases.ts';
import { writeRecords } from '@patch/server/testing/record-factories.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toExitCode } from './run-assessment.ts';
import { callClient } from './testing/called-client.ts';

const call = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
) => callClient(['assess', ...args], environment, input);

const osRelease = 'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\n';
const old = `${osRelease}bash-4.4.20-4.el8.x86_64\n`;
const fixed = `${osRelease}bash-4.4.20-6.el8.x86_64\n`;

describeWithDatabase('assess', (open) => {
  const service = withSignInApp(open);
  let folder: string;
  let server: string;
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    server = await service.app.listen({ port: 0, host: '127.0.0.1' });
    folder = mkdtempSync(join(tmpdir(), 'assess-'));
    await writeRecords(service.database, getList('almalinux_patch'), [
      {
        key: 'ALSA-2024:1',
        row: {
          bulletinId: 'ALSA-2024:1',
          title: 'bash\u001B[2J update',
          severity: 'Moderate',
          osVersion: ['AlmaLinux 8'],
          releaseDate: 1,
        },
        detail: {
          packages: [{ name: 'bash', version: '4.4.20-5.el8', architecture: 'x86_64' }],
        },
      },
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    const { json } = await service.ask('POST', '/me/apikeys', {
      token: await service.createToken('stan'),
      body: { name: 'pipeline', scopes: ['assess'], expiresAt: service.now + 3_600_000 },
    });
    environment = { PATCH_SERVER: server, PATCH_API_KEY: String(json['key']) };
  });

  const file = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  test('prints missing records with the command, and returns an exit code for them', async () => {
    const called = await call([file('machine.txt', old)], environment);
    expect(called).toMatchObject({ exit: 10, complaints: '' });
    expect(called.out).toContain(
      'At least 1 patch missing, judged with AlmaLinux data up to 1 Jan 1970: 1 moderate\nAlmaLinux: Never synced.\nalmalinux 8.9\n1 package: 1 compared, 0 not judged.\n',
    );
    expect(called.out).toContain('bash 4.4.20-4.el8 -> 4.4.20-5.el8');
    expect(called.out).toContain(
      'The rest: 1 update closes it:\n  dnf upgrade --advisory=ALSA-2024:1\n',
    );
    // Titles must not send control characters to the terminal.
    expect(called.out).not.toContain('\u001B');
  });

  test('returns exit code 0 for a record below the threshold of --fail-on', async () => {
    const path = file('machine.txt', old);
    expect(await call(['--fail-on', 'important', path], environment)).toMatchObject({ exit: 0 });
  });

  test('reads the standard input, several files, and UTF-16', async () => {
    expect(await call([], environment, fixed)).toMatchObject({ exit: 0 });
    expect(await call(['-'], environment, old)).toMatchObject({ exit: 10 });
    const parts = [file('os-release', osRelease), file('rpm', 'bash-4.4.20-4.el8.x86_64')];
    expect(await call(parts, environment)).toMatchObject({ exit: 10 });
    const wide = file('wide.txt', Buffer.from(`\uFEFF${old}`, 'utf16le'));
    expect(await call([wide], environment)).toMatchObject({ exit: 10 });
  });

  test('never reports success for a machine that cannot be judged', async () => {
    const unknown = await call(
      [],
      environment,
      'ID=gentoo\nVERSION_ID="2.15"\nbash-5.2-1.x86_64\n',
    );
    expect(unknown).toMatchObject({ exit: 11 });
    expect(unknown.out).toContain(
      'Not judged: 1 item, because this repository has no records of the release: bash.',
    );
  });

  test('prints the complete answer as JSON', async () => {
    const { out, exit } = await call(['--format', 'json'], environment, old);
    expect(exit).toBe(10);
    expect((JSON.parse(out) as Assessment).install).toHaveLength(1);
  });

  test('prints the reason when a key lacks the scope', async () => {
    const { json } = await service.ask('POST', '/me/apikeys', {
      token: await service.createToken('stan'),
      body: { name: 'reader', scopes: ['read'], expiresAt: service.now + 3_600_000 },
    });
    const refused = await call([], { ...environment, PATCH_API_KEY: String(json['key']) }, old);
    expect(refused.exit).toBe(3);
    expect(refused.complaints).toContain('assess');
  });

  test('reports wrong options and files before sending a request', async () => {
    const cases: readonly (readonly [string[], string, string])[] = [
      [['--fail-on', 'high'], old, '--fail-on must be one of: any, low,'],
      [['--server', 'ftp://x'], old, '--server or PATCH_SERVER must be'],
      [[join(folder, 'absent')], '', 'The file cannot be read: ENOENT'],
      [[], ' \n', 'There is nothing to assess'],
      [['--colour'], old, "Unknown option '--colour'"],
    ];
    for (const [args, input, words] of cases) {
      const called = await call(args, environment, input);
      expect(called.exit).toBe(2);
      expect(called.complaints).toContain(words);
    }
    const keyless = await call([], { PATCH_SERVER: server }, old);
    expect(keyless).toMatchObject({ exit: 2 });
    expect(keyless.complaints).toContain('Give an API key with the scope assess');
    expect(await call(['--help'])).toMatchObject({ exit: 0, complaints: '' });
  });

  test('sends no inventory of more than 5 MB', async () => {
    const called = await call([file('large.txt', 'x'.repeat(5 * 1024 * 1024 + 1))], environment);
    expect(called).toMatchObject({ exit: 2 });
    expect(called.complaints).toContain('at most 5 MB');
  });

  test('gives up after the last attempt when the repository does not respond', async () => {
    const options = ['--server', 'http://127.0.0.1:9', '--tries', '2', '--retry-after-ms', '1'];
    const called = await call(options, environment, old);
    expect(called.exit).toBe(4);
    expect(called.complaints).toContain('Given up after 2 tries');
  });
});

const record = (severity: string | null, exploited = false, state = 'missing') =>
  ({ severity, exploited, state }) as unknown as Assessment['missing'][number];
const buildAnswer = (missing: Assessment['missing'], endOfLife: number | null = null) =>
  ({
    missing,
    verdicts: { compared: 1, notJudged: 0, uncertain: 0 },
    system: null,
    notJudged: [],
    leftOut: [],
    machine: { endOfLife },
  }) as unknown as Assessment;

test.each([
  ['a record of the severity counts', [record('Moderate')], 'moderate', 10],
  ['a record of a higher severity counts', [record('Moderate')], 'low', 10],
  ['a record of a lower severity does not count', [record('Moderate')], 'important', 0],
  ['a record that is not exploited does not count', [record('Moderate')], 'exploited', 0],
  ['none counts without a threshold', [record('Critical', true)], 'none', 0],
  ['known exploited ones count for every severity', [record('Low', true)], 'critical', 10],
  ['a record without a severity counts for any', [record('Unspecified')], 'any', 10],
  ['a record without a severity counts for no severity', [record('Unspecified')], 'low', 0],
  ['uncertain ones do not count', [record('Critical', true, 'uncertain')], 'any', 0],
] as const)('%s', (_, missing, failOn, exit) => {
  expect(toExitCode(buildAnswer([...missing]), failOn)).toBe(exit);
});

test('reports no success for a machine past the end of its support', () => {
  expect(toExitCode(buildAnswer([], 1), 'any')).toBe(11);
});
