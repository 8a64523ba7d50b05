/** The database thread: one PGlite with its one session, shared in turns by every client that is attached through a port. */
import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import { DatabaseError, databaseError } from './database-error.ts';
import { openPglite } from './pglite-session.ts';
import { PgliteStatements } from './pglite-statements.ts';
import type {
  DatabasePlace,
  PlainError,
  Priority,
  ThreadCommand,
  ThreadEvent,
  ThreadReply,
  ThreadRequest,
} from './thread-messages.ts';
import { TurnQueue } from './turn-queue.ts';

/** A transaction whose holder is silent for this long is rolled back, because it blocks everyone else. Milliseconds. */
const maxSilenceMs = 60_000;

type Step = Extract<ThreadRequest, { inside: unknown }>;

class Attached {
  readonly #statements: PgliteStatements;
  readonly #queue: TurnQueue;
  readonly #port: MessagePort;
  readonly #priority: Priority;
  #transaction: OpenTransaction | null = null;

  constructor(
    statements: PgliteStatements,
    queue: TurnQueue,
    port: MessagePort,
    priority: Priority,
    attached: Set<Attached>,
  ) {
    this.#statements = statements;
    this.#queue = queue;
    this.#port = port;
    this.#priority = priority;
    port.on('message', (ask: ThreadRequest) => this.#take(ask));
    port.on('close', () => {
      attached.delete(this);
      queue.forget(this);
      this.#transaction?.end();
    });
  }

  /** A statement blocks the whole thread; messages that arrived meanwhile wait in the port and are read here, before the next turn is chosen. */
  hear(): void {
    for (
      let next = receiveMessageOnPort(this.#port);
      next !== undefined;
      next = receiveMessageOnPort(this.#port)
    ) {
      this.#take(next.message as ThreadRequest);
    }
  }

  #take(ask: ThreadRequest): void {
    if (ask.kind === 'forget') {
      if (this.#queue.forget(this, ask.of)) this.#refuse(ask.of, tooLate());
    } else if (ask.kind === 'begin') {
      this.#addTurn(ask.id, () => this.#transact(ask.id));
    } else if (ask.inside === null) {
      this.#addTurn(
        ask.id,
        () => this.#do(ask),
        ask.kind === 'query' && ask.yielding === true ? 'yielding' : this.#priority,
      );
    } else if (this.#transaction?.id === ask.inside) {
      this.#transaction.steps.push(ask);
      this.#transaction.wake();
    } else {
      this.#refuse(ask.id, over());
    }
  }

  #addTurn(id: number, run: () => Promise<void>, priority = this.#priority): void {
    this.#queue.add({ priority, owner: this, id, run });
  }

  async #transact(id: number): Promise<void> {
    const transaction = new OpenTransaction(id);
    this.#transaction = transaction;
    let open = false;
    try {
      await this.#statements.turn('begin');
      open = true;
      this.#tell({ kind: 'rows', id, rows: [], count: 0 });
      for (let step = await transaction.next(); step !== null; step = await transaction.next()) {
        await this.#do(step);
        if (step.kind !== 'commit' && step.kind !== 'rollback') continue;
        open = false;
        break;
      }
    } catch (error) {
      this.#refuse(id, error);
    } finally {
      this.#transaction = null;
      for (const step of transaction.steps) this.#refuse(step.id, over());
      if (open) await this.#statements.turn('rollback').catch(() => undefined);
    }
  }

  async #do(step: Step): Promise<void> {
    try {
      if (step.kind === 'query') {
        const { rows, affectedRows } = await (step.inside === null
          ? this.#statements.query(step.text, step.values)
          : this.#statements.queryInside(step.text, step.values));
        this.#tell({
          kind: 'rows',
          id: step.id,
          rows,
          count: rows.length > 0 ? rows.length : (affectedRows ?? 0),
        });
      } else {
        await (step.kind === 'script'
          ? this.#statements.exec(step.text)
          : this.#statements.turn(step.kind));
        this.#tell({ kind: 'rows', id: step.id, rows: [], count: 0 });
      }
    } catch (error) {
      this.#refuse(step.id, error);
      // A failed commit must not leave a transaction open.
      if (step.kind === 'commit') await this.#statements.turn('rollback').catch(() => undefined);
    }
  }

  #tell(told: ThreadReply): void {
    this.#port.postMessage(told);
  }

  #refuse(id: number, error: unknown): void {
    this.#tell({ kind: 'failed', id, failed: plainError(error) });
  }
}

/** The steps of a transaction as they arrive. */
class OpenTransaction {
  readonly id: number;
  readonly steps: Step[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(id: number) {
    this.id = id;
  }

  wake(): void {
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Null when no further steps come: the holder went away or fell silent. */
  async next(): Promise<Step | null> {
    if (this.steps.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        const silence = setTimeout(() => this.end(), maxSilenceMs);
        this.#wake = () => {
          clearTimeout(silence);
          resolve();
        };
      });
    }
    return this.#ended ? null : (this.steps.shift() ?? null);
  }
}

const tooLate = () => new DatabaseError('timeout', 'The database had no time for this statement');

const over = () =>
  new DatabaseError('closed', 'The transaction is over: it was ended, or was idle for too long');

function plainError(error: unknown): PlainError {
  const told = databaseError(error);
  if (told instanceof DatabaseError)
    return { code: told.code, message: told.message, constraint: told.constraint };
  return {
    code: null,
    message: told instanceof Error ? told.message : String(told),
    constraint: null,
  };
}

async function serve(owner: MessagePort, { folder, archive }: DatabasePlace): Promise<void> {
  const tell = (news: ThreadEvent) => owner.postMessage(news);
  try {
    const pglite = await openPglite(folder, archive);
    const statements = new PgliteStatements(pglite);
    const attached = new Set<Attached>();
    const queue = new TurnQueue(() => {
      for (const one of attached) one.hear();
    });
    const self = {};
    owner.on('message', ({ order, port }: { order: ThreadCommand; port?: MessagePort }) => {
      if (order.kind === 'attach' && port !== undefined)
        attached.add(new Attached(statements, queue, port, order.priority, attached));
      if (order.kind !== 'close') return;
      const close = async () => {
        await pglite.close().catch(() => undefined);
        tell({ kind: 'closed' });
        owner.close();
      };
      queue.add({ priority: 'interactive', owner: self, id: 0, run: close });
    });
    tell({ kind: 'open' });
  } catch (error) {
    tell({ kind: 'broken', failed: plainError(error) });
    owner.close();
  }
}

if (parentPort !== null) void serve(parentPort, workerData as DatabasePlace);
