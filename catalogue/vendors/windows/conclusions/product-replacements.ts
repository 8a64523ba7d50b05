/** Merges the evidence of replacements on one product: the guide, the offline scan file, and fixed builds. */

import type { MsrcDocument } from '../guide/msrc-document.ts';
import { compareNaturally } from '../names/compare-naturally.ts';
import {
  type ContainingLine,
  containsEarlier,
  isCumulative,
  isReleasedBetween,
  isSpecial,
} from '../names/kb-lines.ts';
import { findReplacementsByBuild } from './build-order.ts';
import { compareBuilds } from './fixed-build.ts';
import { toDay } from './kb-release-dates.ts';
import type { ProductKb } from './product-kbs.ts';
import { findCircles } from './strongly-connected.ts';

/**
 * Source of a replacement: a document of the guide, the offline scan file, a higher build of the same branch, or the line: a cumulative
 * update or monthly rollup contains all earlier ones by its name.
 */
export type ReplacementEvidence = MsrcDocument | 'scan' | 'build' | ContainingLine;

export interface Replacement {
  readonly older: string;
  readonly newer: string;
  readonly evidence: readonly ReplacementEvidence[];
}

/** A replacement that Microsoft states although it is impossible. */
export interface ImpossibleReplacement extends Replacement {
  /** `build`: the replacing KB has a lower build of the same branch. `circle`: the replaced KB also replaces it. */
  readonly because: 'build' | 'circle';
}

export class ProductReplacements {
  readonly kbs: ReadonlyMap<string, ProductKb>;
  readonly impossible: readonly ImpossibleReplacement[];
  readonly #newer = new Map<string, Map<string, Set<ReplacementEvidence>>>();
  readonly #older = new Map<string, Set<string>>();

  /** @param offered returns a KB that only Windows Update has for the product; null without one */
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
    for (const { older, newer } of findReplacementsByBuild(kbs)) this.#add(older, newer, 'build');
    this.impossible = [...lower, ...this.#breakCircles()];
    this.#removeShortcuts();
    this.#addLaterOfLine();
  }

  /** Returns the direct replacements of a KB. */
  newer(kb: string): readonly Replacement[] {
    return [...(this.#newer.get(kb) ?? [])]
      .map(([newer, evidence]) => ({ older: kb, newer, evidence: [...evidence] }))
      .toSorted((a, b) => compareNaturally(a.newer, b.newer));
  }

  /** Returns the KBs that it replaces directly; some are in no list. */
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

  /**
   * Previews and hotpatches replace nothing for machines that get neither. A separate update is only replaced by another one, as Microsoft
   * says that it is installed in addition to the cumulative updates.
   */
  #removeAcrossLines(): void {
    for (const [older, newer] of this.#all()) {
      const line = this.kbs.get(newer)?.line;
      const before = this.kbs.get(older)?.line;
      if (line === undefined || before === undefined || before === line) continue;
      if (isSpecial(line) || before === 'Separate update') this.#remove(older, newer);
    }
  }

  #removeWhere(
    because: ImpossibleReplacement['because'],
    matches: (older: string, newer: string) => boolean,
  ): ImpossibleReplacement[] {
    return [...this.#all()]
      .filter(([older, newer]) => matches(older, newer))
      .map(([older, newer]) => ({ ...this.#remove(older, newer), because }));
  }

  #isLower(kb: string, than: string): boolean {
    const [build, other] = [this.kbs.get(kb)?.build ?? null, this.kbs.get(than)?.build ?? null];
    return build !== null && other !== null && compareBuilds(build, other) < 0;
  }

  /**
   * Breaks circles: keeps Microsoft's statements that lead from an earlier KB to a later one, if any. Replacements by build are always
   * kept, because they only lead to higher builds.
   */
  #breakCircles(): ImpossibleReplacement[] {
    const removed: ImpossibleReplacement[] = [];
    for (;;) {
      const circleByKb = findCircles(this.#newer.keys(), (kb) => this.#newer.get(kb)?.keys() ?? []);
      if (circleByKb.size === 0) return removed;
      const isStatedInCircle = (older: string, newer: string) =>
        circleByKb.get(older) !== undefined &&
        circleByKb.get(older) === circleByKb.get(newer) &&
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

  /** Removes replacements of the scan file that others imply, because the file names all direct and indirect ones. */
  #removeShortcuts(): void {
    for (const [older, newer] of this.#all()) {
      const evidence = this.#newer.get(older)?.get(newer);
      if (evidence === undefined || ![...evidence].every((said) => said === 'scan')) continue;
      const between = [...(this.#newer.get(older)?.keys() ?? [])];
      if (between.some((kb) => kb !== newer && this.#newer.get(kb)?.has(newer) === true))
        this.#remove(older, newer);
    }
  }

  /**
   * Links updates that nothing is known to replace to the next later update that contains them by its line, where builds do not order
   * both. An older update without a day has the lower number.
   */
  #addLaterOfLine(): void {
    const containing = [...this.kbs.values()]
      .flatMap((kb) => {
        const { line } = kb;
        return containsEarlier(line) && (kb.build !== null || kb.isOrderedByDay)
          ? { ...kb, line }
          : [];
      })
      .toSorted((a, b) => (a.notBefore ?? 0) - (b.notBefore ?? 0) || compareNaturally(a.kb, b.kb));
    for (const older of this.kbs.values()) {
      if (this.newer(older.kb).length > 0) continue;
      const next = containing.find(
        (newer) => isLaterOfLine(newer, older) && !this.#leadsTo(newer.kb, older.kb),
      );
      if (next !== undefined) this.#add(older.kb, next.kb, next.line);
    }
  }

  /** Tells whether a KB is replaced by another one, directly or through others. */
  #leadsTo(kb: string, target: string): boolean {
    const met = new Set([kb]);
    for (const older of met)
      for (const newer of this.#newer.get(older)?.keys() ?? []) met.add(newer);
    return met.has(target);
  }
}

/** Tells whether the line of the newer update says that it contains the older one, which was released on an earlier day. */
function isLaterOfLine(newer: ProductKb, older: ProductKb): boolean {
  if (newer.build !== null && older.build !== null) return false;
  const isContained =
    newer.line === older.line
      ? older.build !== null || older.isOrderedByDay
      : older.build === null &&
        older.isOrderedByDay &&
        isCumulative(newer.line) &&
        isReleasedBetween(older.line);
  return (
    isContained &&
    older.notBefore !== null &&
    newer.notBefore !== null &&
    toDay(newer.notBefore) > toDay(older.notBefore) &&
    (older.releaseDate !== null || compareNaturally(newer.kb, older.kb) > 0)
  );
}
