/** Stores entries on disk as JSON lines between reading and writing a part, so that a part is read completely before its first row is written. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { jsonText } from '../../platform/database/json-text.ts';
import type { EntryToWrite } from '../../platform/database/records/project-record.ts';

const bufferBytes = 4 * 1024 ** 2;
const maxAgeMs = 24 * 3_600_000;

/** Separators, which do not occur within JSON. */
const tab = 9;
const lineFeed = 10;

export class EntrySpool {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #length = 0;

  static async create(folder: string): Promise<EntrySpool> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${randomUUID()}.ndjson`);
    return new EntrySpool(path, await open(path, 'wx'));
  }

  /** Removes old files of dead processes, but not recent files, which other processes may be writing. */
  static async sweep(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const info = await stat(path).catch(() => null);
      if (info !== null && Date.now() - info.mtimeMs > maxAgeMs) await rm(path, { force: true });
    }
  }

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  async add(list: ListDefinition, entry: EntryToWrite): Promise<void> {
    const { detail, ...facts } = entry;
    // Writes the list and the key before the entry, so that unwanted entries need not be parsed.
    const line = `${jsonText([list.key, entry.key])}\t${jsonText(facts)}\t${jsonText(detail)}\n`;
    // A UTF-16 code unit takes at most three bytes.
    if (this.#length + line.length * 3 > bufferBytes) await this.#flush();
    if (line.length * 3 > bufferBytes) await this.#file.writeFile(line);
    else this.#length += this.#buffer.write(line, this.#length);
  }

  /** Yields the wanted entries in their order, each with its size and its detail as JSON. @param lists all lists of the entries */
  async *entries(
    lists: readonly ListDefinition[],
    isWanted: (list: ListDefinition, key: string) => boolean = () => true,
  ): AsyncGenerator<{
    readonly list: ListDefinition;
    readonly entry: EntryToWrite;
    readonly size: number;
    readonly detailText: string;
  }> {
    await this.#flush();
    const byKey = new Map(lists.map((list) => [list.key, list]));
    for await (const line of readLines(this.#path)) {
      const end = line.indexOf(tab);
      const factsEnd = line.indexOf(tab, end + 1);
      const [listKey, key] = JSON.parse(line.toString('utf8', 0, end)) as [
        list: string,
        key: string,
      ];
      const list = byKey.get(listKey);
      if (list === undefined) throw new Error(`The feed fills no list ${listKey}`);
      if (!isWanted(list, key)) continue;
      const facts = JSON.parse(line.toString('utf8', end + 1, factsEnd)) as Omit<
        EntryToWrite,
        'detail'
      >;
      const detailText = line.toString('utf8', factsEnd + 1);
      const detail = JSON.parse(detailText) as EntryToWrite['detail'];
      yield { list, entry: { ...facts, detail }, size: line.length - end, detailText };
    }
  }

  async remove(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  async #flush(): Promise<void> {
    const length = this.#length;
    this.#length = 0;
    if (length > 0) await this.#file.writeFile(this.#buffer.subarray(0, length));
  }
}

async function* readLines(path: string): AsyncGenerator<Buffer> {
  let partial: Buffer[] = [];
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, from)) {
      const line = piece.subarray(from, end);
      yield partial.length === 0 ? line : Buffer.concat([...partial, line]);
      partial = [];
      from = end + 1;
    }
    if (from < piece.length) partial.push(piece.subarray(from));
  }
}
