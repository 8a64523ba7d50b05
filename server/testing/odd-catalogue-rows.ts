/** Writes the odd catalogue into a database, and computes the expected rows of each list. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { everyCve, markStale, onlyFacts } from '../platform/database/cves/cve-row-store.ts';
import { writeScores } from '../platform/database/cves/epss-score-store.ts';
import { refreshStaleCves } from '../platform/database/cves/stale-cve-store.ts';
import { writeFacts } from '../platform/database/cves/vulnerability-store.ts';
import type { Database } from '../platform/database/database.ts';
import { writeEntries } from '../platform/database/records/entry-writer.ts';
import { contentHash } from '../platform/database/rows/content-hash.ts';
import type { OddCatalogue } from './odd-catalogue.ts';
import {
  getUpdate,
  type PlainRecord,
  type PlainRisk,
  type PlainSource,
  plainRecords,
} from './plain-records.ts';
import { foldText, type PlainRow } from './plain-search.ts';

type Values = Readonly<Record<string, unknown>>;

const written = 1;

/** Writes the catalogue and returns the vendors' records with their ids. */
export async function writeOddCatalogue(
  database: Database,
  { entries, exploited, scored, epss }: OddCatalogue,
): Promise<readonly PlainSource[]> {
  const sources: PlainSource[] = [];
  for (const [key, all] of entries) {
    const list = getList(key);
    for (let from = 0; from < all.length; from += 200) {
      const batch = all.slice(from, from + 200);
      const changes = await database.transaction((tx) =>
        writeEntries(
          tx,
          list,
          'part',
          batch.map(({ row, detail, ...entry }) => ({
            ...entry,
            row: row as never,
            detail,
            contentHash: contentHash(row as never, detail as never),
          })),
          written,
        ),
      );
      const ids = new Map(changes.map((change) => [change.key, change.rowId]));
      for (const entry of batch)
        sources.push({
          list: key,
          id: ids.get(entry.key) ?? 0,
          key: entry.key,
          row: entry.row,
          detail: entry.detail,
        });
    }
  }
  await database.transaction((tx) =>
    writeFacts(
      tx,
      exploited.map((facts) => ({ of: 'kev', cve: facts.cve, facts, hash: '1' })),
      written,
    ),
  );
  await database.transaction((tx) =>
    writeFacts(
      tx,
      scored.map((facts) => ({ of: 'cvss', cve: facts.cve, facts, hash: '1' })),
      written,
    ),
  );
  await database.transaction((tx) =>
    writeScores(
      tx,
      [...epss].map(([cve, score]) => ({
        kind: 'epss',
        cve: cve.toLowerCase(),
        epss: score,
        percentile: score,
      })),
      { stale: new Set([...epss.keys()].map((cve) => cve.toLowerCase())), now: written },
    ),
  );
  await database.query(
    "insert into feed_part (source, part, feed_version, read_time) values ('kev', 'all', 1, 1)",
  );
  // Like the first run of the source, before which no CVE was known not to be exploited.
  await database.transaction((tx) => markStale(tx, [everyCve], onlyFacts));
  await refreshStaleCves(database);
  return sources;
}

export function toPlainRisk({ exploited, scored, epss }: OddCatalogue): PlainRisk {
  const scores = scored.flatMap(({ cve, scores: [score] }) =>
    score === undefined ? [] : [[cve.toLowerCase(), score.score] as const],
  );
  return {
    epss: new Map([...epss].map(([cve, score]) => [cve.toLowerCase(), score])),
    cvss: new Map(scores),
    rated: new Map(scores.map(([cve, score]) => [cve, rate(score)])),
    exploited: new Set(exploited.map(({ cve }) => cve.toLowerCase())),
    ransomware: new Set(
      exploited.flatMap(({ cve, ransomware }) => (ransomware === true ? cve.toLowerCase() : [])),
    ),
    kevIsRead: true,
  };
}

/** By the table of CVSS 3.1, section 5. */
const bands = [
  [9, 'Critical'],
  [7, 'Important'],
  [4, 'Moderate'],
  [0.1, 'Low'],
  [0, 'None'],
] as const;

const rate = (score: number): string => bands.find(([least]) => score >= least)?.[1] ?? '';

/** Returns the rows of a vendor's list, with the figures of each record's own CVEs. */
export function toPlainRows(
  list: ListDefinition,
  sources: readonly PlainSource[],
  risk: PlainRisk,
): readonly PlainRow[] {
  const own = sources.filter((source) => source.list === list.key);
  return own.map((source) => {
    // A single source is not merged with other records of its update.
    const [single] = plainRecords([source], risk);
    const { exploited, epss, cvss } = single as PlainRecord;
    return {
      id: source.id,
      values: { ...source.row, exploited, epss, cvss, createdTime: written, updatedTime: written },
      words: getWords(list, source),
    };
  });
}

const kindsWithoutWords = ['number', 'decimal', 'size', 'date', 'flag', 'link'];

/** Returns the words by which a keyword finds the record. */
function getWords(list: ListDefinition, { row, detail }: PlainSource): readonly string[] {
  const ofRow = Object.keys(list.fields)
    .filter((name) => !kindsWithoutWords.includes(getField(list, name).kind))
    .flatMap((name) => toLines(row[name]));
  const ofDetail = Object.entries(list.detail.facts)
    .filter(([, { kind }]) => kind === 'identifier' || kind === 'identifiers')
    .flatMap(([name]) => toLines(detail[name]));
  const packages =
    list.detail.packages === undefined ? [] : ((detail['packages'] ?? []) as Values[]);
  const ofPackages = packages.flatMap(({ name, version }) => [
    ...toLines(name),
    ...toLines(version).map((one) => one.replace(/^\d+:/, '')),
  ]);
  return [...ofRow, ...ofDetail, ...ofPackages];
}

const toLines = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value ?? '']).flatMap((one) =>
    foldText(String(one))
      .split('\n')
      .filter((line) => line !== ''),
  );

/** Returns the words by which All patches finds each record, by `list recordId`. The representative of an update has those of all its records. */
export function getAllPatchesWords(
  sources: readonly PlainSource[],
  risk: PlainRisk,
): ReadonlyMap<string, readonly string[]> {
  const own = new Map<string, readonly string[]>(
    sources.map((source) => {
      const [{ recordId: _number, ratedSeverity: _rated, ...fields }] = plainRecords(
        [source],
        risk,
      ) as [PlainRecord];
      const fieldWords = Object.values(fields).flatMap((value) =>
        typeof value === 'string' || Array.isArray(value) ? toLines(value) : [],
      );
      const words = [...fieldWords, ...getWords(getList(source.list), source)];
      return [`${source.list} ${source.id}`, words] as const;
    }),
  );
  const ofUpdate = new Map<string, string[]>();
  for (const source of sources) {
    const update = getUpdate(source);
    if (update !== null)
      ofUpdate.set(update, [
        ...(ofUpdate.get(update) ?? []),
        ...(own.get(`${source.list} ${source.id}`) ?? []),
      ]);
  }
  const records = plainRecords(sources, risk);
  return new Map(
    records.map(({ list, recordId, folded: isFolded }, index) => {
      const update = getUpdate(sources[index] as PlainSource);
      const key = `${list} ${recordId}`;
      const words = update === null || isFolded ? own.get(key) : ofUpdate.get(update);
      return [key, words ?? []];
    }),
  );
}
