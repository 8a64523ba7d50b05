/** What Windows Update offers, out of the KB base that its offline scan file fills, as evidence for the KBs of the guide: its own words, whatever has been concluded of them. */
import type { Document } from '../../definition/feed.ts';
import { readListDocument } from '../../parsers/list-document.ts';
import { type Severity, severityOf } from '../../schemas/severities.ts';

export interface OfferedUpdate {
  /** Natural key in the KB base. */
  readonly key: string;
  readonly uuid: string | null;
  readonly kb: string;
  readonly title: string;
  readonly architecture: readonly string[];
  /** Epoch milliseconds. */
  readonly releaseDate: number | null;
  readonly severity: Severity;
  readonly cves: readonly string[];
  /** Null where the file contradicts itself. */
  readonly superseded: boolean | null;
  /** KBs that replace this update. */
  readonly supersededBy: readonly string[];
  readonly supersedes: readonly string[];
  /** Some that replace it are not in the file, so that they cannot be named. */
  readonly isReplacedByUnnamed: boolean;
}

export class OfferedUpdates {
  readonly #byKb = new Map<string, OfferedUpdate[]>();
  readonly #replaces = new Map<string, Set<string>>();

  /** True when the KB base holds no KB: the offline scan file was never read. */
  get isEmpty(): boolean {
    return this.#byKb.size === 0;
  }

  /** `document`: the listed rows of the KB base. */
  static async read(document: Document): Promise<OfferedUpdates> {
    const updates = new OfferedUpdates();
    const kept = new Map<string, string>();
    // Once in memory, and as a copy: a piece of a line would keep all of the line alive.
    const keep = (text: string) => {
      const before = kept.get(text) ?? Buffer.from(text).toString();
      kept.set(before, before);
      return before;
    };
    for await (const { key, row, detail } of readListDocument(document)) {
      const kb = textOf(row['kbId']);
      if (kb === null) continue;
      updates.#add({
        key: keep(key),
        uuid: keptText(row['uuid'], keep),
        kb: keep(kb),
        title: keep(textOf(row['title']) ?? ''),
        architecture: wordsOf(row['architecture']).map(keep),
        releaseDate: typeof detail['ownDate'] === 'number' ? detail['ownDate'] : null,
        severity: severityOf(textOf(detail['vendorSeverity'])),
        cves: wordsOf(detail['ownCve']).map(keep),
        superseded: typeof detail['ownSuperseded'] === 'boolean' ? detail['ownSuperseded'] : null,
        supersededBy: wordsOf(detail['ownSupersededBy']).map(keep),
        supersedes: wordsOf(detail['ownSupersedes']).map(keep),
        isReplacedByUnnamed: Number(detail['supersededUnnamed'] ?? 0) > 0,
      });
    }
    return updates;
  }

  /** By KB. */
  get all(): Iterable<readonly [kb: string, updates: readonly OfferedUpdate[]]> {
    return this.#byKb;
  }

  ofKb(kb: string): readonly OfferedUpdate[] {
    return this.#byKb.get(kb) ?? [];
  }

  /** The KBs that some update of this KB replaces, on whatever product. */
  replacedBy(kb: string): ReadonlySet<string> {
    return this.#replaces.get(kb) ?? new Set();
  }

  #add(update: OfferedUpdate): void {
    const ofKb = this.#byKb.get(update.kb) ?? [];
    this.#byKb.set(update.kb, ofKb);
    ofKb.push(update);
    for (const newer of update.supersededBy) {
      const replaced = this.#replaces.get(newer) ?? new Set<string>();
      this.#replaces.set(newer, replaced.add(update.kb));
    }
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function keptText(value: unknown, keep: (text: string) => string): string | null {
  const text = textOf(value);
  return text === null ? null : keep(text);
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}
