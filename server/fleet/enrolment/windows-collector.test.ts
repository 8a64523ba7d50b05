/** Reports of Windows in the exact form that patch-report.ps1 sends, as the server reads them. */
import { readInventory } from '@patch/catalogue/machines/inventory/read-inventory.ts';
import { rebootPending } from '@patch/catalogue/machines/judgement/reboot-pending.ts';
import { expect, test } from 'vitest';

const facts = {
  hotfixes: ['HotFixID : KB5034129', 'HotFixID : KB5034614'],
  system: [
    'Host Name:     SRV1',
    'OS Name:       Microsoft Windows Server 2022 Standard',
    'OS Version:    10.0.20348 N/A Build 20348',
    'System Type:   x64-based PC',
  ],
  revision: ['Microsoft Windows [Version 10.0.20348.2322]'],
  restart: ['Reboot should not be necessary.'],
  // Names and identifiers of the registry with spaces, one in letters of two columns, and one application of winget.
  applications: [
    'Name                      Id                                      Version',
    '-'.repeat(86),
    '7-Zip 23.01 (x64)         7-Zip                                   23.01',
    'Mozilla Firefox (x64 de)  Mozilla Firefox 121.0 (x64 de)          121.0',
    'Mozilla.Firefox           Mozilla.Firefox                         121.0',
    '微信                      WeChat                                  3.9.10.27',
    'Visual C++ 2015-2022      {0D3E9E15-DE7A-300B-96F1-B4AF12B96488}  14.38.33130.0',
    '',
  ],
};

const read = (changed: Partial<typeof facts> = {}) =>
  readInventory(
    Object.values({ ...facts, ...changed })
      .flat()
      .join('\n'),
  );

test('reads updates, system, build and applications', () => {
  const { machine, unreadableLines, troubles } = read();
  expect({ unreadableLines, troubles }).toEqual({ unreadableLines: 0, troubles: [] });
  expect(machine).toMatchObject({
    platform: 'windows',
    distribution: 'Microsoft Windows Server 2022 Standard',
    architecture: 'x86_64',
    build: '10.0.20348.2322',
    kbs: ['5034129', '5034614'],
    restartDue: false,
  });
  expect(machine.applications).toEqual([
    { name: '7-Zip 23.01 (x64)', identifier: '7-Zip', version: '23.01' },
    {
      name: 'Mozilla Firefox (x64 de)',
      identifier: 'Mozilla Firefox 121.0 (x64 de)',
      version: '121.0',
    },
    { name: 'Mozilla.Firefox', identifier: 'Mozilla.Firefox', version: '121.0' },
    { name: '微信', identifier: 'WeChat', version: '3.9.10.27' },
    {
      name: 'Visual C++ 2015-2022',
      identifier: '{0D3E9E15-DE7A-300B-96F1-B4AF12B96488}',
      version: '14.38.33130.0',
    },
  ]);
});

test('reads a system without a revision, without updates and without applications', () => {
  const { machine, unreadableLines } = read({
    hotfixes: [],
    revision: [],
    applications: [''],
    system: [
      'Host Name:     KIOSK',
      'OS Name:       Microsoft Windows 10 Pro',
      'OS Version:    10.0.19045 N/A Build 19045',
      'System Type:   X86-based PC',
    ],
  });
  expect(unreadableLines).toBe(0);
  expect(machine).toMatchObject({ build: '10.0.19045', architecture: 'i686', kbs: [] });
  expect(machine.applications).toEqual([]);
});

test('keeps the updates of a system without a revision', () => {
  expect(read({ revision: [] }).machine.kbs).toEqual(['5034129', '5034614']);
});

test('knows that a restart is due', () => {
  const { machine } = read({ restart: ['*** System restart required ***'] });
  expect(rebootPending(machine)).toBe(true);
});

test('reads the name of the product in any language', () => {
  const system = facts.system.with(1, 'OS Name:       Microsoft Windows 11 专业版');
  expect(read({ system }).machine.distribution).toBe('Microsoft Windows 11 专业版');
});
