/** Schedules the one session: interactive work first, then the parts of long searches, then background work; each is promoted after waiting long enough. */
import type { Priority } from './thread-messages.ts';

export interface Turn {
  readonly priority: Priority;
  /** Identifies the owner, so that its turns can be cancelled. */
  readonly owner: object;
  readonly id: number;
  /** The turn holds the session until this settles; it must not reject. */
  run(): Promise<void>;
}

/** So that a sync or a long search continues, if slowly, while people keep the database busy. Milliseconds. */
export const maxBackgroundWaitMs = 500;

const priorities = ['interactive', 'yielding', 'background'] as const satisfies readonly Priority[];
type Patient = Exclude<Priority, 'interactive'>;

interface Waiting {
  readonly turn: Turn;
  readonly since: number;
}

export class TurnQueue {
  readonly #waiting: Record<Priority, Waiting[]> = {
    interactive: [],
    yielding: [],
    background: [],
  };
  readonly #now: () => number;
  #running = false;
  /** When a promoted turn last ran. */
  readonly #lastTurn: Record<Patient, number> = { yielding: 0, background: 0 };

  readonly #hear: () => void;

  /** `hear` is called before each turn is chosen: add the work that arrived while the last turn ran. */
  constructor(hear: () => void = () => undefined, now: () => number = () => performance.now()) {
    this.#hear = hear;
    this.#now = now;
  }

  add(turn: Turn): void {
    this.#waiting[turn.priority].push({ turn, since: this.#now() });
    if (!this.#running) void this.#runAll();
  }

  /** Cancels waiting turns: one, or all of its owner's. True if the one was still waiting. */
  forget(owner: object, id?: number): boolean {
    let found = false;
    for (const priority of priorities) {
      const before = this.#waiting[priority];
      this.#waiting[priority] = before.filter(
        ({ turn }) => turn.owner !== owner || (id !== undefined && turn.id !== id),
      );
      found ||= this.#waiting[priority].length < before.length;
    }
    return found;
  }

  async #runAll(): Promise<void> {
    this.#running = true;
    for (let turn = this.#next(); turn !== undefined; turn = this.#next()) {
      await turn.run();
      if (turn.priority !== 'interactive') this.#lastTurn[turn.priority] = this.#now();
    }
    this.#running = false;
  }

  #next(): Turn | undefined {
    this.#hear();
    const overdue = (['background', 'yielding'] as const).find((priority) =>
      this.#isOverdue(priority),
    );
    const priority = overdue ?? priorities.find((each) => this.#waiting[each].length > 0);
    return priority === undefined ? undefined : this.#waiting[priority].shift()?.turn;
  }

  /** One promoted turn, then interactive work again: many overdue turns must not run in a row. */
  #isOverdue(priority: Patient): boolean {
    const [first] = this.#waiting[priority];
    return (
      first !== undefined &&
      this.#now() - Math.max(first.since, this.#lastTurn[priority]) > maxBackgroundWaitMs
    );
  }
}
