/** Checks that every KB of the feed mirror has one state, date and risk in all lists, and in everything that shows them. */
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { windowsUpdate } from '@patch/catalogue/machines/judgement/update-record.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import {
  type RecordContent,
  readRecordContents,
} from '../../platform/database/records/stored-record.ts';
import { createSearch } from '../../records/criteria/search-request.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { CveRelation } from '../../testing/cve-relation.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { callAs } from '../../testing/kb-calls.ts';
import { type CallApi, KbComparison } from '../../testing/kb-comparison.ts';
import { folderUpstream } from '../fetching/create-upstream.ts';
import { SyncBench } from '../testing/sync-bench.ts';
import { vendorFolder } from '../testing/vendor-folder.ts';

const feed = vendorFeeds.wsus;
if (feed === undefined) throw new Error('The feed of Windows is missing');

type Values = Readonly<Record<string, unknown>>;
interface KbRecord {
  readonly id: number;
  readonly kb: string;
  /** Row and detail. */
  readonly values: Values;
  readonly content: RecordContent;
}

/** A row as searches and exports return it. */
interface ListedRow extends Values {
  readonly id: number;
  readonly list?: string;
  readonly recordId?: number;
}

const pageSize = 1000;
const names = (value: unknown) => (Array.isArray(value) ? (value as string[]) : []);
const distinct = (values: Iterable<unknown>) => [...new Set(values)];
const haveState = (records: readonly KbRecord[], superseded: boolean) =>
  records.every(({ values }) => values['superseded'] === superseded);

describeWithMirror('KBs of the feed mirror', (mirror) => {
  let database: Database;
  /** Records of the patch repository by KB. */
  let guide: ReadonlyMap<string, readonly KbRecord[]>;
  /** Records of the KB base, and below those of the patch list. */
  let updates: readonly KbRecord[];
  let patches: readonly KbRecord[];
  let shown: readonly ListedRow[];
  let call: CallApi;

  beforeAll(async () => {
    database = await openMigrated();
    const bench = await SyncBench.open(database);
    const { root, trustedKeys } = await vendorFolder(mirror, feed);
    const run = await bench.sync(feed, {
      source: 'wsus',
      upstream: folderUpstream(root),
      trustedKeys,
      shrinkageShare: 100,
    });
    if (!run.state.startsWith('succeeded') || bench.errors.length > 0)
      throw new Error(`The sync ended: ${run.message}`, { cause: bench.errors });
    await bench.close();
    guide = Map.groupBy(await readRecords('patch_repository'), ({ kb }) => kb);
    updates = await readRecords('kb_repository');
    patches = (await readRecords('patch')).filter(({ kb }) => kb !== '');
    shown = await everyRow('all_patches');
    call = await callAs(database);
  }, 900_000);
  afterAll(() => database.close());

  async function readRecords(key: ListKey): Promise<KbRecord[]> {
    const list = getList(key);
    const rows = await queryRows(
      database,
      IdRow,
      `select id from ${key} where withdrawn_time is null order by id`,
    );
    const records: KbRecord[] = [];
    for (let from = 0; from < rows.length; from += pageSize) {
      const ids = rows.slice(from, from + pageSize).map(({ id }) => id);
      for (const [id, content] of await readRecordContents(database, list, ids)) {
        const kb = String(content.row['kbId'] ?? '');
        records.push({ id, kb, values: { ...content.detail, ...content.row }, content });
      }
    }
    return records;
  }

  async function everyRow(key: ListKey): Promise<readonly ListedRow[]> {
    const store = new SearchStore(database);
    const rows: ListedRow[] = [];
    for (let offset = 0; ; offset += pageSize) {
      const query = { offset, size: pageSize, sort: 'id' };
      const search = createSearch(getList(key), query, { conditions: [], includeFolded: true });
      const page = await store.find(search);
      rows.push(...(JSON.parse(`[${page.rows}]`) as ListedRow[]));
      if (rows.length >= page.total) return rows;
    }
  }

  const ofGuide = (kb: string) => guide.get(kb) ?? [];
  const inGuide = () => [...updates, ...patches].filter(({ kb }) => guide.has(kb));

  test('have one date in all lists, in each chain and for machines', () => {
    const dates = new Map(
      [...guide].map(([kb, records]) => [
        kb,
        distinct(records.map(({ values }) => values['releaseDate'])),
      ]),
    );
    expect([...dates].filter(([, found]) => found.length > 1)).toEqual([]);
    const getDate = (kb: string) => dates.get(kb)?.[0];
    expect(inGuide().filter(({ kb, values }) => values['releaseDate'] !== getDate(kb))).toEqual([]);
    const others: string[] = [];
    for (const { kb, values, content } of [...guide.values()].flat()) {
      for (const link of (values['supersedence'] ?? []) as Values[]) {
        const linked = String(link['kbId']);
        if (guide.has(linked) && link['releaseDate'] !== getDate(linked))
          others.push(`chain of ${kb}: ${linked}`);
      }
      if (windowsUpdate({ key: kb, ...content })?.releaseDate !== getDate(kb))
        others.push(`machines: ${kb}`);
    }
    expect(others).toEqual([]);
  });

  test('are not dated before what they supersede, nor before lower builds of their branch', () => {
    const wrong: string[] = [];
    const getDay = ({ values }: KbRecord) =>
      typeof values['releaseDate'] === 'number'
        ? Math.floor(values['releaseDate'] / 86_400_000)
        : null;
    const compare = (older: KbRecord, newer: KbRecord) => {
      const [before, after] = [getDay(older), getDay(newer)];
      if (before !== null && after !== null && after < before)
        wrong.push(`${newer.kb} is dated before ${older.kb}`);
    };
    const byProduct = Map.groupBy(
      [...guide.values()].flat(),
      ({ values }) => values['productName'],
    );
    for (const records of byProduct.values()) {
      const ofKb = new Map(records.map((record) => [record.kb, record]));
      for (const record of records)
        for (const kb of names(record.values['supersedes'])) {
          const older = ofKb.get(kb);
          if (older !== undefined) compare(older, record);
        }
      const cumulative = records.flatMap((record) => {
        const [build, ...others] = names(record.values['fixedBuild']);
        const isOne = build !== undefined && others.length === 0;
        return isOne && record.values['line'] === 'Cumulative update' ? [{ record, build }] : [];
      });
      const byBranch = Map.groupBy(cumulative, ({ build }) =>
        build.slice(0, build.lastIndexOf('.')),
      );
      for (const ofBranch of byBranch.values()) {
        const rising = ofBranch.toSorted(
          (a, b) => Number(a.build.split('.')[3]) - Number(b.build.split('.')[3]),
        );
        for (const [index, { record, build }] of rising.entries()) {
          const previous = rising[index - 1];
          if (previous !== undefined && previous.build !== build) compare(previous.record, record);
        }
      }
    }
    expect(distinct(wrong)).toEqual([]);
    // Higher KB numbers were assigned from the end of 2024 on.
    const later = [...guide.values()].flat().filter(({ kb }) => Number(kb.slice(2)) > 5_048_000);
    expect(later.length).toBeGreaterThan(1000);
    const early = later.filter(
      ({ values }) =>
        values['releaseDate'] !== null && Number(values['releaseDate']) < Date.UTC(2024, 11, 1),
    );
    expect(early.map(({ kb }) => kb)).toEqual([]);
  });

  test('are superseded in every list where they are on every product, and current where they are on each', () => {
    const contradicted = inGuide().filter(({ kb, values }) => {
      const records = ofGuide(kb);
      if (haveState(records, true)) return values['superseded'] !== true;
      if (haveState(records, false))
        return values['superseded'] === true && values['ownSuperseded'] !== true;
      return false;
    });
    expect(contradicted.map(({ kb, values }) => [kb, values['title']])).toEqual([]);
    const green = inGuide().filter(({ values }) => values['superseded'] === false);
    expect(green.length).toBeGreaterThan(0);
    const wrong = green.filter(
      ({ kb, values }) =>
        !ofGuide(kb).some((record) => record.values['superseded'] === false) ||
        names(values['supersededBy']).length > 0,
    );
    expect(wrong.map(({ kb }) => kb)).toEqual([]);
    const wrongOnProduct = [...guide.values()].flat().filter(({ kb, values }) => {
      const { superseded, kbIdToBeInstalled, newestCumulativeKb } = values;
      if (superseded === true) return kbIdToBeInstalled === kb;
      return (
        names(values['supersededBy']).length > 0 ||
        ![kb, null, newestCumulativeKb].includes(kbIdToBeInstalled)
      );
    });
    expect(wrongOnProduct.map(({ kb }) => kb)).toEqual([]);
  });

  test('name the KB to install that the products of an update have in common', () => {
    const strangers = inGuide().filter(({ kb, values }) => {
      const install = values['kbIdToBeInstalled'] ?? null;
      const known = ofGuide(kb).map((record) => record.values['kbIdToBeInstalled'] ?? null);
      return install !== null && !known.includes(install);
    });
    expect(strangers.map(({ kb }) => kb)).toEqual([]);
  });

  test('have the risk of their products in every list', () => {
    const riskless = inGuide().filter(
      ({ kb, values }) =>
        names(values['cve']).length === 0 &&
        ofGuide(kb).every((record) => names(record.values['cve']).length > 0),
    );
    expect(riskless.map(({ kb }) => kb)).toEqual([]);
    const others = inGuide().filter(({ kb, values }) => {
      const known = ofGuide(kb).map((record) => record.values);
      const all = new Set(known.flatMap((each) => names(each['cve'])));
      const [cves = '', ...furtherCves] = distinct(known.map((each) => names(each['cve']).join()));
      const [word, ...furtherWords] = distinct(known.map((each) => each['exploited']));
      return (
        names(values['cve']).some((cve) => !all.has(cve)) ||
        (furtherCves.length === 0 && names(values['cve']).join() !== cves) ||
        !known.some((each) => each['severity'] === values['severity']) ||
        (Object.hasOwn(values, 'exploited') &&
          furtherWords.length === 0 &&
          values['exploited'] !== word)
      );
    });
    expect(others.map(({ kb }) => kb)).toEqual([]);
  });

  test('are the same as patches and in the KB base', () => {
    const getName = ({ kb, values }: KbRecord) => `${String(values['uuid'])} ${kb}`;
    const base = new Map(updates.map((record) => [getName(record), record]));
    const compared = [...(getList('patch').concluded ?? []), 'title'];
    const getFacts = (record: KbRecord | undefined) =>
      compared.map((name) => [name, record?.values[name] ?? null]);
    for (const patch of patches)
      expect(getFacts(patch)).toEqual(getFacts(base.get(getName(patch))));
  });

  test('are in All patches as in their lists', () => {
    const byRecord = new Map(shown.map((row) => [`${row.list} ${row.recordId}`, row]));
    const lists = {
      patch_repository: [...guide.values()].flat(),
      kb_repository: updates,
      patch: patches,
    };
    const members = Map.groupBy(Object.values(lists).flat(), ({ kb }) => kb);
    /** An update is superseded when all of its records with a state are. */
    const together = (kb: string) => {
      const states = (members.get(kb) ?? []).flatMap(({ values }) => values['superseded'] ?? []);
      return states.length === 0 ? null : states.every((state) => state === true);
    };
    const others: string[] = [];
    for (const [list, records] of Object.entries(lists))
      for (const { id, kb, values } of records) {
        const row = byRecord.get(`${list} ${id}`);
        const superseded = row?.['folded'] === true ? (values['superseded'] ?? null) : together(kb);
        if (row?.['releaseDate'] !== values['releaseDate']) others.push(`${list}, date of ${kb}`);
        if (row?.['superseded'] !== superseded) others.push(`${list}, state of ${kb}`);
        const cves = new Set(names(row?.['cve']));
        if (names(values['cve']).some((cve) => cve.startsWith('CVE-') && !cves.has(cve)))
          others.push(`${list}, CVEs of ${kb}`);
      }
    expect(others).toEqual([]);
  });

  test('name the CVEs whose pages name them, in every list and format', async () => {
    const relation = new CveRelation(call);
    await relation.compareAll({
      maxCves: 500,
      lists: ['patch_repository', 'kb_repository', 'patch'],
    });
    expect(relation.differences).toEqual([]);
    for (const output of ['fixes of a CVE', 'All patches', 'CSAF'])
      expect(relation.compared.get(output), output).toBeGreaterThan(5000);
  }, 900_000);

  test('are the same in exports, records, identifier pages, chains, mails and for machines', async () => {
    const places = new KbComparison(call);
    await places.compareAll(database);
    expect(places.differences).toEqual([]);
    for (const reader of ['CSV', 'record', 'chain', 'identifier page', 'machine', 'mail'])
      expect(places.compared.get(reader), reader).toBeGreaterThan(500);
  }, 900_000);
});
