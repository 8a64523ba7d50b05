import { expect, test } from 'vitest';
import { releaseCommand } from './release-command.ts';

const notice = (release: string, names: readonly string[], isSource = false) => ({
  row: { affectedOs: [release] },
  detail: {
    releasePackages: names.map((name) => ({
      osVersion: release,
      name,
      version: '1.2-3',
      is_source: isSource,
    })),
  },
});

const erratum = (release: string, names: readonly string[], row = {}) => ({
  row: { osVersion: [release], ...row },
  detail: {
    packages: names.map((name) => ({ name, version: '1.2-3.el8', architecture: 'x86_64' })),
  },
});

const many = Array.from({ length: 13 }, (_, index) => `lib${index}`);

test.each([
  ['AlmaLinux 9', erratum('AlmaLinux 9', many), 'dnf upgrade --advisory=ID-1'],
  ['Oracle Linux 7', erratum('Oracle Linux 7', ['bash']), 'yum update --advisory=ID-1'],
  [
    'openSUSE Leap 15.5',
    erratum('openSUSE Leap 15.5', ['bash'], { patchName: 'openSUSE-SLE-15.5-2023-9' }),
    'zypper install --type patch openSUSE-SLE-15.5-2023-9',
  ],
  ['CentOS 7', erratum('CentOS 7', ['bash', 'bash-doc']), 'yum update bash bash-doc'],
  [
    'Ubuntu 22.04 LTS',
    notice('Ubuntu 22.04 LTS', ['bash', 'bash-static']),
    'apt-get install --only-upgrade bash bash-static',
  ],
])('writes the command of %s', (release, record, command) => {
  expect(releaseCommand(record, 'ID-1', release)).toBe(command);
});

test.each([
  ['of Windows', 'Windows 11', { row: { kbId: 'KB1' }, detail: {} }],
  ['of another release', 'Ubuntu 20.04', notice('Ubuntu 22.04', ['bash'])],
  ['of source packages alone', 'Ubuntu 22.04', notice('Ubuntu 22.04', ['bash'], true)],
  ['of a kernel', 'Ubuntu 22.04', notice('Ubuntu 22.04', ['linux-image-5.15.0-91-generic'])],
  ['of more packages than can be read', 'CentOS 7', erratum('CentOS 7', many)],
])('writes no command for a record %s', (_, release, record) => {
  expect(releaseCommand(record, 'ID-1', release)).toBeNull();
});
