import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Publication } from '../definition/feed.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { findPart } from '../testing/find-part.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { type ReadItem, readCompletePart } from '../testing/read-complete-part.ts';
import { riskEdgeCases } from '../testing/risk-edge-cases.ts';
import { kevFeed } from './kev-feed.ts';

const part = findPart(kevFeed, 'kev');

const read = (publication: Publication) => readCompletePart(part, publication);

const facts = (items: readonly ReadItem[]) =>
  items.flatMap((item) => (item.kind === 'risk' ? [item.facts] : []));

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
