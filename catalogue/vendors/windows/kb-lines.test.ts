/** Lines of updates: which KBs replace each other at all. */
import { describe, expect, test } from 'vitest';
import { conclude, month } from './testing/concluded-months.ts';

describe('lines', () => {
  const hotpatch = 'Security Hotpatch Update';

  test('a hotpatch is never to be installed: its line has a newest, other machines get the cumulative update', async () => {
    const { of } = await conclude([
      month(
        1,
        { kb: 'KB5000001', build: '10.0.20348.2000' },
        { kb: 'KB5000002', build: '10.0.20348.1990', type: hotpatch },
      ),
      month(
        2,
        { kb: 'KB5000003', build: '10.0.20348.2100' },
        { kb: 'KB5000004', build: '10.0.20348.2090', type: 'Security HotPatch Update' },
      ),
      month(3, { kb: 'KB5000005', build: '10.0.20348.2190', type: 'AzureHotpatch' }),
    ]);
    expect(of('KB5000001')).toMatchObject({
      kbIdToBeInstalled: 'KB5000003',
      latestKb: 'KB5000003',
    });
    expect(of('KB5000003')).toMatchObject({ kbIdToBeInstalled: 'KB5000003', superseded: false });
    expect(of('KB5000002')).toMatchObject({
      line: 'Hotpatch',
      latestKb: 'KB5000005',
      kbIdToBeInstalled: 'KB5000003',
      superseded: true,
    });
    expect(of('KB5000002').installEvidence).toContain(
      'A hotpatch is for machines that are enrolled for hotpatching. Others install KB5000003, whose fixed build 10.0.20348.2100 is higher than 10.0.20348.1990.',
    );
    expect(of('KB5000005')).toMatchObject({
      latestKb: 'KB5000005',
      kbIdToBeInstalled: null,
      superseded: false,
    });
    expect(of('KB5000005').installEvidence).toContain(
      'no cumulative update that holds it is known',
    );
  });

  test('a hotpatch that a document says replaces a cumulative update does not', async () => {
    const { of } = await conclude([
      month(
        1,
        { kb: 'KB5000001', build: '10.0.20348.2000' },
        { kb: 'KB5000002', build: '10.0.20348.2001', type: hotpatch, supersedes: '5000001' },
      ),
    ]);
    expect(of('KB5000001')).toMatchObject({ superseded: false, kbIdToBeInstalled: 'KB5000001' });
  });

  test('security-only updates do not replace each other, nor does a rollup replace them unless Microsoft says so', async () => {
    const r2 = ['10483'];
    const { of } = await conclude([
      month(
        1,
        { kb: 'KB5000001', products: r2, build: '6.3.9600.20246', type: 'Security Only' },
        { kb: 'KB5000002', products: r2, build: '6.3.9600.20246', type: 'Monthly Rollup' },
      ),
      month(
        2,
        { kb: 'KB5000003', products: r2, build: '6.3.9600.20402', type: 'Security Only' },
        { kb: 'KB5000004', products: r2, build: '6.3.9600.20402', type: 'Monthly Rollup' },
      ),
      month(3, {
        kb: 'KB5000005',
        products: r2,
        build: '6.3.9600.20500',
        type: 'Monthly Rollup',
        supersedes: '5000003',
      }),
    ]);
    expect(of('KB5000001', '10483')).toMatchObject({
      line: 'Security only',
      kbIdToBeInstalled: 'KB5000001',
      installEvidence: 'No successor is known: security-only updates do not replace each other.',
    });
    expect(of('KB5000002', '10483')).toMatchObject({ kbIdToBeInstalled: 'KB5000005' });
    expect(of('KB5000003', '10483')).toMatchObject({ kbIdToBeInstalled: 'KB5000005' });
  });

  test('a KB that is called security only on one product is so on all', async () => {
    const { of } = await conclude([
      month(1, { kb: 'KB5000001', build: '10.0.20348.2000' }),
      month(
        2,
        { kb: 'KB5000002', products: ['12436'], build: '10.0.26100.7392', type: 'Security Only' },
        { kb: 'KB5000002', build: '10.0.20348.2100' },
      ),
    ]);
    expect(of('KB5000002').line).toBe('Security only');
    expect(of('KB5000001').kbIdToBeInstalled).toBe('KB5000001');
  });

  test('previews and out-of-band updates are held by the next cumulative update and are not its successors', async () => {
    const titles = [
      {
        kb: 'KB5000002',
        title:
          '2024-01 Cumulative Update Preview for Microsoft server operating system version 21H2 for x64-based Systems',
      },
      {
        kb: 'KB5000004',
        title:
          '2024-02 Out-of-band Cumulative Update for Microsoft server operating system version 21H2 for x64-based Systems',
      },
    ];
    const { of } = await conclude(
      [
        month(
          1,
          { kb: 'KB5000001', build: '10.0.20348.2000' },
          { kb: 'KB5000002', build: '10.0.20348.2050' },
        ),
        month(
          2,
          { kb: 'KB5000003', build: '10.0.20348.2100' },
          { kb: 'KB5000004', build: '10.0.20348.2150' },
        ),
      ],
      titles,
    );
    expect(of('KB5000002')).toMatchObject({
      line: 'Preview',
      kbIdToBeInstalled: 'KB5000003',
      supersededBy: ['KB5000003'],
    });
    expect(of('KB5000001')).toMatchObject({
      supersededBy: ['KB5000003'],
      kbIdToBeInstalled: 'KB5000003',
    });
    expect(of('KB5000003')).toMatchObject({ kbIdToBeInstalled: 'KB5000003' });
    expect(of('KB5000004')).toMatchObject({
      line: 'Out-of-band',
      kbIdToBeInstalled: 'KB5000004',
      superseded: false,
    });
  });

  test('servicing stack updates stay apart', async () => {
    const { of } = await conclude([
      month(1, { kb: 'KB5000001', type: 'Servicing Stack Update', build: '10.0.20348.1000' }),
      month(
        2,
        { kb: 'KB5000002', build: '10.0.20348.2000' },
        { kb: 'KB5000003', type: 'Servicing Stack Update', supersedes: '5000001' },
      ),
    ]);
    expect(of('KB5000001')).toMatchObject({
      line: 'Servicing stack',
      kbIdToBeInstalled: 'KB5000003',
      latestKb: 'KB5000003',
    });
  });

  test('monthly rollups without a build are held by later ones, also across months that no document has', async () => {
    const rollup = { products: ['10483'], type: 'Monthly Rollup' };
    const { of } = await conclude([
      month(1, { kb: 'KB5000001', ...rollup }),
      month(2, { kb: 'KB5000002', ...rollup }),
      month(5, { kb: 'KB5000005', ...rollup, build: '6.3.9600.20246' }),
      month(7, { kb: 'KB5000007', ...rollup, build: '6.3.9600.20402' }),
    ]);
    for (const kb of ['KB5000001', 'KB5000002', 'KB5000005', 'KB5000007'])
      expect(of(kb, '10483').kbIdToBeInstalled).toBe('KB5000007');
    expect(of('KB5000001', '10483').installEvidence).toContain(
      'KB5000002 replaces it (monthly rollups hold all earlier ones).',
    );
  });
});
