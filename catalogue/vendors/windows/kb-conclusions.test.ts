/** What is concluded of KBs from their fixed builds. */
import { describe, expect, test } from 'vitest';
import { conclude, month } from './testing/concluded-months.ts';

describe('fixed builds', () => {
  test('a cumulative update with a higher build of the branch replaces a lower one that no document says it replaces', async () => {
    const { of } = await conclude([
      month(2, { kb: 'KB5034770', build: '10.0.20348.2322' }),
      month(5, { kb: 'KB5087545', build: '10.0.20348.5139' }),
      month(4, { kb: 'KB5082142', build: '10.0.20348.5020' }),
    ]);
    expect(of('KB5034770')).toMatchObject({
      latestKb: 'KB5087545',
      kbIdToBeInstalled: 'KB5087545',
      superseded: true,
      supersededBy: ['KB5082142'],
      line: 'Cumulative update',
      installEvidence:
        'KB5082142 replaces it (fixed builds). KB5087545 has the fixed build 10.0.20348.5139 (security update guide, 2024-May), which is higher than 10.0.20348.2322 of this one (security update guide, 2024-Feb); no successor of KB5087545 is known.',
    });
    expect(of('KB5087545')).toMatchObject({
      latestKb: 'KB5087545',
      kbIdToBeInstalled: 'KB5087545',
      superseded: false,
      installEvidence:
        'Of 3 updates of its line on branch 10.0.20348 it has the highest fixed build, 10.0.20348.5139 (security update guide, 2024-May). No successor is known.',
    });
  });

  test('numbers are compared as numbers, and only within a branch', async () => {
    const { of } = await conclude([
      month(
        1,
        { kb: 'KB5000009', build: '10.0.20348.999' },
        { kb: 'KB5000010', build: '10.0.20348.1000' },
        { kb: 'KB5000011', build: '10.0.26100.9999' },
      ),
    ]);
    expect(of('KB5000009').latestKb).toBe('KB5000010');
    expect(of('KB5000010').latestKb).toBe('KB5000010');
    expect(of('KB5000011')).toMatchObject({ latestKb: 'KB5000011', line: 'Security update' });
  });

  test('branches that get one KB with one revision are compared by it', async () => {
    const both = { products: ['11929', '12097'] };
    const { of } = await conclude([
      month(
        1,
        { kb: 'KB5000001', ...both, build: '10.0.19044.6093' },
        { kb: 'KB5000001', ...both, build: '10.0.19045.6093' },
      ),
      month(2, { kb: 'KB5000002', products: ['12097'], build: '10.0.19044.6332' }),
      month(3, { kb: 'KB5000003', products: ['12097'], build: '10.0.19045.6456' }),
    ]);
    expect(of('KB5000001', '12097').latestKb).toBe('KB5000003');
    expect(of('KB5000002', '12097').latestKb).toBe('KB5000003');
    // Nothing else is listed for the other one.
    expect(of('KB5000001', '11929').latestKb).toBe('KB5000001');
  });

  test('a package with builds of unrelated branches is replaced by no cumulative update', async () => {
    const { of } = await conclude([
      month(
        1,
        { kb: 'KB5012170', products: ['10816'], build: '10.0.14393.5285' },
        { kb: 'KB5012170', products: ['11571'], build: '10.0.17763.3284' },
      ),
      month(2, { kb: 'KB5000002', products: ['10816'], build: '10.0.14393.9140' }),
    ]);
    expect(of('KB5012170', '10816')).toMatchObject({
      line: 'Separate update',
      latestKb: 'KB5012170',
      kbIdToBeInstalled: 'KB5012170',
      superseded: false,
      installEvidence: 'No successor is known: it is a package beside the cumulative updates.',
    });
  });

  test('what is no build is compared with nothing', async () => {
    const { of } = await conclude([
      month(1, { kb: 'KB5000001', build: '1.002' }, { kb: 'KB5000003' }),
      month(2, { kb: 'KB5000002', build: '10.0.20348.2322' }),
    ]);
    for (const kb of ['KB5000001', 'KB5000003']) {
      expect(of(kb)).toMatchObject({
        latestKb: kb,
        kbIdToBeInstalled: null,
        superseded: false,
        installEvidence:
          'No successor is known: no document names one, and it has no fixed build on the branch of the product. The newest cumulative update listed for the product is KB5000002 (10.0.20348.2322); whether it holds this one is not known.',
      });
    }
  });

  test('Exchange and SQL Server are cumulative too, however their numbers are padded; Office and .NET are not', async () => {
    const { of } = await conclude([
      month(
        1,
        ...['9001', '9002', '9003', '9004'].map((product) => ({
          kb: 'KB5000001',
          products: [product],
          build: product === '9001' ? '15.2.1544.004' : '15.0.2135.5',
        })),
      ),
      month(
        2,
        ...['9001', '9002', '9003', '9004'].map((product) => ({
          kb: 'KB5000002',
          products: [product],
          build: product === '9001' ? '15.02.1544.025' : '15.0.2140.1',
        })),
      ),
    ]);
    expect(
      ['9001', '9002', '9003', '9004'].map((product) => [
        of('KB5000001', product).line,
        of('KB5000001', product).latestKb,
      ]),
    ).toEqual([
      ['Exchange Server', 'KB5000002'],
      ['SQL Server', 'KB5000002'],
      ['Other product', 'KB5000001'],
      ['.NET', 'KB5000001'],
    ]);
  });
});
