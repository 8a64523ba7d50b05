/** What is wrong with a part for as long as its documents stay as they are: kept with the part, so that every run reports it until it ends. */
import type { AnyPart, PartManifest, Rejection, Remark } from '@patch/catalogue/definition/feed.ts';
import { detached } from '@patch/catalogue/parsers/detached.ts';
import type { RunMessage } from '@patch/contract/run-message.ts';
import { partParams } from './part-params.ts';
import type { RunningRun } from './running-run.ts';
import { type CountedWords, carriedWords, noWords, wordWarnings } from './unknown-word-counts.ts';
import { untoldCopies } from './untold-copies.ts';

/** As many as a run keeps. */
const maxRemarks = 100;
const maxRejections = 1000;
const maxKeys = 20;
const maxCopiesNamed = 3;
const maxLength = 2000;

/** As stored with the part: the list that holds it says what it is. */
export type StoredRemark = Omit<Remark, 'kind'>;
export type StoredRejection = Omit<Rejection, 'kind'>;

/** Of one reading of a part. */
export interface StandingRemarks {
  readonly remarks: readonly StoredRemark[];
  /** What stays as it was although the vendor says otherwise, because an administrator decided so. */
  readonly decisions: readonly RunMessage[];
  readonly words: CountedWords;
  /** The first of them, with their reasons. */
  readonly rejections: readonly StoredRejection[];
  /** How many there are. */
  readonly rejected: number;
}

export const noRemarks: StandingRemarks = {
  remarks: [],
  decisions: [],
  words: noWords,
  rejections: [],
  rejected: 0,
};

/** What a reading that does not look at all of the vendor's documents did look at. */
export interface PartialReading {
  /** Entries and records that were kept out. */
  readonly wasMet: (key: string) => boolean;
  readonly wasRead: (url: string) => boolean;
}

/** Takes what a reading remarks, tells the run, and keeps it. */
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

  remark(remark: StoredRemark): void {
    tellRemark(this.#running, this.#part, remark);
    if (this.#remarks.length >= maxRemarks) return;
    const { keys, until, copies } = remark;
    this.#remarks.push(
      detached({
        remark: cut(remark.remark),
        ...(until !== undefined && { until }),
        ...(copies && { copies }),
        ...(keys && { keys: keys.slice(0, maxKeys) }),
      }),
    );
  }

  decision(message: RunMessage): void {
    this.#running.warn(message);
    this.#decisions.push(message);
  }

  async reject(rejection: StoredRejection): Promise<void> {
    await this.#running.reject(rejection);
    this.#rejected += 1;
    if (this.#rejections.length >= maxRejections) return;
    const { rejected, reason, url, keys } = rejection;
    this.#rejections.push(
      detached({
        rejected: cut(rejected),
        reason: cut(reason),
        url: cut(url),
        ...(keys && { keys: keys.slice(0, maxKeys) }),
      }),
    );
  }

  /** The unknown words of the reading, counted to its end. */
  words(words: CountedWords): void {
    this.#words = words;
  }

  /** Once nothing is carried over any more. */
  tellWords(): void {
    for (const warning of wordWarnings(partParams(this.#part), this.#words))
      this.#running.warn(warning);
  }

  /** Adds and tells what an earlier reading remarked of records and documents that this one has not looked at. */
  async carryOver(
    { remarks, rejections, words }: StandingRemarks,
    { wasMet, wasRead }: PartialReading,
  ): Promise<void> {
    for (const remark of remarks) if (remark.keys?.some(wasMet) !== true) this.remark(remark);
    for (const rejection of rejections) {
      const { keys = [], url, rejected } = rejection;
      const isSeenAgain = keys.length > 0 ? keys.some(wasMet) : wasRead(url) || wasMet(rejected);
      if (!isSeenAgain) {
        this.#running.countStillRejected(1);
        await this.reject(rejection);
      }
    }
    this.words(carriedWords(words, this.#words, wasMet));
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

/** What was remarked when the part was last read holds for its records still. */
export async function repeatRemarks(
  running: RunningRun,
  part: AnyPart,
  { remarks, decisions, words, rejections, rejected }: StandingRemarks,
): Promise<void> {
  for (const remark of remarks) tellRemark(running, part, remark);
  for (const decision of decisions) running.warn(decision);
  for (const warning of wordWarnings(partParams(part), words)) running.warn(warning);
  for (const rejection of rejections) await running.reject(rejection);
  running.counts.rejected += rejected - rejections.length;
  running.countStillRejected(rejected);
}

/** What a part says of its documents as they are published now. */
export async function remarkOnManifest(
  running: RunningRun,
  part: AnyPart,
  contents: PartManifest,
  absent: ReadonlySet<string>,
): Promise<void> {
  const { standIn = [], remarks = [] } = contents;
  for (const remark of standIn)
    running.warn({ code: 'feed_remark', params: { ...partParams(part), remark } });
  const copies = untoldCopies(contents, absent);
  if (copies.length > 0) {
    const urls = { first: copies.slice(0, maxCopiesNamed), total: copies.length };
    running.warn({ code: 'last_copies_read', params: { ...partParams(part), urls } });
  }
  for (const remark of remarks) {
    if (remark.kind === 'remark') tellRemark(running, part, remark);
    else await running.reject(remark);
  }
}

function tellRemark(running: RunningRun, part: AnyPart, { remark, until }: StoredRemark): void {
  if (until !== undefined && until <= Date.now()) return;
  running.warn({
    code: 'feed_remark',
    params: { ...partParams(part), remark: { code: 'text', params: { text: remark } } },
  });
}

const cut = (text: string) =>
  text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
