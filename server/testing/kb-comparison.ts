/** Compares all outputs about KBs over HTTP: exports, records, identifier pages, chains, All patches, mails and machines. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { readShownRecords } from '../machines/machine-records-store.ts';
import type { Queryable } from '../platform/database/database.ts';
import { toAlertItem } from '../reports/alerts/alert-item.ts';

/** Returns the text of a reply; throws for any status other than success. */
export type CallApi = (method: 'GET' | 'POST', path: string, body?: object) => Promise<string>;

const kbLists = [
  'patch_repository',
  'kb_repository',
  'patch',
] as const satisfies readonly ListKey[];
const compared = ['releaseDate', 'superseded', 'severity', 'exploited', 'cve'] as const;

type Row = Readonly<Record<string, unknown>>;
/** A record in the JSON export of its list. */
interface KbRecord {
  readonly list: (typeof kbLists)[number];
  readonly id: number;
  readonly kb: string;
  readonly row: Row;
}

export class KbComparison {
  readonly differences: string[] = [];
  /** Number of compared facts by output. */
  readonly compared = new Map<string, number>();
  readonly #call: CallApi;

  constructor(call: CallApi) {
    this.#call = call;
  }

  async records(): Promise<readonly KbRecord[]> {
    const lists = kbLists.map(async (list) => {
      const rows = JSON.parse(await this.#export(list, 'json')) as Row[];
      return rows.flatMap((row): KbRecord[] => {
        const { id, kbId } = row;
        return typeof kbId === 'string' ? [{ list, id: Number(id), kb: kbId, row }] : [];
      });
    });
    return (await Promise.all(lists)).flat();
  }

  /** Compares all outputs with the JSON exports of the three lists. */
  async compareAll(database: Queryable): Promise<void> {
    const records = await this.records();
    await this.#compareCsv(records);
    await this.#compareDetails(records);
    await this.#compareIdentifierPages(records);
    await this.#compareAllPatches(records);
    await this.#compareMachines(database, records);
    this.#compareMails(records);
  }

  #expect(
    output: string,
    { list, id, kb }: KbRecord,
    fact: string,
    shown: unknown,
    known: unknown,
  ) {
    this.compared.set(output, (this.compared.get(output) ?? 0) + 1);
    if (JSON.stringify(shown ?? null) !== JSON.stringify(known ?? null))
      this.differences.push(
        `${output}: ${fact} of ${kb} (${list} ${id}) is ${JSON.stringify(shown)}, not ${JSON.stringify(known)}`,
      );
  }

  async #export(list: string, format: 'json' | 'csv') {
    const ticket = JSON.parse(
      await this.#call('POST', '/export', {
        list,
        format,
        columns: getColumns(list),
        sort: 'id',
        search: {},
      }),
    ) as { path: string };
    return this.#call('GET', ticket.path);
  }

  async #compareCsv(records: readonly KbRecord[]) {
    const byId = new Map(records.map((record) => [`${record.list} ${record.id}`, record]));
    for (const list of kbLists) {
      const names = getColumns(list);
      const [, ...lines] = csvCells(await this.#export(list, 'csv'));
      for (const cells of lines) {
        const record = byId.get(`${list} ${cells[names.indexOf('id')]}`);
        if (record === undefined) continue;
        for (const [index, name] of names.entries())
          this.#expect('CSV', record, name, cells[index], toCell(record.row[name]));
      }
    }
  }

  async #compareDetails(records: readonly KbRecord[]) {
    const dates = new Map<string, unknown>();
    for (const { list, kb, row } of records)
      if (list === 'patch_repository') dates.set(kb, row['releaseDate']);
    for (const record of records) {
      const path = getList(record.list).detailPath.replace('{id}', String(record.id));
      const detail = JSON.parse(await this.#call('GET', path)) as Row;
      for (const name of getColumns(record.list)) {
        const shown = name === 'releaseDate' ? isoDay(detail[name]) : detail[name];
        this.#expect('record', record, name, shown, record.row[name]);
      }
      for (const link of (detail['supersedence'] ?? []) as Row[]) {
        const { kbId, releaseDate } = link;
        if (dates.has(String(kbId)))
          this.#expect('chain', record, String(kbId), isoDay(releaseDate), dates.get(String(kbId)));
      }
    }
  }

  async #compareIdentifierPages(records: readonly KbRecord[]) {
    const byReference = new Map(records.map((record) => [`${record.list} ${record.id}`, record]));
    for (const kb of new Set(records.map((record) => record.kb))) {
      const page = JSON.parse(await this.#call('GET', `/identifier/${kb}`)) as {
        lists: { list: string; records: Row[] }[];
      };
      for (const { list, records: shown } of page.lists)
        for (const { id, releaseDate, severity } of shown) {
          const record = byReference.get(`${list} ${String(id)}`);
          if (record === undefined) continue;
          const { row } = record;
          this.#expect(
            'identifier page',
            record,
            'releaseDate',
            isoDay(releaseDate),
            row['releaseDate'],
          );
          this.#expect('identifier page', record, 'severity', severity, row['severity']);
        }
    }
  }

  /**
   * The representative of an update has the merged values of its records: superseded if all that state it are, and the highest severity.
   */
  async #compareAllPatches(records: readonly KbRecord[]) {
    const rows = await this.#allPatches();
    const shown = new Map(
      rows.map((row) => [`${String(row['list'])} ${String(row['recordId'])}`, row]),
    );
    const states = Map.groupBy(records, ({ kb }) => kb);
    for (const record of records) {
      const { list, id, kb, row } = record;
      const own = shown.get(`${list} ${id}`);
      const stated = (states.get(kb) ?? []).flatMap((one) => one.row['superseded'] ?? []);
      const merged = stated.length === 0 ? null : stated.every((state) => state === true);
      const superseded = own?.['folded'] === true ? row['superseded'] : merged;
      this.#expect('All patches', record, 'superseded', own?.['superseded'], superseded);
      const releaseDate = isoDay(own?.['releaseDate']);
      this.#expect('All patches', record, 'releaseDate', releaseDate, row['releaseDate']);
      const severity =
        own?.['folded'] === true ? row['severity'] : getHighestSeverity(states.get(kb) ?? []);
      this.#expect('All patches', record, 'severity', own?.['severity'], severity);
      const cves = (own?.['cve'] ?? []) as string[];
      const lost = ((row['cve'] ?? []) as string[]).filter(
        (cve) => cve.startsWith('CVE-') && !cves.includes(cve),
      );
      this.#expect('All patches', record, 'lost CVEs', lost, []);
    }
  }

  /** Returns all rows, including records folded under another one of their update. */
  async #allPatches(): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (;;) {
      const path = `/records/search?offset=${rows.length}&size=1000&sort=id`;
      const page = JSON.parse(await this.#call('POST', path, { includeFolded: true })) as {
        objList: Row[];
        totalCount: number;
      };
      rows.push(...page.objList);
      if (rows.length >= page.totalCount) return rows;
    }
  }

  async #compareMachines(database: Queryable, records: readonly KbRecord[]) {
    const known = await readShownRecords(
      database,
      records.map(({ list, id }) => ({ list, recordId: id })),
    );
    for (const record of records) {
      const shown = known.get(`${record.list} ${record.id}`);
      const { row } = record;
      this.#expect(
        'machine',
        record,
        'releaseDate',
        isoDay(shown?.releaseDate),
        row['releaseDate'],
      );
      this.#expect('machine', record, 'severity', shown?.severity, row['severity']);
    }
  }

  /** Compares the lines of mails for Los Angeles and Auckland. */
  #compareMails(records: readonly KbRecord[]) {
    for (const record of records) {
      const { list: key, row } = record;
      const list = getList(key);
      const releaseDate =
        row['releaseDate'] === null ? null : Date.parse(String(row['releaseDate']));
      const wire = { ...row, releaseDate } as unknown as WireRow;
      for (const zone of ['America/Los_Angeles', 'Pacific/Auckland']) {
        const { about } = toAlertItem(
          list,
          { row: wire, recordsOfUpdate: 1 },
          ['releaseDate', 'severity', 'exploited'],
          zone,
        );
        this.#expect('mail', record, 'text', about, mailText(row));
      }
    }
  }
}

const getColumns = (list: string): readonly string[] => {
  const { fields } = getList(list as ListKey);
  return ['id', 'kbId', ...compared.filter((name) => Object.hasOwn(fields, name))];
};

/** Returns the highest severity; null without one. */
const getHighestSeverity = (records: readonly KbRecord[]) =>
  severities.toReversed().find((word) => records.some(({ row }) => row['severity'] === word)) ??
  null;

const isoDay = (at: unknown) =>
  typeof at === 'number' ? new Date(at).toISOString().slice(0, 10) : null;

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join('; ') : String(value as string | number);
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function mailText({ releaseDate, severity, exploited }: Row): string {
  const [year = '', month = '', day = ''] = String(releaseDate).split('-');
  return [
    ...(releaseDate === null ? [] : [`Release date: ${months[Number(month) - 1]} ${day}, ${year}`]),
    ...(typeof severity === 'string' ? [`Severity: ${severity}`] : []),
    ...(typeof exploited === 'boolean' ? [`Exploited: ${exploited ? 'Yes' : 'No'}`] : []),
  ].join(' · ');
}

/** Parses CSV whose cells have no line breaks. */
const csvCells = (text: string): readonly (readonly string[])[] =>
  text
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
