/** Entries on disk between reading a part and writing it, one JSON line each, so that a part is known whole before its first row is written. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { textLines } from '@patch/catalogue/parsers/text-lines.ts';
import type { EntryToWrite } from '../../platform/database/entry-writer.ts';
import { jsonText } from './json-text.ts';

const buffered = 1_000_000;
const keptAtMost = 24 * 3_600_000;

export class EntrySpool {
  readonly #path: string;
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #length = 0;

  static async create(folder: string): Promise<EntrySpool> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${randomUUID()}.ndjson`);
    return new EntrySpool(path, await open(path, 'wx'));
  }

  /** Removes what a process that died has left; another process may be writing its own. */
  static async sweep(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const info = await stat(path).catch(() => null);
      if (info !== null && Date.now() - info.mtimeMs > keptAtMost) await rm(path, { force: true });
    }
  }

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  async add(list: ListDefinition, entry: EntryToWrite): Promise<void> {
    // What it is called stands before it, so that an entry that nobody wants need not be understood. JSON has no tab within.
    const line = `${jsonText([list.key, entry.key])}\t${jsonText(entry)}`;
    this.#waiting.push(line);
    this.#length += line.length;
    if (this.#length >= buffered) await this.#flush();
  }

  /** The entries that are wanted in their order, each with its length as JSON; the lists are found again among these. */
  async *entries(
    lists: readonly ListDefinition[],
    isWanted: (list: ListDefinition, key: string) => boolean = () => true,
  ): AsyncIterable<{
    readonly list: ListDefinition;
    readonly entry: EntryToWrite;
    readonly size: number;
  }> {
    await this.#flush();
    const byKey = new Map(lists.map((list) => [list.key, list]));
    for await (const line of linesOf(this.#path)) {
      const end = line.indexOf('\t');
      const [listKey, key] = JSON.parse(line.slice(0, end)) as [list: string, key: string];
      const list = byKey.get(listKey);
      if (list === undefined) throw new Error(`The feed fills no list ${listKey}`);
      if (isWanted(list, key))
        yield {
          list,
          entry: JSON.parse(line.slice(end + 1)) as EntryToWrite,
          size: line.length - end,
        };
    }
  }

  async remove(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    await this.#file.writeFile(`${lines.join('\n')}\n`);
  }
}

/** No entry comes near: what a feed may yield is bounded. */
const maxLineLength = 256 * 1024 ** 2;

async function* linesOf(path: string): AsyncIterable<string> {
  const pieces = createReadStream(path, {
    encoding: 'utf8',
    highWaterMark: 256 * 1024,
  }) as AsyncIterable<string>;
  for await (const lines of textLines(pieces, maxLineLength)) yield* lines;
}
