/** What Microsoft states about two KBs on a product and contradicts in another place: told in both records, with both sources. */
import { dayOf, type ReleaseDate } from './kb-release-dates.ts';
import type { ProductReplacements } from './product-replacements.ts';
import { isoDay, nameOfSource, namesOfSources } from './source-names.ts';

/** `date`: the replacement runs backwards in time. `build`, `circle`: it cannot be, and is not believed. */
export type ContradictionKind = 'date' | 'build' | 'circle';

export interface Contradiction {
  readonly kind: ContradictionKind;
  readonly older: string;
  readonly newer: string;
  /** What is stated, and who states it. */
  readonly statement: string;
  readonly source: string;
  /** What it contradicts, and who states that. */
  readonly against: string;
  readonly againstSource: string;
}

/** All of one product. */
export function contradictionsOn(
  replacements: ProductReplacements,
  dateOf: (kb: string) => ReleaseDate,
): Contradiction[] {
  return [...backwardsInTime(replacements, dateOf), ...impossible(replacements)];
}

function* backwardsInTime(
  replacements: ProductReplacements,
  dateOf: (kb: string) => ReleaseDate,
): Generator<Contradiction> {
  for (const newer of replacements.kbs.keys()) {
    const after = dateOf(newer).taken;
    for (const { older, evidence } of replacements.older(newer)) {
      // Microsoft's words name KBs of other products at times; those say nothing about this one.
      if (!replacements.kbs.has(older)) continue;
      const before = dateOf(older).taken;
      if (before === null || after === null || dayOf(after.date) >= dayOf(before.date)) continue;
      yield {
        kind: 'date',
        older,
        newer,
        statement: `${newer} replaces ${older}`,
        source: namesOfSources(evidence),
        against: `${newer} is of ${isoDay(after.date)}, ${older} of ${isoDay(before.date)}`,
        againstSource: `${nameOfSource(after.source)}; ${nameOfSource(before.source)}`,
      };
    }
  }
}

function* impossible({ impossible: all, kbs }: ProductReplacements): Generator<Contradiction> {
  for (const { older, newer, evidence, because: kind } of all) {
    const said = {
      kind,
      older,
      newer,
      statement: `${newer} replaces ${older}`,
      source: namesOfSources(evidence),
    };
    const [a, b] = [kbs.get(newer)?.build ?? null, kbs.get(older)?.build ?? null];
    if (kind === 'build' && a !== null && b !== null) {
      yield {
        ...said,
        against: `${newer} has build ${a.text}, ${older} the higher ${b.text}`,
        againstSource: namesOfSources([a.document, b.document]),
      };
    } else {
      yield {
        ...said,
        against: `${older} replaces ${newer}, directly or through others`,
        againstSource: 'the replacements listed here',
      };
    }
  }
}
