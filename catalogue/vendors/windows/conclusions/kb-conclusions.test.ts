import { expect, test } from 'vitest';
import { conclude, month } from '../testing/concluded-months.ts';

test('replaces a cumulative update by one of a higher build of the branch without a statement', async () => {
  const { of: getFacts, shortly: summarise } = await conclude([
    month(2, 'KB5034770 at 10.0.20348.2322'),
    month(5, 'KB5087545 at 10.0.20348.5139'),
    month(4, 'KB5082142 at 10.0.20348.5020'),
  ]);
  expect(summarise('KB5034770')).toBe(
    'Cumulative update, KB5087545, KB5087545, replaced by KB5082142',
  );
  expect(getFacts('KB5034770').installEvidence).toBe(
    'KB5082142 replaces it (fixed builds). KB5087545 has the fixed build 10.0.20348.5139 (security update guide, 2024-May), which is higher than 10.0.20348.2322 of this one (security update guide, 2024-Feb); no successor of KB5087545 is known.',
  );
  expect(summarise('KB5087545')).toBe('Cumulative update, KB5087545, KB5087545, current');
  expect(getFacts('KB5087545').installEvidence).toBe(
    'Of 3 updates of its line on branch 10.0.20348 it has the highest fixed build, 10.0.20348.5139 (security update guide, 2024-May). No successor is known.',
  );
});

test('compares numbers, within a branch only', async () => {
  const { of: getFacts } = await conclude([
    month(
      1,
      'KB5000009 at 10.0.20348.999',
      'KB5000010 at 10.0.20348.1000',
      'KB5000011 at 10.0.26100.9999',
    ),
  ]);
  expect(['KB5000009', 'KB5000010', 'KB5000011'].map((kb) => getFacts(kb).latestKb)).toEqual([
    'KB5000010',
    'KB5000010',
    'KB5000011',
  ]);
  // Its build is of another product's branch.
  expect(getFacts('KB5000011')).toMatchObject({ superseded: false, branch: null });
});

test('compares branches by the revision when one KB has the same revision in each', async () => {
  const { of: getFacts } = await conclude([
    month(
      1,
      'KB5000001 on 11929,12097 at 10.0.19044.6093',
      'KB5000001 on 11929,12097 at 10.0.19045.6093',
    ),
    month(2, 'KB5000002 on 12097 at 10.0.19044.6332'),
    month(3, 'KB5000003 on 12097 at 10.0.19045.6456'),
  ]);
  expect(getFacts('KB5000001', '12097').latestKb).toBe('KB5000003');
  expect(getFacts('KB5000002', '12097').latestKb).toBe('KB5000003');
  // No other KB is listed for this product.
  expect(getFacts('KB5000001', '11929').latestKb).toBe('KB5000001');
});

test('compares nothing with a version of a single package', async () => {
  const { of: getFacts, shortly: summarise } = await conclude([
    month(1, 'KB5000001 at 1.002'),
    month(2, 'KB5000002 at 10.0.20348.2322'),
  ]);
  expect(summarise('KB5000001')).toBe('Security update, KB5000001, null, current');
  expect(getFacts('KB5000001').installEvidence).toBe(
    'No successor is known: no document names one, and it has no fixed build on the branch of the product. The newest cumulative update listed for the product is KB5000002 (10.0.20348.2322); whether it holds this one is not known.',
  );
});

test('treats Exchange and SQL Server as cumulative with padded numbers, but not Office and .NET', async () => {
  const { of: getFacts } = await conclude([
    month(
      1,
      'KB5000001 on 9001 at 15.2.1544.004',
      ...['9002', '9003', '9004'].map((product) => `KB500${product} on ${product} at 15.0.2135.5`),
    ),
    month(
      2,
      'KB5000002 on 9001 at 15.02.1544.025',
      ...['9002', '9003', '9004'].map((product) => `KB501${product} on ${product} at 15.0.2140.1`),
    ),
  ]);
  const found = [
    getFacts('KB5000001', '9001'),
    ...['9002', '9003', '9004'].map((product) => getFacts(`KB500${product}`, product)),
  ];
  expect(found.map(({ line, latestKb }) => [line, latestKb].join(': '))).toEqual([
    'Exchange Server: KB5000002',
    'SQL Server: KB5019002',
    'Other product: KB5009003',
    '.NET: KB5009004',
  ]);
});
