/** Every document of the mirror passes the mandatory tests of CSAF 2.1. Prints how many optional tests fail, and what a document costs. */
import { expect, test } from 'vitest';
import { vendorFeeds } from '../feeds.ts';
import { createNvdParts } from '../risk/nvd-feed.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { readMirrorItems } from '../testing/mirror-entries.ts';
import { records } from '../testing/nvd-files.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { csafFileName } from './csaf-file-name.ts';
import type { KnownCve } from './csaf-vulnerabilities.ts';
import {
  mandatoryFailures,
  optionalFailures,
  type TimedDocuments,
  toCsafDocuments,
  toVexDocuments,
} from './testing/csaf-documents.ts';

/** Reads NVD's facts about the CVEs of the mirror. */
async function knownCves(): Promise<ReadonlyMap<string, KnownCve>> {
  const known = new Map<string, KnownCve>();
  for (const part of createNvdParts(Date.UTC(2026, 7, 13))) {
    const items = await collect(part.read(await part.contents(publicationFrom(feedMirror))));
    for (const { cve, scores } of records(items)) {
      const [preferred] = scores;
      const vector = preferred?.vector ?? null;
      known.set(cve, {
        title: null,
        score: vector === null ? null : { vector, score: preferred?.score ?? null },
        exploitedSince: null,
      });
    }
  }
  return known;
}

describeWithMirror('CSAF documents of the mirror', () => {
  test.each(Object.keys(vendorFeeds))('are valid: %s', { timeout: 900_000 }, async (source) => {
    const { parts = [] } = vendorFeeds[source as keyof typeof vendorFeeds] ?? {};
    const items = await readMirrorItems(parts);
    const known = await knownCves();
    const entries = items.filter((item) => item.kind === 'entry');
    const vex = toVexDocuments(source, items, known);
    // Debian alone says which vulnerabilities it has not fixed.
    expect(vex.documents.length > 0).toBe(source === 'debian');
    const found = new Map(toCsafDocuments(entries, known));
    if (vex.documents.length > 0) found.set('VEX', vex);
    const names = new Map<string, string>();
    for (const [list, made] of found) {
      const failures: string[] = [];
      const optional = new Map<string, number>();
      for (const document of made.documents) {
        failures.push(...(await mandatoryFailures(document)));
        for (const name of await optionalFailures(document))
          optional.set(name, (optional.get(name) ?? 0) + 1);
        const { id } = document.document.tracking;
        const name = csafFileName(id);
        if ((names.get(name) ?? id) !== id) failures.push(`${name} is also of ${names.get(name)}`);
        names.set(name, id);
      }
      expect(failures).toEqual([]);
      // Keys are in the order of the alphabet, and a document names its own address.
      expect(optional.has('recommendedTest_6_2_13')).toBe(false);
      expect(optional.has('recommendedTest_6_2_11')).toBe(false);
      process.stdout.write(
        `${list} ${figures(made)} ${JSON.stringify(Object.fromEntries(optional))}\n`,
      );
    }
  });
});

function figures({ documents, milliseconds }: TimedDocuments): string {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(2);
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  return `documents ${documents.length}, ms mean ${mean.toFixed(2)} median ${at(0.5)} p99 ${at(0.99)} max ${at(1)}`;
}
