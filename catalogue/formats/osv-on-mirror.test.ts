/** OSV records of the mirror's advisories: valid by the schema, and equal to those that AlmaLinux publishes. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Entry } from '../definition/feed.ts';
import { vendorFeeds } from '../feeds.ts';
import type { VendorSourceKey } from '../sources.ts';
import { describeWithMirror } from '../testing/describe-with-mirror.ts';
import { mirrorEntries } from '../testing/mirror-entries.ts';
import { sharedFolder } from '../testing/shared-folder.ts';
import type { AdvisoryPart } from './advisory-fixes.ts';
import { type OsvRecord, osvRecord } from './osv-record.ts';

const formats = sharedFolder('open-formats');
const json = (name: string) => JSON.parse(readFileSync(new URL(name, formats), 'utf8')) as object;

const published = (name: string): readonly OsvRecord[] =>
  gunzipSync(readFileSync(new URL(name, formats)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OsvRecord);

const risk = {
  vectors: ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'AV:N/AC:L/Au:N/C:P/I:P/A:P', 'none'],
  isExploited: true,
  epss: 0.5,
};

/** Advisories of all parts of a source that the mirror holds, without the time of a repository. */
async function mirrorRecords(source: VendorSourceKey, list: string): Promise<OsvRecord[]> {
  const entries: Entry[] = [];
  // The mirror lacks some parts.
  for (const part of vendorFeeds[source]?.parts ?? [])
    entries.push(...(await mirrorEntries(part).catch(() => [])));
  const own = entries.filter((entry) => entry.list.key === list);
  const byName = Map.groupBy(own, ({ row }) => String(row['bulletinId'] ?? row['noticeId']));
  return [...byName].flatMap(([identifier, group]) => {
    const [first, ...others] = group.map(
      ({ row, detail }): AdvisoryPart => ({ row, detail, updated: 0, withdrawn: null }),
    );
    const entry = group[0];
    if (first === undefined || entry === undefined) return [];
    return [osvRecord(entry.list, identifier, [first, ...others], risk)];
  });
}

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
    ['almaLinux', 'almalinux_patch'],
    ['rockyLinux', 'rockylinux_patch'],
    ['debian', 'debian_patch'],
    ['ubuntu', 'linux_notice'],
    ['opensuse', 'opensuse_patch'],
  ] as const)('are valid by the schema: %s', async (source, list) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const isValid = ajv.compile(json('osv-schema.json'));
    const records = await mirrorRecords(source, list);
    expect(records.length).toBeGreaterThan(50);
    const invalid = records.filter((record) => !isValid(record));
    expect(invalid.map(({ id }) => id)).toEqual([]);
    expect(records.filter(({ affected }) => affected.length === 0).length).toBeLessThan(
      records.length,
    );
  });

  test('name the packages, versions, releases and CVEs that AlmaLinux publishes', async () => {
    const theirs = Map.groupBy(published('almalinux-osv.jsonl.gz'), ({ id }) => id);
    const ours = new Map(
      (await mirrorRecords('almaLinux', 'almalinux_patch')).map((record) => [record.id, record]),
    );
    const differences: string[] = [];
    let relatedByReference = 0;
    for (const [id, records] of theirs) {
      const record = ours.get(id);
      if (record === undefined) {
        differences.push(`${id} is absent`);
        continue;
      }
      const [expected, found] = [listFixes(records), listFixes([record])];
      for (const fix of expected.symmetricDifference(found)) differences.push(`${id} ${fix}`);
      const related = new Set(records.flatMap((one) => one.related));
      for (const cve of related.difference(new Set(record.related)))
        differences.push(`${id} lacks ${cve}`);
      // Their records name the CVEs of the description; ours also those of the references.
      relatedByReference += new Set(record.related).difference(related).size;
    }
    expect(differences).toEqual([]);
    expect(relatedByReference).toBe(516);
  });
});
