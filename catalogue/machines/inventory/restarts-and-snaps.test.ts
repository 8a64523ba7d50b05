/** Restarts that a system says are due, and snaps: as the tools print them, and what follows. */
import { expect, test } from 'vitest';
import { inventoryParts } from '../../fleet/inventory-part.ts';
import { applicationVerdicts } from '../judgement/application-verdicts.ts';
import type { ApplicationRelease } from '../judgement/machine-fixes.ts';
import { rebootPending } from '../judgement/reboot-pending.ts';
import { readInventory } from './read-inventory.ts';

/** Reads the lines below a machine whose newest kernel runs. */
const read = (...lines: readonly string[]) =>
  readInventory(
    [
      'ID=almalinux',
      'VERSION_ID="9.4"',
      '5.14.0-427.13.1.el9_4.x86_64',
      'kernel-core 0:5.14.0-427.13.1.el9_4 x86_64 (none)',
      ...lines,
      '',
    ].join('\n'),
  );

test.each([
  [
    'needs-restarting -r of dnf',
    [
      'Core libraries or services have been updated since boot-up:',
      '  * glibc',
      '  * kernel-core',
      '',
      'Reboot is required to fully utilize these updates.',
      'More information: https://access.redhat.com/solutions/27943',
    ],
    true,
  ],
  [
    'needs-restarting -r of dnf without a restart',
    [
      'No core libraries or services have been updated since boot-up.',
      'Reboot should not be necessary.',
    ],
    false,
  ],
  [
    'needs-restarting -r of yum',
    [
      'Core libraries or services have been updated:',
      '  kernel -> 3.10.0-957.1.3.el7',
      '  systemd -> 219-62.el7',
      '',
      'Reboot is required to ensure that your system benefits from these updates.',
      '',
      'More information:',
      'https://access.redhat.com/solutions/27943',
    ],
    true,
  ],
  [
    'zypper needs-rebooting',
    [
      'No core libraries or services have been updated since the last system boot.',
      'Reboot is probably not necessary.',
    ],
    false,
  ],
  ['/run/reboot-required', ['*** System restart required ***'], true],
  [
    'two tools that disagree',
    ['*** System restart required ***', 'Reboot should not be necessary.'],
    true,
  ],
])('reads %s', (_, lines, due) => {
  const { machine, unreadableLines } = read(...lines);
  expect(unreadableLines).toBe(0);
  expect(machine.packages).toHaveLength(1);
  expect(machine.restartDue).toBe(due);
  expect(rebootPending(machine)).toBe(due);
});

test('finds a newer kernel although a tool finds no restart due', () => {
  const { machine } = read(
    'kernel-core 0:5.14.0-427.16.1.el9_4 x86_64 (none)',
    'Reboot should not be necessary.',
  );
  expect(rebootPending(machine)).toBe(true);
});

test('knows no restart of Windows unless the system says so', () => {
  const windows = (...lines: readonly string[]) =>
    readInventory(['Microsoft Windows [Version 10.0.20348.2340]', ...lines, ''].join('\n')).machine;
  expect(rebootPending(windows())).toBeNull();
  expect(rebootPending(windows('*** System restart required ***'))).toBe(true);
  expect(rebootPending(windows('Reboot should not be necessary.'))).toBe(false);
});

const snaps = [
  'Name               Version                     Rev    Tracking         Publisher   Notes',
  'bare               1.0                         5      latest/stable    canonical✓  base',
  'core22             20240111                    1122   latest/stable    canonical**  base',
  'firefox            1.0-2                       3600   latest/stable/…  mozilla✓    -',
  'own-tool           0+git.1b2c                  x1     -                -           devmode',
];

test('reads snap list, and packages behind it', () => {
  const { machine, unreadableLines, understood } = read(
    ...snaps,
    'bash 0:5.1.8-6.el9_1 x86_64 (none)',
  );
  expect(unreadableLines).toBe(0);
  expect(machine.packages.map(({ name }) => name)).toEqual(['kernel-core', 'bash']);
  expect(machine.applications.map(({ name, version }) => `${name} ${version}`)).toEqual([
    'bare 1.0',
    'core22 20240111',
    'firefox 1.0-2',
    'own-tool 0+git.1b2c',
  ]);
  expect(understood).toContainEqual({ format: 'snap list', lines: 5 });
});

test('reads snap list of versions with a developer and without a channel', () => {
  const { machine } = read(
    'Name  Version  Rev   Developer  Notes',
    'core  16-2.32  4486  canonical  core',
  );
  expect(machine.applications).toEqual([
    { name: 'core', identifier: null, version: '16-2.32', packaging: 'snap' },
  ]);
});

test('judges no snap by the installer of the same name', () => {
  const release: ApplicationRelease = {
    key: 'firefox',
    name: 'Firefox',
    identifier: 'Mozilla.Firefox',
    version: '121.0',
    productCodes: [],
  };
  const { machine } = read(...snaps);
  const [snap, installer] = applicationVerdicts(
    [
      ...machine.applications.filter(({ name }) => name === 'firefox'),
      { name: 'Firefox', identifier: null, version: '1.0' },
    ],
    [release],
  );
  expect(snap?.verdict).toEqual({ kind: 'notJudged', reason: 'otherRepository' });
  expect(installer?.verdict).toEqual({ kind: 'missing' });
});

test('stores a snap as a part of its own, which no record is looked up for', () => {
  const parts = inventoryParts(read(...snaps).machine).filter(
    ({ kind }) => kind === 'applications',
  );
  expect(parts.map(({ names }) => names)).toEqual([[], [], [], []]);
  expect(parts[2]?.machine.applications).toEqual([
    { name: 'firefox', identifier: null, version: '1.0-2', packaging: 'snap' },
  ]);
});
