/** After the commands of a plan nothing of it is missing in the next report: dnf and apt change machines in folders. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { withMachinesOfClients } from '../testing/machines-of-clients.ts';
import { buildDebMachine, publishDebs } from './testing/deb-machine.ts';
import type { RealMachine } from './testing/real-machine.ts';
import { buildRpmMachine, publishRpms } from './testing/rpm-machine.ts';

const toolPackages = {
  dnf: 'dnf',
  rpmbuild: 'rpm',
  createrepo_c: 'createrepo-c',
  modifyrepo_c: 'createrepo-c',
  'dpkg-deb': 'dpkg',
  'dpkg-scanpackages': 'dpkg-dev',
  'apt-get': 'apt',
};
const absent = Object.entries(toolPackages).filter(
  ([tool]) => spawnSync(tool, ['--version']).error !== undefined,
);

interface Made {
  readonly id: number;
  readonly tasks: readonly {
    readonly updates: readonly { readonly identifier: string; readonly closes: string[] }[];
    readonly machines: readonly { readonly state: string }[];
  }[];
  readonly notClosed: readonly unknown[];
}

interface Followed {
  /** Identifiers that the machine misses first. */
  readonly missing: readonly string[];
  /** Identifiers of the plan's updates, with what else each closes. */
  readonly updates: Readonly<Record<string, readonly string[]>>;
  /** A repository with some of the updates, the commands that install them, and what is missing afterwards. */
  readonly part: {
    readonly publish: () => Promise<void>;
    readonly commands: string;
    readonly left: readonly string[];
  };
  /** Publishes all updates: the machine has to read the indexes of the repository again. */
  readonly publish: () => Promise<void>;
}

describeWithDatabase('plans that are applied', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;
  let folder = '';

  beforeAll(async () => {
    if (absent.length > 0) {
      const names = absent.map(([tool]) => tool).join(', ');
      const packages = [...new Set(absent.map(([, name]) => name))].join(' ');
      throw new Error(`This test needs ${names}. Install them: apt-get install ${packages}`);
    }
    if (process.getuid?.() !== 0)
      throw new Error('This test needs root: it installs packages into a folder');
    folder = await mkdtemp(join(tmpdir(), 'plan-applied-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Reports the machine an hour later, and judges it. Returns its id and what it misses. */
  async function report(key: string, machine: RealMachine) {
    service.now += hour;
    const id = await fleet.add(key, await machine.inventory());
    await fleet.judge();
    const { objList } = await fleet.missing(id);
    return { id, missing: objList.map(({ identifier }) => String(identifier)).toSorted() };
  }

  const states = async ({ id }: Made) => {
    const { tasks } = (await stan.get(`/machines/plans/${id}`).json) as unknown as Made;
    return tasks.flatMap(({ machines }) => machines.map(({ state }) => state));
  };
  const scriptOf = async ({ id }: Made) =>
    (await stan.get(`/machines/plans/${id}/files/plan.sh`)).bytes.toString();

  /** Returns the packages at the end, as the collector prints them. */
  async function follow(
    key: string,
    machine: RealMachine,
    expected: Followed,
  ): Promise<readonly string[]> {
    expect((await report(key, machine)).missing).toEqual(expected.missing);
    const body = { name: key, criteria: '', choice: 'all' };
    const plan = (await operator.post('/machines/plans', body).json) as unknown as Made;
    expect(plan).toMatchObject({ notClosed: [], tasks: [{ machines: [{ state: 'open' }] }] });
    const updates = plan.tasks.flatMap((task) => task.updates);
    expect(
      Object.fromEntries(updates.map(({ identifier, closes }) => [identifier, closes])),
    ).toEqual(expected.updates);

    await expected.part.publish();
    await machine.runScript(expected.part.commands);
    expect((await report(key, machine)).missing).toEqual(expected.part.left);
    expect(await states(plan)).toEqual(['open']);

    await expected.publish();
    await machine.runScript(await scriptOf(plan));
    expect((await report(key, machine)).missing).toEqual([]);
    expect(await states(plan)).toEqual(['done']);
    expect(await machine.runScript(await scriptOf(plan))).toBe(
      `The plan has nothing for host-${key}\n`,
    );
    const lines = (await machine.inventory()).split('\n');
    return lines.filter((line) => / (?:x86_64|amd64)\b/.test(line)).toSorted();
  }

  test('dnf installs what the plan has, and the next report misses nothing of it', async () => {
    const kernel = 'Provides: kernel = %{version}-%{release}\nProvides: installonlypkg(kernel)';
    const curl = (release: string) =>
      ['curl', 'libcurl'].map((name) => ({ name, version: `7.76.1-${release}.el9` }));
    const advisories = [
      ['ALSA-2026:1', 'Important', ['curl', 'libcurl'], '7.76.1-27.el9'],
      ['ALSA-2026:2', 'Moderate', ['curl', 'libcurl'], '7.76.1-29.el9'],
      ['ALSA-2026:3', 'Critical', ['openssl-libs'], '1:3.0.7-27.el9'],
      ['ALSA-2026:4', 'Important', ['kernel-core'], '5.14.0-427.20.1.el9'],
      ['ALSA-2026:5', 'Low', ['zlib'], '1.2.11-40.el9'],
      ['ALSA-2026:6', 'Low', ['httpd'], '2.4.57-9.el9'],
    ] as const;
    const published = advisories.map(([id, severity, names, version]) => ({
      id,
      severity,
      packages: names.map((name): [string, string] => [name, version]),
    }));
    const releases = ['AlmaLinux 9'];
    await writeRecords(
      service.database,
      'almalinux_patch',
      published.map(({ id, severity, packages }) => erratum(id, severity, packages, { releases })),
    );
    const machine = await buildRpmMachine(join(folder, 'rpm'), 'host-alma', [
      ...curl('26'),
      { name: 'openssl-libs', version: '1:3.0.7-24.el9' },
      { name: 'kernel-core', version: '5.14.0-427.13.1.el9', more: kernel },
      { name: 'zlib', version: '1.2.11-40.el9' },
      { name: 'bash', version: '5.1.8-6.el9' },
    ]);
    const newer = [
      { name: 'openssl-libs', version: '1:3.0.7-27.el9' },
      { name: 'kernel-core', version: '5.14.0-427.20.1.el9', more: kernel },
      { name: 'bash', version: '5.1.8-9.el9' },
      { name: 'httpd', version: '2.4.57-9.el9' },
    ];
    const packages = await follow('alma', machine, {
      missing: ['ALSA-2026:1', 'ALSA-2026:2', 'ALSA-2026:3', 'ALSA-2026:4'],
      updates: { 'ALSA-2026:2': ['ALSA-2026:1'], 'ALSA-2026:3': [], 'ALSA-2026:4': [] },
      part: {
        publish: () => publishRpms(machine, [...curl('27'), ...curl('29')], published.slice(0, 2)),
        commands: 'dnf -y upgrade --advisory=ALSA-2026:2',
        left: ['ALSA-2026:3', 'ALSA-2026:4'],
      },
      publish: () => publishRpms(machine, newer, published),
    });
    expect(packages).toEqual(
      [
        'curl 0:7.76.1-29.el9 x86_64 (none)',
        'libcurl 0:7.76.1-29.el9 x86_64 (none)',
        'openssl-libs 1:3.0.7-27.el9 x86_64 (none)',
        'kernel-core 0:5.14.0-427.13.1.el9 x86_64 (none)',
        'kernel-core 0:5.14.0-427.20.1.el9 x86_64 (none)',
        'zlib 0:1.2.11-40.el9 x86_64 (none)',
        'bash 0:5.1.8-6.el9 x86_64 (none)',
      ].toSorted(),
    );
  });

  test('apt installs what the plan has, and the next report misses nothing of it', async () => {
    const advisories = [
      ['DSA-1', 'curl', '7.88.1-10+deb12u5'],
      ['DSA-2', 'curl', '7.88.1-10+deb12u7'],
      ['DSA-3', 'openssl', '3.0.14-1~deb12u2'],
      ['DSA-4', 'lantern', '1.0-1+deb12u1'],
      ['DSA-5', 'linux', '6.1.94-1'],
      ['DSA-6', 'apache2', '2.4.61-1~deb12u1'],
    ] as const;
    await writeRecords(
      service.database,
      'debian_patch',
      advisories.map(([id, pkgName, version]) => ({
        key: id,
        row: {
          bulletinId: id,
          title: `${pkgName} - security update`,
          pkgName,
          osVersion: 'Debian 12',
          pkgAndVersion: `${pkgName} ${version}`,
          releaseDate: Date.UTC(2026, 0, 1),
        },
      })),
    );
    const of = (source: string, version: string, ...names: string[]) =>
      names.map((name) => ({ name, version, source }));
    const kernel = (number: string, version: string) => {
      const source = `linux-signed-amd64 (${version.replace('-', '+')})`;
      const name = `linux-image-6.1.0-${number}-amd64`;
      return [
        { name, version, source },
        { name: 'linux-image-amd64', version, source, depends: `${name} (= ${version})` },
      ];
    };
    const machine = await buildDebMachine(join(folder, 'deb'), 'host-debian', [
      ...of('curl', '7.88.1-10+deb12u4', 'curl', 'libcurl4'),
      ...of('openssl', '3.0.11-1~deb12u1', 'openssl', 'libssl3'),
      ...of('lantern (1.0-1)', '1.0-1+b2', 'liblantern1'),
      ...kernel('18', '6.1.76-1'),
      ...of('bash', '5.2.15-2', 'bash'),
    ]);
    const newer = [
      ...of('openssl', '3.0.14-1~deb12u2', 'openssl', 'libssl3'),
      ...of('lantern', '1.0-1+deb12u1', 'liblantern1'),
      ...kernel('22', '6.1.94-1'),
      ...of('bash', '5.2.15-3', 'bash'),
      ...of('apache2', '2.4.61-1~deb12u1', 'apache2'),
    ];
    const curl = of('curl', '7.88.1-10+deb12u7', 'curl', 'libcurl4', 'libcurl4-openssl-dev');
    const line = (name: string, version: string, source = name, sourceVersion = version) =>
      `${name} ${version} amd64 ii  ${source} ${sourceVersion}`;
    const packages = await follow('debian', machine, {
      missing: ['DSA-1', 'DSA-2', 'DSA-3', 'DSA-4', 'DSA-5'],
      updates: { 'DSA-2': ['DSA-1'], 'DSA-3': [], 'DSA-4': [], 'DSA-5': [] },
      part: {
        publish: () => publishDebs(machine, curl),
        commands: 'apt-get update && apt-get -y install curl libcurl4',
        left: ['DSA-3', 'DSA-4', 'DSA-5'],
      },
      publish: () => publishDebs(machine, newer),
    });
    expect(packages).toEqual(
      [
        line('curl', '7.88.1-10+deb12u7'),
        line('libcurl4', '7.88.1-10+deb12u7', 'curl'),
        line('openssl', '3.0.14-1~deb12u2'),
        line('libssl3', '3.0.14-1~deb12u2', 'openssl'),
        line('liblantern1', '1.0-1+deb12u1', 'lantern'),
        line('linux-image-6.1.0-18-amd64', '6.1.76-1', 'linux-signed-amd64', '6.1.76+1'),
        line('linux-image-6.1.0-22-amd64', '6.1.94-1', 'linux-signed-amd64', '6.1.94+1'),
        line('linux-image-amd64', '6.1.94-1', 'linux-signed-amd64', '6.1.94+1'),
        line('bash', '5.2.15-2'),
      ].toSorted(),
    );
  });
});
