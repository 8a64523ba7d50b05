/** Which KB replaces which on one product, over all evidence together: the guide, the offline scan file, and fixed builds. */

import { replacementsByBuild } from './build-order.ts';
import { compareNaturally } from './compare-naturally.ts';
import { compareBuilds } from './fixed-build.ts';
import { isSpecial } from './kb-lines.ts';
import { dayOf } from './kb-release-dates.ts';
import type { MsrcDocument } from './msrc-document.ts';
import type { ProductKb } from './product-kbs.ts';
import { stronglyConnected } from './strongly-connected.ts';

/**
 * Who says that a KB replaces another: a document of the guide, the offline scan file, a higher build of the same branch, or its line:
 * a monthly rollup holds all earlier ones, by its name.
 */
export type ReplacementEvidence = MsrcDocument | 'scan' | 'build' | 'line';

export interface Replacement {
  readonly older: string;
  readonly newer: string;
  readonly evidence: readonly ReplacementEvidence[];
}

/** A replacement that Microsoft states and that cannot be. */
export interface ImpossibleReplacement extends Replacement {
  /** `build`: the replacing KB has a lower build of the same branch. `circle`: it is replaced in turn by what it replaces. */
  readonly because: 'build' | 'circle';
}

export class ProductReplacements {
  readonly kbs: ReadonlyMap<string, ProductKb>;
  readonly impossible: readonly ImpossibleReplacement[];
  readonly #newer = new Map<string, Map<string, Set<ReplacementEvidence>>>();
  readonly #older = new Map<string, Set<string>>();

  /** `offered`: the KB on the product as only Windows Update has it; null when it does not offer it for the product. */
  constructor(kbs: readonly ProductKb[], offered: (kb: string) => ProductKb | null) {
    const all = new Map(kbs.map((kb) => [kb.kb, kb]));
    this.kbs = all;
    for (const { kb, row } of kbs)
      for (const [older, document] of row?.supersedes ?? []) this.#add(older, kb, document);
    for (const { kb, update } of kbs) {
      for (const newer of update?.supersededBy ?? []) {
        const found = all.get(newer) ?? offered(newer);
        if (found === null || newer === kb) continue;
        all.set(newer, found);
        this.#add(kb, newer, 'scan');
      }
    }
    this.#removeAcrossLines();
    const lower = this.#removeWhere('build', (older, newer) => this.#isLower(newer, older));
    for (const { older, newer } of replacementsByBuild(kbs)) this.#add(older, newer, 'build');
    this.impossible = [...lower, ...this.#breakCircles()];
    this.#removeShortcuts();
    for (const { older, newer } of this.#laterRollups()) this.#add(older, newer, 'line');
  }

  /** Those that replace it directly. */
  newer(kb: string): readonly Replacement[] {
    return [...(this.#newer.get(kb) ?? [])]
      .map(([newer, evidence]) => ({ older: kb, newer, evidence: [...evidence] }))
      .toSorted((a, b) => compareNaturally(a.newer, b.newer));
  }

  /** Those that it replaces directly; some are in no list. */
  older(kb: string): readonly Replacement[] {
    return [...(this.#older.get(kb) ?? [])]
      .map((older) => ({
        older,
        newer: kb,
        evidence: [...(this.#newer.get(older)?.get(kb) ?? [])],
      }))
      .toSorted((a, b) => compareNaturally(a.older, b.older));
  }

  #add(older: string, newer: string, evidence: ReplacementEvidence): void {
    const ofOlder = this.#newer.get(older) ?? new Map<string, Set<ReplacementEvidence>>();
    this.#newer.set(older, ofOlder.set(newer, (ofOlder.get(newer) ?? new Set()).add(evidence)));
    this.#older.set(newer, (this.#older.get(newer) ?? new Set()).add(older));
  }

  #remove(older: string, newer: string): Replacement {
    const evidence = [...(this.#newer.get(older)?.get(newer) ?? [])];
    this.#newer.get(older)?.delete(newer);
    this.#older.get(newer)?.delete(older);
    return { older, newer, evidence };
  }

  *#all(): Generator<readonly [older: string, newer: string]> {
    for (const [older, newer] of this.#newer) for (const kb of newer.keys()) yield [older, kb];
  }

  /** A preview or a hotpatch replaces nothing for a machine that gets neither. */
  #removeAcrossLines(): void {
    for (const [older, newer] of this.#all()) {
      const line = this.kbs.get(newer)?.line;
      const before = this.kbs.get(older)?.line;
      if (line !== undefined && isSpecial(line) && before !== undefined && before !== line)
        this.#remove(older, newer);
    }
  }

  #removeWhere(
    because: ImpossibleReplacement['because'],
    isOne: (older: string, newer: string) => boolean,
  ): ImpossibleReplacement[] {
    return [...this.#all()]
      .filter(([older, newer]) => isOne(older, newer))
      .map(([older, newer]) => ({ ...this.#remove(older, newer), because }));
  }

  #isLower(kb: string, than: string): boolean {
    const [build, other] = [this.kbs.get(kb)?.build ?? null, this.kbs.get(than)?.build ?? null];
    return build !== null && other !== null && compareBuilds(build, other) < 0;
  }

  /**
   * Of a circle those of Microsoft's statements are kept that lead from an earlier KB to a later one, where any do; builds are always
   * believed, as they only ever lead upwards.
   */
  #breakCircles(): ImpossibleReplacement[] {
    const removed: ImpossibleReplacement[] = [];
    for (;;) {
      const circleOf = stronglyConnected(
        this.#newer.keys(),
        (kb) => this.#newer.get(kb)?.keys() ?? [],
      );
      if (circleOf.size === 0) return removed;
      const isStatedInCircle = (older: string, newer: string) =>
        circleOf.get(older) !== undefined &&
        circleOf.get(older) === circleOf.get(newer) &&
        this.#newer.get(older)?.get(newer)?.has('build') !== true;
      const backwards = this.#removeWhere(
        'circle',
        (older, newer) => isStatedInCircle(older, newer) && this.#isAfter(older, newer),
      );
      removed.push(
        ...(backwards.length > 0 ? backwards : this.#removeWhere('circle', isStatedInCircle)),
      );
    }
  }

  #isAfter(kb: string, other: string): boolean {
    const [a, b] = [this.kbs.get(kb)?.notBefore ?? 0, this.kbs.get(other)?.notBefore ?? 0];
    return (a - b || compareNaturally(kb, other)) > 0;
  }

  /** The scan file names all that replace an update; those that replace it through another one of them say nothing more. */
  #removeShortcuts(): void {
    for (const [older, newer] of this.#all()) {
      const evidence = this.#newer.get(older)?.get(newer);
      if (evidence === undefined || ![...evidence].every((said) => said === 'scan')) continue;
      const between = [...(this.#newer.get(older)?.keys() ?? [])];
      if (between.some((kb) => kb !== newer && this.#newer.get(kb)?.has(newer) === true))
        this.#remove(older, newer);
    }
  }

  /** Rollups that nothing else replaces and that have no build to compare: each to the next later of those that nothing replaces. */
  #laterRollups(): Pick<Replacement, 'older' | 'newer'>[] {
    const ends = [...this.kbs.values()]
      .filter(({ kb, line }) => line === 'Monthly rollup' && this.newer(kb).length === 0)
      .toSorted((a, b) => (a.notBefore ?? 0) - (b.notBefore ?? 0) || compareNaturally(a.kb, b.kb));
    return ends.flatMap((older) => {
      const { notBefore } = older;
      if (older.build !== null || notBefore === null) return [];
      const newer = ends.find(
        (other) => other.notBefore !== null && dayOf(other.notBefore) > dayOf(notBefore),
      );
      return newer === undefined ? [] : [{ older: older.kb, newer: newer.kb }];
    });
  }
}
