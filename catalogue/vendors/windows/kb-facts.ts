/**
 * The facts of a KB on each product that it is for, and of each update that Windows Update offers: kept here once, from the guide, the
 * scan file and the builds together, and read by every list that has a record of the KB.
 */
import { higherSeverity, type Severity } from '../../schemas/severities.ts';
import { compareNaturally } from './compare-naturally.ts';
import type { KbConclusions } from './kb-conclusions.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { fixedVulnerabilities, highestSeverity, saidOfAny } from './kb-vulnerabilities.ts';
import { anyStatement } from './msrc-exploit-status.ts';
import type { Vulnerability } from './msrc-fixes.ts';
import type { OfferedUpdate, OfferedUpdates } from './offered-updates.ts';

export interface KbFacts {
  /** Epoch milliseconds; null where no document states the day. */
  readonly releaseDate: number | null;
  readonly severity: Severity;
  readonly cve: readonly string[];
  /** Microsoft's own word. */
  readonly exploited: boolean | null;
  /** Null where it is not known, or differs between the products of one update. */
  readonly superseded: boolean | null;
  readonly supersedes: readonly string[];
  readonly supersededBy: readonly string[];
  /** Null where the evidence names none. */
  readonly toInstall: string | null;
}

interface FactsOfProduct {
  readonly facts: KbFacts;
  /** The update that is certainly the KB for the product. */
  readonly update: OfferedUpdate | null;
}

export class KbFactsTable {
  readonly #conclusions: KbConclusions;
  readonly #ofProduct = new Map<string, Map<string, FactsOfProduct>>();

  constructor(
    rows: readonly KbForProduct[],
    vulnerabilities: ReadonlyMap<string, Vulnerability>,
    conclusions: KbConclusions,
  ) {
    this.#conclusions = conclusions;
    for (const row of rows) {
      const ofKb = this.#ofProduct.get(row.kb) ?? new Map<string, FactsOfProduct>();
      this.#ofProduct.set(row.kb, ofKb);
      ofKb.set(row.product.id, this.#factsOf(row, vulnerabilities));
    }
  }

  of({ kb, product }: KbForProduct): KbFacts {
    const found = this.#ofProduct.get(kb)?.get(product.id);
    if (found === undefined) throw new Error(`no facts of ${kb} for ${product.name}`);
    return found.facts;
  }

  /** Of every update that names a KB. */
  *ofUpdates(offered: OfferedUpdates): Generator<readonly [OfferedUpdate, KbFacts]> {
    for (const [kb, updates] of offered.all) {
      const ofGuide = [...(this.#ofProduct.get(kb)?.values() ?? [])];
      for (const update of updates)
        yield [
          update,
          ofGuide.length === 0
            ? ownFacts(update, updates)
            : factsOfUpdate(update, ofGuide, this.#conclusions.releaseDate(kb).taken?.date ?? null),
        ];
    }
  }

  #factsOf(row: KbForProduct, vulnerabilities: ReadonlyMap<string, Vulnerability>): FactsOfProduct {
    const { kb, product } = row;
    const { replacements, resolution } = this.#conclusions.ofProduct(product.name);
    const fixed = fixedVulnerabilities(row, vulnerabilities);
    const newer = replacements.newer(kb).map((replacement) => replacement.newer);
    const update = this.#conclusions.updateFor(kb, product.name);
    const superseded =
      newer.length > 0 || isReplacedByUnknown(update, (one) => replacements.kbs.has(one));
    const { toInstall } = resolution.of(kb);
    return {
      update,
      facts: {
        releaseDate: this.#conclusions.releaseDate(kb).taken?.date ?? null,
        severity: highestSeverity(fixed),
        cve: inOrder([...fixed.map(({ cve }) => cve), ...(update?.cves ?? [])]),
        exploited: saidOfAny(fixed, 'exploited'),
        superseded,
        supersedes: replacements.older(kb).map((replacement) => replacement.older),
        supersededBy: newer,
        toInstall: superseded && toInstall === kb ? null : toInstall,
      },
    };
  }
}

/** Windows Update says that an update replaces it of which nothing else is known on the product. */
export function isReplacedByUnknown(
  update: OfferedUpdate | null,
  isKnown: (kb: string) => boolean,
): boolean {
  return (
    update?.superseded === true &&
    (update.isReplacedByUnnamed || update.supersededBy.some((kb) => !isKnown(kb)))
  );
}

/** Of a KB that the guide names: by the products that the update is certainly for, else by all products of the KB. */
function factsOfUpdate(
  own: OfferedUpdate,
  ofGuide: readonly FactsOfProduct[],
  releaseDate: number | null,
): KbFacts {
  const matched = ofGuide.filter(({ update }) => update === own);
  const group = (matched.length > 0 ? matched : ofGuide).map(({ facts }) => facts);
  const superseded = stateOfGroup(group, matched.length > 0 ? null : own);
  return {
    releaseDate,
    severity: group.reduce<Severity>(
      (highest, { severity }) => higherSeverity(highest, severity),
      'Unspecified',
    ),
    cve: inOrder([...group.flatMap(({ cve }) => cve), ...own.cves]),
    exploited: anyStatement(group.map(({ exploited }) => exploited)),
    superseded,
    supersedes:
      matched.length > 0 ? inOrder(group.flatMap(({ supersedes }) => supersedes)) : own.supersedes,
    supersededBy: superseded === true ? successors(own, group, matched.length > 0) : [],
    toInstall: inCommon(group.map(({ toInstall }) => toInstall)),
  };
}

/** `own`: the words of an update that is for none of the guide's products for certain. */
function stateOfGroup(group: readonly KbFacts[], own: OfferedUpdate | null): boolean | null {
  if (group.every(({ superseded }) => superseded === true)) return true;
  if (own?.superseded === true) return true;
  const isMixed = group.some(({ superseded }) => superseded !== false);
  return isMixed || own?.superseded === null ? null : false;
}

function successors(
  own: OfferedUpdate,
  group: readonly KbFacts[],
  isMatched: boolean,
): readonly string[] {
  if (isMatched) return inOrder(group.flatMap(({ supersededBy }) => supersededBy));
  if (own.supersededBy.length > 0) return own.supersededBy;
  const [first, ...others] = group.map(({ supersededBy }) => supersededBy);
  return (first ?? []).filter((kb) => others.every((names) => names.includes(kb)));
}

/** Of a KB that only Windows Update has. Each update is a revision of its own, with a day of its own. */
function ownFacts(own: OfferedUpdate, updates: readonly OfferedUpdate[]): KbFacts {
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

/** Null where they differ. */
function inCommon(names: readonly (string | null)[]): string | null {
  const [first = null] = names;
  return names.every((name) => name === first) ? first : null;
}

const inOrder = (names: readonly string[]) => [...new Set(names)].toSorted(compareNaturally);
