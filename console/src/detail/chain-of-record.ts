/** Supersedence chain of a record: what it replaces, what replaces it, and which update to install. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import type { SupersedenceRelation } from '@patch/catalogue/schemas/supersedence-table.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';

export interface ChainLink {
  readonly name: string;
  readonly releaseDate: number | null;
  /** True without other updates in between. */
  readonly direct: boolean;
  /** Updates of the chain that it replaces directly. */
  readonly replaces: readonly string[];
  readonly fixedBuild: string | null;
  /** Source of the statement; null when the list has none. */
  readonly evidence: string | null;
}

export interface Chain {
  readonly name: string;
  readonly releaseDate: number | null;
  /** Oldest first. */
  readonly older: readonly ChainLink[];
  /** Oldest first, without `last`. */
  readonly newer: readonly ChainLink[];
  /** The update to install instead; null when unknown. */
  readonly last: ChainLink | null;
  /** True when the record itself is the one to install. */
  readonly isLast: boolean;
  /** Sentences that justify `last` or `isLast`; null when the list has none. */
  readonly evidence: string | null;
  readonly contradictions: readonly ChainContradiction[];
}

/** A statement of the vendor and another one that contradicts it. */
export interface ChainContradiction {
  readonly statement: string;
  readonly source: string;
  readonly against: string;
  readonly againstSource: string;
}

/** Returns null when the record has no information on supersedence. */
export function readChain(list: ListDefinition, record: WireDetail): Chain | null {
  const { supersedence } = list.detail;
  if (supersedence === undefined) return null;
  const name = record[supersedence.name];
  const hasChain = [supersedence.table, supersedence.older, supersedence.newer].some(
    (field) => field !== undefined && Array.isArray(record[field]),
  );
  if (typeof name !== 'string' || !hasChain) return null;
  const links = [
    ...readTableLinks(record, supersedence.table),
    ...readNameLinks(record, supersedence.older, 'older', name),
    ...readNameLinks(record, supersedence.newer, 'newer', name),
  ];
  const released = record[releaseDateField(list)?.name ?? ''];
  const [older, newer] = (['older', 'newer'] as const).map((direction) =>
    sortByReplacement(links.filter((link) => link.direction === direction)),
  );
  const lastName = supersedence.last === undefined ? null : record[supersedence.last];
  const last = newer?.find((link) => link.name === lastName) ?? toOutsideLink(lastName, name);
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

/** Returns an update of another line to install instead: a cumulative update instead of a hotpatch. */
function toOutsideLink(name: unknown, own: string): ChainLink | null {
  return typeof name !== 'string' || name === own
    ? null
    : { name, releaseDate: null, direct: false, replaces: [], ...unknownValues };
}

const unknownValues = { fixedBuild: null, evidence: null } as const;

interface DirectedLink extends ChainLink {
  readonly direction: 'older' | 'newer';
}

interface SupersedenceRow {
  readonly kbId: string;
  readonly relation: SupersedenceRelation;
  readonly releaseDate?: number | null;
  readonly replaces?: readonly string[] | null;
  readonly fixedBuild?: string | null;
  readonly evidence?: string | null;
}

const directionByRelation: Readonly<
  Record<SupersedenceRelation, Pick<DirectedLink, 'direction' | 'direct'>>
> = {
  'Replaced through others': { direction: 'older', direct: false },
  'Replaced directly': { direction: 'older', direct: true },
  'Replaces it directly': { direction: 'newer', direct: true },
  'Replaces it through others': { direction: 'newer', direct: false },
};

function readTableLinks(record: WireDetail, table: string | undefined): DirectedLink[] {
  const rows = (table === undefined
    ? []
    : (record[table] ?? [])) as unknown as readonly SupersedenceRow[];
  return rows.flatMap(
    ({ kbId, relation, releaseDate = null, replaces, fixedBuild = null, evidence = null }) =>
      // Ignores relations that this version does not know.
      Object.hasOwn(directionByRelation, relation)
        ? [
            {
              name: kbId,
              releaseDate,
              replaces: replaces ?? [],
              fixedBuild,
              evidence,
              ...directionByRelation[relation],
            },
          ]
        : [],
  );
}

function readNameLinks(
  record: WireDetail,
  field: string | undefined,
  direction: DirectedLink['direction'],
  own: string,
): DirectedLink[] {
  const names = (field === undefined ? [] : (record[field] ?? [])) as readonly string[];
  return names.map((name) => ({
    name,
    releaseDate: null,
    direct: true,
    replaces: direction === 'newer' ? [own] : [],
    ...unknownValues,
    direction,
  }));
}

/** An update without a date is no longer described by the vendor and counts as the oldest. */
function compareByDate(a: ChainLink, b: ChainLink): number {
  return (
    (a.releaseDate ?? 0) - (b.releaseDate ?? 0) ||
    a.name.localeCompare(b.name, 'en', { numeric: true })
  );
}

/** Sorts replacements after what they replace, regardless of dates, because vendors change some dates. */
function sortByReplacement(links: readonly ChainLink[]): readonly ChainLink[] {
  const remaining = links.toSorted(compareByDate);
  const ordered: ChainLink[] = [];
  while (remaining.length > 0) {
    const next = remaining.findIndex(
      (link) => !remaining.some((other) => other !== link && link.replaces.includes(other.name)),
    );
    // Breaks a circle at the oldest.
    ordered.push(...remaining.splice(Math.max(0, next), 1));
  }
  return ordered;
}

/** Adds dates of records to links without a date. */
export function addDates(chain: Chain, getDate: (name: string) => number | null): Chain {
  const addDate = (link: ChainLink): ChainLink => ({
    ...link,
    releaseDate: link.releaseDate ?? getDate(link.name),
  });
  return {
    ...chain,
    older: sortByReplacement(chain.older.map(addDate)),
    newer: sortByReplacement(chain.newer.map(addDate)),
    last: chain.last === null ? null : addDate(chain.last),
  };
}

/** Returns the older updates of the chain that replace the given one directly. */
export function findReplacers(chain: Chain, name: string): readonly string[] {
  return chain.older.filter(({ replaces }) => replaces.includes(name)).map((link) => link.name);
}
