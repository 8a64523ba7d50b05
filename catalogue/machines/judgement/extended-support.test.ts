/** Updates for Extended Security Updates only need the subscription, unless the machine shows that it has it. */
import { expect, it } from 'vitest';
import { readInventory } from '../inventory/read-inventory.ts';
import { buildUpdate, formatVerdict } from './testing/judged-machine.ts';
import { judgeWindows } from './windows-judgement.ts';
import { systemVerdict } from './windows-verdicts.ts';

const windows = (name: string, version: string, kbs: readonly string[] = ['KB4000001']) =>
  [
    ...(version.split('.').length === 4 ? [`Microsoft Windows [Version ${version}]`] : []),
    'Host Name:                 PC',
    `OS Name:                   Microsoft ${name}`,
    `OS Version:                ${version.split('.').slice(0, 3).join('.')} N/A Build ${version.split('.')[2]}`,
    'System Type:               x64-based PC',
    `Hotfix(s):                 ${kbs.length} Hotfix(s) Installed.`,
    ...kbs.map((kb, index) => `                           [0${index + 1}]: ${kb}`),
  ].join('\n');

const update = (kb: string, day: string, build: string, line = 'Cumulative update') =>
  buildUpdate(kb, { line, fixedBuilds: [build], releaseDate: Date.parse(`${day}T17:00Z`) });

const windows10 = [
  update('5066791', '2025-10-14', '10.0.19045.6456'),
  update('5068781', '2025-11-11', '10.0.19045.6575'),
  update('5094127', '2026-05-12', '10.0.19045.7417'),
];
const longTerm10 = windows10.map((one) => ({
  ...one,
  fixedBuilds: one.fixedBuilds.map((build) => build.replace('19045', '19044')),
}));
const server2012 = [
  update('5031419', '2023-10-10', '6.3.9600.21620', 'Monthly rollup'),
  update('5032249', '2023-11-14', '6.3.9600.21668', 'Monthly rollup'),
];
const windows7 = [
  update('4534310', '2020-01-14', '6.1.7601.24545', 'Monthly rollup'),
  update('4537820', '2020-02-11', '6.1.7601.24548', 'Monthly rollup'),
];
const server2019 = [update('5078752', '2029-03-10', '10.0.17763.9511')];

it.each([
  ['Windows 10 Pro', '10.0.19045.6456', windows10, ['', 'needsSubscription', 'needsSubscription']],
  [
    'Windows 10 Enterprise',
    '10.0.19045.1',
    windows10,
    ['missing', 'needsSubscription', 'needsSubscription'],
  ],
  // An installed update of the subscription shows it.
  ['Windows 10 Home', '10.0.19045.6575', windows10, ['', '', 'missing']],
  ['Windows 10 Home', '10.0.19045.6600', windows10, ['', '', 'missing']],
  // The long-term release has the same updates until 2027; version 21H2 has no subscription.
  ['Windows 10 Enterprise LTSC 2021', '10.0.19044.6456', longTerm10, ['', 'missing', 'missing']],
  ['Windows 10 IoT Enterprise LTSC', '10.0.19044.6456', longTerm10, ['', 'missing', 'missing']],
  ['Windows Server 2012 R2 Standard', '6.3.9600.21620', server2012, ['', 'needsSubscription']],
  ['Windows Server 2012 R2 Standard', '6.3.9600.21668', server2012, ['', '']],
  ['Windows 7 Professional', '6.1.7601.24545', windows7, ['', 'needsSubscription']],
  ['Windows Server 2008 R2 Standard', '6.1.7601.20000', windows7, ['missing', 'needsSubscription']],
  // Windows 8.1 had none, and Server 2019 has not been announced.
  ['Windows 8.1 Pro', '6.3.9600.21620', server2012, ['', 'missing']],
  ['Windows Server 2019 Standard', '10.0.17763.8511', server2019, ['missing']],
] as const)('judges the updates of %s %s', (name, version, updates, expected) => {
  const { machine } = readInventory(windows(name, version));
  const verdicts = judgeWindows(machine, updates);
  expect([...verdicts.values()].map(formatVerdict)).toEqual(
    expected.map((kind, index) =>
      kind === ''
        ? 'notMissing'
        : `${kind}: KB${updates[index]?.kb} ${version} → ${updates[index]?.fixedBuilds[0]}`,
    ),
  );
  const system = systemVerdict({ product: name, updates, records: verdicts });
  expect(system.kind).toBe(expected.some((kind) => kind !== '') ? 'missing' : 'fixed');
});

it.each([
  [['KB5031419'], 'needsSubscription'],
  [['KB5032249'], 'notMissing'],
])('knows the subscription by the installed KBs %j when no revision is stated', (kbs, expected) => {
  const { machine } = readInventory(windows('Windows Server 2012 R2 Standard', '6.3.9600', kbs));
  const verdicts = judgeWindows(machine, server2012);
  expect(verdicts.get('5032249')?.kind).toBe(expected);
});
