/** Finds statements of Microsoft about two KBs on a product that contradict each other; both records show them with their sources. */
import { type ReleaseDate, toDay } from './kb-release-dates.ts';
import type { ProductReplacements } from './product-replacements.ts';
import { formatSource, formatSources, toIsoDay } from './source-names.ts';

/** `date`: the replacement has the earlier date. `build`, `circle`: the replacement is impossible and ignored. */
export type ContradictionKind = 'date' | 'build' | 'circle';

export interface Contradiction {
  readonly kind: ContradictionKind;
  readonly older: string;
  readonly newer: string;
  /** The statement and its source. */
  readonly statement: string;
  readonly source: string;
  /** The contradicting statement and its source. */
  readonly against: string;
  readonly againstSource: string;
}

/** Returns the contradictions of one product. */
export function findContradictions(
  replacements: ProductReplacements,
  getDate: (kb: string) => ReleaseDate,
): Contradiction[] {
  return [...findBackwardDates(replacements, getDate), ...findImpossible(replacements)];
}

function* findBackwardDates(
  replacements: ProductReplacements,
  getDate: (kb: string) => ReleaseDate,
): Generator<Contradiction> {
  for (const newer of replacements.kbs.keys()) {
    const after = getDate(newer).taken;
    for (const { older, evidence } of replacements.older(newer)) {
      // Microsoft's words sometimes name KBs of other products, which state nothing about this one.
      if (!replacements.kbs.has(older)) continue;
      const before = getDate(older).taken;
      if (before === null || after === null || toDay(after.date) >= toDay(before.date)) continue;
      yield {
        kind: 'date',
        older,
        newer,
        statement: `${newer} replaces ${older}`,
        source: formatSources(evidence),
        against: `${newer} is of ${toIsoDay(after.date)}, ${older} of ${toIsoDay(before.date)}`,
        againstSource: `${formatSource(after.source)}; ${formatSource(before.source)}`,
      };
    }
  }
}

function* findImpossible({ impossible: all, kbs }: ProductReplacements): Generator<Contradiction> {
  for (const { older, newer, evidence, because: kind } of all) {
    const contradiction = {
      kind,
      older,
      newer,
      statement: `${newer} replaces ${older}`,
      source: formatSources(evidence),
    };
    const [a, b] = [kbs.get(newer)?.build ?? null, kbs.get(older)?.build ?? null];
    if (kind === 'build' && a !== null && b !== null) {
      yield {
        ...contradiction,
        against: `${newer} has build ${a.text}, ${older} the higher ${b.text}`,
        againstSource: formatSources([a.document, b.document]),
      };
    } else {
      yield {
        ...contradiction,
        against: `${older} replaces ${newer}, directly or through others`,
        againstSource: 'the replacements listed here',
      };
    }
  }
}
