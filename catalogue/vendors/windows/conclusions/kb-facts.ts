/**
 * Facts of a KB on each of its products and of each update that Windows Update offers, derived once from the guide, the scan file and the
 * builds, and read by every list with a record of the KB.
 */
import { getHigherSeverity, type Severity } from '../../../schemas/severities.ts';
import type { KbForProduct } from '../guide/kb-for-product.ts';
import {
  combineStatements,
  type FixedVulnerability,
  getHighestSeverity,
} from '../guide/kb-vulnerabilities.ts';
import { combineFlags } from '../guide/msrc-exploit-status.ts';
import { compareNaturally } from '../names/compare-naturally.ts';
import type { OfferedUpdate, OfferedUpdates } from '../scan-file/offered-updates.ts';
import type { KbConclusions } from './kb-conclusions.ts';

export interface KbFacts {
  /** Epoch milliseconds; null when no document states the day. */
  readonly releaseDate: number | null;
  readonly severity: Severity;
  readonly cve: readonly string[];
  /** As Microsoft states it. */
  readonly exploited: boolean | null;
  /** Null when unknown, or when the products of one update differ. */
  readonly superseded: boolean | null;
  readonly supersedes: readonly string[];
  readonly supersededBy: readonly string[];
  /** Null when the evidence names none. */
  readonly toInstall: string | null;
}

interface ProductFacts {
  readonly facts: KbFacts;
  /** The update that certainly is the KB for the product. */
  readonly update: OfferedUpdate | null;
  /** Whether the KB is a package beside the cumulative updates: the scan file's word that one of these replaces it does not count. */
  readonly isSeparate: boolean;
}

export class KbFactsTable {
  readonly #conclusions: KbConclusions;
  readonly #factsByKb = new Map<string, Map<string, ProductFacts>>();

  constructor(conclusions: KbConclusions) {
    this.#conclusions = conclusions;
  }

  /** Derives the facts of a KB for a product, and stores them for the updates. */
  add(row: KbForProduct, fixed: readonly FixedVulnerability[]): KbFacts {
    const ofKb = this.#factsByKb.get(row.kb) ?? new Map<string, ProductFacts>();
    this.#factsByKb.set(row.kb, ofKb);
    const derived = this.#deriveFacts(row, fixed);
    ofKb.set(row.product.id, derived);
    return derived.facts;
  }

  /** Yields the facts of every update that names a KB, after all rows of the guide were added. */
  *listUpdateFacts(offered: OfferedUpdates): Generator<readonly [OfferedUpdate, KbFacts]> {
    for (const [kb, updates] of offered.all) {
      const ofGuide = [...(this.#factsByKb.get(kb)?.values() ?? [])];
      for (const update of updates)
        yield [
          update,
          ofGuide.length === 0
            ? toOwnFacts(update, updates)
            : combineUpdateFacts(
                update,
                ofGuide,
                this.#conclusions.getReleaseDate(kb).taken?.date ?? null,
              ),
        ];
    }
  }

  #deriveFacts({ kb, product }: KbForProduct, fixed: readonly FixedVulnerability[]): ProductFacts {
    const { replacements, resolution } = this.#conclusions.getProduct(product.name);
    const newer = replacements.newer(kb).map((replacement) => replacement.newer);
    const update = this.#conclusions.findUpdate(kb, product.name);
    const isSeparate = replacements.kbs.get(kb)?.line === 'Separate update';
    const superseded =
      newer.length > 0 ||
      (!isSeparate && isReplacedByUnknown(update, (replacing) => replacements.kbs.has(replacing)));
    const { toInstall } = resolution.resolve(kb);
    return {
      update,
      isSeparate,
      facts: {
        releaseDate: this.#conclusions.getReleaseDate(kb).taken?.date ?? null,
        severity: getHighestSeverity(fixed),
        cve: sortDistinct([...fixed.map(({ cve }) => cve), ...(update?.cves ?? [])]),
        exploited: combineStatements(fixed, 'exploited'),
        superseded,
        supersedes: replacements.older(kb).map((replacement) => replacement.older),
        supersededBy: newer,
        toInstall: superseded && toInstall === kb ? null : toInstall,
      },
    };
  }
}

/** Tells whether Windows Update states a replacement by an update that is otherwise unknown on the product. */
export function isReplacedByUnknown(
  update: OfferedUpdate | null,
  isKnown: (kb: string) => boolean,
): boolean {
  return (
    update?.superseded === true &&
    (update.isReplacedByUnnamed || update.supersededBy.some((kb) => !isKnown(kb)))
  );
}

/**
 * Derives the facts of an update whose KB the guide names: from the products that it certainly matches, else from all products of the KB.
 */
function combineUpdateFacts(
  own: OfferedUpdate,
  ofGuide: readonly ProductFacts[],
  releaseDate: number | null,
): KbFacts {
  const matched = ofGuide.filter(({ update }) => update === own);
  const group = (matched.length > 0 ? matched : ofGuide).map(({ facts }) => facts);
  const isSeparate = ofGuide.some((product) => product.isSeparate);
  const superseded = combineStates(group, matched.length > 0 || isSeparate ? null : own);
  return {
    releaseDate,
    severity: group.reduce<Severity>(
      (highest, { severity }) => getHigherSeverity(highest, severity),
      'Unspecified',
    ),
    cve: sortDistinct([...group.flatMap(({ cve }) => cve), ...own.cves]),
    exploited: combineFlags(group.map(({ exploited }) => exploited)),
    superseded,
    supersedes:
      matched.length > 0
        ? sortDistinct(group.flatMap(({ supersedes }) => supersedes))
        : own.supersedes,
    supersededBy: superseded === true ? findSuccessors(own, group, matched.length > 0) : [],
    toInstall: getCommon(group.map(({ toInstall }) => toInstall)),
  };
}

/** @param own an update that certainly matches none of the guide's products, else null */
function combineStates(group: readonly KbFacts[], own: OfferedUpdate | null): boolean | null {
  if (group.every(({ superseded }) => superseded === true)) return true;
  if (own?.superseded === true) return true;
  const isMixed = group.some(({ superseded }) => superseded !== false);
  return isMixed || own?.superseded === null ? null : false;
}

function findSuccessors(
  own: OfferedUpdate,
  group: readonly KbFacts[],
  isMatched: boolean,
): readonly string[] {
  if (isMatched) return sortDistinct(group.flatMap(({ supersededBy }) => supersededBy));
  if (own.supersededBy.length > 0) return own.supersededBy;
  const [first, ...others] = group.map(({ supersededBy }) => supersededBy);
  return (first ?? []).filter((kb) => others.every((names) => names.includes(kb)));
}

/** Facts of an update whose KB only Windows Update has. Each update is a separate revision with its own day. */
function toOwnFacts(own: OfferedUpdate, updates: readonly OfferedUpdate[]): KbFacts {
  const sameDay = updates.filter(({ releaseDate }) => releaseDate === own.releaseDate);
  const isContradicted =
    own.superseded === false && sameDay.some(({ superseded }) => superseded === null);
  return {
    releaseDate: own.releaseDate,
    severity: own.severity,
    cve: own.cves,
    exploited: null,
    superseded: isContradicted ? null : own.superseded,
    supersedes: own.supersedes,
    supersededBy: own.supersededBy,
    toInstall: null,
  };
}

/** Returns null when the names differ. */
function getCommon(names: readonly (string | null)[]): string | null {
  const [first = null] = names;
  return names.every((name) => name === first) ? first : null;
}

const sortDistinct = (names: readonly string[]) => [...new Set(names)].toSorted(compareNaturally);
