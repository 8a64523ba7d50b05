/**
 * Runs rounds of the standing judgement, which judge and count only what has changed. The next round continues one that was
 * killed.
 */
import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../platform/database/database.ts';
import { listsBeingIndexed } from '../platform/database/records/build-record-index.ts';
import { countMachines } from './counts/count-machines.ts';
import { tallyRecords } from './counts/record-tally-store.ts';
import { announceEnds } from './exceptions/announce-ends.ts';
import { countDays } from './history/count-days.ts';
import { toDay } from './history/fleet-day-store.ts';
import { lockFleet } from './intake/machine-store.ts';
import { judgementRules, minTallyRestMs, readDueJudgement } from './judgement/fleet-due-store.ts';
import {
  endLease,
  extendLease,
  type FleetWork,
  staleTally,
  takeLease,
  takeRules,
} from './judgement/fleet-lease-store.ts';
import { followLists } from './judgement/follow-lists.ts';
import { judgeAllAgain } from './judgement/judged-list-store.ts';
import { judgeParts } from './judgement/part-judgement.ts';
import { replaceFindingsOfParts } from './judgement/part-missing-store.ts';
import { refreshScopes, refreshSeverities } from './judgement/standing-refresh-store.ts';
import { machineId } from './machines/machine-number.ts';
import { machineFinder } from './missing/missing-criteria.ts';
import { readPartsToJudge } from './parts/inventory-part-store.ts';
import { mergeWaiting } from './parts/part-machines-store.ts';
import { readClientsWaiting } from './parts/waiting-set-store.ts';

const batchParts = 500;
/** A tally is repeated after this many times its own duration. */
const tallyRestFactor = 20;

export interface FleetJudgeOptions {
  readonly database: Database;
  readonly clock?: () => number;
  readonly rules?: string;
  /**
   * Returns how long machines reported after a round wait for the next one, in milliseconds. Changes of the catalogue never wait.
   */
  readonly restAfter?: (roundMs: number) => number;
}

export interface RoundResult {
  /** False when nothing is due, another worker judges, or the index of records is being built. */
  readonly judged: boolean;
  /** Milliseconds until reported machines are due; null when none wait. */
  readonly waitMs: number | null;
  readonly changedRecords: number;
  readonly judgedParts: number;
  readonly countedMachines: number;
}

const idle: RoundResult = {
  judged: false,
  waitMs: null,
  changedRecords: 0,
  judgedParts: 0,
  countedMachines: 0,
};

/** Thrown when another worker has taken over. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export class FleetJudge {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #rules: string;
  readonly #restAfter: (roundMs: number) => number;
  readonly #holder = randomUUID();
  #restsSince = 0;
  #restMs = 0;
  #tallyRestMs = minTallyRestMs;

  constructor(options: FleetJudgeOptions) {
    const { database, clock = Date.now, rules = judgementRules, restAfter = () => 0 } = options;
    this.#database = database;
    this.#clock = clock;
    this.#rules = rules;
    this.#restAfter = restAfter;
  }

  /**
   * Brings the standing judgement up to date.
   * @throws DatabaseError, and the abort reason of `signal`.
   */
  async round(signal: AbortSignal): Promise<RoundResult> {
    const waitMs = await this.#waitMs();
    if (waitMs !== 0) return { ...idle, waitMs };
    if (!(await takeLease(this.#database, this.#holder, this.#clock()))) return idle;
    const work: FleetWork = {
      database: this.#database,
      signal,
      keepLease: (tx) => this.#keepLease(tx),
      clock: this.#clock,
    };
    const since = this.#clock();
    try {
      // Records that are not indexed yet would seem to be missing nowhere.
      if ((await listsBeingIndexed(this.#database)).length > 0) return idle;
      await this.#followRules(work);
      const changedRecords = await followLists(work);
      const judgedParts = await this.#judgeNew(work);
      await refreshScopes(work);
      await refreshSeverities(work);
      await announceEnds(work, machineFinder(this.#database, this.#clock));
      const countedMachines = await countMachines(work);
      await this.#mergeSets(work);
      await this.#tally(work);
      this.#restsSince = this.#clock();
      this.#restMs = this.#restAfter(this.#restsSince - since);
      return { judged: true, waitMs: null, changedRecords, judgedParts, countedMachines };
    } catch (error) {
      if (error instanceof LeaseLost) return idle;
      throw error;
    } finally {
      // A lease that cannot be released expires.
      await endLease(this.#database, this.#holder).catch(() => undefined);
    }
  }

  /** Returns the milliseconds until a round is due; null when there is nothing to do. */
  async #waitMs(): Promise<number | null> {
    const now = this.#clock();
    const options = { now, rules: this.#rules, tallyRestMs: this.#tallyRestMs };
    const { reports, changes } = await readDueJudgement(this.#database, options);
    if (changes) return 0;
    const restedMs = now - this.#restsSince;
    // After the clock was set back, the rest is over.
    return reports ? (restedMs < 0 ? 0 : Math.max(0, this.#restMs - restedMs)) : null;
  }

  async #keepLease(tx: Queryable): Promise<void> {
    if (!(await extendLease(tx, this.#holder, this.#clock())))
      throw new LeaseLost('Another process judges the machines now');
  }

  async #followRules({ database, keepLease }: FleetWork): Promise<void> {
    await database.transaction(async (tx) => {
      await keepLease(tx);
      if (await takeRules(tx, this.#rules)) await judgeAllAgain(tx);
    });
  }

  async #judgeNew({ database, signal, keepLease }: FleetWork): Promise<number> {
    for (let judged = 0; ; ) {
      signal.throwIfAborted();
      const batch = await readPartsToJudge(database, batchParts);
      if (batch.length === 0) return judged;
      const findings = await judgeParts(database, batch, signal);
      await database.transaction(async (tx) => {
        await keepLease(tx);
        await replaceFindingsOfParts(tx, batch, findings);
      });
      judged += batch.length;
    }
  }

  /** Whoever asks which machines have a part reads all sets that wait: megabytes after many reports. */
  async #mergeSets({ database, signal, keepLease }: FleetWork): Promise<void> {
    for (const clientId of await readClientsWaiting(database)) {
      signal.throwIfAborted();
      await database.transaction(async (tx) => {
        await keepLease(tx);
        await lockFleet(tx, machineId(clientId, 0));
        await mergeWaiting(tx, clientId);
      });
    }
  }

  async #tally(work: FleetWork): Promise<void> {
    const since = work.clock();
    const before = await staleTally(work.database, toDay(since));
    if (before === null || (before <= since && since - before < this.#tallyRestMs)) return;
    // Before the tally, which is due until it ends: a killed round leaves no day without counts.
    await countDays(work);
    await tallyRecords(work);
    this.#tallyRestMs = Math.max(minTallyRestMs, tallyRestFactor * (work.clock() - since));
  }
}
