import { beforeAll, describe, expect, test } from 'vitest';
import type { Entry } from '../../definition/feed.ts';
import type { NewRow } from '../../definition/list-definition.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { findPart } from '../../testing/find-part.ts';
import { guideVulnerabilities, type MirrorFix } from '../../testing/mirror/guide-records.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import type { windowsKbList } from './lists/windows-kb-list.ts';
import { windowsKbFeed } from './windows-kb-feed.ts';

type KbEntry = Entry & { readonly row: NewRow<(typeof windowsKbList)['fields']> };

const getProductId = (key: string) => key.slice(key.indexOf('|') + 1);
describeWithMirror("Microsoft's months in the feed mirror", () => {
  const entries = new Map<string, KbEntry>();
  const kbBase: Entry[] = [];
  let stated: readonly MirrorFix[];

  beforeAll(async () => {
    const scan = findPart(windowsKbFeed, 'offline-scan');
    for await (const reading of scan.read(await scan.contents(publicationFrom(feedMirror)))) {
      if (reading.kind === 'entry' && reading.list.key === 'kb_repository') kbBase.push(reading);
    }
    const part = findPart(windowsKbFeed, 'msrc');
    const contents = await part.contents(
      publicationFrom(feedMirror, { lists: { kb_repository: kbBase } }),
    );
    for await (const reading of part.read(contents)) {
      if (reading.kind === 'entry') entries.set(reading.key, reading);
    }
    stated = guideVulnerabilities().flatMap(({ fixes }) => fixes);
  });

  const getRow = (kb: string | null | undefined, product: string) =>
    entries.get(`${kb}|${product}`)?.row;
  const offenders = (matches: (row: KbEntry['row'], product: string) => boolean) =>
    [...entries.values()]
      .filter(({ key, row }) => matches(row, getProductId(key)))
      .map(({ key }) => key);

  test('keys a row as earlier versions did, or knows that key', () => {
    const lowestOfName = new Map<string, string>();
    for (const { key, row } of entries.values()) {
      const before = lowestOfName.get(row.productName ?? '');
      const product = getProductId(key);
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
        .filter(({ row: { productName } }) =>
          productName?.startsWith('Microsoft SharePoint Server 2010'),
        )
        .map(({ key }) => key),
    ).toEqual(expect.arrayContaining(['KB4486697|10495']));
  });

  test('dates every KB by the offline scan file, unless the file contradicts itself', () => {
    const day = (date: unknown) => new Date(Number(date)).toISOString().slice(0, 10);
    const scanned = new Map<string, Set<string>>();
    const earliest = (kb: string) => [...(scanned.get(kb) ?? [])].toSorted()[0];
    for (const { row } of kbBase) {
      const kb = String(row['kbId']);
      scanned.set(kb, (scanned.get(kb) ?? new Set<string>()).add(day(row['releaseDate'])));
    }
    const dates = new Map(
      [...entries.values()].map(({ row }) => [row.kbId ?? '', day(row.releaseDate)]),
    );
    const others = [...dates]
      .filter(([kb, date]) => scanned.get(kb)?.has(date) === false)
      .map(([kb]) => kb);
    expect([...dates.keys()].filter((kb) => scanned.has(kb))).toHaveLength(301);
    expect(others).toHaveLength(22);
    // By the file's statements each of them replaces a KB of a later day; one does by its build.
    const isBefore = (kb: string, older: string) => (earliest(older) ?? '') > (earliest(kb) ?? '');
    const contradicted = others.filter((kb) =>
      kbBase.some(
        ({ row, detail }) =>
          row['kbId'] === kb &&
          ((detail['supersedes'] ?? []) as string[]).some((older) => isBefore(kb, older)),
      ),
    );
    expect(others.filter((kb) => !contradicted.includes(kb))).toEqual(['KB5058500']);
    const listBuilds = (kb: string) =>
      stated.flatMap((fix) => (fix.kb === kb && fix.product === '11923' ? (fix.build ?? []) : []));
    expect([
      listBuilds('KB5058500')[0],
      listBuilds('KB5053638')[0],
      isBefore('KB5058500', 'KB5053638'),
    ]).toEqual(['10.0.20348.3630', '10.0.20348.3270', true]);
    expect(dates.get('KB5082142')).toBe('2026-04-14');
  });

  test('dates no KB before one that it replaces: the document was revised that day', () => {
    const pairs = new Set<string>();
    for (const { kb, product, supersedes } of stated) {
      for (const older of supersedes)
        if (getRow(kb, product) && getRow(older, product)) pairs.add(`${kb} ${older} ${product}`);
    }
    const getDay = (kb: string, product: string) => {
      const date = getRow(kb, product)?.releaseDate;
      return typeof date === 'number' ? Math.floor(date / 86_400_000) : null;
    };
    const backwards = [...pairs].filter((pair) => {
      const [kb = '', older = '', product = ''] = pair.split(' ');
      const [after, before] = [getDay(kb, product), getDay(older, product)];
      return after !== null && before !== null && after < before;
    });
    expect(pairs.size).toBe(1019);
    expect(backwards).toEqual([]);
    const days = new Map(
      [...entries.values()].map(({ row }) => [row.kbId, new Date(Number(row.releaseDate))]),
    );
    expect(
      ['KB4014661', 'KB4598243', 'KB4598285', 'KB5094123', 'KB5095051'].map((kb) =>
        days.get(kb)?.toISOString().slice(0, 10),
      ),
    ).toEqual(['2017-04-11', '2021-01-12', '2021-01-12', '2026-06-09', '2026-06-09']);
  });

  test('leaves dates empty when no document can state the day, with the reason', () => {
    const open = [...entries.values()].filter(({ row }) => row.releaseDate === null);
    expect(new Set(open.map(({ row }) => row.kbId)).size).toBe(19);
    for (const { detail } of open)
      expect(detail['releaseDateSource']).toMatch(/^no document states the day: not before /);
  });

  test('lists no Azure Linux, no missing family and no date before the guide', () => {
    expect(offenders(({ productName }) => /Mariner|Azure Linux/.test(productName ?? ''))).toEqual(
      [],
    );
    expect(offenders(({ productFamily }) => !productFamily)).toEqual([]);
    expect(
      offenders(
        ({ releaseDate }) => releaseDate !== null && !(Number(releaseDate) > Date.UTC(2016, 0)),
      ),
    ).toEqual([]);
    expect(
      offenders(({ cve }) => (cve ?? []).some((id) => !/^(CVE-\d{4}-\d{4,7}|ADV\d{6})$/.test(id))),
    ).toEqual([]);
  });

  test('states supersededBy as the inverse of supersedes on each product', () => {
    expect(offenders(({ kbId, supersedes }) => (supersedes ?? []).includes(kbId ?? ''))).toEqual(
      [],
    );
    const unanswered = offenders(({ kbId, supersedes }, product) =>
      (supersedes ?? []).some(
        (older) => getRow(older, product)?.supersededBy?.includes(kbId ?? '') === false,
      ),
    );
    expect(unanswered).toEqual([]);
    const unasked = offenders(
      ({ kbId, supersededBy }, product) =>
        !(supersededBy ?? []).every(
          (newer) => getRow(newer, product)?.supersedes?.includes(kbId ?? '') !== false,
        ),
    );
    expect(unasked).toEqual([]);
  });

  test('follows every replacement that the guide states on a product', () => {
    const lost = stated.filter(
      ({ kb, product, supersedes }) =>
        getRow(kb, product) &&
        supersedes.some((older) => getRow(older, product)?.supersededBy?.includes(kb) === false),
    );
    expect(lost).toEqual([]);
  });

  test('names the latest KB of the product, which nothing replaces', () => {
    expect(
      offenders(({ latestKb }, product) => getRow(latestKb, product)?.supersededBy?.length !== 0),
    ).toEqual([]);
    expect(
      offenders(
        ({ kbId, latestKb, supersededBy }) => (supersededBy?.length === 0) !== (latestKb === kbId),
      ),
    ).toEqual([]);
    expect(
      offenders(({ superseded, supersededBy }) => superseded !== (supersededBy?.length ?? 0) > 0),
    ).toEqual([]);
  });

  describe('KB to install', () => {
    const build = (text: string | null) => /^(10\.0\.\d+|6\.\d\.\d+)\.(\d+)$/.exec(text ?? '');
    const toInstall = (key: string) =>
      entries.get(key)?.detail['kbIdToBeInstalled'] as string | null | undefined;
    // A document names it for version 1809 with a build of version 1909, so it is not compared there.
    const astray = 'KB5013945|11568';
    const isHotpatch = (type: string) => /hot ?patch/i.test(type);
    let fixes: MirrorFix[];
    let isCumulative: (fix: MirrorFix) => boolean;

    beforeAll(() => {
      const names = new Map(
        [...entries.values()].map(({ key, row }) => [getProductId(key), row.productName ?? '']),
      );
      const ofWindows = stated.filter(
        ({ product }) => names.get(product)?.startsWith('Windows') === true,
      );
      // Fixes are repeated for each vulnerability.
      fixes = [
        ...new Map(
          ofWindows.map((fix) => [[fix.kb, fix.product, fix.type, fix.build].join(' '), fix]),
        ).values(),
      ];
      const byKb = Map.groupBy(fixes, ({ kb }) => kb);
      // Several branches with several revisions: the package for the Secure Boot database.
      const isBeside = (kb: string) => {
        const builds = (byKb.get(kb) ?? []).flatMap((fix) => build(fix.build)?.slice(1, 3) ?? []);
        const [branches, revisions] = [
          new Set(builds.filter((_, index) => index % 2 === 0)),
          new Set(builds.filter((_, index) => index % 2 === 1)),
        ];
        return branches.size > 1 && revisions.size > 1;
      };
      isCumulative = ({ kb, product, build: text }) => {
        if (`${kb}|${product}` === astray) return false;
        const types = new Set((byKb.get(kb) ?? []).map((fix) => fix.type));
        if (isBeside(kb) || build(text) === null) return false;
        return text?.startsWith('10.') === true
          ? [...types].join() === 'Security Update'
          : types.has('Monthly Rollup');
      };
    });
    test('names no KB older than a listed cumulative update of a higher build of its branch', () => {
      const cumulative = fixes.filter(isCumulative);
      const offending = new Set<string>();
      let compared = 0;
      for (const { kb, product } of cumulative) {
        const answer = toInstall(`${kb}|${product}`);
        const ofProduct = cumulative.filter((fix) => fix.product === product);
        const answered = ofProduct.filter((fix) => fix.kb === answer);
        if (answered.length === 0) offending.add(`${kb}|${product}: ${answer}`);
        for (const fix of answered) {
          const [, branch, revision] = build(fix.build) ?? [];
          for (const other of ofProduct) {
            const [, otherBranch, otherRevision] = build(other.build) ?? [];
            if (otherBranch !== branch) continue;
            compared++;
            if (Number(otherRevision) > Number(revision))
              offending.add(`${kb}|${product}: ${answer}, but ${other.kb} has ${other.build}`);
          }
        }
      }
      expect([...offending]).toEqual([]);
      expect(compared).toBeGreaterThan(10_000);
      expect(toInstall(astray)).toBeNull();
    });

    test('names one KB for all cumulative updates of a product, and never a hotpatch', () => {
      const answers = new Map<string, Set<string | null | undefined>>();
      for (const { kb, product } of fixes.filter(isCumulative)) {
        answers.set(
          product,
          (answers.get(product) ?? new Set()).add(toInstall(`${kb}|${product}`)),
        );
      }
      expect([...answers].filter(([, found]) => found.size > 1)).toEqual([]);
      expect(answers.size).toBe(61);
      const hotpatches = new Set(fixes.filter(({ type }) => isHotpatch(type)).map(({ kb }) => kb));
      expect(hotpatches.size).toBeGreaterThan(20);
      expect([...entries.keys()].filter((key) => hotpatches.has(toInstall(key) ?? ''))).toEqual([]);
    });

    test('names the KB of May 2026 as the newest of Windows Server 2022, with its evidence', () => {
      expect(entries.get('KB5034770|11923')).toMatchObject({
        row: { latestKb: 'KB5087545', superseded: true, supersededBy: ['KB5048654'] },
        detail: {
          kbIdToBeInstalled: 'KB5087545',
          line: 'Cumulative update',
          branch: '10.0.20348',
          newestCumulativeKb: 'KB5087545',
        },
      });
      expect(entries.get('KB5034770|11923')?.detail['installEvidence']).toContain(
        'KB5087545 has the fixed build 10.0.20348.5139 (security update guide, 2026-May), which is higher than 10.0.20348.2322',
      );
    });
  });
});
