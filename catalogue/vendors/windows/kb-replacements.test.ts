/** What Microsoft says replaces a KB, and what is said of the offline scan file. */
import { describe, expect, test } from 'vitest';
import { conclude, month, server } from './testing/concluded-months.ts';

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

  test('that run backwards in time are followed, and the day of the newer KB is open', async () => {
    const { of, remarks } = await conclude([
      month(3, { kb: 'KB5000001', products: ['9003'] }),
      month(1, { kb: 'KB5000002', products: ['9003'], supersedes: '5000001' }),
    ]);
    expect(of('KB5000001', '9003')).toMatchObject({ kbIdToBeInstalled: 'KB5000002' });
    expect(of('KB5000002', '9003')).toMatchObject({
      releaseDate: null,
      releaseDateSource:
        'no document states the day: not before 2024-03-09, by KB5000001, which this KB replaces',
      contradictions: [],
    });
    expect(remarks).toEqual([]);
  });

  test('of a KB that is dated long after those with higher numbers are told with both sources', async () => {
    const higher = ['KB5000003', 'KB5000004', 'KB5000005'].map((kb) => ({
      kb,
      products: ['9003'],
    }));
    const { of, remarks } = await conclude([
      month(7, { kb: 'KB5000001', products: ['9003'] }),
      month(1, { kb: 'KB5000002', products: ['9003'], supersedes: '5000001' }, ...higher),
    ]);
    expect(of('KB5000001', '9003')).toMatchObject({
      kbIdToBeInstalled: 'KB5000002',
      contradictions: [
        {
          statement: 'KB5000002 replaces KB5000001',
          source: 'security update guide, 2024-Jan',
          against: 'KB5000002 is of 2024-01-09, KB5000001 of 2024-07-09',
          againstSource: 'security update guide, 2024-Jan; security update guide, 2024-Jul',
        },
      ],
    });
    expect(of('KB5000002', '9003').contradictions).toHaveLength(1);
    expect(remarks).toEqual([
      'replacements run backwards in time: 1, on 1 rows: KB5000002 replaces KB5000001, but KB5000002 is of 2024-01-09, KB5000001 of 2024-07-09. The records list both sources',
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
