/** Finds the erratum of every package in the feed mirror by a pasted package name. */

import { NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { Entry } from '@patch/catalogue/definition/feed.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { describeWithMirror, feedMirror } from '@patch/catalogue/testing/describe-with-mirror.ts';
import { publicationFrom } from '@patch/catalogue/testing/publication-from.ts';
import { expect, test } from 'vitest';
import { searchedColumns } from '../../platform/database/rows/list-columns.ts';
import {
  addWords,
  maxPackageCharacters,
  storedRow,
} from '../../platform/database/rows/stored-row.ts';
import { parsePackageKeyword } from '../criteria/keyword-parts.ts';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

async function* readEntries(source: keyof typeof vendorFeeds): AsyncGenerator<Entry> {
  const publication = publicationFrom(feedMirror);
  for (const part of vendorFeeds[source]?.parts ?? []) {
    try {
      for await (const reading of part.read(await part.contents(publication)))
        if (reading.kind === 'entry') yield reading;
    } catch (error) {
      if (!(error instanceof NotPublished)) throw error;
    }
  }
}

describeWithMirror('package keywords of the feed mirror', () => {
  test.each([
    ['almaLinux', 1616, 45_000],
    ['rockyLinux', 875, 30_000],
    ['centOs', 1421, 10_000],
    ['opensuse', 521, 10_000],
    // ELSA-2023-12143 of Oracle Linux 8 has only a package of el6 and is rejected.
    ['oracleLinux', 3186, 40_000],
  ] as const)(
    'finds each %s record by its packages and by the ids of Red Hat',
    async (source, records, atLeast) => {
      let met = 0;
      let packages = 0;
      const lost: string[] = [];
      for await (const { list, key, row, detail } of readEntries(source)) {
        met += 1;
        const words = addWords(new Set(), storedRow(list, row, detail), searchedColumns(list));
        const { length } = [...words].join('\n');
        if (length > maxPackageCharacters) lost.push(`${key}: ${length} characters`);
        const names = [
          ...(detail['upstreamAdvisories'] as string[]),
          row['patchName'] ?? row['bulletinId'],
        ].map((name) => fold(String(name)));
        lost.push(...names.filter((name) => !words.has(name)).map((name) => `${key}: ${name}`));
        for (const { name, version, architecture } of detail['packages'] as Package[]) {
          packages += 1;
          const epoch = version.includes(':') ? version : `0:${version}`;
          for (const pasted of [
            `${name}-${epoch}.${architecture}`,
            `${name}-${version.replace(/^\d+:/, '')}`,
          ]) {
            const parsed = parsePackageKeyword(list, fold(pasted));
            if (parsed === null || !words.has(parsed.name) || !words.has(parsed.version))
              lost.push(`${key}: ${pasted}`);
          }
        }
      }
      expect(lost).toEqual([]);
      expect(met).toBe(records);
      expect(packages).toBeGreaterThan(atLeast);
    },
  );
});
