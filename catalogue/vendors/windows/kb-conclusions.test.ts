/** What is concluded of KBs from their fixed builds. */
import { expect, test } from 'vitest';
import { conclude, month } from './testing/concluded-months.ts';

test('a cumulative update with a higher build of the branch replaces a lower one that no document says it replaces', async () => {
  const { of, shortly } = await conclude([
    month(2, 'KB5034770 at 10.0.20348.2322'),
    month(5, 'KB5087545 at 10.0.20348.5139'),
    month(4, 'KB5082142 at 10.0.20348.5020'),
  ]);
  expect(shortly('KB5034770')).toBe(
    'Cumulative update, KB5087545, KB5087545, replaced by KB5082142',
  );
  expect(of('KB5034770').installEvidence).toBe(
    'KB5082142 replaces it (fixed builds). KB5087545 has the fixed build 10.0.20348.5139 (security update guide, 2024-May), which is higher than 10.0.20348.2322 of this one (security update guide, 2024-Feb); no successor of KB5087545 is known.',
  );
  expect(shortly('KB5087545')).toBe('Cumulative update, KB5087545, KB5087545, current');
  expect(of('KB5087545').installEvidence).toBe(
    'Of 3 updates of its line on branch 10.0.20348 it has the highest fixed build, 10.0.20348.5139 (security update guide, 2024-May). No successor is known.',
  );
});

test('numbers are compared as numbers, and only within a branch', async () => {
  const { of } = await conclude([
    month(
      1,
      'KB5000009 at 10.0.20348.999',
      'KB5000010 at 10.0.20348.1000',
      'KB5000011 at 10.0.26100.9999',
    ),
  ]);
  expect(['KB5000009', 'KB5000010', 'KB5000011'].map((kb) => of(kb).latestKb)).toEqual([
    'KB5000010',
    'KB5000010',
    'KB5000011',
  ]);
  expect(of('KB5000011').line).toBe('Security update');
});

test('branches that get one KB with one revision are compared by it', async () => {
  const { of } = await conclude([
    month(
      1,
      'KB5000001 on 11929,12097 at 10.0.19044.6093',
      'KB5000001 on 11929,12097 at 10.0.19045.6093',
    ),
    month(2, 'KB5000002 on 12097 at 10.0.19044.6332'),
    month(3, 'KB5000003 on 12097 at 10.0.19045.6456'),
  ]);
  expect(of('KB5000001', '12097').latestKb).toBe('KB5000003');
  expect(of('KB5000002', '12097').latestKb).toBe('KB5000003');
  // Nothing else is listed for the other one.
  expect(of('KB5000001', '11929').latestKb).toBe('KB5000001');
});

test('a package with builds of unrelated branches is replaced by no cumulative update', async () => {
  const { of, shortly } = await conclude([
    month(1, 'KB5012170 on 10816 at 10.0.14393.5285', 'KB5012170 on 11571 at 10.0.17763.3284'),
    month(2, 'KB5000002 on 10816 at 10.0.14393.9140'),
  ]);
  expect(shortly('KB5012170', '10816')).toBe('Separate update, KB5012170, KB5012170, current');
  expect(of('KB5012170', '10816').installEvidence).toBe(
    'No successor is known: it is a package beside the cumulative updates.',
  );
});

test('what is no build is compared with nothing', async () => {
  const { of, shortly } = await conclude([
    month(1, 'KB5000001 at 1.002', 'KB5000003'),
    month(2, 'KB5000002 at 10.0.20348.2322'),
  ]);
  for (const kb of ['KB5000001', 'KB5000003']) {
    expect(shortly(kb)).toContain(`, ${kb}, null, current`);
    expect(of(kb).installEvidence).toBe(
      'No successor is known: no document names one, and it has no fixed build on the branch of the product. The newest cumulative update listed for the product is KB5000002 (10.0.20348.2322); whether it holds this one is not known.',
    );
  }
});

test('Exchange and SQL Server are cumulative too, however their numbers are padded; Office and .NET are not', async () => {
  const { of } = await conclude([
    month(1, 'KB5000001 on 9001 at 15.2.1544.004', 'KB5000001 on 9002,9003,9004 at 15.0.2135.5'),
    month(2, 'KB5000002 on 9001 at 15.02.1544.025', 'KB5000002 on 9002,9003,9004 at 15.0.2140.1'),
  ]);
  const found = ['9001', '9002', '9003', '9004'].map((product) => of('KB5000001', product));
  expect(found.map(({ line, latestKb }) => [line, latestKb].join(': '))).toEqual([
    'Exchange Server: KB5000002',
    'SQL Server: KB5000002',
    'Other product: KB5000001',
    '.NET: KB5000001',
  ]);
});
