/** Tests the plan of records to install, and the commands that a root shell will run. */

import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FixEvidence } from '../judgement/machine-fixes.ts';
import { buildUpdate } from '../judgement/testing/judged-machine.ts';
import {
  macCommand,
  packageCommand,
  posixWord,
  powershellWord,
  wingetCommand,
} from './install-command.ts';
import { planPackages } from './install-plan.ts';
import { findClosers } from './record-closers.ts';
import { planWindows } from './windows-plan.ts';

const fixes = (...of: (readonly [name: string, fixed: string])[]): FixEvidence[] =>
  of.map(([name, fixed]) => ({
    name,
    architecture: 'x86_64',
    installed: '0-1',
    fixed,
    install: { name, version: fixed },
  }));

test('installs only records that bring the newest version of a package', () => {
  const plan = planPackages(
    [
      { key: 'old', evidence: fixes(['bash', '1-9']) },
      { key: 'new', evidence: fixes(['bash', '1-10'], ['bash-doc', '1-10']) },
      { key: 'part', evidence: fixes(['bash-doc', '1-10']) },
      { key: 'other', evidence: fixes(['zlib', '1-1']) },
    ],
    'rpm',
  );
  expect(plan.map(({ key }) => key)).toEqual(['new', 'other']);
  expect(plan[0]?.packages).toEqual([
    { name: 'bash', version: '1-10' },
    { name: 'bash-doc', version: '1-10' },
  ]);
});

test('distinguishes the architectures of a package', () => {
  const of = (key: string, architecture: string, fixed: string) => ({
    key,
    evidence: fixes(['glibc', fixed]).map((one) => ({ ...one, architecture })),
  });
  const missing = [of('32 bit', 'i686', '1-9'), of('64 bit', 'x86_64', '1-10')];
  const plan = planPackages(missing, 'rpm');
  expect(plan.map(({ key }) => key).toSorted()).toEqual(['32 bit', '64 bit']);
  expect([...findClosers(missing, plan)]).toEqual([
    ['32 bit', ['32 bit']],
    ['64 bit', ['64 bit']],
  ]);
});

test('covers every missing package, and selects no redundant record', () => {
  const record = fc.array(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('1-1', '1-2', '1-10')),
    { minLength: 1, maxLength: 4 },
  );
  const holds = fc.property(fc.array(record, { maxLength: 8 }), (records) => {
    const missing = records.map((of, index) => ({ key: String(index), evidence: fixes(...of) }));
    const plan = planPackages(missing, 'rpm');
    const rank = ['1-1', '1-2', '1-10'];
    const highest = new Map<string, string>();
    for (const { name, fixed } of missing.flatMap(({ evidence }) => evidence))
      if (rank.indexOf(fixed) > rank.indexOf(highest.get(name) ?? '')) highest.set(name, fixed);
    const closedBy = (keys: readonly string[]) =>
      [...highest].every(([name, fixed]) =>
        missing.some(
          ({ key, evidence }) =>
            keys.includes(key) && evidence.some((one) => one.name === name && one.fixed === fixed),
        ),
      );
    const keys = plan.map(({ key }) => key);
    expect(planPackages(missing.toReversed(), 'rpm').map(({ key }) => key)).toEqual(keys);
    expect(closedBy(keys)).toBe(true);
    for (const key of keys) expect(closedBy(keys.filter((other) => other !== key))).toBe(false);
  });
  fc.assert(holds, { numRuns: 2000 });
});

test('installs the cumulative update of the highest build, and the rollup instead of its alternatives', () => {
  const plan = planWindows([
    buildUpdate('1', { fixedBuilds: ['10.0.17763.9'] }),
    buildUpdate('2', { fixedBuilds: ['10.0.17763.10'] }),
    buildUpdate('2', { key: 'same on Server Core', fixedBuilds: ['10.0.17763.10'] }),
    buildUpdate('3', { line: 'Servicing stack', supersededBy: ['4'] }),
    buildUpdate('4', { line: 'Servicing stack' }),
    buildUpdate('5', { line: 'Monthly rollup' }),
    buildUpdate('6', { line: 'Security only' }),
    buildUpdate('7', { fixedBuilds: ['10.0.20348.5'] }),
    buildUpdate('8', { line: 'Security only', fixedBuilds: ['10.0.20348.4'] }),
  ]);
  expect(plan.map(({ kb }) => kb)).toEqual(['2', '4', '5', '7']);
});

const packages = [
  { name: 'bash', version: '5.1-2+deb11u1' },
  { name: 'libc6', version: '1:2.31-13~bpo1' },
  { name: 'linux-image-amd64', version: null },
];

test.each([
  ['almalinux', '8.9', 'dnf upgrade --advisory=ALSA-2024:1691'],
  ['ol', '7.9', 'yum update --advisory=ALSA-2024:1691'],
  ['opensuse-leap', '15.5', 'zypper install --type patch ALSA-2024:1691'],
  ['centos', '7', `yum update bash-5.1-2+deb11u1 'libc6-1:2.31-13~bpo1' linux-image-amd64`],
  ['debian', '11', `apt-get install bash=5.1-2+deb11u1 'libc6=1:2.31-13~bpo1' linux-image-amd64`],
  ['gentoo', '2', undefined],
])('writes the command for %s %s', (distribution, release, text) => {
  const command = packageCommand([{ identifier: 'ALSA-2024:1691', packages }], {
    distribution,
    release,
  });
  expect(command?.text).toBe(text);
});

test('writes one command for several records, with each package once', () => {
  const debian = { distribution: 'debian', release: '11' };
  const [first] = packages;
  const other = { identifier: 'DSA-2', packages: first === undefined ? [] : [first] };
  expect(packageCommand([other, { identifier: 'DSA-1', packages }], debian)?.text).toBe(
    packageCommand([{ identifier: 'DSA-1', packages }], debian)?.text,
  );
});

const hostile = [
  'a; rm -rf /',
  '$(reboot)',
  '`reboot`',
  "a' b",
  'a"b',
  '-y',
  '--allow-unauthenticated',
  'a\nb',
  'a b',
  'a|b',
  'a&b',
  'a>b',
  '*',
  '../../x.deb',
  './x.deb',
  'a/b',
  '~root',
  '!!',
  'ａ',
  'a\u0000b',
  '',
  'a'.repeat(300),
];

test.each(hostile)('writes no command with %j', (name) => {
  const debian = { distribution: 'debian', release: '11' };
  const rocky = { distribution: 'rocky', release: '8' };
  expect(packageCommand([{ identifier: name, packages: [] }], rocky)).toBeNull();
  expect(
    packageCommand([{ identifier: 'x', packages: [{ name, version: null }] }], debian),
  ).toBeNull();
  expect(
    packageCommand(
      [
        { identifier: 'x', packages },
        { identifier: 'y', packages: [{ name, version: '1' }] },
      ],
      debian,
    ),
  ).toBeNull();
  expect(wingetCommand(name, '1')).toBeNull();
  expect(wingetCommand('Git.Git', name)).toBeNull();
  expect(macCommand(name)).toBeNull();
});

test('writes words that a shell passes on unchanged', () => {
  const words = fc.sample(
    fc.string({
      unit: fc.constantFrom(...'aB1.+~^:=-_$`\'" ;*?[]{}\\\n!#%&|<>()'.split('')),
      maxLength: 8,
    }),
    { numRuns: 20_000, seed: 14 },
  );
  const accepted = words.filter((word) => posixWord(word) !== null);
  expect(accepted.length).toBeGreaterThan(100);
  const script = accepted.map((word) => `printf '%s\\n' ${posixWord(word)}`).join('\n');
  const printed = execFileSync('sh', [], { input: script, maxBuffer: 1e8 }).toString();
  expect(printed.split('\n').slice(0, -1)).toEqual(accepted);
});

test('quotes words for PowerShell', () => {
  expect(wingetCommand('Git.Git', '2.43.0')).toEqual({
    shell: 'powershell',
    text: "winget upgrade --id 'Git.Git' --exact --version '2.43.0'",
  });
  expect(powershellWord('$env:x')).toBeNull();
  expect(macCommand('15.7.6')?.text).toBe(
    'softwareupdate --fetch-full-installer --full-installer-version 15.7.6',
  );
});
