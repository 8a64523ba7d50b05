/** Rules for Windows, one case for each. */
import { expect, test } from 'vitest';
import type { RecordVerdict, WindowsUpdate } from './machine-fixes.ts';
import { buildUpdate } from './testing/judged-machine.ts';
import { judgeWindows } from './windows-judgement.ts';
import { productKey, productOfMachine } from './windows-products.ts';

const update = (kb: string, revision: number | null, more: Partial<WindowsUpdate> = {}) =>
  buildUpdate(kb, {
    fixedBuilds: revision === null ? [] : [`10.0.17763.${revision}`],
    ...more,
  });

function kinds(
  build: string | null,
  kbs: readonly string[],
  updates: readonly WindowsUpdate[],
): Record<string, string> {
  const getKind = (verdict: RecordVerdict) =>
    verdict.kind === 'uncertain' || verdict.kind === 'notJudged'
      ? `${verdict.kind} ${verdict.reason}`
      : verdict.kind;
  const verdicts = judgeWindows({ build, kbs }, updates);
  return Object.fromEntries([...verdicts].map(([key, verdict]) => [key, getKind(verdict)]));
}

const months = [update('5000001', 100), update('5000002', 200), update('5000003', 300)];

test.each(['Cumulative update', 'Security update', 'Standalone update'])(
  'misses no %s whose build is exactly that of the machine',
  (line) => {
    const updates = [update('5000001', 200, { line }), update('5000002', 201, { line })];
    expect(kinds('10.0.17763.200', [], updates)).toEqual({
      '5000001': 'notMissing',
      '5000002': 'missing',
    });
  },
);

test('reads the revision from installed updates when systeminfo states none', () => {
  expect(kinds('10.0.17763', ['5000002'], months)).toMatchObject({
    '5000001': 'notMissing',
    '5000003': 'missing',
  });
  const [verdict] = judgeWindows({ build: '10.0.17763', kbs: ['5000002'] }, [
    months[2] as WindowsUpdate,
    months[1] as WindowsUpdate,
  ]).values();
  expect(verdict).toMatchObject({
    evidence: [{ installed: '10.0.17763.200', fixed: '10.0.17763.300' }],
  });
});

test('is uncertain when a newer unknown KB could include the update', () => {
  expect(kinds('10.0.17763', ['5000009'], months)['5000003']).toBe('uncertain unknownInstalledKb');
  expect(kinds('10.0.17763', ['4000009'], months)['5000003']).toBe('missing');
});

test('compares the revisions of releases that share their updates', () => {
  const shared = update('5000005', null, { fixedBuilds: ['10.0.19044.6332'] });
  expect(kinds('10.0.19045.6456', [], [shared])['5000005']).toBe('notMissing');
  expect(kinds('10.0.19045.6000', [], [shared])['5000005']).toBe('missing');
  const several = update('5000006', null, {
    fixedBuilds: ['10.0.22621.10', '10.0.22631.30', '10.0.17763.900'],
  });
  expect(kinds('10.0.22631.20', [], [several])['5000006']).toBe('missing');
});

test('follows replacements through updates that are not installed', () => {
  const chain = [
    update('4000001', null, { line: 'Security update', supersededBy: ['4000002'] }),
    update('4000002', null, { line: 'Security update', supersededBy: ['4000003'] }),
    update('4000003', null, { line: 'Security update', supersededBy: ['4000001'] }),
    update('4000004', null, { line: 'Security update' }),
  ];
  expect(kinds('6.3.9600', ['4000003'], chain)).toEqual({
    '4000001': 'notMissing',
    '4000002': 'notMissing',
    '4000003': 'notMissing',
    '4000004': 'uncertain updateWithoutBuild',
  });
});

test('accepts a rollup instead of the security-only and Internet Explorer updates of its month', () => {
  const updates = [
    update('1000001', null, {
      line: 'Monthly rollup',
      fixedBuilds: ['6.3.9600.100'],
      releaseDate: 2,
    }),
    update('1000002', null, {
      line: 'Security only',
      fixedBuilds: ['6.3.9600.101'],
      releaseDate: 2,
    }),
    update('1000003', null, { line: 'Internet Explorer', releaseDate: 1 }),
    update('1000004', null, {
      line: 'Security only',
      fixedBuilds: ['6.3.9600.200'],
      releaseDate: 3,
    }),
  ];
  expect(kinds('6.3.9600', ['1000001'], updates)).toEqual({
    '1000001': 'notMissing',
    '1000002': 'notMissing',
    '1000003': 'notMissing',
    '1000004': 'missing',
  });
});

test('judges no updates of components or of an enrolment', () => {
  const updates = [
    update('1', null, { line: '.NET' }),
    update('2', null, { line: 'Internet Explorer' }),
    update('3', 900, { line: 'Hotpatch' }),
    update('4', 900, { line: 'Preview' }),
    update('5', null, { line: 'Other product' }),
  ];
  expect(kinds('10.0.17763.1', [], updates)).toEqual({
    '1': 'notJudged componentNotShown',
    '2': 'notJudged componentNotShown',
    '3': 'notJudged hotpatch',
    '4': 'notMissing',
    '5': 'notJudged componentNotShown',
  });
});

test('distinguishes products of one build by the name that Windows prints', () => {
  const machine = { build: '10.0.26100.7623', architecture: 'x86_64' };
  const key = (distribution: string | null) => productOfMachine({ ...machine, distribution });
  expect(key('Microsoft Windows 11 Pro')).toBe(
    productKey('Windows 11 Version 24H2 for x64-based Systems'),
  );
  expect(key('Microsoft Windows Server 2025 Standard')).toBe(productKey('Windows Server 2025'));
});

test('separates Server Core from a full installation', () => {
  const core = (name: string) => productKey(`${name} (Server Core installation)`);
  expect(core('Windows Server 2025')).not.toBe(productKey('Windows Server 2025'));
  expect(core('Windows Server 2022, 23H2 Edition')).toBe(
    productOfMachine({
      build: '10.0.25398.1',
      distribution: 'Microsoft Windows Server Datacenter',
      architecture: 'x86_64',
    }),
  );
});

test.each([
  [
    '10.0.17134',
    'Microsoft Windows 10 Pro',
    'x86_64',
    'Windows 10 Version 1803 for x64-based Systems',
  ],
  ['10.0.10240', 'Microsoft Windows 10 Pro', 'i686', 'Windows 10 for 32-bit Systems'],
  [
    '10.0.22621.1',
    'Microsoft Windows 11 Home',
    'aarch64',
    'Windows 11 Version 22H2 for ARM64-based Systems',
  ],
  [
    '6.1.7601',
    'Microsoft Windows 7 Entreprise N',
    'x86_64',
    'Windows 7 for x64-based Systems Service Pack 1',
  ],
  [
    '6.1.7601',
    'Microsoft Windows Server 2008 R2 Standard',
    'x86_64',
    'Windows Server 2008 R2 for x64-based Systems Service Pack 1',
  ],
  [
    '6.3.9600',
    'Майкрософт Ознакомительная версия Windows Server 2012 R2 Standard',
    'x86_64',
    'Windows Server 2012 R2',
  ],
  ['10.0.20348', 'Microsoft Windows Server 2022 Standard', 'x86_64', 'Windows Server 2022'],
])('maps build %s of %s on %s to %s', (build, distribution, architecture, product) => {
  expect(productOfMachine({ build, distribution, architecture })).toBe(productKey(product));
  expect(productKey(product)).not.toBeNull();
});

test('returns no product for another build', () => {
  const machine = { distribution: 'Microsoft Windows 12', architecture: 'x86_64' };
  for (const build of ['10.0.99999', 'constructor', '10.0.constructor', null])
    expect(productOfMachine({ ...machine, build })).toBeNull();
  expect(productKey('Microsoft Office 2019 for 32-bit editions')).toBeNull();
});

test('judges servicing stacks and separate updates by the installed updates, whatever the build', () => {
  const updates = [
    update('5000001', 9000),
    update('5000002', 100, { line: 'Servicing stack' }),
    update('5012170', 3284, { line: 'Separate update' }),
    update('4535680', null, { line: 'Separate update', supersededBy: ['5012170'] }),
  ];
  const [build, listed] = ['10.0.17763.9000', ['5000001', '5000002']];
  expect(kinds(build, listed, updates)).toEqual({
    '5000001': 'notMissing',
    '5000002': 'notMissing',
    '5012170': 'uncertain partNotShown',
    '4535680': 'uncertain partNotShown',
  });
  expect(kinds(build, ['5000001', '5012170'], updates)).toEqual({
    '5000001': 'notMissing',
    '5000002': 'missing',
    '5012170': 'notMissing',
    '4535680': 'notMissing',
  });
  // A build of the package is unrelated to the system's build.
  expect(kinds('10.0.17763', ['5012170'], [update('5000003', 3000), ...updates])).toMatchObject({
    '5000003': 'missing',
  });
});
