/** Endpoints that link lists: records that mention an identifier, and records of other lists with the same CVEs and KBs. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { identityField, ratingField, titleField } from '@patch/catalogue/definition/record-name.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import {
  listSpellings,
  parseSharedIdentifier,
  parseTypedIdentifier,
} from '@patch/catalogue/schemas/shared-identifiers.ts';
import {
  identifierRecordsEndpoint,
  nearestIdentifiersEndpoint,
  type SharingList,
  type SharingRecord,
  sharingRecordsEndpoint,
  type WithdrawnRecord,
} from '@patch/contract/records/shared-identifier-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { listsBeingIndexed } from '../../platform/database/records/build-record-index.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import {
  type FirstRecord,
  findRecordsByNames,
  findWithdrawnByNames,
  readFirstRecords,
  readNamesOfRecord,
} from '../criteria/records-by-name-store.ts';
import { getSearchCaller, type SearchService } from '../search/search-service.ts';
import { findNearestIdentifiers } from './nearest-identifier-store.ts';

/** Lists of vendor records, without the licensed clients of the service. */
const publishedLists = catalogueLists.filter(({ source }) => source !== null);

const maxIdentifiers = 50;
const maxSharesShown = 5;

/** Identifiers by the spellings to search. */
type Spellings = ReadonlyMap<string, string>;

export function sharedIdentifiersRoutes(
  route: RouteRegistrar,
  {
    database,
    searchService,
  }: { readonly database: Database; readonly searchService: SearchService },
): void {
  route(identifierRecordsEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () =>
      readSharingRecords(request.params.identifier),
    ),
  );
  route(nearestIdentifiersEndpoint, (request) =>
    searchService.run(getSearchCaller(request), async () => {
      const lists = publishedLists.map(({ key }) => key);
      return {
        lists,
        nearest: await findNearestIdentifiers(
          database,
          lists,
          request.params.identifier,
          request.signal,
        ),
        ...(await readPendingLists()),
      };
    }),
  );
  route(sharingRecordsEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () => readSharing(request.params)),
  );

  async function readSharingRecords(identifier: string) {
    const typed = identifier.trim();
    const normalized = parseTypedIdentifier(typed) ?? typed;
    const spellings = mapSpellings([normalized]);
    const first = [...spellings.keys()];
    const pending = await readPendingLists();
    const lists = await readSharingLists(database, publishedLists, spellings, first);
    const withdrawn = lists.length > 0 ? [] : await readWithdrawn(database, [...spellings.keys()]);
    return {
      identifier: findSpelling(normalized, lists),
      lists,
      ...(withdrawn.length > 0 && { withdrawn }),
      ...pending,
    };
  }

  async function readSharing(params: { readonly list: string; readonly id: number }) {
    const list = publishedLists.find(({ key }) => key === params.list);
    if (list === undefined) throw new AppError('not_found', `Unknown list ${params.list}.`);
    const record = await readNamesOfRecord(database, list, params.id);
    if (record === null)
      throw new AppError('not_found', `${list.label} has no record ${params.id}.`);
    const identifiers = [
      ...new Set(record.lines.flatMap((line) => parseSharedIdentifier(line) ?? [])),
    ].slice(0, maxIdentifiers);
    const others = publishedLists.filter(({ key }) => key !== list.key);
    const pending = await readPendingLists();
    return {
      identifiers,
      lists: await readSharingLists(database, others, mapSpellings(identifiers), record.hasName),
      ...pending,
    };
  }

  /** Returns the lists that are still being indexed. Call it before reading records, so that no incomplete list goes unreported. */
  async function readPendingLists() {
    const indexing = await listsBeingIndexed(database);
    return indexing.length === 0 ? {} : { indexing: [...indexing] };
  }
}

function mapSpellings(identifiers: readonly string[]): Spellings {
  return new Map(
    identifiers.flatMap((identifier) =>
      listSpellings(identifier).map((spelling) => [spelling, identifier]),
    ),
  );
}

/** Reads the first records of each list, one list at a time, so that other searches can run in between. */
async function readSharingLists(
  database: Database,
  lists: readonly ListDefinition[],
  spellings: Spellings,
  first: readonly string[],
): Promise<SharingList[]> {
  const sharing: SharingList[] = [];
  if (spellings.size === 0) return sharing;
  const hitsByList = await findRecordsByNames(database, [...spellings.keys()]);
  for (const list of lists) {
    const hits = hitsByList.get(list.key);
    if (hits === undefined) continue;
    const records = await readFirstRecords(database, list, hits.keys(), first);
    sharing.push({
      list: list.key,
      totalCount: hits.size,
      records: records.map((record) =>
        toSharingRecord(list, record, getShared(spellings, hits.get(record.id))),
      ),
    });
  }
  return sharing;
}

async function readWithdrawn(
  database: Database,
  names: readonly string[],
): Promise<WithdrawnRecord[]> {
  const found = await findWithdrawnByNames(database, names);
  const times = new Map(found.map(({ id, time }) => [id, time]));
  const withdrawn: WithdrawnRecord[] = [];
  for (const list of publishedLists) {
    const ids = found.filter((one) => one.list === list.key).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const record of await readFirstRecords(database, list, ids, []))
      withdrawn.push({
        ...nameRecord(list, record),
        list: list.key,
        withdrawnTime: times.get(record.id) ?? 0,
      });
  }
  return withdrawn.toSorted((a, b) => b.withdrawnTime - a.withdrawnTime || a.id - b.id);
}

/** Returns the shared identifiers in the order of the spellings. */
function getShared(spellings: Spellings, names: ReadonlySet<string> = new Set()): string[] {
  const shared = [...spellings].filter(([name]) => names.has(name));
  return [...new Set(shared.map(([, identifier]) => identifier))].slice(0, maxSharesShown);
}

function toSharingRecord(
  list: ListDefinition,
  record: FirstRecord,
  shares: string[],
): SharingRecord {
  const { releaseDate, own } = record;
  return {
    ...nameRecord(list, record),
    severity: readWords(record, ratingField(list)),
    releaseDate,
    own,
    shares,
  };
}

const nameRecord = (list: ListDefinition, record: FirstRecord) => ({
  id: record.id,
  identity: readWords(record, identityField(list, record.row)) ?? `Record ${record.id}`,
  title: readWords(record, titleField(list, record.row)),
});

const readWords = ({ row }: FirstRecord, name: string | undefined): string | null =>
  name === undefined || row[name] === null ? null : String(row[name]);

/** Returns the identifier in the spelling of the vendor, if a record has it as its name. */
function findSpelling(identifier: string, lists: readonly SharingList[]): string {
  const called = lists
    .flatMap(({ records }) => records)
    .find(({ identity }) => fold(identity) === fold(identifier));
  return called?.identity ?? identifier;
}
