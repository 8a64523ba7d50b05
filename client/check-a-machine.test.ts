/** Tests the examples of docs/how-to/check-a-machine.md: the command must print the output that the page shows. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getList } from '@patch/catalogue/lists.ts';
import { withSignInApp } from '@patch/server/identity/sign-in/testing/sign-in-app.ts';
import {
  PackageStatuses,
  writeStatuses,
} from '@patch/server/platform/database/records/package-status-store.ts';
import { describeWithDatabase } from '@patch/server/testing/databases.ts';
import { writeRecords } from '@patch/server/testing/record-factories.ts';
import { beforeAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('patch-client.ts', import.meta.url));
const page = readFileSync(new URL('../docs/how-to/check-a-machine.md', import.meta.url), 'utf8');
const examples = [
  ...page.matchAll(/^### (.+)\n\n```inventory\n([\s\S]*?)```\n\n```answer\n([\s\S]*?)```/gm),
].map(([, platform = '', inventory = '', answer = '']) => ({ platform, inventory, answer }));

test('has an example for each platform', () => {
  expect(examples.map(({ platform }) => platform)).toEqual([
    'RPM distribution',
    'Debian, Ubuntu, Pardus',
    'Windows',
    'macOS',
    'Applications',
  ]);
});

const erratum = (id: string, title: string, name: string, version: string, module?: string) => ({
  key: id,
  row: {
    bulletinId: id,
    title,
    severity: 'Important',
    osVersion: ['AlmaLinux 8'],
    releaseDate: Date.UTC(2024, 3, 1),
  },
  detail: { packages: [{ name, version, architecture: 'x86_64', module: module ?? null }] },
});

describeWithDatabase('the examples of the page', (open) => {
  const service = withSignInApp(open);
  let server: string;
  beforeAll(async () => {
    server = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const { database } = service;
    await writeRecords(database, getList('almalinux_patch'), [
      erratum('ALSA-2024:0113', 'bash security update', 'bash', '4.4.20-5.el8'),
      erratum('ALSA-2024:1607', 'kernel security update', 'kernel-core', '4.18.0-513.24.1.el8_9'),
      erratum(
        'ALSA-2024:1444',
        'nodejs:16 security update',
        'nodejs',
        '1:16.20.2-4.module_el8.9.0+3775+d8460d29',
        'nodejs:16',
      ),
      erratum(
        'ALSA-2024:1510',
        'nodejs:18 security update',
        'nodejs',
        '1:18.19.1-1.module_el8.9.0+3773+4c3e1a3a',
        'nodejs:18',
      ),
    ]);
    await writeRecords(
      database,
      getList('debian_patch'),
      (
        [
          ['DSA-5764-1', 'openssl', '3.0.14-1~deb12u2'],
          ['DSA-5658-1', 'linux', '6.1.85-1'],
          ['DSA-5662-1', 'apache2', '2.4.59-1~deb12u1'],
        ] as const
      ).map(([bulletinId, pkgName, version]) => ({
        key: bulletinId,
        row: {
          bulletinId,
          title: `${pkgName} - security update`,
          pkgName,
          osVersion: 'Debian 12',
          pkgAndVersion: `${pkgName} ${version}`,
          releaseDate: Date.UTC(2024, 3, 13),
        },
      })),
    );
    const unfixed = new PackageStatuses();
    unfixed.add({
      kind: 'status',
      release: 'Debian 12',
      package: 'linux',
      cve: 'CVE-2013-7445',
      word: 'open',
    });
    const part = { source: 'debian', part: 'DSA' };
    await writeStatuses(database, part, unfixed, new AbortController().signal);
    await writeRecords(database, getList('patch_repository'), [
      {
        key: 'KB5036909',
        row: {
          kbId: 'KB5036909',
          name: '2024-04 Cumulative Update for Windows Server 2022 (KB5036909)',
          productName: 'Windows Server 2022',
          severity: 'Critical',
          releaseDate: Date.UTC(2024, 3, 9),
        },
        detail: { line: 'Cumulative update', fixedBuild: ['10.0.20348.2402'] },
      },
    ]);
    await writeRecords(database, getList('macos_patch'), [
      {
        key: '072-01000',
        row: {
          productKey: '072-01000',
          title: 'macOS Sonoma',
          version: '14.7.2',
          releaseDate: Date.UTC(2024, 11, 11),
        },
      },
    ]);
    await writeRecords(database, getList('thirdparty_patch'), [
      {
        key: '7zip',
        row: { uuid: '3f2a8c1e', name: '7-Zip', version: '24.09', manufacturer: 'Igor Pavlov' },
        detail: { packageId: '7zip.7zip' },
      },
    ]);
  });

  test.each(examples)('$platform', async ({ inventory, answer }) => {
    const { json } = await service.ask('POST', '/me/apikeys', {
      token: await service.createToken('stan'),
      body: { name: 'how-to', scopes: ['assess'], expiresAt: service.now + 3_600_000 },
    });
    const env = { ...process.env, PATCH_SERVER: server, PATCH_API_KEY: String(json['key']) };
    const child = spawn(process.execPath, [program, 'assess'], { env });
    let out = '';
    child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
    child.stdin.end(inventory);
    const exit = await new Promise((resolve) => void child.on('close', resolve));
    expect(out).toBe(answer);
    expect(exit).toBe(10);
  });
});
