/** Assessments of inventories in the tools' formats, with errata written like a sync writes them. */
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import {
  PackageStatuses,
  writeStatuses,
} from '../platform/database/records/package-status-store.ts';
import { send } from '../testing/caller.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import {
  erratum,
  machineApp,
  released,
  server2022,
  serverUpdate,
  writeKernelAdvisory,
} from './testing/machine-catalogue.ts';

const record = (row: Readonly<Record<string, unknown>>, detail = {}) => ({
  key: 'one',
  row: { title: 'A title', releaseDate: released, ...row },
  detail,
});

const kernel =
  'ID=debian\nVERSION_ID="11"\nlinux-image-5.10.0-8-amd64 5.10.46-4 amd64 ii  linux-signed-amd64 5.10.46+4\n';
const osRelease = 'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\n';

describeWithDatabase('an assessment', (open) => {
  let database: Database;
  let app: FastifyInstance;

  beforeAll(async () => {
    database = await open();
    await writeRecords(database, 'almalinux_patch', [
      erratum('ALSA-2024:1', 'Important', [['bash', '4.4.20-5.el8']]),
      erratum('ALSA-2024:2', 'Critical', [['bash', '4.4.20-6.el8']], {
        detail: { rebootSuggested: true },
      }),
      erratum('ALSA-2024:3', 'Low', [['curl', '7.61.1-34.el8']]),
      erratum('ALSA-2024:4', 'Critical', [['bash', '5.1.8-9.el9']], { releases: ['AlmaLinux 9'] }),
      erratum('ALSA-2024:5', 'Critical', [['httpd', '2.4.37-65.el8']]),
    ]);
    const dotNet = 'Microsoft .NET Framework 3.5 AND 4.8.1 on Windows Server 2022';
    await writeRecords(database, 'patch_repository', [
      serverUpdate('KB5035857', '10.0.20348.2340', ['KB5036909']),
      serverUpdate('KB5036909', '10.0.20348.2402'),
      record({ kbId: 'KB5049620', name: 'KB5049620 for .NET', productName: dotNet }),
      { ...serverUpdate('KB5049999', ''), detail: { line: '.NET' } },
    ]);
    await writeKernelAdvisory(database);
    const bulletinId = 'openSUSE-SU-2023:0216-1';
    const perl = { name: 'perl-Cpanel-JSON-XS', version: '4.36-bp155.3.3.1' };
    await writeRecords(database, 'opensuse_patch', [
      record(
        { bulletinId, patchName: 'openSUSE-2023-216', osVersion: ['openSUSE Leap 15.5'] },
        { packages: [{ ...perl, architecture: 'x86_64' }] },
      ),
    ]);
    await writeRecords(database, 'thirdparty_patch', [
      {
        key: '7zip',
        row: { uuid: 'u', name: '7-Zip', version: '24.09', manufacturer: 'Igor Pavlov' },
        detail: { packageId: '7zip.7zip' },
      },
    ]);
    await writeRecords(
      database,
      'macos_patch',
      ['14.7.1', '14.7.2', '15.2'].map((version) => ({
        ...record({ productKey: version, version, title: `macOS ${version}` }),
        key: version,
      })),
    );
    app = await machineApp(database);
  });

  const post = (payload: string | Buffer | object, query = '') => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    const headers = {
      authorization: 'Apikey test',
      'content-type': isText ? 'text/plain' : 'application/json',
    };
    return send(app, 'POST', `/assessments${query}`, { body: payload, headers });
  };
  const assess = async (payload: string | Buffer | object) => {
    const { status, json } = await post(payload);
    expect(status, JSON.stringify(json)).toBe(200);
    return json as unknown as Assessment;
  };
  const csv = async (payload: string) =>
    (await post(payload, '?format=csv')).bytes.toString().trimEnd().split('\r\n');
  const identifiers = (answer: Assessment) => answer.missing.map(({ identifier }) => identifier);

  const installed = `${osRelease}bash-4.4.20-4.el8.x86_64\ncurl-7.61.1-34.el8.x86_64\n`;

  test('lists the errata of the release with fixes newer than the installed packages', async () => {
    const answer = await assess(installed);
    expect(identifiers(answer)).toEqual(['ALSA-2024:2', 'ALSA-2024:1']);
    expect(answer.missing[0]).toMatchObject({
      list: 'almalinux_patch',
      severity: 'Critical',
      state: 'missing',
      reason: null,
      evidence: [{ name: 'bash', installed: '4.4.20-4.el8', fixed: '4.4.20-6.el8' }],
    });
    const { critical, important, ...others } = answer.counts;
    expect([critical, important, ...Object.values(others)]).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
    const linux = { platform: 'linux', distribution: 'almalinux', release: '8.9', packages: 2 };
    expect(answer.machine).toMatchObject(linux);
  });

  test('installs only the newest erratum, and names it for the superseded ones', async () => {
    const answer = await assess(installed);
    expect(answer.install.map(({ identifier }) => identifier)).toEqual(['ALSA-2024:2']);
    expect(answer.install[0]).toMatchObject({
      command: 'dnf upgrade --advisory=ALSA-2024:2',
      restart: 'Reboot',
    });
    const command = 'dnf upgrade --advisory=ALSA-2024:2';
    expect(answer.installCommand).toBe(command);
    const closes = { closed: 2, install: ['ALSA-2024:2'], command };
    expect(answer.bands).toEqual([{ band: 'serious', missing: 2, ...closes }]);
    expect(answer.missing.map(({ supersededBy }) => supersededBy)).toEqual([[], ['ALSA-2024:2']]);
  });

  test('accepts JSON with a text or with files, and bytes in UTF-16', async () => {
    const expected = identifiers(await assess(installed));
    expect(identifiers(await assess({ text: installed }))).toEqual(expected);
    const files = [
      { name: 'os-release', text: osRelease.trimEnd() },
      { name: 'packages', text: 'bash-4.4.20-4.el8.x86_64' },
    ];
    expect(identifiers(await assess({ files }))).toEqual(expected);
    expect(identifiers(await assess(Buffer.from(`\uFEFF${installed}`, 'utf16le')))).toEqual(
      expected,
    );
  });

  test('finds the newest cumulative update of a Windows product', async () => {
    const answer = await assess(server2022);
    expect(answer.machine).toMatchObject({ platform: 'windows', kbs: 1 });
    expect(new Set(identifiers(answer))).toEqual(new Set(['KB5035857', 'KB5036909']));
    expect(answer.install).toMatchObject([{ identifier: 'KB5036909', restart: 'Required' }]);
    const bands = answer.bands.map(({ install, command }) => [install, command]);
    expect(new Set(bands.flat(2))).toEqual(new Set(['KB5036909', null]));
    const [older] = answer.missing.filter(({ identifier }) => identifier === 'KB5035857');
    expect(older?.supersededBy).toEqual(['KB5036909']);
    // systeminfo does not show whether .NET is installed: one fix is for its product, one for the system's own .NET.
    expect(answer.leftOut).toEqual([{ reason: 'componentNotShown', count: 2 }]);
    expect(answer.system).toBe('missing');
    expect(answer.notJudged).toEqual([{ reason: 'kbUnknown', count: 1, names: ['KB5012170'] }]);
  });

  test('finds the releases of a Mac’s own major version', async () => {
    const answer = await assess(
      'ProductName: macOS\nProductVersion: 14.7.1\nBuildVersion: 23H222\n',
    );
    expect(answer.machine).toMatchObject({ platform: 'macos', release: '14.7.1' });
    expect(answer.missing.map(({ evidence }) => evidence[0]?.fixed)).toEqual(['14.7.2']);
    expect(answer.install).toHaveLength(1);
    expect(answer.installCommand).toContain('14.7.2');
  });

  test('finds a fix of a Debian source package by its binary packages', async () => {
    const answer = await assess(kernel);
    expect(identifiers(answer)).toEqual(['DSA-5']);
    expect(answer.install[0]?.command).toBe('apt-get install linux-image-amd64');
  });

  test('lists vulnerabilities without a fix separately', async () => {
    const unfixed = new PackageStatuses();
    for (const [release, name, cve] of [
      ['Debian 11', 'linux', 'CVE-2021-1'],
      ['Debian 11', 'openssl', 'CVE-2021-2'],
      ['Debian 12', 'linux', 'CVE-2021-3'],
    ] as const)
      unfixed.add({ kind: 'status', release, package: name, cve, word: 'open' });
    const part = { source: 'debian', part: 'DSA' };
    await writeStatuses(database, part, unfixed, new AbortController().signal);
    const answer = await assess(kernel);
    expect(answer.noFix).toEqual([{ cve: 'CVE-2021-1', package: 'linux' }]);
    expect(identifiers(answer)).not.toContain('CVE-2021-1');
    expect((await csv(kernel)).at(-1)).toBe('CVE-2021-1,,,,,,,,noFix,,linux,');
    // A backport is of another repository, which has its own fixes.
    const backport = await assess(kernel.replaceAll(/5\.10\.46[-+]\d/g, '$&~bpo11+1'));
    expect(backport.noFix).toEqual([]);
    expect(backport.notJudged).toEqual([
      { reason: 'otherRepository', count: 1, names: ['linux-image-5.10.0-8-amd64'] },
    ]);
  });

  test('installs an openSUSE patch by its name in zypper', async () => {
    const answer = await assess(
      'ID="opensuse-leap"\nVERSION_ID="15.5"\nperl-Cpanel-JSON-XS-4.26-bp155.2.13.x86_64\n',
    );
    expect(answer.install).toMatchObject([
      {
        identifier: 'openSUSE-SU-2023:0216-1',
        command: 'zypper install --type patch openSUSE-2023-216',
      },
    ]);
  });

  test('finds an outdated application with further words in its name', async () => {
    const winget = [
      'Name               Id        Version Source',
      '-------------------------------------------',
      '7-Zip 23.01 (x64)  7zip.7zip 23.01   winget',
      '',
    ].join('\n');
    const answer = await assess(winget);
    expect(answer.machine.applications).toBe(1);
    expect(answer.missing).toMatchObject([
      { list: 'thirdparty_patch', evidence: [{ installed: '23.01', fixed: '24.09' }] },
    ]);
    expect(answer.install[0]?.command).toContain("winget upgrade --id '7zip.7zip'");
  });

  test('reports that a release is not judged, rather than that no patch is missing', async () => {
    const answer = await assess('ID=almalinux\nVERSION_ID="7.0"\nbash-4.4.20-4.el8.x86_64\n');
    expect(answer.missing).toEqual([]);
    const notJudged = [{ reason: 'releaseNotInCatalogue', count: 1, names: ['bash'] }];
    expect(answer.notJudged).toEqual(notJudged);
    const unknown = await assess('ID=plan9\nVERSION_ID="4"\nbash-4.4.20-4.el8.x86_64\n');
    expect(unknown.notJudged).toEqual(notJudged);
  });

  test.each([
    ['google-chrome-stable-120.0.6099.109-1.x86_64', 'originUnknown'],
    ['bash-4.4.20-4.el8.aarch64', 'architectureUnknown'],
    ['curl-7.61.1-34.el8.ppc64le', 'architectureUnknown'],
    ['bash-5.1.8-9.el9.x86_64', 'otherRelease'],
    ['curl 0:7.61.1-40.module_el8.9.0+1 x86_64 curl:7:1:1', 'moduleUnknown'],
    ['curl-7.61.1-40.el8.x86_64', null],
  ])('judges %s as %s when no patch is missing', async (line, reason) => {
    const answer = await assess(`ID=almalinux\nVERSION_ID="8.9"\n${line}\n`);
    expect(answer.missing).toEqual([]);
    expect(answer.notJudged.map((one) => one.reason)).toEqual(reason === null ? [] : [reason]);
    expect(answer.verdicts).toMatchObject({ read: 1, compared: reason === null ? 1 : 0 });
  });

  test('counts each package in one verdict, and reports the day of its source', async () => {
    const more = 'acl-2.2.53-1.el8.x86_64\nhttpd-2.4.37-65.el8.x86_64\n';
    const answer = await assess(`${installed}${more}`);
    expect(answer.verdicts).toEqual({
      read: 4,
      compared: 3,
      fixed: 2,
      missing: 1,
      uncertain: 0,
      notJudged: 0,
      noAdvisory: 1,
      noFix: 0,
    });
    expect(answer.notJudged).toEqual([]);
    const sources = [{ label: 'AlmaLinux', upTo: released }];
    expect(answer.noAdvisory).toEqual({ count: 1, names: ['acl'], sources });
    expect(Object.keys(answer)[0]).toBe('sources');
    expect(answer.sources).toEqual([
      {
        service: 'almaLinux',
        label: 'AlmaLinux',
        upTo: released,
        concern: 'Never synced',
        lastSuccessAt: null,
      },
    ]);
  });

  test('reports unreadable lines and advises what to send', async () => {
    const answer = await assess('lorem ipsum\n');
    expect(answer.unreadable).toMatchObject([{ line: 1, text: 'lorem ipsum' }]);
    expect(answer.advice[0]).toMatchObject({ kind: 'nothingRecognised' });
    expect(answer.notJudged).toEqual([{ reason: 'machineUnknown', count: 1, names: [] }]);
    expect(answer.verdicts).toMatchObject({ read: 1, notJudged: 1 });
  });

  test('exports the missing records as a file', async () => {
    const { headers } = await post(installed, '?format=csv');
    expect(headers['content-type']).toContain('text/csv');
    const [sources, compared, heading, first] = await csv(installed);
    expect(sources).toContain('Judged with AlmaLinux data up to 1 Apr 2024 (Never synced)');
    expect(compared).toContain('2 packages: 2 compared, 0 not judged');
    expect(heading).toContain('Identifier,Title,List,Severity');
    expect(first).toContain('ALSA-2024:2,bash update,AlmaLinux patches,Critical');
    expect(first).toContain('bash: 4.4.20-4.el8 → 4.4.20-6.el8');
  });

  test.each([
    ['', 'The inventory is empty.'],
    [{ files: [] }, 'files'],
    [{ txt: 'bash' }, ''],
  ])('refuses %j and says what is allowed', async (payload, words) => {
    expect(await post(payload).refusal).toEqual([422, expect.stringContaining(words)]);
  });
});
