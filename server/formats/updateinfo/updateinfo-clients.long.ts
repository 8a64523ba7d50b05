/** The real dnf and zypper read the repositories of errata for an installed root. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { writeRecords } from '../../testing/record-factories.ts';

const run = promisify(execFile);

/** Name, version and release. */
type Build = readonly [name: string, version: string, release: string];

const installed: readonly Build[] = [
  ['bash', '4.4.19', '1.el8'],
  ['openssl', '1.1.1', '1.el8'],
  ['nodejs', '10.1', '1.module_el8.0.0+1+abc'],
  ['ksh', '2.0', '9.el8'],
];
const available: readonly Build[] = [
  ['bash', '4.4.20', '4.el8'],
  ['openssl', '1.1.1', '2.el8'],
];

/** The stream that the machine enabled, of another build than the advisory's. */
const modules = `---
document: modulemd
version: 2
data:
  name: nodejs
  stream: "12"
  version: 8010
  context: abcd1234
  arch: x86_64
  summary: Node.js
  description: Node.js
  license: {module: [MIT]}
  artifacts: {rpms: ["nodejs-0:12.0-4.module_el8.0.0+1+abc.x86_64"]}
...
`;

const missing = ['dnf', 'zypper', 'rpm', 'rpmbuild', 'createrepo_c', 'modifyrepo_c'].filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
);

describeApp('dnf and zypper', (service) => {
  let folder = '';
  let port = '';
  const root = () => join(folder, 'root');

  beforeAll(async () => {
    if (missing.length > 0)
      throw new Error(
        `This test needs ${missing.join(', ')}. Install them: apt-get install dnf zypper rpm createrepo-c`,
      );
    folder = await mkdtemp(join(tmpdir(), 'errata-clients-'));
    await writeCatalogue();
    port = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 })).port;
    await buildMachine();
  }, 120_000);

  beforeEach(async () => useKey(await service.createKey(service.operator, 'formats')));

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function writeCatalogue(): Promise<void> {
    const { database } = service;
    const centos = { releases: ['CentOS 8'] };
    const bash = erratum('CESA-2024:1', 'Important', [['bash', '4.4.20-4.el8']], centos);
    const module = 'nodejs:12:8030020201124152102:229f0a1c:x86_64';
    const node = { name: 'nodejs', version: '12.0-4.module_el8.0.0+1+abc', architecture: 'x86_64' };
    await writeRecords(database, 'centos_patch', [
      {
        ...bash,
        row: { ...bash.row, category: 'security', title: 'bash <security> & more \u{1F427}' },
        detail: {
          packages: [
            {
              name: 'bash',
              version: '4.4.20-4.el8',
              architecture: 'x86_64',
              rebootSuggested: true,
            },
          ],
          description: 'Words with \u0007 and ]]>.',
          cve: ['CVE-2024-0001'],
        },
      },
      bugfix('CEBA-2024:2', [{ name: 'openssl', version: '1.1.1-2.el8', architecture: 'x86_64' }]),
      bugfix('CEBA-2024:3', [{ name: 'ksh', version: '2.0-8.el8', architecture: 'x86_64' }]),
      bugfix('CEEA-2024:4', [{ ...node, module }], 'enhancement'),
      bugfix('CEEA-2024:5', [{ ...node, module: module.replace(':12:', ':16:') }], 'enhancement'),
    ]);
    await writeRecords(database, 'oracle_linux_patch', [
      erratum('ELSA-2020-1', 'Low', [['openssl', '1:1.1.1-0.el8']], {
        releases: ['Oracle Linux 8'],
      }),
    ]);
    await buildRecordIndex({ database, signal: new AbortController().signal });
  }

  const bugfix = (id: string, packages: readonly object[], category = 'bugfix') => {
    const { row } = erratum(id, 'None', [['x', '1']], { releases: ['CentOS 8'] });
    return { key: id, row: { ...row, title: `${id} update`, category }, detail: { packages } };
  };

  /** A root with the installed packages, a mirror with the available ones, and repository files of both tools. */
  async function buildMachine(): Promise<void> {
    const mirror = join(folder, 'mirror');
    await buildPackages(installed, join(folder, 'installed'));
    await buildPackages(available, mirror);
    await run('createrepo_c', ['-q', mirror]);
    await writeFile(join(folder, 'modules.yaml'), modules);
    await run('modifyrepo_c', [join(folder, 'modules.yaml'), join(mirror, 'repodata')]);
    for (const path of [
      'etc/yum.repos.d',
      'etc/dnf/modules.d',
      'etc/zypp/repos.d',
      'etc/zypp/credentials.d',
    ])
      await mkdir(join(root(), path), { recursive: true });
    const files = installed.map((build) =>
      join(folder, 'installed', `${build.join('-')}.x86_64.rpm`),
    );
    await run('rpm', ['--root', root(), '-i', '--nodeps', '--ignorearch', '--ignoreos', ...files]);
    await write(
      'etc/yum.repos.d/mirror.repo',
      repository('mirror', [`baseurl=file://${mirror}`, 'gpgcheck=0']),
    );
    await write(
      'etc/dnf/modules.d/nodejs.module',
      '[nodejs]\nname=nodejs\nstream=12\nprofiles=\nstate=enabled\n',
    );
    const errata = `baseurl=${address('8')}?credentials=errata`;
    await write(
      'etc/zypp/repos.d/errata.repo',
      repository('errata', [errata, 'type=rpm-md', 'gpgcheck=0']),
    );
  }

  const address = (release: string) => `http://127.0.0.1:${port}/api/updateinfo/centos/${release}/`;

  const repository = (id: string, lines: readonly string[]) =>
    `[${id}]\nname=${id}\nenabled=1\n${lines.join('\n')}\n`;

  async function useKey(key: string): Promise<void> {
    const lines = [`baseurl=${address('$releasever')}`, 'username=dnf', `password=${key}`];
    await write('etc/yum.repos.d/errata.repo', repository('errata', lines));
    await write('etc/zypp/credentials.d/errata', `username=zypper\npassword=${key}\n`);
  }

  const write = (path: string, text: string) => writeFile(join(root(), path), text);

  async function buildPackages(builds: readonly Build[], target: string): Promise<void> {
    await mkdir(target, { recursive: true });
    for (const [name, version, release] of builds) {
      const epoch = name === 'openssl' ? 'Epoch: 1\n' : '';
      const spec = `Name: ${name}\n${epoch}Version: ${version}\nRelease: ${release}\nSummary: x\nLicense: x\n%description\nx\n%files\n`;
      const path = join(folder, `${name}.spec`);
      await writeFile(path, spec);
      const defines = [
        `_topdir ${folder}/build`,
        `_rpmdir ${target}`,
        '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm',
      ];
      await run('rpmbuild', [
        '-bb',
        '--target',
        'x86_64-linux',
        ...defines.flatMap((define) => ['--define', define]),
        path,
      ]);
    }
  }

  /** Returns the lines of the output and the exit code. */
  async function call(tool: string, args: readonly string[]) {
    const result = await run(tool, args, { timeout: 60_000 }).catch(
      (failure: { readonly code: number; readonly stdout: string; readonly stderr: string }) =>
        failure,
    );
    const code = 'code' in result ? result.code : 0;
    return {
      code,
      lines: result.stdout
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    };
  }

  const dnf = (...args: readonly string[]) =>
    call('dnf', [
      `--installroot=${root()}`,
      '--releasever=8',
      '--forcearch=x86_64',
      '--quiet',
      `--setopt=reposdir=${root()}/etc/yum.repos.d`,
      '--setopt=module_platform_id=platform:el8',
      `--setopt=cachedir=${folder}/cache`,
      `--setopt=persistdir=${folder}/persist`,
      ...args,
    ]);
  const zypper = (...args: readonly string[]) =>
    call('zypper', ['--root', root(), '--non-interactive', '--quiet', ...args]);

  test('dnf lists the errata that the installed packages lack, of enabled streams alone', async () => {
    const { lines } = await dnf('updateinfo', 'list');
    expect(lines.map((line) => line.replace(/ +/g, ' ')).toSorted()).toEqual([
      'CEBA-2024:2 bugfix openssl-1:1.1.1-2.el8.x86_64',
      'CEEA-2024:4 enhancement nodejs-12.0-4.module_el8.0.0+1+abc.x86_64',
      'CESA-2024:1 Important/Sec. bash-4.4.20-4.el8.x86_64',
    ]);
  }, 120_000);

  test('dnf shows an erratum with its CVEs and words', async () => {
    const text = (await dnf('updateinfo', 'info', '--cve=CVE-2024-0001')).lines.join('\n');
    expect(text).toContain('bash <security> & more \u{1F427}');
    expect(text).toContain('Update ID: CESA-2024:1');
    expect(text).toContain('CVEs: CVE-2024-0001');
    expect(text).toContain('Description: Words with \uFFFD and ]]>.');
    expect(text).toContain('Severity: Important');
  }, 120_000);

  test.each([
    [['--security'], ['bash.x86_64']],
    [['--bugfix'], ['openssl.x86_64']],
    [['--advisory=CEBA-2024:2'], ['openssl.x86_64']],
    [['--sec-severity=Important'], ['bash.x86_64']],
    [['--sec-severity=Critical'], []],
  ])(
    'dnf check-update %j finds the updates of the mirror',
    async (args, expected) => {
      const { code, lines } = await dnf('check-update', ...args);
      expect(lines.map((line) => line.split(' ')[0])).toEqual(expected);
      expect(code).toBe(expected.length === 0 ? 0 : 100);
    },
    120_000,
  );

  test('zypper lists needed patches, by CVE too', async () => {
    expect((await zypper('refresh')).code).toBe(0);
    const listed = async (...args: readonly string[]) =>
      (await zypper('list-patches', ...args)).lines
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .filter((cells) => cells.includes('needed'));
    expect(
      (await listed()).map(([, name, type, severity, restart]) => [name, type, severity, restart]),
    ).toEqual(
      expect.arrayContaining([
        ['CESA-2024:1', 'security', 'important', 'reboot'],
        ['CEBA-2024:2', 'bugfix', 'none', '---'],
      ]),
    );
    expect((await listed()).flat()).not.toContain('CEBA-2024:3');
    expect((await listed('--cve=CVE-2024-0001')).map((cells) => cells[2])).toEqual(['CESA-2024:1']);
  }, 120_000);

  test('dnf and zypper read nothing with a key of another scope', async () => {
    await useKey(await service.createKey(service.operator, 'read'));
    expect((await zypper('refresh', '--force')).code).not.toBe(0);
    const { lines } = await dnf('--refresh', 'updateinfo', 'list');
    expect(lines.filter((line) => line.startsWith('CE'))).toEqual([]);
  }, 120_000);
});
