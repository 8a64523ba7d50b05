/** Stated replacements of KBs, by the guide and by the offline scan file. */
import { expect, test } from 'vitest';
import { conclude, month, server } from '../testing/concluded-months.ts';

test("follows Microsoft's statements where builds end, and those of the scan file for the same product only", async () => {
  const title = (system: string) => `2024-01 Cumulative Update for ${system} for x64-based Systems`;
  const serverTitle = title('Microsoft server operating system version 21H2');
  const { of: getFacts, shortly: summarise } = await conclude(
    [month(1, `KB5000001 on ${server},12097`), month(2, `KB5000002 on ${server},12097`)],
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
  expect(summarise('KB5000001')).toContain(', KB5000003, KB5000003, replaced by KB5000002');
  expect(getFacts('KB5000001').installEvidence).toBe(
    'KB5000002 replaces it (offline scan file). The chain of 2 KBs ends with KB5000003; no successor of that is known.',
  );
  expect(getFacts('KB5000001', '12097')).toMatchObject({
    superseded: false,
    latestKb: 'KB5000001',
  });
});

/** A contradiction as the record shows it and as the run reports it. */
const contradiction = (
  statement: string,
  source: string,
  against: string,
  againstSource: string,
) => ({
  contradictions: [{ statement, source, against, againstSource }],
  words: `${statement}, but ${against}. The records list both sources`,
});
const formatGuideSources = (...months: readonly string[]) =>
  months.map((name) => `security update guide, 2024-${name}`).join('; ');

test('ignores replacements with a lower build and shows both sources', async () => {
  const { of: getFacts, remarks } = await conclude([
    month(1, 'KB5000001 at 10.0.20348.2000', 'KB5000002 at 10.0.20348.1000 over 5000001'),
  ]);
  const { contradictions, words } = contradiction(
    'KB5000002 replaces KB5000001',
    formatGuideSources('Jan'),
    'KB5000002 has build 10.0.20348.1000, KB5000001 the higher 10.0.20348.2000',
    formatGuideSources('Jan'),
  );
  const expected = { kbIdToBeInstalled: 'KB5000001', contradictions };
  expect(getFacts('KB5000001')).toMatchObject({ superseded: false, ...expected });
  expect(getFacts('KB5000002')).toMatchObject({ superseded: true, ...expected });
  expect(remarks).toEqual([
    `replacements lead to a lower build of the same branch and are not believed: 1, on 1 rows: ${words}`,
  ]);
});

test("follows replacements with an earlier date, and leaves the newer KB's date unknown", async () => {
  const { of: getFacts, remarks } = await conclude([
    month(3, 'KB5000001 on 9003'),
    month(1, 'KB5000002 on 9003 over 5000001'),
  ]);
  expect(getFacts('KB5000001', '9003')).toMatchObject({ kbIdToBeInstalled: 'KB5000002' });
  expect(getFacts('KB5000002', '9003')).toMatchObject({
    releaseDate: null,
    releaseDateSource:
      'no document states the day: not before 2024-03-09, by KB5000001, which this KB replaces',
    contradictions: [],
  });
  expect(remarks).toEqual([]);
});

test('reports replacements of a KB dated long after higher numbers with both sources', async () => {
  const higher = ['KB5000003', 'KB5000004', 'KB5000005'].map((kb) => `${kb} on 9003`);
  const { of: getFacts, remarks } = await conclude([
    month(7, 'KB5000001 on 9003'),
    month(1, 'KB5000002 on 9003 over 5000001', ...higher),
  ]);
  const { contradictions, words } = contradiction(
    'KB5000002 replaces KB5000001',
    formatGuideSources('Jan'),
    'KB5000002 is of 2024-01-09, KB5000001 of 2024-07-09',
    formatGuideSources('Jan', 'Jul'),
  );
  expect(getFacts('KB5000001', '9003')).toMatchObject({
    kbIdToBeInstalled: 'KB5000002',
    contradictions,
  });
  expect(getFacts('KB5000002', '9003').contradictions).toHaveLength(1);
  expect(remarks).toEqual([`replacements run backwards in time: 1, on 1 rows: ${words}`]);
});

test('breaks circles of replacements, and keeps those from earlier to later KBs', async () => {
  const { of: getFacts, remarks } = await conclude([
    month(1, 'KB5000001 on 9003 over 5000003'),
    month(2, 'KB5000002 on 9003 over 5000001'),
    month(3, 'KB5000003 on 9003 over 5000002'),
  ]);
  for (const kb of ['KB5000001', 'KB5000002', 'KB5000003'])
    expect(getFacts(kb, '9003').kbIdToBeInstalled).toBe('KB5000003');
  expect(getFacts('KB5000003', '9003')).toMatchObject({
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

test('prefers the end of a chain that is for the same products', async () => {
  const { of: getFacts } = await conclude([
    month(1, 'KB5000001 on 9003'),
    month(2, 'KB5000002 on 9003 over 5000001'),
    month(3, 'KB5000003 on 9003,9004 over 5000001'),
  ]);
  expect(getFacts('KB5000001', '9003')).toMatchObject({
    latestKb: 'KB5000002',
    supersededBy: ['KB5000002', 'KB5000003'],
  });
});

test('limits replacements to one product', async () => {
  const { of: getFacts } = await conclude([
    month(1, 'KB5000001 on 9003,9004'),
    month(2, 'KB5000002 on 9003 over 5000001'),
  ]);
  expect(getFacts('KB5000001', '9003').superseded).toBe(true);
  expect(getFacts('KB5000001', '9004')).toMatchObject({
    superseded: false,
    latestKb: 'KB5000001',
    installEvidence: 'No successor is known.',
  });
});

test('reports how many rows match the offline scan file, and why others do not', async () => {
  const title = 'Cumulative Update for Windows 10 Version 22H2 for x64-based Systems';
  const { remarks } = await conclude(
    [month(1, `KB5000001 on ${server},12097,9003`, 'KB5000002')],
    [{ kb: 'KB5000001', title }],
  );
  expect(remarks).toEqual([
    '1 rows are matched with an update of the offline scan file; 2 are not, though the file has their KB: 1 offered for another version of Windows only, 1 offered for another product only',
  ]);
});
