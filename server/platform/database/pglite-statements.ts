/** Statements of the embedded database. Those that come again are kept parsed, so that they take one message in place of five. */
import { messages, type PGlite, protocol, types } from '@electric-sql/pglite';
import { LRUCache } from 'lru-cache';

/** Each takes some tens of kilobytes in the database. */
const maxPrepared = 200;
/** Statements of transactions. */
const maxWriting = 100;
/** Then a statement of a transaction is planned again, because its tables have grown. */
const maxUses = 64;
/** Texts that came once. */
const maxSeen = 1_000;
const maxTextLength = 8_000;

export interface StatementResult {
  readonly rows: Record<string, unknown>[];
  /** Rows that were written. */
  readonly affectedRows?: number;
}

interface Prepared {
  readonly name: string;
  uses: number;
  readonly parameterTypes: readonly number[];
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

export class PgliteStatements {
  readonly #pglite: PGlite;
  readonly #seen = new LRUCache<string, true>({ max: maxSeen });
  readonly #prepared = this.#kept(maxPrepared);
  /** Of transactions: kept from one to the next. */
  readonly #writing = this.#kept(maxWriting);
  /** Names that the database still keeps. */
  readonly #dropped: string[] = [];
  #names = 0;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** Outside of a transaction. Rejects with what PGlite throws. */
  async query(text: string, values: readonly unknown[]): Promise<StatementResult> {
    return isRead.test(text) && isWorthKeeping(text)
      ? this.#runKept(this.#prepared, text, values)
      : this.queryOnce(text, values);
  }

  /** Inside of a transaction: the batches of a sync are the same statements again and again. */
  async queryInside(text: string, values: readonly unknown[]): Promise<StatementResult> {
    return (isRead.test(text) || isWrite.test(text)) && isWorthKeeping(text)
      ? this.#runKept(this.#writing, text, values)
      : this.queryOnce(text, values);
  }

  /** As `query`, without keeping the statement. */
  queryOnce(text: string, values: readonly unknown[]): Promise<StatementResult> {
    return this.#pglite.query<Record<string, unknown>>(text, [...values]);
  }

  /** Several statements without values. Tables may then have other columns: what was kept is parsed and planned again. */
  async exec(text: string): Promise<void> {
    this.#writing.clear();
    await this.#clear(text);
  }

  /** Tables may have another size when it ends: what was kept outside of transactions is planned again. */
  async turn(step: 'begin' | 'commit' | 'rollback'): Promise<void> {
    await this.#clear(step);
  }

  async #clear(text: string): Promise<void> {
    this.#prepared.clear();
    await this.#pglite.exec(text);
  }

  #kept(max: number): LRUCache<string, Prepared> {
    return new LRUCache({ max, dispose: ({ name }) => this.#dropped.push(name) });
  }

  async #runKept(
    kept: LRUCache<string, Prepared>,
    text: string,
    values: readonly unknown[],
  ): Promise<StatementResult> {
    const known = kept.get(text);
    if (known !== undefined) {
      known.uses += 1;
      if (known.uses >= maxUses && kept === this.#writing) kept.delete(text);
      return this.#run(known, values);
    }
    if (this.#seen.get(text) === undefined) {
      this.#seen.set(text, true);
      return this.queryOnce(text, values);
    }
    const prepared = await this.#prepare(text);
    kept.set(text, prepared);
    return this.#run(prepared, values);
  }

  async #prepare(text: string): Promise<Prepared> {
    this.#names += 1;
    const name = `kept_${this.#names}`;
    const closing = this.#dropped
      .splice(0)
      .map((dropped) => protocol.serialize.close({ type: 'S', name: dropped }));
    const answers = await this.#send([
      ...closing,
      protocol.serialize.parse({ name, text }),
      protocol.serialize.describe({ type: 'S', name }),
    ]);
    let parameterTypes: readonly number[] = [];
    let fields: Prepared['fields'] = [];
    for (const answer of answers) {
      if (answer instanceof messages.ParameterDescriptionMessage)
        parameterTypes = answer.dataTypeIDs;
      if (answer instanceof messages.RowDescriptionMessage) ({ fields } = answer);
    }
    return { name, uses: 0, parameterTypes, fields };
  }

  async #run(
    { name, parameterTypes, fields }: Prepared,
    values: readonly unknown[],
  ): Promise<StatementResult> {
    const bound = values.map((value, place) => this.#valueOf(value, parameterTypes[place] ?? 0));
    const answers = await this.#send([
      protocol.serialize.bind({ statement: name, values: bound }),
      protocol.serialize.execute({}),
    ]);
    const rows: Record<string, unknown>[] = [];
    let affectedRows = 0;
    for (const answer of answers) {
      if (answer instanceof messages.DataRowMessage) {
        const row: Record<string, unknown> = {};
        for (const [place, { name: field, dataTypeID }] of fields.entries())
          row[field] = types.parseType(
            answer.fields[place] ?? null,
            dataTypeID,
            this.#pglite.parsers,
          );
        rows.push(row);
      } else if (answer instanceof messages.CommandCompleteMessage)
        affectedRows = writtenRows(answer.text);
    }
    return { rows, affectedRows };
  }

  /** Bytes are sent as they are. */
  #valueOf(value: unknown, type: number): string | Uint8Array | null {
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return value;
    const serialize = this.#pglite.serializers[type];
    return serialize === undefined ? String(value) : serialize(value);
  }

  /** One message, after which the database is ready again whatever went wrong. */
  #send(parts: readonly Uint8Array[]): Promise<readonly messages.BackendMessage[]> {
    const whole = Buffer.concat([...parts, protocol.serialize.sync()]);
    return this.#pglite.runExclusive(() => this.#pglite.execProtocolStream(whole, {}));
  }
}

/** A statement that is kept may get one plan for all values, and which plan is best for a pattern depends on the pattern. */
const isWorthKeeping = (text: string) => text.length <= maxTextLength && !/\blike\b/i.test(text);

const isRead = /^\s*(?:select|with)\b/i;
const isWrite = /^\s*(?:insert|update|delete)\b/i;

/** 'INSERT 0 5', 'UPDATE 5' */
function writtenRows(command: string): number {
  const count = /^(?:INSERT \d+|UPDATE|DELETE|COPY|MERGE) (\d+)$/.exec(command)?.[1];
  return count === undefined ? 0 : Number(count);
}
