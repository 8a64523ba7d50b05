import { describe, expect, test } from 'vitest';
import { guideEntries, type OfferedInTest } from './testing/guide-entries.ts';
import type { GuideFix, GuideMonth } from './testing/guide-month.ts';

const server = '11923';
const names = {
  [server]: 'Windows Server 2022',
  12097: 'Windows 10 Version 22H2 for x64-based Systems',
  11929: 'Windows 10 Version 21H2 for x64-based Systems',
  10816: 'Windows Server 2016',
  11571: 'Windows Server 2019',
  10483: 'Windows Server 2012 R2',
  12436: 'Windows Server 2025',
  9001: 'Microsoft Exchange Server 2019 Cumulative Update 14',
  9002: 'Microsoft SQL Server 2019 for x64-based Systems (GDR)',
  9003: 'Microsoft Office 2016 (64-bit edition)',
  9004: 'Microsoft .NET Framework 4.8 on Windows Server 2022',
};

type Fix = Partial<GuideFix> & Pick<GuideFix, 'kb'>;

/** A month of 2024 by its number. */
function month(number: number, ...fixes: readonly Fix[]): GuideMonth {
  const date = new Date(Date.UTC(2024, number - 1, 9, 8));
  const id = `2024-${date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}`;
  return {
    id,
    date: date.toISOString(),
    products: names,
    fixes: fixes.map((fix) => ({ type: 'Security Update', products: [server], ...fix })),
  };
}

async function conclude(months: readonly GuideMonth[], offered: readonly OfferedInTest[] = []) {
  const { entries, remarks } = await guideEntries(months, offered);
  const of = (kb: string, product: string = server) => {
    const entry = entries.get(`${kb}|${product}`);
    if (entry === undefined) throw new Error(`no ${kb}|${product}`);
    const { latestKb, superseded, supersededBy } = entry.row;
    const { kbIdToBeInstalled, line, installEvidence, contradictions } = entry.detail;
    return {
      latestKb,
      superseded,
      supersededBy,
      kbIdToBeInstalled,
      line,
      installEvidence,
      contradictions,
    };
  };
  // That there is no scan file is told of most of these, and not what they are about.
  return {
    of,
    remarks: remarks.filter(
      (remark) => !remark.startsWith('what the offline scan file says of KBs is missing'),
    ),
  };
}

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
      line: 'Standalone update',
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

describe('Microsoft’s own words', () => {
  test('lead on where builds end, and from the offline scan file only for the same product', async () => {
    const title = (system: string) =>
      `2024-01 Cumulative Update for ${system} for x64-based Systems`;
    const serverTitle = title('Microsoft server operating system version 21H2');
    const { of } = await conclude(
      [
        month(1, { kb: 'KB5000001', products: [server, '12097'] }),
        month(2, { kb: 'KB5000002', products: [server, '12097'] }),
      ],
      [
        {
          kb: 'KB5000001',
          title: serverTitle,
          supersededBy: ['KB5000002', 'KB5000003', 'KB5000004'],
        },
        { kb: 'KB5000002', title: serverTitle, supersededBy: ['KB5000003'] },
        { kb: 'KB5000003', title: serverTitle },
        { kb: 'KB5000004', title: title('Windows 11 Version 24H2') },
        { kb: 'KB5000001', title: title('Windows 10 Version 22H2') },
      ],
    );
    expect(of('KB5000001')).toMatchObject({
      supersededBy: ['KB5000002'],
      latestKb: 'KB5000003',
      kbIdToBeInstalled: 'KB5000003',
      installEvidence:
        'KB5000002 replaces it (offline scan file). The chain of 2 KBs ends with KB5000003; no successor of that is known.',
    });
    expect(of('KB5000001', '12097')).toMatchObject({ superseded: false, latestKb: 'KB5000001' });
  });

  test('are not believed where the replacing KB has the lower build; the record lists both sources', async () => {
    const { of, remarks } = await conclude([
      month(
        1,
        { kb: 'KB5000001', build: '10.0.20348.2000' },
        { kb: 'KB5000002', build: '10.0.20348.1000', supersedes: '5000001' },
      ),
    ]);
    const contradictions = [
      {
        statement: 'KB5000002 replaces KB5000001',
        source: 'security update guide, 2024-Jan',
        against: 'KB5000002 has build 10.0.20348.1000, KB5000001 the higher 10.0.20348.2000',
        againstSource: 'security update guide, 2024-Jan',
      },
    ];
    expect(of('KB5000001')).toMatchObject({
      superseded: false,
      kbIdToBeInstalled: 'KB5000001',
      contradictions,
    });
    expect(of('KB5000002')).toMatchObject({
      superseded: true,
      kbIdToBeInstalled: 'KB5000001',
      contradictions,
    });
    expect(remarks).toEqual([
      'replacements lead to a lower build of the same branch and are not believed: 1, on 1 rows: KB5000002 replaces KB5000001, but KB5000002 has build 10.0.20348.1000, KB5000001 the higher 10.0.20348.2000. The records list both sources',
    ]);
  });

  test('that run backwards in time are followed, and told with both sources', async () => {
    const { of, remarks } = await conclude([
      month(3, { kb: 'KB5000001', products: ['9003'] }),
      month(1, { kb: 'KB5000002', products: ['9003'], supersedes: '5000001' }),
    ]);
    expect(of('KB5000001', '9003')).toMatchObject({
      kbIdToBeInstalled: 'KB5000002',
      contradictions: [
        {
          statement: 'KB5000002 replaces KB5000001',
          source: 'security update guide, 2024-Jan',
          against: 'KB5000002 is of 2024-01-09, KB5000001 of 2024-03-09',
          againstSource: 'security update guide, 2024-Jan; security update guide, 2024-Mar',
        },
      ],
    });
    expect(of('KB5000002', '9003').contradictions).toHaveLength(1);
    expect(remarks).toEqual([
      'replacements run backwards in time: 1, on 1 rows: KB5000002 replaces KB5000001, but KB5000002 is of 2024-01-09, KB5000001 of 2024-03-09. The records list both sources',
    ]);
  });

  test('that go in a circle end: what leads from an earlier KB to a later one is kept', async () => {
    const office = { products: ['9003'] };
    const { of, remarks } = await conclude([
      month(1, { kb: 'KB5000001', ...office, supersedes: '5000003' }),
      month(2, { kb: 'KB5000002', ...office, supersedes: '5000001' }),
      month(3, { kb: 'KB5000003', ...office, supersedes: '5000002' }),
    ]);
    for (const kb of ['KB5000001', 'KB5000002', 'KB5000003'])
      expect(of(kb, '9003').kbIdToBeInstalled).toBe('KB5000003');
    expect(of('KB5000003', '9003')).toMatchObject({
      superseded: false,
      contradictions: [
        {
          statement: 'KB5000001 replaces KB5000003',
          against: 'KB5000003 replaces KB5000001, directly or through others',
        },
      ],
    });
    expect(remarks).toEqual([expect.stringContaining('go in a circle and are not all believed')]);
  });

  test('of several ends the one for the same products counts', async () => {
    const office = ['9003'];
    const { of } = await conclude([
      month(1, { kb: 'KB5000001', products: office }),
      month(2, { kb: 'KB5000002', products: office, supersedes: '5000001' }),
      month(3, { kb: 'KB5000003', products: [...office, '9004'], supersedes: '5000001' }),
    ]);
    expect(of('KB5000001', '9003')).toMatchObject({
      latestKb: 'KB5000002',
      supersededBy: ['KB5000002', 'KB5000003'],
    });
  });

  test('hold on one product only', async () => {
    const { of } = await conclude([
      month(1, { kb: 'KB5000001', products: ['9003', '9004'] }),
      month(2, { kb: 'KB5000002', products: ['9003'], supersedes: '5000001' }),
    ]);
    expect(of('KB5000001', '9003').superseded).toBe(true);
    expect(of('KB5000001', '9004')).toMatchObject({
      superseded: false,
      latestKb: 'KB5000001',
      installEvidence: 'No successor is known.',
    });
  });
});

test('the run says how many rows are matched with the offline scan file, and why others are not', async () => {
  const { remarks } = await conclude(
    [month(1, { kb: 'KB5000001', products: [server, '12097', '9003'] }, { kb: 'KB5000002' })],
    [
      {
        kb: 'KB5000001',
        title: 'Cumulative Update for Windows 10 Version 22H2 for x64-based Systems',
      },
    ],
  );
  expect(remarks).toEqual([
    '1 rows are matched with an update of the offline scan file; 2 are not, though the file has their KB: 1 offered for another version of Windows only, 1 offered for another product only',
  ]);
});
