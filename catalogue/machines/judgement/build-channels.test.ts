/** Builds of one name in several channels: which of them are compared, and what is said where none is. */
import { expect, it } from 'vitest';
import { readInventory } from '../inventory/read-inventory.ts';
import { buildRecord, type Fix, formatVerdict, judgeItems } from './testing/judged-machine.ts';
import type { Verdict } from './verdict.ts';

const oracle = (release: string, ...packages: string[]) =>
  ['ID=ol', `VERSION_ID=${release}`, ...packages.map((one) => `${one} x86_64 (none)`)].join('\n');

const jammy = (version: string) =>
  ['ID=ubuntu', 'VERSION_ID=22.04', `libssl3 ${version} amd64 ii openssl ${version}`].join('\n');

const toFix = (written: string): Fix => {
  const [name = '', version = '', pocket = null] = written.split(' ');
  return { name, version, pocket };
};

/** Judges the last package of an inventory: its verdict, and those of the records. */
function judge(inventory: string, fixes: readonly string[]) {
  const records = fixes.map((fix) => buildRecord([toFix(fix)], { key: fix }));
  const { items, verdicts } = judgeItems(readInventory(inventory).machine, records);
  return {
    item: items.slice(-1).map(({ verdict }) => formatItem(verdict))[0],
    open: [...verdicts].flatMap(([key, found]) =>
      formatVerdict(found) === 'notMissing' ? [] : [key],
    ),
  };
}

const plain9 = 'bpftool 0:7.4.0-503.15.1.el9_5';
const uek9 = 'bpftool 0:5.15.0-5.76.5.1.el9uek';

it.each([
  // A plain build, and fixes of UEK alone, both higher and lower.
  [oracle('9.5', plain9), ['bpftool 8.0.0-1.el9uek'], 'notJudged channelUnknown', []],
  [oracle('9.5', plain9), ['bpftool 5.15.0-6.80.3.1.el9uek'], 'notJudged channelUnknown', []],
  // A build of UEK, and plain fixes alone.
  [oracle('9.5', uek9), ['bpftool 7.4.0-503.16.1.el9_5'], 'notJudged channelUnknown', []],
  [oracle('9.5', uek9), ['bpftool 5.14.0-70.el9_0'], 'notJudged channelUnknown', []],
  // Fixes of both channels.
  [
    oracle('9.5', uek9),
    ['bpftool 7.4.0-503.16.1.el9_5', 'bpftool 5.15.0-6.80.3.1.el9uek'],
    'missing',
    ['bpftool 5.15.0-6.80.3.1.el9uek'],
  ],
  [
    oracle('9.5', plain9),
    ['bpftool 7.4.0-503.16.1.el9_5', 'bpftool 8.0.0-6.80.3.1.el9uek'],
    'missing',
    ['bpftool 7.4.0-503.16.1.el9_5'],
  ],
  // Lines of UEK: R7 is not R8.
  [oracle('9.5', uek9), ['bpftool 6.12.0-1.23.3.el9uek'], 'notJudged channelUnknown', []],
  [
    oracle('10.0', 'kernel-tools 0:6.12.0-55.el10_0'),
    ['kernel-tools 6.12.0-100.el10uek'],
    'notJudged channelUnknown',
    [],
  ],
  [
    oracle('10.0', 'python3-perf 0:6.12.0-100.1.el10uek'),
    ['python3-perf 6.12.0-100.28.el10uek'],
    'missing',
    ['python3-perf 6.12.0-100.28.el10uek'],
  ],
  [
    oracle('7.9', 'python-perf 0:3.10.0-1160.el7'),
    ['python-perf 4.14.35-1902.6.6.el7uek'],
    'notJudged channelUnknown',
    [],
  ],
  [
    oracle('7.9', 'perf 0:4.14.35-1902.6.6.el7uek'),
    ['perf 3.10.0-1160.119.1.el7'],
    'notJudged channelUnknown',
    [],
  ],
  // Early containers of UEK omit the mark.
  [
    oracle('8.10', 'kernel-uek-container 0:5.4.17-2136.335.4.el8'),
    ['kernel-uek-container 5.4.17-2136.338.4.1.el8uek'],
    'missing',
    ['kernel-uek-container 5.4.17-2136.338.4.1.el8uek'],
  ],
  [
    oracle('9.5', 'kernel-uek 0:6.12.0-1.23.3.el9uek'),
    ['kernel-uek 5.15.0-6.80.3.1.el9uek'],
    'notJudged channelUnknown',
    [],
  ],
  // Ksplice and FIPS.
  [
    oracle('8.10', 'glibc 0:2.28-251.0.3.el8_10.16'),
    ['glibc 2:2.28-251.0.3.ksplice1.el8_10.25'],
    'notJudged channelUnknown',
    [],
  ],
  [
    oracle('8.10', 'openssl-libs 2:1.1.1k-12.ksplice1.el8_9'),
    ['openssl-libs 1:1.1.1k-14.el8_6', 'openssl-libs 10:1.1.1k-14.el8_fips'],
    'notJudged channelUnknown',
    [],
  ],
  [
    oracle('7.9', 'openssh 10:7.4p1-23.0.1.el7_9_fips'),
    ['openssh 10:7.4p1-23.0.3.el7_9_fips', 'openssh 7.4p1-99.el7_9'],
    'missing',
    ['openssh 10:7.4p1-23.0.3.el7_9_fips'],
  ],
  // Oracle's rebuilds belong to the same channel.
  [
    oracle('9.5', 'openssl-libs 1:3.0.1-41.0.1.el9_0'),
    ['openssl-libs 1:3.0.1-43.el9_0'],
    'missing',
    ['openssl-libs 1:3.0.1-43.el9_0'],
  ],
  // Certified builds of Ubuntu Pro.
  [
    jammy('3.0.2-0ubuntu1.10+Fips1'),
    ['libssl3 3.0.2-0ubuntu1.12 security'],
    'notJudged channelUnknown',
    [],
  ],
  [
    jammy('3.0.2-0ubuntu1.10+Fips1'),
    ['libssl3 3.0.2-0ubuntu1.12 security', 'libssl3 3.0.2-0ubuntu1.12+Fips1 fips-updates'],
    'missing',
    ['libssl3 3.0.2-0ubuntu1.12+Fips1 fips-updates'],
  ],
] as const)('compares %j with %j as %s', (inventory, fixes, item, open) => {
  expect(judge(inventory, fixes)).toEqual({ item, open });
});

it.each([
  // Channels, each on another architecture.
  ['openssl-libs 2:1.1.1k-1.ksplice1.el8_9 i686 (none)', 'notJudged architectureUnknown'],
  ['openssl-libs 2:1.1.1k-1.ksplice1.el8_9 x86_64 (none)', 'fixed'],
  ['openssl-libs 1:1.1.1k-1.el8_9 i686 (none)', 'fixed'],
  ['openssl-libs 1:1.1.1k-1.el8_9 x86_64 (none)', 'notJudged architectureUnknown'],
  // Module streams, each on another architecture.
  ['modz 0:1-1.module_el8 x86_64 modz:2:1:a', 'fixed'],
  ['modz 0:1-1.module_el8 aarch64 modz:1:1:a', 'fixed'],
  ['modz 0:1-1.el8 i686 (none)', 'fixed'],
  ['modz 0:1-1.module_el8 x86_64 modz:1:1:a', 'notJudged architectureUnknown'],
  ['modz 0:1-1.module_el8 i686 modz:2:1:a', 'notJudged architectureUnknown'],
  ['modz 0:1-1.el8 x86_64 (none)', 'notJudged architectureUnknown'],
  ['modz 0:1-1.module_el8 x86_64 modz:3:1:a', 'notJudged moduleUnknown'],
])('compares with records of the same architecture alone (%s: %s)', (line, item) => {
  const record = buildRecord([
    { name: 'openssl-libs', version: '2:1.1.1k-1.ksplice1.el8_9', architecture: 'x86_64' },
    { name: 'openssl-libs', version: '1:1.1.1k-1.el8_9', architecture: 'i686' },
    { name: 'modz', version: '1-1.module_el8', architecture: 'x86_64', module: 'modz:2' },
    { name: 'modz', version: '1-1.module_el8', architecture: 'aarch64', module: 'modz:1' },
    { name: 'modz', version: '1-1.el8', architecture: 'i686' },
  ]);
  const inventory = ['ID=ol', 'VERSION_ID=8.10', line].join('\n');
  const { items } = judgeItems(readInventory(inventory).machine, [record]);
  expect(items.map(({ verdict }) => formatItem(verdict))).toEqual([item]);
});

const formatItem = (verdict: Verdict) =>
  'reason' in verdict ? `${verdict.kind} ${verdict.reason}` : verdict.kind;
