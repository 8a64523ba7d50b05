/** How lists link to each other: everything that mentions an identifier, and what other lists say about a record's CVEs and KBs. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  identityField,
  severityField,
  titleField,
} from '@patch/catalogue/definition/record-name.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import {
  sharedIdentifier,
  spellingsOf,
  typedIdentifier,
} from '@patch/catalogue/schemas/shared-identifiers.ts';
import {
  identifierRecordsEndpoint,
  nearestIdentifiersEndpoint,
  type SharingList,
  type SharingRecord,
  sharingRecordsEndpoint,
} from '@patch/contract/shared-identifier-endpoints.ts';
import { listsBeingIndexed } from '../../platform/database/build-record-index.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { type SearchDesk, searchCallerOf } from '../search/search-desk.ts';
import {
  firstRecords,
  linesOfRecord,
  type NamedRecord,
  recordsNamed,
} from './named-records-store.ts';
import { nearestIdentifiers } from './nearest-identifier-store.ts';

/** Only lists of vendor records; the service's own clients are excluded. */
const publishedLists = catalogueLists.filter(({ source }) => source !== null);

const maxIdentifiers = 50;
const maxSharesShown = 5;

/** Identifiers by the spellings to search for. */
type Spellings = ReadonlyMap<string, string>;

export function sharedIdentifiersRoutes(
  route: RouteRegistrar,
  { database, desk }: { readonly database: Database; readonly desk: SearchDesk },
): void {
  route(identifierRecordsEndpoint, (request) =>
    desk.run(searchCallerOf(request), () => recordsOf(request.params.identifier)),
  );
  route(nearestIdentifiersEndpoint, (request) =>
    desk.run(searchCallerOf(request), async () => {
      const lists = publishedLists.map(({ key }) => key);
      return {
        lists,
        nearest: await nearestIdentifiers(
          database,
          lists,
          request.params.identifier,
          request.signal,
        ),
        ...(await stillIndexed()),
      };
    }),
  );
  route(sharingRecordsEndpoint, (request) =>
    desk.run(searchCallerOf(request), () => sharingOf(request.params)),
  );

  async function recordsOf(identifier: string) {
    const typed = identifier.trim();
    const asked = typedIdentifier(typed) ?? typed;
    const spellings = spellingsOfAll([asked]);
    const first = [...spellings.keys()];
    const pending = await stillIndexed();
    const lists = await sharingLists(database, publishedLists, spellings, first);
    return { identifier: spellingOfRecords(asked, lists), lists, ...pending };
  }

  async function sharingOf(params: { readonly list: string; readonly id: number }) {
    const list = publishedLists.find(({ key }) => key === params.list);
    if (list === undefined) throw new AppError('not_found', `There is no list ${params.list}.`);
    const record = await linesOfRecord(database, list, params.id);
    if (record === null)
      throw new AppError('not_found', `${list.label} has no record ${params.id}.`);
    const identifiers = [
      ...new Set(record.lines.flatMap((line) => sharedIdentifier(line) ?? [])),
    ].slice(0, maxIdentifiers);
    const others = publishedLists.filter(({ key }) => key !== list.key);
    const pending = await stillIndexed();
    return {
      identifiers,
      lists: await sharingLists(database, others, spellingsOfAll(identifiers), record.called),
      ...pending,
    };
  }

  /** Asked before the records, so that nothing is missing without being named. */
  async function stillIndexed() {
    const indexing = await listsBeingIndexed(database);
    return indexing.length === 0 ? {} : { indexing: [...indexing] };
  }
}

function spellingsOfAll(identifiers: readonly string[]): Spellings {
  return new Map(
    identifiers.flatMap((identifier) =>
      spellingsOf(identifier).map((spelling) => [spelling, identifier]),
    ),
  );
}

/** Reads of each list the records that are shown, one list at a time, so that other searches run in between. */
async function sharingLists(
  database: Database,
  lists: readonly ListDefinition[],
  spellings: Spellings,
  first: readonly string[],
): Promise<SharingList[]> {
  const sharing: SharingList[] = [];
  if (spellings.size === 0) return sharing;
  const named = await recordsNamed(database, [...spellings.keys()]);
  for (const list of lists) {
    const hits = named.get(list.key);
    if (hits === undefined) continue;
    const records = await firstRecords(database, list, hits.keys(), first);
    sharing.push({
      list: list.key,
      totalCount: hits.size,
      records: records.map((record) =>
        sharingRecord(list, record, sharedBy(spellings, hits.get(record.id))),
      ),
    });
  }
  return sharing;
}

/** In the order in which they were asked for. */
function sharedBy(spellings: Spellings, names: ReadonlySet<string> = new Set()): string[] {
  const shared = [...spellings].filter(([name]) => names.has(name));
  return [...new Set(shared.map(([, identifier]) => identifier))].slice(0, maxSharesShown);
}

function sharingRecord(
  list: ListDefinition,
  { id, row, releaseDate }: NamedRecord,
  shares: string[],
): SharingRecord {
  const words = (name: string | undefined) =>
    name === undefined || row[name] === null ? null : String(row[name]);
  return {
    id,
    identity: words(identityField(list, row)) ?? `Record ${id}`,
    title: words(titleField(list, row)),
    severity: words(severityField(list)),
    releaseDate,
    shares,
  };
}

/** In the vendor's spelling, if a record has that name. */
function spellingOfRecords(asked: string, lists: readonly SharingList[]): string {
  const called = lists
    .flatMap(({ records }) => records)
    .find(({ identity }) => fold(identity) === fold(asked));
  return called?.identity ?? asked;
}
