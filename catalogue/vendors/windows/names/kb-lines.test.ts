/** Lines of updates: KBs replace each other within a line. */
import { expect, test } from 'vitest';
import { createChance, pick } from '../../../testing/chance.ts';
import { conclude, month, server } from '../testing/concluded-months.ts';

test('never recommends a hotpatch: its line has a newest, other machines get the cumulative update', async () => {
  const { of: getFacts, shortly: summarise } = await conclude([
    month(
      1,
      'KB5000001 at 10.0.20348.2000',
      'KB5000002 at 10.0.20348.1990 as Security Hotpatch Update',
    ),
    month(
      2,
      'KB5000003 at 10.0.20348.2100',
      'KB5000004 at 10.0.20348.2090 as Security HotPatch Update',
    ),
    month(3, 'KB5000005 at 10.0.20348.2190 as AzureHotpatch'),
  ]);
  expect(['KB5000001', 'KB5000003', 'KB5000002', 'KB5000005'].map((kb) => summarise(kb))).toEqual([
    'Cumulative update, KB5000003, KB5000003, replaced by KB5000003',
    'Cumulative update, KB5000003, KB5000003, current',
    'Hotpatch, KB5000005, KB5000003, replaced by KB5000004',
    'Hotpatch, KB5000005, null, current',
  ]);
  expect(getFacts('KB5000002').installEvidence).toContain(
    'A hotpatch is for machines that are enrolled for hotpatching. Others install KB5000003, whose fixed build 10.0.20348.2100 is higher than 10.0.20348.1990.',
  );
  expect(getFacts('KB5000005').installEvidence).toContain(
    'no cumulative update that holds it is known',
  );
});

test('ignores a statement that a hotpatch replaces a cumulative update', async () => {
  const { shortly: summarise } = await conclude([
    month(
      1,
      'KB5000001 at 10.0.20348.2000',
      'KB5000002 at 10.0.20348.2001 as Security Hotpatch Update over 5000001',
    ),
  ]);
  expect(summarise('KB5000001')).toMatch(/, KB5000001, current$/);
});

test('replaces security-only updates only when Microsoft states it', async () => {
  const { of: getFacts, shortly: summarise } = await conclude([
    month(
      1,
      'KB5000001 on 10483 at 6.3.9600.20246 as Security Only',
      'KB5000002 on 10483 at 6.3.9600.20246 as Monthly Rollup',
    ),
    month(
      2,
      'KB5000003 on 10483 at 6.3.9600.20402 as Security Only',
      'KB5000004 on 10483 at 6.3.9600.20402 as Monthly Rollup',
    ),
    month(3, 'KB5000005 on 10483 at 6.3.9600.20500 as Monthly Rollup over 5000003'),
  ]);
  expect(['KB5000001', 'KB5000002', 'KB5000003'].map((kb) => summarise(kb, '10483'))).toEqual([
    'Security only, KB5000001, KB5000001, current',
    expect.stringMatching(/^Monthly rollup, KB5000005, KB5000005, replaced/),
    expect.stringMatching(/^Security only, KB5000005, KB5000005, replaced/),
  ]);
  expect(getFacts('KB5000001', '10483').installEvidence).toBe(
    'No successor is known: security-only updates do not replace each other.',
  );
});

test('treats a KB as security only on all products when it is called so on one', async () => {
  const { of: getFacts } = await conclude([
    month(1, 'KB5000001 at 10.0.20348.2000'),
    month(
      2,
      'KB5000002 on 12436 at 10.0.26100.7392 as Security Only',
      'KB5000002 at 10.0.20348.2100',
    ),
  ]);
  expect(getFacts('KB5000002').line).toBe('Security only');
  expect(getFacts('KB5000001').kbIdToBeInstalled).toBe('KB5000001');
});

test('replaces previews and out-of-band updates by the next cumulative update, but not the reverse', async () => {
  const system = 'Microsoft server operating system version 21H2 for x64-based Systems';
  const { shortly: summarise } = await conclude(
    [
      month(1, 'KB5000001 at 10.0.20348.2000', 'KB5000002 at 10.0.20348.2050'),
      month(2, 'KB5000003 at 10.0.20348.2100', 'KB5000004 at 10.0.20348.2150'),
    ],
    [
      { kb: 'KB5000002', title: `2024-01 Cumulative Update Preview for ${system}` },
      { kb: 'KB5000004', title: `2024-02 Out-of-band Cumulative Update for ${system}` },
    ],
  );
  expect(['KB5000001', 'KB5000002', 'KB5000003', 'KB5000004'].map((kb) => summarise(kb))).toEqual([
    'Cumulative update, KB5000003, KB5000003, replaced by KB5000003',
    'Preview, KB5000003, KB5000003, replaced by KB5000003',
    'Cumulative update, KB5000003, KB5000003, current',
    'Out-of-band, KB5000004, KB5000004, current',
  ]);
});

test('separates servicing stack updates', async () => {
  const { shortly: summarise } = await conclude([
    month(1, 'KB5000001 at 10.0.20348.1000 as Servicing Stack Update'),
    month(2, 'KB5000002 at 10.0.20348.2000', 'KB5000003 as Servicing Stack Update over 5000001'),
  ]);
  expect(summarise('KB5000001')).toBe(
    'Servicing stack, KB5000003, KB5000003, replaced by KB5000003',
  );
});

test('replaces monthly rollups without a build by later ones, also across missing months', async () => {
  const { of: getFacts } = await conclude([
    month(1, 'KB5000001 on 10483 as Monthly Rollup'),
    month(2, 'KB5000002 on 10483 as Monthly Rollup'),
    month(5, 'KB5000005 on 10483 at 6.3.9600.20246 as Monthly Rollup'),
    month(7, 'KB5000007 on 10483 at 6.3.9600.20402 as Monthly Rollup'),
  ]);
  for (const kb of ['KB5000001', 'KB5000002', 'KB5000005', 'KB5000007'])
    expect(getFacts(kb, '10483').kbIdToBeInstalled).toBe('KB5000007');
  expect(getFacts('KB5000001', '10483').installEvidence).toContain(
    'KB5000002 replaces it (monthly rollups hold all earlier ones).',
  );
});

/** Types, builds and titles that Microsoft has used, combined at random. */
const types = ['Security Update', 'Monthly Rollup', 'Security Only', 'Standalone Security Update'];
const products = [server, '12097', '10816', '11571', '10483', '10735', '9001', '9003', '9004'];
const builds = ['10.0.20348.2000', '10.0.14393.5285', '10.0.17763.3284', '6.3.9600.20246', '1.002'];
const titles = [
  '2024-01 Cumulative Update for Microsoft server operating system version 21H2 for x64-based Systems',
  '2024-01 Cumulative Update Preview for Windows 10 Version 22H2 for x64-based Systems',
  '2024-01 Security Update for Windows Server 2016 for x64-based Systems',
  '2024-01 Dynamic Cumulative Update for Windows 10 Version 22H2 for x64-based Systems',
];

test('gives a KB one line on all of its products, whatever documents and titles say of each', async () => {
  const chance = createChance(35);
  const lines = new Map<string, Set<unknown>>();
  for (let round = 0; round < 60; round++) {
    const kbs = Array.from({ length: 6 }, (_, index) => `KB500000${index}`);
    const fixes = kbs.flatMap((kb) =>
      products
        .filter(() => chance() < 0.4)
        .map((product) => {
          const build = chance() < 0.6 ? ` at ${pick(builds, chance)}` : '';
          const beside = chance() < 0.2 ? ' of CVE-2024-0001 beside' : '';
          return {
            kb,
            product,
            text: `${kb} on ${product}${build} as ${pick(types, chance)}${beside}`,
          };
        }),
    );
    const offered = kbs
      .filter(() => chance() < 0.5)
      .flatMap((kb) => [
        { kb, title: pick(titles, chance) },
        { kb, title: pick(titles, chance) },
      ]);
    const { of: getFacts } = await conclude([month(1, ...fixes.map(({ text }) => text))], offered);
    for (const { kb, product } of fixes) {
      const key = `${round} ${kb}`;
      lines.set(key, (lines.get(key) ?? new Set()).add(getFacts(kb, product)['line']));
    }
  }
  expect(lines.size).toBeGreaterThan(300);
  expect([...lines].filter(([, found]) => found.size > 1)).toEqual([]);
  expect(new Set([...lines.values()].flatMap((found) => [...found])).size).toBeGreaterThan(6);
});
