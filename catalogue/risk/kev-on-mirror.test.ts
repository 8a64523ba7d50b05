import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Publication } from '../definition/feed.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { formatMessages } from '../testing/feed-reader.ts';
import { findPart } from '../testing/find-part.ts';
import { memoryPublication } from '../testing/memory-publication.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { type ReadItem, readCompletePart } from '../testing/read-complete-part.ts';
import { describeWithRiskEdgeCases, riskEdgeCases } from '../testing/risk-edge-cases.ts';
import { kevFeed } from './kev-feed.ts';

const address =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const part = findPart(kevFeed, 'kev');

const read = (publication: Publication) => readCompletePart(part, publication);

const facts = (items: readonly ReadItem[]) =>
  items.flatMap((item) => (item.kind === 'risk' ? [item.facts] : []));

describeWithRiskEdgeCases('KEV edge cases', () => {
  const served = (name: string, more = {}) =>
    memoryPublication(
      { [address]: readFileSync(new URL(name, riskEdgeCases)) },
      { now: Date.UTC(2026, 7, 14), ...more },
    );

  test('refuses the year-old kev-2025-08-25.json.gz after a newer catalogue, and reads it as the first one', async () => {
    const remembered = { dateReleased: '2026-08-11T18:59:43.686Z' };
    await expect(part.contents(served('kev-2025-08-25.json.gz', { remembered }))).rejects.toThrow(
      'before the catalogue of 2026-08-11',
    );
    expect((await read(served('kev-2025-08-25.json.gz'))).items).toHaveLength(1404);
  });

  test.each([
    ['kev-truncated-2025-02-25.json.gz', 'not valid JSON'],
    ['kev-empty.json', 'it contains no vulnerability'],
    ['kev-403.html', 'not valid JSON'],
  ])('refuses %s', async (name, message) => {
    await expect(part.contents(served(name))).rejects.toThrow(message);
  });

  test('refuses kev-odd.json for its count, and reads nine of its entries with the right count', async () => {
    await expect(part.contents(served('kev-odd.json'))).rejects.toThrow('its count of 99 differs');
    const text = readFileSync(new URL('kev-odd.json', riskEdgeCases), 'utf8');
    const corrected = text.replace(/("count"\s*:\s*)99/, '$112');
    const { items } = await read(
      memoryPublication({ [address]: corrected }, { now: Date.UTC(2026, 7, 14) }),
    );
    const accepted = facts(items).filter((record) => record.kind === 'kev');
    expect(accepted).toMatchObject([
      { cve: 'CVE-2026-20349' },
      { cve: 'CVE-2026-68820', dueDate: null },
      { cve: 'CVE-2026-72898', ransomware: null },
      { cve: 'CVE-2026-8037', ransomware: null },
      { cve: 'CVE-2026-63077', cwes: [] },
      { cve: 'CVE-2026-34486', dueDate: Date.UTC(2026, 8, 30) },
      {
        cve: 'CVE-2026-18577',
        notes: '<img src=x onerror=alert(1)> https://example.org ; javascript:alert(1)',
      },
      { cve: 'CVE-2025-68686' },
      { cve: 'CVE-2026-16812', description: expect.stringMatching(/^.{20000}$/s) },
    ]);
    expect(formatMessages(items.filter(({ kind }) => kind === 'rejection'))).toEqual([
      'CVE-2026-34486: it occurs twice; the first entry was read [CVE-2026-34486]',
      'CVE-2026-9198: its dateAdded "08/11/2026" is not a date [CVE-2026-9198]',
      'entry 10: its cveID "CVE-2026-" is not a CVE id []',
    ]);
  });
});

describeWithMirror('KEV catalogue in the feed mirror', () => {
  const path = 'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';

  test('reads every entry with its fields', async () => {
    const written: Record<string, string>[] = JSON.parse(
      readFileSync(new URL(path, feedMirror), 'utf8'),
    ).vulnerabilities;
    const { items } = await read(publicationFrom(feedMirror));
    expect(written).toHaveLength(1665);
    expect(facts(items)).toHaveLength(items.length);
    expect(facts(items)).toEqual(
      written.map((record) => ({
        kind: 'kev',
        cve: record.cveID,
        vendorProject: record.vendorProject?.trim(),
        product: record.product?.trim(),
        name: record.vulnerabilityName?.trim(),
        description: record.shortDescription?.trim(),
        requiredAction: record.requiredAction?.trim(),
        dateAdded: Date.parse(record.dateAdded ?? ''),
        dueDate: Date.parse(record.dueDate ?? ''),
        ransomware: record.knownRansomwareCampaignUse === 'Known',
        notes: record.notes?.trim(),
        cwes: record.cwes,
      })),
    );
  });

  test.each(['overlay-next-day', 'overlay-next-week'])('reads the state of %s', async (overlay) => {
    const contents = await part.contents({
      ...publicationFrom(new URL(`${overlay}/`, riskEdgeCases)),
      remembered: { dateReleased: '2026-08-11T18:59:43.686Z' },
    });
    const { vulnerabilities } = JSON.parse(
      readFileSync(new URL(`${overlay}/${path}`, riskEdgeCases), 'utf8'),
    );
    expect(await collect(part.read(contents))).toHaveLength(vulnerabilities.length);
  });
});
