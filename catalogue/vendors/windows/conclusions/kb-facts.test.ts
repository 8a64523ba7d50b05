/** Contradictions between the guide and the scan file: every list states the same facts about a KB. */
import { expect, test } from 'vitest';
import { month, server } from '../testing/concluded-months.ts';
import { type OfferedFixture, readGuideEntries } from '../testing/guide-entries.ts';
import type { GuideMonth } from '../testing/guide-month.ts';

const serverTitle =
  '2024-01 Cumulative Update for Microsoft server operating system version 21H2 for x64-based Systems';
const otherTitle = '2024-01 Cumulative Update for Windows 11 Version 24H2 for x64-based Systems';
const client = '12097';
const clientTitle = '2024-01 Cumulative Update for Windows 10 Version 22H2 for x64-based Systems';

/** Returns the facts of one KB in all three lists. */
async function readFacts(
  kb: string,
  months: readonly GuideMonth[],
  offered: readonly OfferedFixture[] = [],
) {
  const { entries, conclusions } = await readGuideEntries(months, offered);
  const getProductFacts = (product: string) => {
    const entry = entries.get(`${kb}|${product}`);
    if (entry === undefined) throw new Error(`no ${kb}|${product}`);
    return { ...entry.detail, ...entry.row };
  };
  const getUpdateFacts = (index: number) => {
    const [base, patch] = ['kb_repository', 'patch'].map((list) =>
      conclusions.get(`${list} ${index}`),
    );
    // The patch list has fewer fields, with the same values.
    expect(base).toMatchObject(patch ?? {});
    return base;
  };
  return { ofProduct: getProductFacts, ofUpdate: getUpdateFacts };
}

const superseding = [
  month(1, 'KB5000001 at 10.0.20348.100 of CVE-2024-0001'),
  month(2, 'KB5000002 at 10.0.20348.200'),
];
const onBoth = month(1, `KB5000001 on ${server},${client}`);

test("marks an update as superseded by the guide's builds although the scan file does not", async () => {
  const { ofProduct: getProductFacts, ofUpdate: getUpdateFacts } = await readFacts(
    'KB5000001',
    superseding,
    [{ kb: 'KB5000001', title: serverTitle }],
  );
  const facts = {
    superseded: true,
    supersededBy: ['KB5000002'],
    kbIdToBeInstalled: 'KB5000002',
    cve: ['CVE-2024-0001'],
  };
  expect(getUpdateFacts(0)).toMatchObject(facts);
  expect(getProductFacts(server)).toMatchObject(facts);
});

test('marks an unmatched update as superseded when all products agree, and as unknown otherwise', async () => {
  const onAll = await readFacts('KB5000001', superseding, [
    { kb: 'KB5000001', title: otherTitle, superseded: null },
  ]);
  expect(onAll.ofUpdate(0)).toMatchObject({ superseded: true, kbIdToBeInstalled: 'KB5000002' });
  const { ofUpdate: getUpdateFacts } = await readFacts(
    'KB5000001',
    [onBoth, month(2, `KB5000002 on ${server} over 5000001`)],
    [otherTitle, serverTitle, clientTitle].map((title) => ({ kb: 'KB5000001', title })),
  );
  expect([0, 1, 2].map((index) => getUpdateFacts(index)?.['superseded'])).toEqual([
    null,
    true,
    false,
  ]);
  expect(getUpdateFacts(0)).toMatchObject({ supersededBy: [], kbIdToBeInstalled: null });
});

test('marks a KB as superseded on the product whose update an unnamed update replaces', async () => {
  const { ofProduct: getProductFacts, ofUpdate: getUpdateFacts } = await readFacts(
    'KB5000001',
    [onBoth],
    [{ kb: 'KB5000001', title: serverTitle, unnamed: 1 }],
  );
  const facts = { superseded: true, supersededBy: [], kbIdToBeInstalled: null };
  expect(getProductFacts(server)).toMatchObject({
    ...facts,
    installEvidence: expect.stringContaining('Windows Update says that another update replaces it'),
  });
  expect(getUpdateFacts(0)).toMatchObject(facts);
  expect(getProductFacts(client)).toMatchObject({ superseded: false });
});

test('leaves the state unknown when only the scan file has the KB and contradicts itself', async () => {
  const date = '2024-01-09';
  const { ofUpdate: getUpdateFacts } = await readFacts('KB5000001', superseding, [
    { kb: 'KB4000001', title: 'Update for x64', date, superseded: null },
    { kb: 'KB4000001', title: 'Update for x86', date, superseded: false },
    { kb: 'KB4000002', title: 'Update for x86', date, superseded: false },
  ]);
  expect([0, 1, 2].map((index) => getUpdateFacts(index)?.['superseded'])).toEqual([
    null,
    null,
    false,
  ]);
});

test('uses one date for all updates and products of a KB', async () => {
  const { ofProduct: getProductFacts, ofUpdate: getUpdateFacts } = await readFacts(
    'KB5000001',
    [onBoth],
    [
      { kb: 'KB5000001', title: serverTitle, date: '2024-01-09T18:00:00Z' },
      { kb: 'KB5000001', title: clientTitle, date: '2024-02-20T18:00:00Z' },
    ],
  );
  for (const facts of [
    getProductFacts(server),
    getProductFacts(client),
    getUpdateFacts(0),
    getUpdateFacts(1),
  ])
    expect(facts?.['releaseDate']).toBe(Date.UTC(2024, 0, 9, 18));
});

test('takes the risk from the products that match the update, else from all products', async () => {
  const { ofProduct: getProductFacts, ofUpdate: getUpdateFacts } = await readFacts(
    'KB5000001',
    [
      month(
        1,
        `KB5000001 on ${server} of CVE-2024-0001`,
        `KB5000001 on ${client} of CVE-2024-0002`,
      ),
    ],
    [
      { kb: 'KB5000001', title: serverTitle, cve: ['CVE-2024-0009'] },
      { kb: 'KB5000001', title: otherTitle },
    ],
  );
  expect(getProductFacts(server).cve).toEqual(['CVE-2024-0001', 'CVE-2024-0009']);
  expect(getUpdateFacts(0)?.['cve']).toEqual(['CVE-2024-0001', 'CVE-2024-0009']);
  expect(getUpdateFacts(1)?.['cve']).toEqual(['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0009']);
});
