/** Outputs of real machines. Expected values come from their provenance and from counting lines, not from the product. */
import { expect, test } from 'vitest';
import { describeWithInventories, inventoryFile } from '../../testing/machine-inventories.ts';
import { inventoryText } from './inventory-text.ts';
import { readInventory } from './read-inventory.ts';

const readText = (path: string) => inventoryText(inventoryFile(path));

/** Counts lines with a package: all except the keys among rpm's packages, and rows of removed packages. */
const packageLines = (path: string) =>
  readText(path)
    .split('\n')
    .filter((line) => line !== '' && !/^gpg-pubkey|^rc\s/.test(line)).length;

const rpmMachines: readonly (readonly [string, string, string, number, string | null])[] = [
  ['alma-10.0', 'almalinux', '10.0', 614, '6.12.0-55.9.1.el10_0.x86_64'],
  ['alma-8.9', 'almalinux', '8.9', 536, '4.18.0-513.9.1.el8_9.x86_64'],
  ['alma-8.9-modules', 'almalinux', '8.9', 584, '4.18.0-513.9.1.el8_9.x86_64'],
  ['alma-9.1-minimal', 'almalinux', '9.1', 98, null],
  ['centos-6-synthetic', 'centos', '6', 120, null],
  ['centos-7.7', 'centos', '7', 304, '3.10.0-1062.12.1.el7.x86_64'],
  ['opensuse-leap-15.3', 'opensuse-leap', '15.3', 741, '5.3.18-150300.59.49-default'],
  ['opensuse-leap-15.5-synthetic', 'opensuse-leap', '15.5', 150, null],
  ['oracle-7.9', 'ol', '7.9', 362, '5.4.17-2136.330.7.1.el7uek.x86_64'],
  ['oracle-8.10', 'ol', '8.10', 622, '4.18.0-553.63.1.el8_10.x86_64'],
  ['rocky-8.4', 'rocky', '8.4', 410, '4.18.0-305.3.1.el8_4.x86_64'],
];

const dpkgMachines: readonly (readonly [string, string, string, number, string | null])[] = [
  ['debian-11', 'debian', '11', 419, '5.10.0-8-amd64'],
  ['debian-8-slim', 'debian', '8', 101, null],
  ['debian-9', 'debian', '9', 346, '4.9.0-3-amd64'],
  ['ubuntu-12.04-core', 'ubuntu', '12.04', 103, null],
  ['ubuntu-12.04-synthetic', 'ubuntu', '12.04', 90, null],
  ['ubuntu-14.04', 'ubuntu', '14.04', 660, '3.13.0-170-generic'],
  ['ubuntu-14.04-synthetic', 'ubuntu', '14.04', 90, null],
  ['ubuntu-16.04', 'ubuntu', '16.04', 467, '4.4.0-210-generic'],
  ['ubuntu-22.04', 'ubuntu', '22.04', 671, '5.15.0-69-generic'],
];

/** Product, build, and the number of hotfixes that the machine itself reports. */
const windowsMachines: readonly (readonly [string, string, string, number])[] = [
  ['windows-10-22h2', 'Windows 10 Pro', '10.0.19045.6456', 86],
  ['windows-10_1803_x64_pro_it', 'Windows 10 Pro', '10.0.17134', 10],
  ['windows-10_1809_x64_education_es', 'Windows 10 Education', '10.0.17763', 9],
  ['windows-10_1809_x64_pro_en-us_20190307', 'Windows 10 Pro', '10.0.17763', 5],
  ['windows-10_21H1_x64_enterprise', 'Windows 10 Enterprise', '10.0.19043', 4],
  ['windows-10_22H2_x64_enterprise_en-us', 'Windows 10 Enterprise', '10.0.19045', 1],
  ['windows-11-23h2', 'Windows 11 Pro', '10.0.22631.6491', 61],
  ['windows-11-24h2', 'Windows 11 Pro', '10.0.26100.7623', 36],
  ['windows-11_22H2_x64_home-single-language', 'Windows 11 Home', '10.0.22621', 1],
  ['windows-11_24H2_x64_enterprise', 'Windows 11 Enterprise LTSC', '10.0.26100', 3],
  ['windows-7_sp1_x64_enterprise_fr_cmd', 'Windows 7 Entreprise N', '6.1.7601', 73],
  ['windows-server-2012-r2', 'Windows Server 2012 R2', '6.3.9600.21620', 93],
  ['windows-server-2019', 'Windows Server 2019', '10.0.17763.6054', 141],
  ['windows-server-2022', 'Windows Server 2022', '10.0.20348.4648', 84],
  ['windows-srv_2012r2_x64_standard_ru', 'Windows Server 2012 R2', '6.3.9600', 7],
  ['windows-srv_2019_rtm_datacenter_en-us', 'Windows Server 2019', '10.0.17763', 5],
  ['windows-srv_2022', 'Windows Server 2022', '10.0.20348', 3],
];

/** Reads lists of packages behind the files that name the machine's release and kernel, and compares these. */
function readLinux(
  [machine, distribution, release, , kernel]: (typeof rpmMachines)[number],
  ...lists: readonly string[]
) {
  const files = ['os-release', ...(kernel === null ? [] : ['uname-r.txt']), ...lists];
  const { machine: read, unreadable } = readInventory(
    files.map((file) => readText(`${machine}/${file}`)).join(''),
  );
  expect(unreadable).toEqual([]);
  expect(read).toMatchObject({
    platform: 'linux',
    distribution,
    release,
    kernel,
    architecture: 'x86_64',
  });
  return read.packages;
}

describeWithInventories('inventories of machines', () => {
  test.each(rpmMachines)('reads %s', (...given) => {
    const [machine, , , listed] = given;
    const packages = readLinux(given, 'rpm-qa.txt', 'rpm-qa-qf.txt');
    // Two outputs of one machine give every package once, with the facts of both.
    expect(packages).toHaveLength(packageLines(`${machine}/rpm-qa.txt`));
    expect(listed - packages.length).toBeLessThanOrEqual(1);
    expect(packages.filter(({ epoch }) => epoch === null)).toEqual([]);
    expect(packages.filter(({ module }) => module.kind === 'unstated')).toEqual([]);
  });

  test.each(rpmMachines)('finds every package that the tool printed on %s', (machine) => {
    const lines = readText(`${machine}/rpm-qa-qf.txt`)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('gpg-pubkey'));
    const { packages } = readInventory(readText(`${machine}/rpm-qa-qf.txt`)).machine;
    const printed = packages.map(({ name, epoch, version, architecture, module }) => {
      const label = module.kind === 'stream' ? `${module.name}:${module.stream}:` : '(none)';
      return `${name} ${epoch}:${version} ${architecture} ${label}`;
    });
    const withoutContext = lines.map((line) => line.replace(/( [^ :]+:[^ :]+:)[^ ]+$/, '$1'));
    expect(printed.toSorted()).toEqual(withoutContext.toSorted());
  });

  test.each(dpkgMachines)('reads %s', (...given) => {
    const [machine, , , installed] = given;
    const packages = readLinux(given, 'dpkg-query-W.txt', 'dpkg-query-source.txt');
    expect(packages).toHaveLength(installed);
    expect(packageLines(`${machine}/dpkg-query-source.txt`)).toBe(installed);
    expect(packages.filter(({ source, stateKnown }) => source === null || !stateKnown)).toEqual([]);
  });

  test('skips packages of state rc where the format states it', () => {
    const removed = ['apache2-bin', 'linux-image-5.10.0-7-amd64'];
    const namesIn = (file: string) =>
      readInventory(readText(`debian-11/${file}`)).machine.packages.map(({ name }) => name);
    expect(namesIn('dpkg-l.txt').filter((name) => removed.includes(name))).toEqual([]);
    expect(namesIn('dpkg-query-source.txt').filter((name) => removed.includes(name))).toEqual([]);
    expect(namesIn('dpkg-query-W.txt').filter((name) => removed.includes(name))).toEqual(removed);
  });

  test.each([
    ['alma-9.1-minimal', 'rpm-qa-qf.txt'],
    ['rocky-8.4', 'rpm-qa-qf.txt'],
    ['debian-8-slim', 'dpkg-query-source.txt'],
  ])('reads the same packages from the SBOMs of %s', (machine, list) => {
    const plain = readInventory(readText(`${machine}/os-release`) + readText(`${machine}/${list}`));
    for (const file of ['cyclonedx-1.6.json', 'spdx-2.3.json']) {
      const { machine: read, unreadable } = readInventory(readText(`${machine}/${file}`));
      expect(unreadable).toEqual([]);
      expect([read.distribution, read.release]).toEqual([
        plain.machine.distribution,
        plain.machine.release,
      ]);
      const getNames = (packages: typeof read.packages) =>
        packages.map(({ name, epoch, version }) => `${name} ${epoch} ${version}`).toSorted();
      expect(getNames(read.packages)).toEqual(getNames(plain.machine.packages));
    }
  });

  test.each(windowsMachines)('reads %s', (machine, product, build, hotfixes) => {
    const revision = build.split('.').length === 4;
    const text =
      readText(`${machine}/systeminfo.txt`) + (revision ? readText(`${machine}/ver.txt`) : '');
    const { machine: read, unreadable } = readInventory(text);
    expect(unreadable).toEqual([]);
    expect(read).toMatchObject({ platform: 'windows', architecture: 'x86_64', build });
    expect(read.distribution).toContain(product);
    expect(read.kbs).toHaveLength(hotfixes);
  });

  test.each([
    ['windows-10-22h2', 'get-hotfix.txt'],
    ['windows-11-23h2', 'get-hotfix.txt'],
    ['windows-11-24h2', 'get-hotfix.txt'],
    ['windows-server-2012-r2', 'get-hotfix.txt'],
    ['windows-server-2019', 'get-hotfix.txt'],
    ['windows-server-2022', 'get-hotfix.txt'],
    ['windows-srv_2012r2_x64_standard_ru', 'wmic-qfe.txt'],
    ['windows-10_1809_x64_pro_en-us_20190307', 'wmic-qfe.txt'],
  ])('finds the hotfixes of %s in its %s', (machine, file) => {
    const { machine: read, unreadable } = readInventory(readText(`${machine}/${file}`));
    const listed = readText(`${machine}/${file}`).match(/\bKB\d+/g) ?? [];
    expect(unreadable).toEqual([]);
    expect(read.kbs.map((kb) => `KB${kb}`).toSorted()).toEqual([...new Set(listed)].toSorted());
  });

  test.each([
    ['macos-14.8.5', '14.8.5', '23J423'],
    ['macos-15.7.5', '15.7.5', '24G624'],
    ['macos-26.6.2', '26.6.2', '25G83'],
  ])('reads %s', (machine, release, build) => {
    const { machine: read, unreadable } = readInventory(readText(`${machine}/sw_vers.txt`));
    expect(unreadable).toEqual([]);
    expect(read).toMatchObject({ platform: 'macos', release, build });
  });
});
