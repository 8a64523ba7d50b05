/** OSV records of a part of each vendor are valid by the schema, and equal to those that AlmaLinux publishes; osv-on-mirror.long.ts has all. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { vendorFeeds } from '../feeds.ts';
import { describeWithMirror } from '../testing/describe-with-mirror.ts';
import type { OsvRecord } from './osv-record.ts';
import { invalidRecords, mirrorRecords, openFormats } from './testing/mirror-osv.ts';

const published = (name: string): readonly OsvRecord[] =>
  gunzipSync(readFileSync(new URL(name, openFormats)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OsvRecord);

/** `AlmaLinux:8 bash 4.4.19-14.el8`, each once. */
const listFixes = (records: readonly OsvRecord[]): ReadonlySet<string> =>
  new Set(
    records.flatMap(({ affected }) =>
      affected.flatMap(({ package: { ecosystem, name }, ranges }) =>
        ranges.map(({ events }) => `${ecosystem} ${name} ${events[1].fixed}`),
      ),
    ),
  );

describeWithMirror('OSV records of the mirror', () => {
  test.each([
    ['rockyLinux', 'advisories', 'rockylinux_patch'],
    ['debian', 'DSA', 'debian_patch'],
    ['ubuntu', 'notices', 'linux_notice'],
    ['opensuse', '15.6', 'opensuse_patch'],
  ] as const)('are valid by the schema: %s %s', async (source, key, list) => {
    const parts = vendorFeeds[source]?.parts.filter((part) => part.key === key) ?? [];
    const records = await mirrorRecords(parts, list);
    expect(records.length).toBeGreaterThan(10);
    expect(invalidRecords(records)).toEqual([]);
    expect(records.some(({ affected }) => affected.length > 0)).toBe(true);
  });

  test('name the packages, versions, releases and CVEs that AlmaLinux publishes', async () => {
    const theirs = Map.groupBy(published('almalinux-osv.jsonl.gz'), ({ id }) => id);
    const records = await mirrorRecords(vendorFeeds.almaLinux?.parts ?? [], 'almalinux_patch');
    expect(invalidRecords(records)).toEqual([]);
    const ours = new Map(records.map((record) => [record.id, record]));
    const differences: string[] = [];
    let relatedByReference = 0;
    for (const [id, named] of theirs) {
      const record = ours.get(id);
      if (record === undefined) {
        differences.push(`${id} is absent`);
        continue;
      }
      const [expected, found] = [listFixes(named), listFixes([record])];
      for (const fix of expected.symmetricDifference(found)) differences.push(`${id} ${fix}`);
      const related = new Set(named.flatMap((one) => one.related));
      for (const cve of related.difference(new Set(record.related)))
        differences.push(`${id} lacks ${cve}`);
      // Their records name the CVEs of the description; ours also those of the references.
      relatedByReference += new Set(record.related).difference(related).size;
    }
    expect(differences).toEqual([]);
    expect(relatedByReference).toBe(516);
  });
});
