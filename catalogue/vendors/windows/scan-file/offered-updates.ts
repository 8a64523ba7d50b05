/** Updates that Windows Update offers, from the KB base filled by its offline scan file: its own statements, before any conclusions. */
import type { Document } from '../../../definition/feed.ts';
import { readListDocument } from '../../../parsers/list-document.ts';
import { type Severity, toSeverity } from '../../../schemas/severities.ts';

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
  /** Null when the file contradicts itself. */
  readonly superseded: boolean | null;
  /** KBs that replace this update. */
  readonly supersededBy: readonly string[];
  readonly supersedes: readonly string[];
  /** Whether updates that the file does not contain replace it; they cannot be named. */
  readonly isReplacedByUnnamed: boolean;
}

export class OfferedUpdates {
  readonly #byKb = new Map<string, OfferedUpdate[]>();
  readonly #replaces = new Map<string, Set<string>>();

  /** True when the KB base is empty because the offline scan file was never read. */
  get isEmpty(): boolean {
    return this.#byKb.size === 0;
  }

  /** @param document the listed rows of the KB base */
  static async read(document: Document): Promise<OfferedUpdates> {
    const updates = new OfferedUpdates();
    const interned = new Map<string, string>();
    // Interns a copy: a slice of a line would keep the line in memory.
    const intern = (text: string) => {
      const before = interned.get(text) ?? Buffer.from(text).toString();
      interned.set(before, before);
      return before;
    };
    for await (const { key, row, detail } of readListDocument(document)) {
      const kb = toText(row['kbId']);
      if (kb === null) continue;
      updates.#add({
        key: intern(key),
        uuid: internText(row['uuid'], intern),
        kb: intern(kb),
        title: intern(toText(row['title']) ?? ''),
        architecture: toWords(row['architecture']).map(intern),
        releaseDate: typeof detail['ownDate'] === 'number' ? detail['ownDate'] : null,
        severity: toSeverity(toText(detail['vendorSeverity'])),
        cves: toWords(detail['ownCve']).map(intern),
        superseded: typeof detail['ownSuperseded'] === 'boolean' ? detail['ownSuperseded'] : null,
        supersededBy: toWords(detail['ownSupersededBy']).map(intern),
        supersedes: toWords(detail['ownSupersedes']).map(intern),
        isReplacedByUnnamed: Number(detail['supersededUnnamed'] ?? 0) > 0,
      });
    }
    return updates;
  }

  /** By KB. */
  get all(): Iterable<readonly [kb: string, updates: readonly OfferedUpdate[]]> {
    return this.#byKb;
  }

  listUpdates(kb: string): readonly OfferedUpdate[] {
    return this.#byKb.get(kb) ?? [];
  }

  /** Returns the KBs that some update of this KB replaces on any product. */
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

function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function internText(value: unknown, intern: (text: string) => string): string | null {
  const text = toText(value);
  return text === null ? null : intern(text);
}

function toWords(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}
