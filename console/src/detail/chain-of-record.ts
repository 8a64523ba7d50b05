/** What a record says of the chain it stands in: those that it replaces, those that replace it, and the one to install. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import type { SupersedenceRelation } from '@patch/catalogue/schemas/supersedence-table.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';

export interface ChainLink {
  readonly name: string;
  readonly releaseDate: number | null;
  /** Itself, not through others between the two. */
  readonly direct: boolean;
  /** Of the chain, those that it replaces directly. */
  readonly replaces: readonly string[];
  readonly fixedBuild: string | null;
  /** Who says how it is tied into the chain; null where the list does not say. */
  readonly evidence: string | null;
}

export interface Chain {
  readonly name: string;
  readonly releaseDate: number | null;
  /** The oldest first. */
  readonly older: readonly ChainLink[];
  /** The oldest first, the last one left out. */
  readonly newer: readonly ChainLink[];
  /** The one to install in its place; null when none is known. */
  readonly last: ChainLink | null;
  /** It is the one to install itself, as far as is known. */
  readonly isLast: boolean;
  /** On what that rests, in sentences; null where the list does not say. */
  readonly evidence: string | null;
  readonly contradictions: readonly ChainContradiction[];
}

/** What the vendor states and contradicts in another place. */
export interface ChainContradiction {
  readonly statement: string;
  readonly source: string;
  readonly against: string;
  readonly againstSource: string;
}

/** Null where nothing is said of a chain. */
export function chainOfRecord(list: ListDefinition, record: WireDetail): Chain | null {
  const { supersedence } = list.detail;
  if (supersedence === undefined) return null;
  const name = record[supersedence.name];
  const said = [supersedence.table, supersedence.older, supersedence.newer].some(
    (of) => of !== undefined && Array.isArray(record[of]),
  );
  if (typeof name !== 'string' || !said) return null;
  const links = [
    ...linksOfTable(record, supersedence.table),
    ...linksOfNames(record, supersedence.older, 'older', name),
    ...linksOfNames(record, supersedence.newer, 'newer', name),
  ];
  const released = record[releaseDateField(list)?.name ?? ''];
  const [older, newer] = (['older', 'newer'] as const).map((way) =>
    inOrder(links.filter((link) => link.way === way)),
  );
  const lastName = supersedence.last === undefined ? null : record[supersedence.last];
  const last = newer?.find((link) => link.name === lastName) ?? linkOutside(lastName, name);
  const evidence = record[supersedence.evidence ?? ''];
  const contradictions =
    supersedence.contradictions === undefined ? [] : (record[supersedence.contradictions] ?? []);
  return {
    name,
    releaseDate: typeof released === 'number' ? released : null,
    older: older ?? [],
    newer: newer?.filter((link) => link !== last) ?? [],
    last,
    isLast: lastName === name,
    evidence: typeof evidence === 'string' ? evidence : null,
    contradictions: contradictions as unknown as readonly ChainContradiction[],
  };
}

/** To install instead, though it belongs to another line of updates: a cumulative update in place of a hotpatch. */
function linkOutside(name: unknown, own: string): ChainLink | null {
  return typeof name !== 'string' || name === own
    ? null
    : { name, releaseDate: null, direct: false, replaces: [], ...unsaid };
}

const unsaid = { fixedBuild: null, evidence: null } as const;

interface PlacedLink extends ChainLink {
  readonly way: 'older' | 'newer';
}

interface SupersedenceRow {
  readonly kbId: string;
  readonly relation: SupersedenceRelation;
  readonly releaseDate?: number | null;
  readonly replaces?: readonly string[] | null;
  readonly fixedBuild?: string | null;
  readonly evidence?: string | null;
}

const placeOfRelation: Readonly<Record<SupersedenceRelation, Pick<PlacedLink, 'way' | 'direct'>>> =
  {
    'Replaced through others': { way: 'older', direct: false },
    'Replaced directly': { way: 'older', direct: true },
    'Replaces it directly': { way: 'newer', direct: true },
    'Replaces it through others': { way: 'newer', direct: false },
  };

function linksOfTable(record: WireDetail, table: string | undefined): PlacedLink[] {
  const rows = (table === undefined
    ? []
    : (record[table] ?? [])) as unknown as readonly SupersedenceRow[];
  return rows.flatMap(
    ({ kbId, relation, releaseDate = null, replaces, fixedBuild = null, evidence = null }) =>
      // A word of another version says nothing of the place.
      Object.hasOwn(placeOfRelation, relation)
        ? [
            {
              name: kbId,
              releaseDate,
              replaces: replaces ?? [],
              fixedBuild,
              evidence,
              ...placeOfRelation[relation],
            },
          ]
        : [],
  );
}

function linksOfNames(
  record: WireDetail,
  field: string | undefined,
  way: PlacedLink['way'],
  own: string,
): PlacedLink[] {
  const names = (field === undefined ? [] : (record[field] ?? [])) as readonly string[];
  return names.map((name) => ({
    name,
    releaseDate: null,
    direct: true,
    replaces: way === 'newer' ? [own] : [],
    ...unsaid,
    way,
  }));
}

/** By date: one without any is described nowhere any more, and most likely older than all that are. */
function oldestFirst(one: ChainLink, other: ChainLink): number {
  return (
    (one.releaseDate ?? 0) - (other.releaseDate ?? 0) ||
    one.name.localeCompare(other.name, 'en', { numeric: true })
  );
}

/** What replaces another comes after it, whatever their dates say: vendors change the dates of some records. */
function inOrder(links: readonly ChainLink[]): readonly ChainLink[] {
  const rest = links.toSorted(oldestFirst);
  const ordered: ChainLink[] = [];
  while (rest.length > 0) {
    const free = rest.findIndex(
      (link) => !rest.some((other) => other !== link && link.replaces.includes(other.name)),
    );
    // In a circle the oldest goes first.
    ordered.push(...rest.splice(Math.max(0, free), 1));
  }
  return ordered;
}

/** With the dates of records for the links that have none of their own. */
export function datedChain(chain: Chain, dateOf: (name: string) => number | null): Chain {
  const dated = (link: ChainLink): ChainLink => ({
    ...link,
    releaseDate: link.releaseDate ?? dateOf(link.name),
  });
  return {
    ...chain,
    older: inOrder(chain.older.map(dated)),
    newer: inOrder(chain.newer.map(dated)),
    last: chain.last === null ? null : dated(chain.last),
  };
}

/** Which of the chain replaces it directly: says how an old one comes to be replaced by this one. */
export function replacersOf(chain: Chain, name: string): readonly string[] {
  return chain.older.filter(({ replaces }) => replaces.includes(name)).map((link) => link.name);
}
