import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { Entry, Rejection } from '../../definition/feed.ts';
import type { NewRow } from '../../definition/list-definition.ts';
import { severities } from '../../shapes/severities.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { windowsKbFeed } from './windows-kb-feed.ts';
import type { windowsKbList } from './windows-kb-list.ts';

type KbEntry = Entry & { readonly row: NewRow<(typeof windowsKbList)['fields']> };

const documents = new URL('api.msrc.microsoft.com/cvrf/v3.0/cvrf/', feedMirror);

/** What a vulnerability's fix says of a KB and a product, read with nothing but regular expressions. */
interface Written {
  readonly kb: string;
  readonly product: string;
  readonly cve: string;
  readonly severity: string;
}

function* written(): Generator<Written> {
  for (const name of readdirSync(documents)) {
    const text = readFileSync(new URL(name, documents), 'utf8');
    for (const [, vulnerability = ''] of text.matchAll(/<vuln:Vulnerability\s([^]*?)<\/vuln:Vulnerability>/g)) {
      const cve = /<vuln:CVE>(.*?)</.exec(vulnerability)?.[1] ?? '';
      const severityFor = new Map(
        [...vulnerability.matchAll(/Type="Severity">\s*<vuln:Description>(.*?)<\/vuln:Description>\s*<vuln:ProductID>(.*?)</g)].map(
          ([, severity = '', product = '']) => [product, severity],
        ),
      );
      for (const [, fix = ''] of vulnerability.matchAll(/Type="Vendor Fix">([^]*?)<\/vuln:Remediation>/g)) {
        const number = /<vuln:Description>(?:KB)?(\d{6,7})</.exec(fix)?.[1];
        if (number === undefined) continue;
        for (const [, product = ''] of fix.matchAll(/<vuln:ProductID>(.*?)</g)) {
          yield { kb: `KB${number}`, product, cve, severity: severityFor.get(product) ?? 'Unspecified' };
        }
      }
    }
  }
}

const productOf = (key: string) => key.slice(key.indexOf('|') + 1);
const rankOf = (severity: string | null | undefined) => severities.findIndex((known) => known === severity);

describeWithMirror("Microsoft's months in the feed mirror", () => {
  const entries = new Map<string, KbEntry>();
  const rejections: Rejection[] = [];
  const kbBase: Entry[] = [];
  let milliseconds = 0;

  beforeAll(async () => {
    const scan = partOf(windowsKbFeed, 'offline-scan');
    for await (const reading of scan.read(await scan.contents(publicationFrom(feedMirror)))) {
      if ('key' in reading && reading.list.key === 'kb_repository') kbBase.push(reading);
    }
    const part = partOf(windowsKbFeed, 'msrc');
    const contents = await part.contents(publicationFrom(feedMirror, { lists: { kb_repository: kbBase } }));
    const start = performance.now();
    for await (const reading of part.read(contents)) {
      if ('rejected' in reading) rejections.push(reading);
      if ('key' in reading) entries.set(reading.key, reading);
    }
    milliseconds = performance.now() - start;
  });

  const rowOf = (kb: string | null | undefined, product: string) => entries.get(`${kb}|${product}`)?.row;
  const offenders = (isOne: (row: KbEntry['row'], product: string) => boolean) =>
    [...entries.values()].filter(({ key, row }) => isOne(row, productOf(key))).map(({ key }) => key);

  test('every KB of every document is there, with its vulnerabilities and the highest of their severities', () => {
    const byKb = Map.groupBy(written(), ({ kb }) => kb);
    expect(byKb.size).toBe(1329);
    // One name, two ids: one row of a KB that names both, under the lower id.
    const sameName = new Map([
      ['10495', '10120'],
      ['999017', '10950'],
    ]);
    const expected = new Map<string, { cves: Set<string>; rank: number }>();
    for (const [kb, fixes] of byKb) {
      const products = new Set(fixes.map(({ product }) => product));
      for (const { product, cve, severity } of fixes) {
        const outer = product.split('-')[1];
        const own = outer !== undefined && products.has(outer) ? outer : product;
        const same = sameName.get(own) ?? own;
        const key = `${kb}|${products.has(same) ? same : own}`;
        const { cves, rank } = expected.get(key) ?? { cves: new Set<string>(), rank: 0 };
        expected.set(key, { cves: cves.add(cve), rank: Math.max(rank, rankOf(severity)) });
      }
    }
    expect(expected.size).toBe(3788);
    const plain = (key: string, cves: Iterable<string>, rank: number) => `${key} ${severities[rank]} ${[...cves].toSorted().join(' ')}`;
    expect([...entries].map(([key, { row }]) => plain(key, row.cve ?? [], rankOf(row.severity))).toSorted()).toEqual(
      [...expected].map(([key, { cves, rank }]) => plain(key, cves, rank)).toSorted(),
    );
  });

  test('a row has the key that earlier versions gave it, or knows it', () => {
    const lowestOfName = new Map<string, string>();
    for (const { key, row } of entries.values()) {
      const before = lowestOfName.get(row.productName ?? '');
      const product = productOf(key);
      if (before === undefined || product.localeCompare(before, 'en', { numeric: true }) < 0)
        lowestOfName.set(row.productName ?? '', product);
    }
    const stranger = [...entries.values()].filter(({ key, row, formerKeys = [] }) => {
      const before = `${row.kbId}|${lowestOfName.get(row.productName ?? '')}`;
      return key !== before && !formerKeys.includes(before);
    });
    expect(stranger).toEqual([]);
    expect(
      [...entries.values()]
        .filter(({ row: { productName } }) => productName?.startsWith('Microsoft SharePoint Server 2010'))
        .map(({ key }) => key),
    ).toEqual(expect.arrayContaining(['KB4486697|10495']));
  });

  test('every KB has the date that the offline scan file states, where the file does not contradict itself', () => {
    const day = (date: unknown) => new Date(Number(date)).toISOString().slice(0, 10);
    const stated = new Map<string, Set<string>>();
    const earliest = (kb: string) => [...(stated.get(kb) ?? [])].toSorted()[0];
    for (const { row } of kbBase) {
      const kb = String(row['kbId']);
      stated.set(kb, (stated.get(kb) ?? new Set<string>()).add(day(row['releaseDate'])));
    }
    const dates = new Map([...entries.values()].map(({ row }) => [row.kbId ?? '', day(row.releaseDate)]));
    const others = [...dates].filter(([kb, date]) => stated.get(kb)?.has(date) === false).map(([kb]) => kb);
    expect([...dates.keys()].filter((kb) => stated.has(kb))).toHaveLength(301);
    expect(others).toHaveLength(21);
    // By the file's own words each of them replaces a KB of a later day.
    const contradicted = others.filter((kb) =>
      kbBase.some(({ row, detail }) => {
        const replaced = (detail['supersedes'] ?? []) as string[];
        return row['kbId'] === kb && replaced.some((older) => (earliest(older) ?? '') > (earliest(kb) ?? ''));
      }),
    );
    expect(contradicted).toEqual(others);
    expect(dates.get('KB5082142')).toBe('2026-04-14');
  });

  test('four KBs are dated before one that they replace; nothing that is stated resolves it', () => {
    const backwards = [...entries.values()].flatMap(({ key, row }) =>
      (row.supersedes ?? []).flatMap((older) => {
        const replaced = rowOf(older, productOf(key));
        return replaced && Math.floor(Number(row.releaseDate) / 86_400_000) < Math.floor(Number(replaced.releaseDate) / 86_400_000)
          ? [`${row.kbId} replaces ${older}`]
          : [];
      }),
    );
    expect(backwards).toHaveLength(20);
    expect(new Set(backwards)).toEqual(
      new Set([
        'KB4014661 replaces KB4012204',
        'KB4598243 replaces KB4593226',
        'KB4598285 replaces KB4592484',
        'KB5094123 replaces KB5087538',
      ]),
    );
  });

  test('they are read in seconds, and one KB has a number that is none', () => {
    expect(milliseconds).toBeLessThan(30_000);
    expect(rejections.map(({ rejected }) => rejected)).toEqual(['KB31909343']);
  });

  test('every row fits the list; none is Azure Linux, without a family or dated before the guide', () => {
    expect([...entries.values()].flatMap(complaintsOf)).toEqual([]);
    expect(offenders(({ productName }) => /Mariner|Azure Linux/.test(productName ?? ''))).toEqual([]);
    expect(offenders(({ productFamily }) => !productFamily)).toEqual([]);
    expect(offenders(({ releaseDate }) => !(Number(releaseDate) > Date.UTC(2016, 0)))).toEqual([]);
    expect(offenders(({ cve }) => (cve ?? []).some((id) => !/^(CVE-\d{4}-\d{4,7}|ADV\d{6})$/.test(id)))).toEqual([]);
  });

  test('supersededBy is the inverse of supersedes on each product, and no KB replaces itself', () => {
    expect(offenders(({ kbId, supersedes }) => (supersedes ?? []).includes(kbId ?? ''))).toEqual([]);
    const unanswered = offenders(({ kbId, supersedes }, product) =>
      (supersedes ?? []).some((older) => rowOf(older, product)?.supersededBy?.includes(kbId ?? '') === false),
    );
    expect(unanswered).toEqual([]);
    const unasked = offenders(
      ({ kbId, supersededBy }, product) => !(supersededBy ?? []).every((newer) => rowOf(newer, product)?.supersedes?.includes(kbId ?? '')),
    );
    expect(unasked).toEqual([]);
  });

  test('the latest KB is for the product and nothing replaces it there', () => {
    expect(offenders(({ latestKb }, product) => rowOf(latestKb, product)?.supersededBy?.length !== 0)).toEqual([]);
    expect(offenders(({ kbId, latestKb, supersededBy }) => (supersededBy?.length === 0) !== (latestKb === kbId))).toEqual([]);
  });
});
