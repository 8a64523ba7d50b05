/** Contradictions between the guide and the scan file: every list says the same of one KB. */
import { expect, test } from 'vitest';
import { month, server } from './testing/concluded-months.ts';
import { guideEntries, type OfferedInTest } from './testing/guide-entries.ts';
import type { GuideMonth } from './testing/guide-month.ts';

const serverTitle =
  '2024-01 Cumulative Update for Microsoft server operating system version 21H2 for x64-based Systems';
const otherTitle = '2024-01 Cumulative Update for Windows 11 Version 24H2 for x64-based Systems';
const client = '12097';
const clientTitle = '2024-01 Cumulative Update for Windows 10 Version 22H2 for x64-based Systems';

/** The facts of one KB in all three lists. */
async function factsOf(
  kb: string,
  months: readonly GuideMonth[],
  offered: readonly OfferedInTest[] = [],
) {
  const { entries, conclusions } = await guideEntries(months, offered);
  const ofProduct = (product: string) => {
    const entry = entries.get(`${kb}|${product}`);
    if (entry === undefined) throw new Error(`no ${kb}|${product}`);
    return { ...entry.detail, ...entry.row };
  };
  const ofUpdate = (place: number) => {
    const [base, patch] = ['kb_repository', 'patch'].map((list) =>
      conclusions.get(`${list} ${place}`),
    );
    // The patch list has fewer fields, and says nothing else in them.
    expect(base).toMatchObject(patch ?? {});
    return base;
  };
  return { ofProduct, ofUpdate };
}

const superseding = [
  month(1, 'KB5000001 at 10.0.20348.100 of CVE-2024-1'),
  month(2, 'KB5000002 at 10.0.20348.200'),
];
const onBoth = month(1, `KB5000001 on ${server},${client}`);

test('a KB is superseded for an update that the scan file calls current, by the builds of the guide', async () => {
  const { ofProduct, ofUpdate } = await factsOf('KB5000001', superseding, [
    { kb: 'KB5000001', title: serverTitle },
  ]);
  const facts = {
    superseded: true,
    supersededBy: ['KB5000002'],
    kbIdToBeInstalled: 'KB5000002',
    cve: ['CVE-2024-1'],
  };
  expect(ofUpdate(0)).toMatchObject(facts);
  expect(ofProduct(server)).toMatchObject(facts);
});

test('a KB is superseded for an update that is matched with no product when it is on all products, and not known when they differ', async () => {
  const onAll = await factsOf('KB5000001', superseding, [
    { kb: 'KB5000001', title: otherTitle, superseded: null },
  ]);
  expect(onAll.ofUpdate(0)).toMatchObject({ superseded: true, kbIdToBeInstalled: 'KB5000002' });
  const { ofUpdate } = await factsOf(
    'KB5000001',
    [onBoth, month(2, `KB5000002 on ${server} over 5000001`)],
    [otherTitle, serverTitle, clientTitle].map((title) => ({ kb: 'KB5000001', title })),
  );
  expect([0, 1, 2].map((place) => ofUpdate(place)?.['superseded'])).toEqual([null, true, false]);
  expect(ofUpdate(0)).toMatchObject({ supersededBy: [], kbIdToBeInstalled: null });
});

test('a KB is superseded on the product whose update the scan file says an unnamed one replaces', async () => {
  const { ofProduct, ofUpdate } = await factsOf(
    'KB5000001',
    [onBoth],
    [{ kb: 'KB5000001', title: serverTitle, unnamed: 1 }],
  );
  const facts = { superseded: true, supersededBy: [], kbIdToBeInstalled: null };
  expect(ofProduct(server)).toMatchObject({
    ...facts,
    installEvidence: expect.stringContaining('Windows Update says that another update replaces it'),
  });
  expect(ofUpdate(0)).toMatchObject(facts);
  expect(ofProduct(client)).toMatchObject({ superseded: false });
});

test('the state of a KB is not known that only the scan file has and contradicts itself on, whatever the architecture', async () => {
  const date = '2024-01-09';
  const { ofUpdate } = await factsOf('KB5000001', superseding, [
    { kb: 'KB4000001', title: 'Update for x64', date, superseded: null },
    { kb: 'KB4000001', title: 'Update for x86', date, superseded: false },
    { kb: 'KB4000002', title: 'Update for x86', date, superseded: false },
  ]);
  expect([0, 1, 2].map((place) => ofUpdate(place)?.['superseded'])).toEqual([null, null, false]);
});

test('the date of a KB is one for all of its updates and products', async () => {
  const { ofProduct, ofUpdate } = await factsOf(
    'KB5000001',
    [onBoth],
    [
      { kb: 'KB5000001', title: serverTitle, date: '2024-01-09T18:00:00Z' },
      { kb: 'KB5000001', title: clientTitle, date: '2024-02-20T18:00:00Z' },
    ],
  );
  for (const facts of [ofProduct(server), ofProduct(client), ofUpdate(0), ofUpdate(1)])
    expect(facts?.['releaseDate']).toBe(Date.UTC(2024, 0, 9, 18));
});

test('the date of a KB is open in all lists where the builds contradict the only one that is stated', async () => {
  const { ofProduct, ofUpdate } = await factsOf(
    'KB5000002',
    [month(3, 'KB5000001 at 10.0.20348.100'), month(1, 'KB5000002 at 10.0.20348.200')],
    [{ kb: 'KB5000002', title: serverTitle, date: '2024-01-09T18:00:00Z' }],
  );
  expect(ofProduct(server)).toMatchObject({
    releaseDate: null,
    name: expect.stringMatching(/^Security/),
  });
  expect(ofUpdate(0)).toMatchObject({ releaseDate: null });
});

test('the risk of a KB is that of the products of the update; of one that is matched with none that of all products', async () => {
  const { ofProduct, ofUpdate } = await factsOf(
    'KB5000001',
    [month(1, `KB5000001 on ${server} of CVE-2024-1`, `KB5000001 on ${client} of CVE-2024-2`)],
    [
      { kb: 'KB5000001', title: serverTitle, cve: ['CVE-2024-9'] },
      { kb: 'KB5000001', title: otherTitle },
    ],
  );
  expect(ofProduct(server).cve).toEqual(['CVE-2024-1', 'CVE-2024-9']);
  expect(ofUpdate(0)?.['cve']).toEqual(['CVE-2024-1', 'CVE-2024-9']);
  expect(ofUpdate(1)?.['cve']).toEqual(['CVE-2024-1', 'CVE-2024-2', 'CVE-2024-9']);
});
