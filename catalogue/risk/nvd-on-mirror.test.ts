import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { findPart } from '../testing/find-part.ts';
import { memoryPublication } from '../testing/memory-publication.ts';
import { file, meta, records } from '../testing/nvd-files.ts';
import { plainCveRecord, writtenCves } from '../testing/plain-cve-record.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { describeWithRiskEdgeCases, riskEdgeCases } from '../testing/risk-edge-cases.ts';
import { createNvdParts } from './nvd-feed.ts';

const feed = { parts: createNvdParts(Date.UTC(2031, 3, 10)) };

describeWithRiskEdgeCases('NVD edge cases', () => {
  const read = (name: string) => readFileSync(new URL(name, riskEdgeCases));
  const odd = (metaName: string) =>
    memoryPublication({
      [file('2026')]: read('nvdcve-2.0-odd.json.gz'),
      [meta('2026')]: read(metaName),
    });
  const part = findPart(feed, '2026');

  test('reads every record of nvdcve-2.0-odd.json.gz and skips unknown metrics', async () => {
    const items = await collect(part.read(await part.contents(odd('nvdcve-2.0-odd.meta'))));
    const found = writtenCves('nvdcve-2.0-odd.json.gz', riskEdgeCases);
    expect(found).toHaveLength(21);
    expect(records(items)).toEqual(
      found.map((of) => {
        const { cvssMetricV50: _unknown, ...metrics } = of.metrics;
        return plainCveRecord({ ...of, metrics });
      }),
    );
    expect(items.filter(({ kind }) => kind !== 'risk')).toEqual([
      {
        kind: 'remark',
        remark:
          'metrics "cvssMetricV50" are not known to this version and were left out: 1 (for example of CVE-2026-900011)',
      },
    ]);
  });
});

describeWithMirror('NVD files in the feed mirror', () => {
  const parts = createNvdParts(Date.UTC(2026, 7, 13)).map(({ key }) => key);

  test.each(parts)('reads every CVE of %s with its fields', async (key) => {
    const part = findPart(feed, key);
    const items = await collect(part.read(await part.contents(publicationFrom(feedMirror))));
    const found = writtenCves(
      `nvd.nist.gov/feeds/json/cve/2.0/nvdcve-2.0-${key}.json.gz`,
      feedMirror,
    );
    // The mirror has no CVEs of some years.
    expect(items.filter(({ kind }) => kind !== 'risk')).toHaveLength(found.length === 0 ? 1 : 0);
    expect(records(items)).toEqual(found.map(plainCveRecord));
  });

  test.each(['2025', 'modified'])('reads every CVE of %s on the next day', async (key) => {
    const root = new URL('overlay-next-day/', riskEdgeCases);
    const part = findPart(feed, key);
    const items = await collect(part.read(await part.contents(publicationFrom(root))));
    const found = writtenCves(`nvd.nist.gov/feeds/json/cve/2.0/nvdcve-2.0-${key}.json.gz`, root);
    expect(records(items)).toEqual(found.map(plainCveRecord));
    expect(items.length).toBeGreaterThan(100);
  });
});
