/** A database of which one of the next statements fails, or runs after something else was committed. */
import type { ListSource, QueryLimits, QueryResult } from '../../../platform/database/database.ts';

export class DisturbedSource implements ListSource {
  readonly #source: ListSource;
  #remaining = Number.POSITIVE_INFINITY;
  #disturb: () => Promise<void> = () => Promise.resolve();

  constructor(source: ListSource) {
    this.#source = source;
  }

  /** Calls `disturb` once, after that many statements and before the next one, which fails when it rejects. */
  disturbAfter(statements: number, disturb: () => Promise<void>): void {
    this.#remaining = statements;
    this.#disturb = disturb;
  }

  /** Ends the disturbance, if it has not happened. */
  calm(): void {
    this.#remaining = Number.POSITIVE_INFINITY;
  }

  async query(
    text: string,
    values?: readonly unknown[],
    limits?: QueryLimits,
  ): Promise<QueryResult> {
    this.#remaining -= 1;
    if (this.#remaining < 0) {
      this.calm();
      await this.#disturb();
    }
    return this.#source.query(text, values, limits);
  }
}
