/** Every OSV record of the mirror is valid by the schema, and AlmaLinux's are equal to those that it publishes. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { vendorFeeds } from '../feeds.ts';
import { describeWithMirror } from '../testing/describe-with-mirror.ts';
import { readMirrorEntries } from '../testing/mirror-entries.ts';
import type { OsvRecord } from './osv-record.ts';
import { invalidRecords, openFormats, toOsvRecords } from './testing/osv-records.ts';

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
        (ranges ?? []).map(({ events }) => `${ecosystem} ${name} ${events[1].fixed}`),
      ),
    ),
  );

describeWithMirror('all OSV records of the mirror', () => {
  test.each([
    ['almaLinux', 'almalinux_patch'],
    ['rockyLinux', 'rockylinux_patch'],
    ['debian', 'debian_patch'],
    ['ubuntu', 'linux_notice'],
    ['opensuse', 'opensuse_patch'],
  ] as const)('are valid: %s', async (source, list) => {
    const records = toOsvRecords(await readMirrorEntries(vendorFeeds[source]?.parts ?? []), list);
    expect(records.length).toBeGreaterThan(50);
    expect(invalidRecords(records)).toEqual([]);
  });

  test('name the packages, versions, releases and CVEs that AlmaLinux publishes', async () => {
    const theirs = Map.groupBy(published('almalinux-osv.jsonl.gz'), ({ id }) => id);
    const records = toOsvRecords(
      await readMirrorEntries(vendorFeeds.almaLinux?.parts ?? []),
      'almalinux_patch',
    );
    const ours = new Map(records.map((record) => [record.id, record]));
    const differences: string[] = [];
    let relatedByReference = 0;
    for (const [id, vendorRecords] of theirs) {
      const record = ours.get(id);
      if (record === undefined) {
        differences.push(`${id} is absent`);
        continue;
      }
      const [expected, found] = [listFixes(vendorRecords), listFixes([record])];
      for (const fix of expected.symmetricDifference(found)) differences.push(`${id} ${fix}`);
      const related = new Set(vendorRecords.flatMap((one) => one.related));
      for (const cve of related.difference(new Set(record.related)))
        differences.push(`${id} lacks ${cve}`);
      // Their records name the CVEs of the description; ours also those of the references.
      relatedByReference += new Set(record.related).difference(related).size;
    }
    expect(differences).toEqual([]);
    expect(relatedByReference).toBe(516);
  });
});
