/** All release files of a machine together, as `cat /etc/*release` prints them, name one machine. */
import { expect, it } from 'vitest';
import { cataloguedRelease } from '../judgement/catalogued-release.ts';
import { endOfLife } from '../judgement/end-of-life.ts';
import { readInventory } from './read-inventory.ts';

const osRelease = (id: string, name: string, version: string) =>
  `NAME="${name}"\nVERSION="${version}"\nID="${id}"\nVERSION_ID="${version}"\nPRETTY_NAME="${name} ${version}"`;

const machines: readonly (readonly [string, readonly string[], string])[] = [
  ['Amazon Linux 2', ['Amazon Linux release 2 (Karoo)'], 'amzn 2'],
  [
    'Amazon Linux 2023',
    [
      'Amazon Linux release 2023.5.20240805 (Amazon Linux)',
      `${osRelease('amzn', 'Amazon Linux', '2023')}\nVENDOR_NAME="AWS"\nSUPPORT_END="2029-06-30"`,
      'Amazon Linux release 2023.5.20240805 (Amazon Linux)',
      'cpe:2.3:o:amazon:amazon_linux:2023',
    ],
    'amzn 2023.5.20240805',
  ],
  ['Amazon Linux of before', ['Amazon Linux AMI release 2018.03'], 'amzn 2018.03'],
  [
    'CentOS 7',
    [
      'CentOS Linux release 7.7.1908 (Core)',
      'Derived from Red Hat Enterprise Linux 7.7 (Source)',
      `${osRelease('centos', 'CentOS Linux', '7')}\nCENTOS_MANTISBT_PROJECT="CentOS-7"`,
      'CentOS Linux release 7.7.1908 (Core)',
      'cpe:/o:centos:centos:7',
    ],
    'centos 7.7.1908',
  ],
  [
    'CentOS 6',
    [
      'CentOS release 6.10 (Final)',
      'LSB_VERSION=base-4.0-amd64:base-4.0-noarch:core-4.0-amd64:core-4.0-noarch',
      'CentOS release 6.10 (Final)',
    ],
    'centos 6.10',
  ],
  [
    'Oracle Linux 8',
    [
      'Oracle Linux Server release 8.10',
      osRelease('ol', 'Oracle Linux Server', '8.10'),
      'Red Hat Enterprise Linux release 8.10 (Ootpa)',
      'Oracle Linux Server release 8.10',
    ],
    'ol 8.10',
  ],
  [
    'Oracle Linux 7 with the file of Red Hat first',
    [
      'Red Hat Enterprise Linux Server release 7.9 (Maipo)',
      osRelease('ol', 'Oracle Linux Server', '7.9'),
    ],
    'ol 7.9',
  ],
  [
    'Oracle Linux 5',
    [
      'Enterprise Linux Enterprise Linux Server release 5.8 (Carthage)',
      'Oracle Linux Server release 5.8',
      'Red Hat Enterprise Linux Server release 5.8 (Tikanga)',
    ],
    'ol 5.8',
  ],
  [
    'Rocky Linux 8',
    [
      osRelease('rocky', 'Rocky Linux', '8.4'),
      'Rocky Linux release 8.4 (Green Obsidian)',
      'Derived from Red Hat Enterprise Linux 8.4',
      'cpe:/o:rocky:rocky:8.4:GA',
    ],
    'rocky 8.4',
  ],
  [
    'AlmaLinux 9',
    [
      'AlmaLinux release 9.4 (Seafoam Ocelot)',
      osRelease('almalinux', 'AlmaLinux', '9.4'),
      'cpe:/o:almalinux:almalinux:9::baseos',
    ],
    'almalinux 9.4',
  ],
  [
    'a preview of AlmaLinux',
    ['AlmaLinux release 10.0 Beta (Purple Lion)', osRelease('almalinux', 'AlmaLinux', '10.0')],
    'almalinux 10.0 Beta',
  ],
  [
    'Red Hat Enterprise Linux',
    [
      osRelease('rhel', 'Red Hat Enterprise Linux', '8.10'),
      'Red Hat Enterprise Linux release 8.10 (Ootpa)',
    ],
    'rhel 8.10',
  ],
  [
    'Red Hat Enterprise Linux of a desktop',
    ['Red Hat Enterprise Linux Workstation release 7.9 (Maipo)'],
    'rhel 7.9',
  ],
  [
    'openSUSE Leap 42.2',
    [
      osRelease('opensuse', 'openSUSE Leap', '42.2'),
      'openSUSE 42.2 (x86_64)',
      'VERSION = 42.2',
      'CODENAME = Malachite',
      '# /etc/SuSE-release is deprecated and will be removed in the future, use /etc/os-release instead',
    ],
    'opensuse-leap 42.2',
  ],
  [
    'SUSE Linux Enterprise Server 12',
    [
      osRelease('sles', 'SLES', '12.3'),
      'SUSE Linux Enterprise Server 12 (x86_64)',
      'VERSION = 12',
      'PATCHLEVEL = 3',
      '# This file is deprecated and will be removed in a future service pack or release.',
      '# Please check /etc/os-release for details about this release.',
    ],
    'sles 12.3',
  ],
  [
    'Ubuntu 22.04',
    [
      'bookworm/sid',
      'DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=22.04\nDISTRIB_CODENAME=jammy\nDISTRIB_DESCRIPTION="Ubuntu 22.04.4 LTS"',
      `${osRelease('ubuntu', 'Ubuntu', '22.04')}\nUBUNTU_CODENAME=jammy`,
    ],
    'ubuntu 22.04',
  ],
  [
    'Debian 12',
    [`${osRelease('debian', 'Debian GNU/Linux', '12')}\nVERSION_CODENAME=bookworm`, '12.5'],
    'debian 12.5',
  ],
  [
    'Debian 12 with its version first',
    ['12.5', osRelease('debian', 'Debian GNU/Linux', '12')],
    'debian 12',
  ],
  [
    'Pardus 23',
    [
      '==> /etc/debian_version <==',
      '12.4',
      '==> /etc/lsb-release <==',
      'DISTRIB_ID=Pardus\nDISTRIB_RELEASE=23.4\nDISTRIB_CODENAME=yirmiuc\nDISTRIB_DESCRIPTION="Pardus 23.4"',
      `${osRelease('pardus', 'Pardus GNU/Linux', '23.4')}\nPARDUS_CODENAME=yirmiuc`,
      'Pardus 23.4 (yirmiuc)',
    ],
    'pardus 23.4',
  ],
  ['Alpine', ['3.19.1', osRelease('alpine', 'Alpine Linux', '3.19.1')], 'alpine 3.19.1'],
];

it.each(machines)('reads the release files of %s', (_, files, expected) => {
  const { machine, unreadable, troubles } = readInventory(`${files.join('\n')}\n`);
  expect(unreadable).toEqual([]);
  expect(troubles).toEqual([]);
  expect(`${machine.distribution} ${machine.release}`).toBe(expected);
});

it.each([
  ['ID="rhel"\nVERSION_ID="8.10"', 'ID="ol"\nVERSION_ID="8.10"'],
  ['ID="ol"\nVERSION_ID="8.10"', 'ID="rhel"\nVERSION_ID="8.10"'],
  ['Oracle Linux Server release 8.10', 'Red Hat Enterprise Linux release 8.9 (Ootpa)'],
  ['Red Hat Enterprise Linux release 9.4 (Plow)', 'Rocky Linux release 9.4 (Blue Onyx)'],
  ['ID="ol"\nVERSION_ID="8.1"', 'ID="ol"\nVERSION_ID="8.10"'],
  ['ID=debian\nVERSION_ID="12"', '11.9'],
])('reports the two machines of %j and %j', (one, other) => {
  expect(readInventory(`${one}\n${other}\n`).troubles).toContain('severalMachines');
});

it.each([
  ['6.0.10', 'Debian 6.0', Date.UTC(2016, 1, 29)],
  ['5.0.10', 'Debian 5.0', Date.UTC(2012, 1, 6)],
  ['3.1', 'Debian 3.1', null],
  ['7.11', 'Debian 7', Date.UTC(2018, 4, 31)],
  ['12.5', 'Debian 12', Date.UTC(2028, 5, 30)],
])('judges Debian %s as %s', (release, name, end) => {
  const { machine } = readInventory(`Distributor ID:\tDebian\nRelease:\t${release}\n`);
  expect(cataloguedRelease(machine)?.names).toEqual([name]);
  expect(endOfLife({ ...machine, platform: 'linux' })).toBe(end);
});

it.each([
  ['12.5', 'bash-5.1.8-6.el9.x86_64'],
  ['0.15', 'ID=debian'],
])('does not take the number %s above %s for a version', (number, below) => {
  const { unreadable } = readInventory(`KB5034441\n${number}\n${below}\n`);
  expect(unreadable).toMatchObject([{ text: number }]);
});
