/** Remarks on a part that apply until its documents change. They are stored with the part, so that every run reports them. */
import type { AnyPart, PartManifest, Rejection, Remark } from '@patch/catalogue/definition/feed.ts';
import { getRemarkUrl } from '@patch/catalogue/definition/feed-remark.ts';
import { detachText } from '@patch/catalogue/parsers/detach-text.ts';
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import { partParams } from '../runs/part-params.ts';
import type { RunningRun } from '../runs/running-run.ts';
import {
  type CountedWords,
  createWordWarnings,
  mergeWords,
  noWords,
} from './unknown-word-counts.ts';

/** Equal to the limits of a run. */
const maxRemarks = 100;
const maxRejections = 1000;
const maxKeys = 20;
const maxCopiesShown = 3;
const maxLength = 2000;

/** The stored form without `kind`, which follows from the containing array. */
export type StoredRemark = Omit<Remark, 'kind'>;
export type StoredRejection = Omit<Rejection, 'kind'>;

/** The remarks of one reading of a part. */
export interface StandingRemarks {
  readonly remarks: readonly StoredRemark[];
  /** Decisions of administrators that leave records unchanged. */
  readonly decisions: readonly RunMessage[];
  readonly words: CountedWords;
  /** The first rejections, with their reasons. */
  readonly rejections: readonly StoredRejection[];
  /** Count of all rejections. */
  readonly rejected: number;
}

export const noRemarks: StandingRemarks = {
  remarks: [],
  decisions: [],
  words: noWords,
  rejections: [],
  rejected: 0,
};

/** The records and documents that a partial reading has read. */
export interface PartialReading {
  /** Returns true for keys of entries and of rejected records. */
  readonly wasMet: (key: string) => boolean;
  readonly wasRead: (url: string) => boolean;
}

/** Collects the remarks of a reading for storage, and reports them to the run. */
export class RemarkCollector {
  readonly #running: RunningRun;
  readonly #part: AnyPart;
  readonly #remarks: StoredRemark[] = [];
  readonly #decisions: RunMessage[] = [];
  readonly #rejections: StoredRejection[] = [];
  #rejected = 0;
  #words = noWords;

  constructor(running: RunningRun, part: AnyPart) {
    this.#running = running;
    this.#part = part;
  }

  addRemark(remark: StoredRemark): void {
    reportRemark(this.#running, this.#part, remark);
    if (this.#remarks.length >= maxRemarks) return;
    const { keys, until, copies } = remark;
    this.#remarks.push(
      detachText({
        remark: truncate(remark.remark),
        ...(until !== undefined && { until }),
        ...(copies && { copies }),
        ...(keys && { keys: keys.slice(0, maxKeys) }),
      }),
    );
  }

  addDecision(message: RunMessage): void {
    this.#running.warn(message);
    this.#decisions.push(message);
  }

  async reject(rejection: StoredRejection): Promise<void> {
    await this.#running.reject(rejection);
    this.#rejected += 1;
    if (this.#rejections.length >= maxRejections) return;
    const { rejected, reason, url, keys } = rejection;
    this.#rejections.push(
      detachText({
        rejected: truncate(rejected),
        reason: truncate(reason),
        url: truncate(url),
        ...(keys && { keys: keys.slice(0, maxKeys) }),
      }),
    );
  }

  /** Sets the unknown words of the complete reading. */
  setWords(words: CountedWords): void {
    this.#words = words;
  }

  /** Reports the unknown words. Call it after `carryOver`. */
  reportWords(): void {
    for (const warning of createWordWarnings(partParams(this.#part), this.#words))
      this.#running.warn(warning);
  }

  /** Adds and reports the remarks of an earlier reading on records and documents that this reading has not read. */
  async carryOver(
    { remarks, rejections, words }: StandingRemarks,
    { wasMet, wasRead }: PartialReading,
  ): Promise<void> {
    for (const remark of remarks) if (remark.keys?.some(wasMet) !== true) this.addRemark(remark);
    for (const rejection of rejections) {
      const { keys = [], url, rejected } = rejection;
      const isSeenAgain = keys.length > 0 ? keys.some(wasMet) : wasRead(url) || wasMet(rejected);
      if (!isSeenAgain) {
        this.#running.countStillRejected(1);
        await this.reject(rejection);
      }
    }
    this.setWords(mergeWords(words, this.#words, wasMet));
  }

  get standing(): StandingRemarks {
    return {
      remarks: this.#remarks,
      decisions: this.#decisions,
      words: this.#words,
      rejections: this.#rejections,
      rejected: this.#rejected,
    };
  }
}

/** Reports the remarks of the last reading again, because they still apply to an unchanged part. */
export async function reportStoredRemarks(
  running: RunningRun,
  part: AnyPart,
  { remarks, decisions, words, rejections, rejected }: StandingRemarks,
): Promise<void> {
  for (const remark of remarks) reportRemark(running, part, remark);
  for (const decision of decisions) running.warn(decision);
  for (const warning of createWordWarnings(partParams(part), words)) running.warn(warning);
  for (const rejection of rejections) await running.reject(rejection);
  running.counts.rejected += rejected - rejections.length;
  running.countStillRejected(rejected);
}

/** Reports the remarks of a part on its currently published documents. */
export async function reportManifestRemarks(
  running: RunningRun,
  part: AnyPart,
  contents: PartManifest,
  absent: ReadonlySet<string>,
): Promise<void> {
  const { standIn = [], remarks = [] } = contents;
  for (const remark of standIn)
    running.warn({ code: 'feed_remark', params: { ...partParams(part), remark } });
  const copies = findUnreportedCopies(contents, absent);
  if (copies.length > 0) {
    const urls = { first: copies.slice(0, maxCopiesShown), total: copies.length };
    running.warn({ code: 'last_copies_read', params: { ...partParams(part), urls } });
  }
  for (const remark of remarks) {
    if (remark.kind === 'remark') reportRemark(running, part, remark);
    else await running.reject(remark);
  }
}

function reportRemark(running: RunningRun, part: AnyPart, { remark, until }: StoredRemark): void {
  if (until !== undefined && until <= Date.now()) return;
  running.warn({
    code: 'feed_remark',
    params: { ...partParams(part), remark: { code: 'text', params: { text: remark } } },
  });
}

const truncate = (text: string) =>
  text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;

/** Returns the addresses of a part's documents that are in `absent`, without those that the part itself remarks on. */
export function findUnreportedCopies(
  { documents, standIn = [], remarks = [] }: PartManifest,
  absent: ReadonlySet<string>,
): string[] {
  const reported = new Set([
    ...standIn.map(getRemarkUrl),
    ...remarks.flatMap((each) => (each.kind === 'remark' ? (each.copies ?? []) : [])),
  ]);
  return documents.map(({ url }) => url).filter((url) => absent.has(url) && !reported.has(url));
}
