/** A client that stores the rows of a page together with its cursor, or is killed before. */
import { expect } from 'vitest';
import type { Caller } from '../../../testing/caller.ts';

/** The list of all copies. */
export const list = 'almalinux_patch';

interface Page {
  readonly rows: readonly { readonly id: number; readonly text: string; readonly gone: boolean }[];
  readonly nextCursor: string;
  readonly more: boolean;
}

export async function fetchPage(caller: Caller, query: string): Promise<Page> {
  const { status, bytes, json } = await caller.get(`/client/changes?list=${list}${query}`);
  expect([status, status === 200 ? '' : json]).toEqual([200, '']);
  const [, rows = ''] = /^\{"rows":\[(.*)\],"nextCursor"/s.exec(bytes.toString()) ?? [];
  return {
    rows: (rows === '' ? [] : rows.split(/,(?=\{"id":\d+,"row":)/)).map((text) => {
      const { id, withdrawnTime } = JSON.parse(text) as { id: number; withdrawnTime: unknown };
      return { id, text, gone: withdrawnTime !== null };
    }),
    nextCursor: String(json['nextCursor']),
    more: json['more'] === true,
  };
}

export class ListCopy {
  readonly #caller: Caller;
  readonly #rows = new Map<number, string>();
  /** The cursor, as a part of a query. */
  since = '';
  pages = 0;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns whether more is to be fetched. */
  async step(size: number, isKilled = false): Promise<boolean> {
    const { rows, nextCursor, more } = await fetchPage(this.#caller, `&size=${size}${this.since}`);
    if (isKilled) return true;
    this.pages += 1;
    for (const { id, text, gone } of rows)
      if (gone) this.#rows.delete(id);
      else this.#rows.set(id, text);
    this.since = `&since=${nextCursor}`;
    return more;
  }

  async finish(size: number): Promise<readonly string[]> {
    for (let more = true; more; ) more = await this.step(size);
    return this.rows;
  }

  /** Rows by id. */
  get byId(): ReadonlyMap<number, string> {
    return this.#rows;
  }

  get rows(): readonly string[] {
    return [...this.#rows.values()].toSorted();
  }
}
