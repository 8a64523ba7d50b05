/** The quarantined changes of one list of a part, for one reason, while a run reviews them. See docs/decisions/065. */
import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import type { PartWriting } from './part-writing.ts';
import {
  type Fingerprints,
  openEntry,
  type QuarantineDecision,
  type QuarantinedChange,
  type QuarantinePlace,
  quarantinedChanges,
  releaseChanges,
} from './quarantine-store.ts';

export type QuarantineWriting = Pick<PartWriting, 'database' | 'running'> & {
  readonly part: AnyPart;
};

export class Quarantine {
  readonly place: QuarantinePlace;
  /** Changes that waited or were decided before this run, by key. */
  readonly before: ReadonlyMap<string, QuarantinedChange>;
  readonly #writing: QuarantineWriting;

  private constructor(
    writing: QuarantineWriting,
    place: QuarantinePlace,
    before: ReadonlyMap<string, QuarantinedChange>,
  ) {
    this.#writing = writing;
    this.place = place;
    this.before = before;
  }

  static async open(
    writing: QuarantineWriting,
    list: ListDefinition,
    reason: QuarantinePlace['reason'],
  ): Promise<Quarantine> {
    const { database, part, running } = writing;
    const place = { source: running.run.source, part: part.key, list: list.key, reason };
    return new Quarantine(writing, place, await quarantinedChanges(database, place));
  }

  /** Returns the decision on exactly this change, null where there is none. */
  decisionOn(key: string, fingerprint: string): QuarantineDecision | null {
    const before = this.before.get(key);
    return before?.fingerprint === fingerprint ? before.decision : null;
  }

  /** Opens an entry for these changes, unless just these wait already. */
  async ask(
    fingerprints: Fingerprints,
    shown: Pick<QuarantineEntry, 'records' | 'known' | 'losses' | 'examples'>,
  ): Promise<void> {
    const waiting = [...this.before].filter(([, { decision }]) => decision === null);
    const isOpen =
      waiting.length === fingerprints.size &&
      waiting.every(([key, { fingerprint }]) => fingerprints.get(key) === fingerprint);
    if (isOpen) return;
    const { database, part, running } = this.#writing;
    const met = { partLabel: part.label, runId: running.run.id, quarantinedAt: Date.now() };
    await openEntry(database, { ...this.place, ...shown, ...met }, fingerprints);
  }

  /** Forgets these changes, all in the absence of a condition, and what was decided of them. */
  async release(isToRelease: (key: string) => boolean = () => true): Promise<void> {
    const released = [...this.before.keys()].filter(isToRelease);
    if (released.length > 0) await releaseChanges(this.#writing.database, this.place, released);
  }
}
