/** Every release that os-release, lsb_release or a release file can name is named, and none is taken for a sibling. */
import { expect, it } from 'vitest';
import { cataloguedRelease } from '../judgement/catalogued-release.ts';
import { endOfLife } from '../judgement/end-of-life.ts';
import { describeWithFieldCases, fieldCase } from '../testing/field-case.ts';
import { inventoryAdvice } from './inventory-advice.ts';
import { readInventory } from './read-inventory.ts';
import { uncataloguedAdvice } from './uncatalogued-advice.ts';

const osRelease = (id: string, name: string, more: Readonly<Record<string, string>> = {}) =>
  Object.entries({ PRETTY_NAME: name, ...more, ID: id })
    .map(([key, value]) => `${key}="${value}"`)
    .join('\n');

it.each([
  [
    osRelease('debian', 'Debian GNU/Linux forky/sid', { VERSION_CODENAME: 'forky' }),
    'Debian forky/sid',
  ],
  [osRelease('debian', 'Debian GNU/Linux trixie/sid'), 'Debian trixie/sid'],
  ['Distributor ID:\tDebian\nRelease:\tn/a\nCodename:\tsid', 'Debian sid'],
  ['Distributor ID:\tDebian\nRelease:\ttesting\nCodename:\tforky', 'Debian testing'],
  [osRelease('fedora', 'Fedora Linux 42 (Server Edition)', { VERSION_ID: '42' }), 'Fedora 42'],
  [
    osRelease('rhel', 'Red Hat Enterprise Linux 9.4 (Plow)', { VERSION_ID: '9.4' }),
    'Red Hat Enterprise Linux 9.4',
  ],
  [osRelease('arch', 'Arch Linux', { BUILD_ID: 'rolling' }), 'Arch Linux rolling'],
  [osRelease('void', 'Void Linux'), 'Void Linux rolling'],
  [osRelease('alpine', 'Alpine Linux v3.19', { VERSION_ID: '3.19.1' }), 'Alpine Linux 3.19.1'],
  [
    osRelease('sles', 'SUSE Linux Enterprise Server 15 SP5', { VERSION_ID: '15.5' }),
    'SUSE Linux Enterprise Server 15.5',
  ],
  [
    osRelease('linuxmint', 'Linux Mint 21.3', {
      VERSION_ID: '21.3',
      UBUNTU_CODENAME: 'jammy',
      VERSION_CODENAME: 'virginia',
    }),
    'Linux Mint 21.3',
  ],
  [osRelease('raspbian', 'Raspbian GNU/Linux 12 (bookworm)', { VERSION_ID: '12' }), 'Raspbian 12'],
  [osRelease('kali', 'Kali GNU/Linux Rolling', { VERSION_ID: '2024.1' }), 'Kali Linux 2024.1'],
  [osRelease('devuan', 'Devuan GNU/Linux 5 (daedalus)', { VERSION_ID: '5' }), 'Devuan 5'],
  [
    osRelease('opensuse-tumbleweed', 'openSUSE Tumbleweed', { VERSION_ID: '20250101' }),
    'openSUSE Tumbleweed 20250101',
  ],
  [
    osRelease('opensuse-microos', 'openSUSE MicroOS', { VERSION_ID: '20250101' }),
    'openSUSE MicroOS 20250101',
  ],
  [
    osRelease('centos', 'CentOS Stream 9', { NAME: 'CentOS Stream', VERSION_ID: '9' }),
    'CentOS Stream 9',
  ],
  [osRelease('centos', 'CentOS Stream 10 (Coughlan)', { VERSION_ID: '10' }), 'CentOS Stream 10'],
  ['CentOS Stream release 8', 'CentOS Stream 8'],
  ['Distributor ID:\tCentOSStream\nRelease:\t8', 'CentOS Stream 8'],
  ['ID="centos"\nVERSION_ID="9"', 'CentOS Stream 9'],
  [
    osRelease('almalinux', 'AlmaLinux 10.0 Beta (Purple Lion)', { VERSION_ID: '10.0' }),
    'AlmaLinux 10.0 Beta',
  ],
  [
    osRelease('rocky', 'Rocky Linux 10.0 RC1', {
      VERSION_ID: '10.0',
      VERSION: '10.0 Beta (Red Quartz)',
    }),
    'Rocky Linux 10.0 Beta',
  ],
  [
    osRelease('almalinux', 'AlmaLinux Kitten 10 (Lion Cub)', { VERSION_ID: '10' }),
    'AlmaLinux Kitten 10',
  ],
  [osRelease('neverheard', 'Never Heard 3', { VERSION_ID: '3' }), 'neverheard 3'],
])('names %j as %s, which the catalogue does not have', (text, name) => {
  const reading = readInventory(`${text}\nbash 0:5.1-1 x86_64 (none)`);
  expect(cataloguedRelease(reading.machine)).toBeNull();
  expect(uncataloguedAdvice(reading.machine).map((one) => one.text)).toEqual([
    expect.stringMatching(
      new RegExp(`^${name.replaceAll('/', '\\/')} is not a release that this catalogue has`),
    ),
  ]);
  expect(inventoryAdvice(reading).map(({ kind }) => kind)).not.toContain('noRelease');
});

it.each([
  ['CentOS Linux release 8.5.2111', 'CentOS 8'],
  [
    osRelease('centos', 'CentOS Linux 8 (Core)', { NAME: 'CentOS Linux', VERSION_ID: '8' }),
    'CentOS 8',
  ],
  [osRelease('ol', 'Oracle Linux Server 9.5', { VERSION_ID: '9.5' }), 'Oracle Linux 9'],
  [osRelease('rocky', 'Rocky Linux 9.4 (Blue Onyx)', { VERSION_ID: '9.4' }), 'Rocky Linux 9'],
  [osRelease('pardus', 'Pardus GNU/Linux 23 (yirmiuc)', { VERSION_ID: '23.1' }), 'Pardus 23'],
  [
    osRelease('ubuntu', 'Ubuntu 24.04 LTS', { VERSION_ID: '24.04', VERSION_CODENAME: 'noble' }),
    'Ubuntu 24.04',
  ],
])('reads %j as the catalogued %s', (text, name) => {
  expect(cataloguedRelease(readInventory(text).machine)?.names[0]).toBe(name);
});

it('asks for the release where the text names the distribution alone', () => {
  const advice = inventoryAdvice(readInventory('ID=ubuntu\nlibssl3\t3.0.2-0ubuntu1.10'));
  expect(advice.find(({ kind }) => kind === 'noRelease')?.text).toBe(
    'The text names Ubuntu, but not its release.',
  );
});

describeWithFieldCases('field case 39', () => {
  it('is CentOS Stream 8 with its own end', () => {
    const { machine } = readInventory(fieldCase('39-stream8-os-release.txt'));
    expect(machine).toMatchObject({ distribution: 'centos-stream', release: '8' });
    expect(endOfLife(machine)).toBe(Date.UTC(2024, 4, 31));
    expect(cataloguedRelease(machine)).toBeNull();
    expect(uncataloguedAdvice(machine)[0]?.text).toMatch(
      /^CentOS Stream 8 .* CentOS Linux are not/,
    );
  });
});
