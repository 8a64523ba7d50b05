/** Checks the exploitation, known issues, questions, advice and weaknesses of KBs against the documents, read by regular expressions. */
import { beforeAll, expect, test } from 'vitest';
import type { Entry } from '../../definition/feed.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { findPart } from '../../testing/find-part.ts';
import {
  extractLetters,
  guideVulnerabilities,
  type MirrorVulnerability,
} from '../../testing/mirror/guide-records.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readAllItems } from '../../testing/read-all-items.ts';
import { windowsKbFeed } from './windows-kb-feed.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];
const getTable = (entry: Entry, name: string) => entry.detail[name] as Rows;
const getCves = (row: Readonly<Record<string, unknown>>) => row['cve'] as readonly string[];
const filterByCve = (rows: Rows, cve: string) => rows.filter((row) => getCves(row).includes(cve));

describeWithMirror("Microsoft's guidance in the feed mirror", () => {
  let entries: readonly Entry[];
  let byCve: ReadonlyMap<string, MirrorVulnerability>;
  let all: readonly MirrorVulnerability[];

  beforeAll(async () => {
    const part = findPart(windowsKbFeed, 'msrc');
    const readings = await readAllItems(part, await part.contents(publicationFrom(feedMirror)));
    entries = readings.filter(
      (reading): reading is Entry =>
        reading.kind === 'entry' && reading.list.key === 'patch_repository',
    );
    all = guideVulnerabilities().filter(({ fixes }) => fixes.length > 0);
    byCve = new Map(all.map((vulnerability) => [vulnerability.cve, vulnerability]));
  });

  const listVulnerabilities = (entry: Entry) =>
    (entry.row['cve'] as readonly string[]).flatMap((cve) => byCve.get(cve) ?? []);

  test('takes exploitation and disclosure from the status of the vulnerabilities', () => {
    const findStatement = (entry: Entry, name: 'Exploited' | 'Publicly Disclosed') => {
      const words = listVulnerabilities(entry).map(
        ({ status }) => new RegExp(`${name}:(\\w+)`).exec(status)?.[1],
      );
      return words.includes('Yes')
        ? true
        : words.length > 0 && words.every((word) => word === 'No')
          ? false
          : null;
    };
    const expected = entries.map((entry) => [
      entry.key,
      findStatement(entry, 'Exploited'),
      findStatement(entry, 'Publicly Disclosed'),
    ]);
    expect(
      entries.map(({ key, row }) => [key, row['exploited'], row['publiclyDisclosed']]),
    ).toEqual(expected);
    const share = (index: 1 | 2) =>
      expected.filter((row) => row[index] === true).length / expected.length;
    // About a quarter, so that reading nothing would fail.
    expect(share(1)).toBeGreaterThan(0.15);
    expect(share(2)).toBeGreaterThan(0.15);
  });

  test('lists every known issue at the KB that it names, or at the fixing KBs', () => {
    const expected = new Map<string, Set<string>>();
    let entriesRead = 0;
    for (const { cve, fixes, knownIssues } of all) {
      entriesRead += knownIssues.length;
      for (const kb of knownIssues)
        if (fixes.some((fix) => fix.kb === kb))
          expected.set(kb, (expected.get(kb) ?? new Set()).add(cve));
    }
    expect(entriesRead).toBeGreaterThan(11_000);
    const shown = new Map<string, Set<string>>();
    for (const entry of entries) {
      for (const issue of getTable(entry, 'knownIssues')) {
        const own = issue['kbId'] === entry.row['kbId'];
        expect(String(issue['article'])).toMatch(/^https?:\/\/(support|www)\.microsoft\.com\//);
        if (!own) continue;
        const kb = String(issue['kbId']);
        shown.set(
          kb,
          new Set([
            ...(shown.get(kb) ?? []),
            ...getCves(issue).filter(
              (cve) => byCve.get(cve)?.fixes.some((fix) => fix.kb === kb) === true,
            ),
          ]),
        );
      }
    }
    const plain = (map: ReadonlyMap<string, ReadonlySet<string>>) =>
      [...map].map(([kb, cves]) => `${kb} ${[...cves].toSorted().join(' ')}`).toSorted();
    expect(plain(shown)).toEqual(plain(expected));
    // Named in vulnerabilities that another KB fixes on that product.
    const beside = entries.filter(({ row }) => row['kbId'] === 'KB5021243');
    expect(beside.length).toBeGreaterThan(0);
    for (const entry of beside)
      expect(getTable(entry, 'knownIssues').map((issue) => issue['kbId'])).toContain('KB5020880');
  });

  test('shows all words of questions, answers and advice of each vulnerability, and no others', () => {
    const toWords = (rows: Rows, names: readonly string[]) =>
      rows.map((row) => extractLetters(names.map((name) => row[name] ?? '').join(' ')));
    let compared = 0;
    for (const entry of entries) {
      for (const { cve, faq, advice } of listVulnerabilities(entry)) {
        for (const [shown, notes] of [
          [toWords(filterByCve(getTable(entry, 'faq'), cve), ['question', 'answer']), faq],
          [toWords(filterByCve(getTable(entry, 'advice'), cve), ['description']), advice],
        ] as const) {
          const distinct = [...new Set(notes)];
          expect(shown.filter((words) => !distinct.some((note) => note.includes(words)))).toEqual(
            [],
          );
          expect(shown.join('').length).toBe(distinct.join('').length);
          compared += shown.length;
        }
      }
    }
    expect(compared).toBeGreaterThan(10_000);
  });

  test('lists the weaknesses of each vulnerability and of the KB', () => {
    for (const entry of entries) {
      const own = listVulnerabilities(entry);
      const shown = getTable(entry, 'vulnerabilities').map((row) => [row['cve'], row['cwe']]);
      expect(shown).toEqual(shown.map(([cve]) => [cve, [...new Set(byCve.get(String(cve))?.cwe)]]));
      expect(
        getTable(entry, 'weaknesses')
          .map((row) => String(row['cwe']))
          .toSorted(),
      ).toEqual([...new Set(own.flatMap(({ cwe }) => cwe))].toSorted());
    }
  });

  test('shows no answer twice in a record, and limits its size', () => {
    const sizes = entries.map((entry) => {
      const answers = getTable(entry, 'faq').map(({ question, answer }) =>
        JSON.stringify([question, answer]),
      );
      expect(new Set(answers).size).toBe(answers.length);
      expect(entry.detail['omitted']).toBeNull();
      return Buffer.byteLength(JSON.stringify(entry.detail));
    });
    expect(Math.max(...sizes)).toBeLessThan(120_000);
  });
});
