/** Whose turn it is at the one session: interactive work first, then the parts of long searches, then background work; each of these sooner when it has waited long enough. */
import type { Priority } from './thread-messages.ts';

export interface Turn {
  readonly priority: Priority;
  /** Of the asker, to take its turns out again. */
  readonly owner: object;
  readonly id: number;
  /** The session is the turn's until this settles; it may not reject. */
  run(): Promise<void>;
}

/** So that a sync, or a long search, goes on, if slowly, while people keep the database busy. Milliseconds. */
export const longestBackgroundWait = 500;

const priorities = ['interactive', 'yielding', 'background'] as const satisfies readonly Priority[];
type Patient = Exclude<Priority, 'interactive'>;

interface Waiting {
  readonly turn: Turn;
  readonly since: number;
}

export class TurnQueue {
  readonly #waiting: Record<Priority, Waiting[]> = { interactive: [], yielding: [], background: [] };
  readonly #now: () => number;
  #running = false;
  /** When work that waits for others last had a turn. */
  readonly #lastTurn: Record<Patient, number> = { yielding: 0, background: 0 };

  readonly #hear: () => void;

  /** `hear` is called before each turn is chosen: whoever came while the last one ran is to be added now. */
  constructor(hear: () => void = () => undefined, now: () => number = () => performance.now()) {
    this.#hear = hear;
    this.#now = now;
  }

  add(turn: Turn): void {
    this.#waiting[turn.priority].push({ turn, since: this.#now() });
    if (!this.#running) void this.#runAll();
  }

  /** Takes back what has not begun: one turn, or all of its owner's. True when the one was still waiting. */
  forget(owner: object, id?: number): boolean {
    let found = false;
    for (const priority of priorities) {
      const before = this.#waiting[priority];
      this.#waiting[priority] = before.filter(({ turn }) => turn.owner !== owner || (id !== undefined && turn.id !== id));
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
    const overdue = (['background', 'yielding'] as const).find((priority) => this.#isOverdue(priority));
    const priority = overdue ?? priorities.find((each) => this.#waiting[each].length > 0);
    return priority === undefined ? undefined : this.#waiting[priority].shift()?.turn;
  }

  /** One turn, then people again: many that are overdue may not come in a row. */
  #isOverdue(priority: Patient): boolean {
    const [first] = this.#waiting[priority];
    return first !== undefined && this.#now() - Math.max(first.since, this.#lastTurn[priority]) > longestBackgroundWait;
  }
}
