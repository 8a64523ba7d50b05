/** The embedded database as seen from any thread that holds one of its ports. */
import type { MessagePort } from 'node:worker_threads';
import type { Database, DatabaseLoad, Pace, QueryResult, Session } from './database.ts';
import { DatabaseError } from './database-error.ts';
import type { PlainError, ThreadReply, ThreadRequest } from './thread-messages.ts';

export interface PortOptions {
  /** A statement or transaction that has not begun by then is taken back and rejects. What has begun cannot be ended: it is waited for. Milliseconds. */
  readonly timeout?: number;
}

interface Waiting {
  readonly settle: (told: QueryResult) => void;
  readonly fail: (error: Error) => void;
  readonly timer: NodeJS.Timeout | null;
}

type Unsent<A = ThreadRequest> = A extends ThreadRequest ? Omit<A, 'id'> : never;

/** Closing it closes the port, not the database. */
export function databaseOver(port: MessagePort, { timeout }: PortOptions = {}): Database {
  return new PortDatabase(port, timeout ?? null);
}

class PortDatabase implements Database {
  readonly kind = 'embedded';
  readonly #port: MessagePort;
  readonly #timeout: number | null;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #closed = false;

  constructor(port: MessagePort, timeout: number | null) {
    this.#port = port;
    this.#timeout = timeout;
    port.on('message', (told: ThreadReply) => this.#told(told));
    port.on('close', () => this.#gone());
    // Waiting for a reply keeps the process alive, an idle database does not.
    port.unref();
  }

  query(text: string, values: readonly unknown[] = [], pace: Pace = 'now'): Promise<QueryResult> {
    return this.#send({
      kind: 'query',
      text,
      values,
      inside: null,
      ...(pace === 'yielding' && { yielding: true }),
    }).reply;
  }

  async script(text: string): Promise<void> {
    await this.#send({ kind: 'script', text, inside: null }, null).reply;
  }

  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { id: inside, reply } = this.#send({ kind: 'begin' });
    await reply;
    const session: Session = {
      query: (text, values = []) => this.#send({ kind: 'query', text, values, inside }).reply,
      script: async (text) => {
        await this.#send({ kind: 'script', text, inside }, null).reply;
      },
    };
    try {
      const result = await work(session);
      await this.#send({ kind: 'commit', inside }).reply;
      return result;
    } catch (error) {
      await this.#send({ kind: 'rollback', inside }).reply.catch(() => undefined);
      throw error;
    }
  }

  load(): DatabaseLoad {
    return { open: 1, idle: this.#waiting.size === 0 ? 1 : 0, waiting: this.#waiting.size };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#port.close();
  }

  #send(
    ask: Unsent,
    timeout: number | null = this.#timeout,
  ): { id: number; reply: Promise<QueryResult> } {
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = new Promise<QueryResult>((settle, fail) => {
      if (this.#closed) {
        fail(new DatabaseError('closed', 'The database is closed'));
        return;
      }
      const timer = timeout === null ? null : setTimeout(() => this.#late(id), timeout);
      if (this.#waiting.size === 0) this.#port.ref();
      this.#waiting.set(id, { settle, fail, timer });
      this.#port.postMessage({ ...ask, id });
    });
    return { id, reply };
  }

  #told(told: ThreadReply): void {
    const waiting = this.#taken(told.id);
    if (waiting === undefined) return;
    if (told.kind === 'failed') waiting.fail(errorOf(told.failed));
    else waiting.settle({ rows: told.rows, count: told.count });
  }

  #late(id: number): void {
    this.#port.postMessage({ kind: 'forget', id: 0, of: id } satisfies ThreadRequest);
  }

  #taken(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    if (waiting.timer !== null) clearTimeout(waiting.timer);
    if (this.#waiting.size === 0) this.#port.unref();
    return waiting;
  }

  #gone(): void {
    this.#closed = true;
    for (const id of this.#waiting.keys())
      this.#taken(id)?.fail(new DatabaseError('closed', 'The database was closed'));
  }
}

export function errorOf({ code, message, constraint }: PlainError): Error {
  return code === null ? new Error(message) : new DatabaseError(code, message, constraint);
}
