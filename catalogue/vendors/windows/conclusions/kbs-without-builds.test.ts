/** Cumulative, stand-alone and separate updates whose builds no document states: one conclusion on each product, and on machines. */
import { describe, expect, it } from 'vitest';
import type { WindowsUpdate } from '../../../machines/judgement/machine-fixes.ts';
import { windowsUpdate } from '../../../machines/judgement/update-record.ts';
import { judgeWindows } from '../../../machines/judgement/windows-judgement.ts';
import { conclude, month, server } from '../testing/concluded-months.ts';
import { readGuideEntries } from '../testing/guide-entries.ts';

type Conclusions = Awaited<ReturnType<typeof conclude>>;

/** Returns the verdict on each of the KBs on a machine of the product. */
function judge(
  { of: getFacts }: Conclusions,
  kbs: readonly string[],
  { product, build, installed }: { product: string; build: string; installed: readonly string[] },
) {
  const updates = kbs.map((kb) => {
    const facts = getFacts(kb, product);
    return windowsUpdate({ key: kb, row: facts, detail: facts }) as WindowsUpdate;
  });
  const verdicts = judgeWindows({ build, kbs: installed }, updates);
  return [...verdicts].map(([, verdict]) =>
    verdict.kind === 'uncertain' ? `uncertain ${verdict.reason}` : verdict.kind,
  );
}

const release1507 = '10735';
const release1709 = '11453';
const release20H2 = '11802';
const server2012R2 = '10483';
const windows81 = '10482';

describe('a cumulative update without a build', () => {
  it('is replaced by the next later one of its product', async () => {
    const concluded = await conclude([
      month(1, `KB5001330 on ${release20H2}`),
      month(2, `KB5003173 on ${release20H2}`),
      month(3, `KB5006670 on ${release20H2} at 10.0.19042.1288`),
    ]);
    expect(
      ['KB5001330', 'KB5003173', 'KB5006670'].map((kb) => concluded.shortly(kb, release20H2)),
    ).toEqual([
      'Cumulative update, KB5006670, KB5006670, replaced by KB5003173',
      'Cumulative update, KB5006670, KB5006670, replaced by KB5006670',
      'Cumulative update, KB5006670, KB5006670, current',
    ]);
    expect(concluded.of('KB5003173', release20H2).installEvidence).toContain(
      'KB5006670 replaces it (cumulative updates hold all earlier ones).',
    );
  });

  it('is ordered on products of which no document states any build', async () => {
    const { shortly: summarise } = await conclude([
      month(1, `KB3205383 on ${release1507}`, `KB4093112 on ${release1709}`),
      month(4, `KB4577049 on ${release1507}`),
    ]);
    expect(summarise('KB3205383', release1507)).toMatch(/replaced by KB4577049$/);
    expect(summarise('KB4577049', release1507)).toMatch(/, KB4577049, current$/);
    expect(summarise('KB4093112', release1709)).toMatch(/, KB4093112, current$/);
  });

  it('replaces an earlier one with a build', async () => {
    const { shortly: summarise } = await conclude([
      month(1, 'KB5000001 at 10.0.20348.2000'),
      month(2, 'KB5000002'),
    ]);
    expect(summarise('KB5000001')).toMatch(/, KB5000002, KB5000002, replaced by KB5000002$/);
  });

  it.each([
    ['of the same day', [month(1, 'KB5000001', 'KB5000002')], []],
    [
      'that names products of several releases',
      [month(1, `KB5000001 on ${server},${release1507}`), month(2, 'KB5000002')],
      [],
    ],
    [
      'whose build is of another branch',
      [
        month(1, 'KB5000001 at 10.0.26100.9999'),
        month(2, 'KB5000002 at 10.0.20348.2000', 'KB5000003 at 10.0.20348.2000'),
      ],
      [],
    ],
    [
      'that Windows Update does not call cumulative',
      [month(1, 'KB5000001'), month(2, 'KB5000002')],
      [
        {
          kb: 'KB5000001',
          title: '2024-01 Security Update for Windows Server 2022 for x64-based Systems',
        },
      ],
    ],
    [
      'of a system that is not serviced by cumulative updates',
      [month(1, `KB5000001 on ${server2012R2}`), month(2, `KB5000002 on ${server2012R2}`)],
      [],
    ],
  ])('is not replaced by date when it is one %s', async (_, months, offered) => {
    const { of: getFacts } = await conclude(months, offered);
    const product = months[0]?.fixes[0]?.products[0];
    expect(getFacts('KB5000001', product).supersededBy).toEqual([]);
  });

  it('is not ordered by days against the statement of Microsoft', async () => {
    const { of: getFacts } = await conclude([
      month(1, 'KB5000001 over 5000002'),
      month(2, 'KB5000002'),
    ]);
    expect(getFacts('KB5000002').supersededBy).toEqual(['KB5000001']);
    expect(getFacts('KB5000001').supersededBy).toEqual([]);
  });

  it('closes cumulative updates of Internet Explorer, Exchange and SQL Server too', async () => {
    const { of: getFacts } = await conclude([
      month(
        1,
        `KB5000001 on ${server2012R2} at 1.000 as IE Cumulative`,
        'KB5000002 on 9001',
        'KB5000003 on 9002',
        'KB5000004 on 9003',
      ),
      month(
        2,
        `KB5000011 on ${server2012R2} at 1.003 as IE Cumulative`,
        'KB5000012 on 9001',
        'KB5000013 on 9002 at 15.0.2140.1',
        'KB5000014 on 9003',
      ),
    ]);
    expect([
      getFacts('KB5000001', server2012R2).supersededBy,
      getFacts('KB5000002', '9001').supersededBy,
      getFacts('KB5000003', '9002').supersededBy,
      getFacts('KB5000004', '9003').supersededBy,
    ]).toEqual([['KB5000011'], ['KB5000012'], ['KB5000013'], []]);
  });
});

describe('a stand-alone update without a build', () => {
  const months = [
    month(
      1,
      `KB4338815 on ${server2012R2} as Monthly Rollup`,
      `KB4345424 on ${server2012R2},${windows81} as Stand-alone Update of ADV180002`,
    ),
    month(2, `KB4343898 on ${server2012R2} as Monthly Rollup`),
    month(9, `KB5000100 on ${server2012R2} at 6.3.9600.20246 as Monthly Rollup`),
  ];
  const kbs = ['KB4338815', 'KB4345424', 'KB4343898', 'KB5000100'];

  it('is replaced by the next rollup of the product', async () => {
    const { shortly: summarise } = await conclude(months);
    expect(summarise('KB4345424', server2012R2)).toBe(
      'Standalone update, KB5000100, KB5000100, replaced by KB4343898',
    );
    // No rollup of this product was read.
    expect(summarise('KB4345424', windows81)).toMatch(/, KB4345424, current$/);
  });

  it.each([
    ['with a later build', '6.3.9600.23228', ['5094041'], 'notMissing'],
    ['with a later rollup', '6.3.9600', ['4343898'], 'notMissing'],
    ['with the rollup of its day', '6.3.9600', ['4338815'], 'uncertain updateWithoutBuild'],
    ['with an older rollup', '6.3.9600', ['4000001'], 'uncertain updateWithoutBuild'],
  ])('on a machine %s is never missing for ever', async (_, build, installed, verdict) => {
    const verdicts = judge(await conclude(months), kbs, {
      product: server2012R2,
      build,
      installed,
    });
    expect(verdicts[kbs.indexOf('KB4345424')]).toBe(verdict);
  });
});

describe('a separate update', () => {
  const products = {
    [release20H2]: '10.0.19042',
    11571: '10.0.17763',
    10816: '10.0.14393',
    [server2012R2]: '6.3.9600',
  };
  const cumulative = (kb: string, product: string, release: string) =>
    `${kb} on ${product} at ${release}.9000${product === server2012R2 ? ' as Monthly Rollup' : ''}`;
  const title = (system: string) => `2022-08 Cumulative Update for ${system} for x64-based Systems`;
  const titles = [
    { kb: 'KB5012170', title: title('Windows 10 Version 20H2'), supersededBy: ['KB5016616'] },
    { kb: 'KB5012170', title: title('Windows Server 2019'), unnamed: 1 },
    {
      kb: 'KB5012170',
      title: '2022-08 Security Update for Windows Server 2016 for x64-based Systems',
    },
  ];
  const separate = (kb: string, type: string) => [
    `${kb} on ${release20H2} at 10.0.19042.1880 as ${type} of CVE-2022-34301 beside`,
    `${kb} on 11571 at 10.0.17763.3284 as ${type} of CVE-2022-34301 beside`,
    `${kb} on 10816 as ${type} of CVE-2022-34301 beside`,
    `${kb} on ${server2012R2} at V1.003 as ${type} of CVE-2022-34301 beside`,
  ];

  it.each([
    ['Security Update', titles],
    ['Security Update', []],
    ['Standalone Security Update', titles],
  ])(
    'of type %s has one answer on each product, whatever its titles say',
    async (type, offered) => {
      const later = Object.entries(products).map(([product, release], index) =>
        cumulative(`KB501661${6 + index}`, product, release),
      );
      const concluded = await conclude(
        [month(1, ...separate('KB5012170', type)), month(2, ...later)],
        offered,
      );
      for (const [index, [product, release]] of Object.entries(products).entries()) {
        expect(concluded.of('KB5012170', product)).toMatchObject({
          line: 'Separate update',
          superseded: false,
          supersededBy: [],
          kbIdToBeInstalled: 'KB5012170',
        });
        const newest = `KB501661${6 + index}`;
        const verdicts = judge(concluded, ['KB5012170', newest], {
          product,
          build: `${release}.9500`,
          installed: ['5094127'],
        });
        expect(verdicts).toEqual(['uncertain partNotShown', 'notMissing']);
      }
    },
  );

  it('is replaced by a later one of its line', async () => {
    const concluded = await conclude([
      month(1, `KB4535680 on 11571 of CVE-2020-0689 beside`),
      month(2, `KB5012170 on 11571 over 4535680 of CVE-2022-34302 beside`),
    ]);
    expect(concluded.of('KB4535680', '11571').supersededBy).toEqual(['KB5012170']);
    const machine = { product: '11571', build: '10.0.17763.9000', installed: ['5012170'] };
    expect(judge(concluded, ['KB4535680', 'KB5012170'], machine)).toEqual([
      'notMissing',
      'notMissing',
    ]);
  });

  it('is current in the KB base too', async () => {
    const months = [month(1, ...separate('KB5012170', 'Security Update'))];
    const { conclusions } = await readGuideEntries(months, titles);
    const states = titles.map(
      (_, index) => conclusions.get(`kb_repository ${index}`)?.['superseded'],
    );
    expect(states).toEqual([false, false, false]);
  });
});
