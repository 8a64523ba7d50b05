/** The quarantined changes of a part to a list for one reason, during the review of a run. See docs/decisions/065. */
import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import {
  type Fingerprints,
  openEntry,
  type QuarantineDecision,
  type QuarantinedChange,
  type QuarantineEntryKey,
  readQuarantinedChanges,
  releaseChanges,
} from '../parts/quarantine-store.ts';
import type { PartWriting } from './part-writing.ts';

export type QuarantineWriting = Pick<PartWriting, 'database' | 'running'> & {
  readonly part: AnyPart;
};

export class Quarantine {
  readonly entryKey: QuarantineEntryKey;
  /** Changes that were pending or decided before this run, by key. */
  readonly before: ReadonlyMap<string, QuarantinedChange>;
  readonly #writing: QuarantineWriting;

  private constructor(
    writing: QuarantineWriting,
    entryKey: QuarantineEntryKey,
    before: ReadonlyMap<string, QuarantinedChange>,
  ) {
    this.#writing = writing;
    this.entryKey = entryKey;
    this.before = before;
  }

  static async open(
    writing: QuarantineWriting,
    list: ListDefinition,
    reason: QuarantineEntryKey['reason'],
  ): Promise<Quarantine> {
    const { database, part, running } = writing;
    const entryKey = { source: running.run.source, part: part.key, list: list.key, reason };
    return new Quarantine(writing, entryKey, await readQuarantinedChanges(database, entryKey));
  }

  /** Returns the decision on exactly this change, or null. */
  findDecision(key: string, fingerprint: string): QuarantineDecision | null {
    const before = this.before.get(key);
    return before?.fingerprint === fingerprint ? before.decision : null;
  }

  /** Opens an entry for these changes, unless exactly these are already pending. */
  async requestDecision(
    fingerprints: Fingerprints,
    shown: Pick<QuarantineEntry, 'records' | 'known' | 'losses' | 'examples'>,
  ): Promise<void> {
    const waiting = [...this.before].filter(([, { decision }]) => decision === null);
    const isOpen =
      waiting.length === fingerprints.size &&
      waiting.every(([key, { fingerprint }]) => fingerprints.get(key) === fingerprint);
    if (isOpen) return;
    const { database, part, running } = this.#writing;
    const origin = { partLabel: part.label, runId: running.run.id, quarantinedAt: Date.now() };
    await openEntry(database, { ...this.entryKey, ...shown, ...origin }, fingerprints);
  }

  /** Removes changes and the decisions on them: those that match the condition, or all without one. */
  async release(isToRelease: (key: string) => boolean = () => true): Promise<void> {
    const released = [...this.before.keys()].filter(isToRelease);
    if (released.length > 0) await releaseChanges(this.#writing.database, this.entryKey, released);
  }
}
