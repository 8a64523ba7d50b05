/**
 * Reads the offline scan file of Windows Update: a cabinet of cabinets. `package.cab` contains `package.xml`, which describes how
 * all updates are related; the others contain a small file for each revision of an update and each kind of facts.
 */
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document, DocumentFile } from '../definition/feed.ts';
import { BrokenCabinet, filesInCabinet, unpackCabinet } from './cabinet.ts';
import { BrokenDocument, NotUtf8, strictText } from './create-document.ts';
import { BrokenXml, type XmlElement } from './xml-element.ts';
import { xmlRecords } from './xml-reader.ts';

/** Returns the bytes of a file by name, such as `x/12345`; null when the cabinet does not have it. */
export type FileReader = (name: string) => Uint8Array | null;

/** A cabinet contains the revisions from its own start up to the start of the next cabinet. */
interface Range {
  readonly cabinet: string;
  readonly from: number;
}

export class WsusScanFile {
  readonly #document: Document;
  readonly #file: DocumentFile;
  #ranges: readonly Range[] = [];

  /** Throws BrokenDocument, like all reading methods. Needs as much disk as the document has bytes until it is closed. */
  static async open(document: Document): Promise<WsusScanFile> {
    const scan = new WsusScanFile(document, await document.file());
    try {
      await unpackCabinet(scan.#file.path, scan.#file.folder);
      await rm(scan.#file.path);
      scan.#ranges = await scan.#readRanges();
    } catch (error) {
      await scan.close();
      throw error instanceof BrokenCabinet ? scan.#broken(error.message, error) : error;
    }
    return scan;
  }

  private constructor(document: Document, file: DocumentFile) {
    this.#document = document;
    this.#file = file;
  }

  async close(): Promise<void> {
    await this.#file.remove();
  }

  /** Yields the elements of package.xml (more than 100 MB) at those paths. */
  async *packageRecords(paths: readonly string[]): AsyncGenerator<XmlElement> {
    const { folder } = this.#file;
    await this.#consume('package.cab', (path) =>
      unpackCabinet(path, folder, { only: ['package.xml'] }),
    );
    yield* this.#records('package.xml', paths);
    await rm(join(folder, 'package.xml'));
  }

  /** Yields each revision with a reader of the files that match the patterns. Can be called once. */
  async *files(
    revisions: Iterable<number>,
    patterns: readonly string[],
  ): AsyncGenerator<{ readonly revision: number; readonly read: FileReader }> {
    const byCabinet = Map.groupBy(revisions, (revision) => this.#findCabinet(revision));
    for (const cabinet of new Set([null, ...this.#ranges.map((range) => range.cabinet)])) {
      const contained = byCabinet.get(cabinet) ?? [];
      const unpack = async (path: string) =>
        contained.length === 0 ? null : filesInCabinet(path, { only: patterns });
      const files = cabinet === null ? null : await this.#consume(cabinet, unpack);
      for (const revision of contained)
        yield { revision, read: (name) => files?.get(name) ?? null };
    }
  }

  /** Returns the cabinet with the highest start not above the revision; null below all of them. */
  #findCabinet(revision: number): string | null {
    return this.#ranges.findLast(({ from }) => from <= revision)?.cabinet ?? null;
  }

  async #readRanges(): Promise<Range[]> {
    const ranges: Range[] = [];
    for await (const { attributes } of this.#records('index.xml', ['INDEX/CABLIST/CAB'])) {
      const { NAME: cabinet = '', RANGESTART: start } = attributes;
      if (start === undefined) continue;
      if (!/^\w[\w.-]*$/.test(cabinet) || !/^\d{1,15}$/.test(start))
        throw this.#broken(`index.xml has a cabinet "${cabinet}" from "${start}"`);
      ranges.push({ cabinet, from: Number(start) });
    }
    if (ranges.length === 0) throw this.#broken('index.xml names no cabinets');
    return ranges.toSorted((a, b) => a.from - b.from);
  }

  async *#records(name: string, paths: readonly string[]): AsyncGenerator<XmlElement> {
    try {
      const bytes = createReadStream(join(this.#file.folder, name), { highWaterMark: 256 * 1024 });
      yield* xmlRecords(strictText(bytes), paths);
    } catch (error) {
      if (isAbsent(error)) throw this.#broken(`it has no ${name}`, error);
      if (error instanceof BrokenXml || error instanceof NotUtf8)
        throw this.#broken(`${name} in it: ${error.message}`, error);
      throw error;
    }
  }

  /** Opens one of the inner cabinets and deletes it. */
  async #consume<Result>(
    cabinet: string,
    open: (path: string) => Promise<Result>,
  ): Promise<Result> {
    const path = join(this.#file.folder, cabinet);
    try {
      const { size } = await stat(path);
      const opened = await open(path);
      await rm(path);
      this.#file.taken(size);
      return opened;
    } catch (error) {
      if (isAbsent(error)) throw this.#broken(`it has no ${cabinet}`, error);
      if (error instanceof BrokenCabinet)
        throw this.#broken(`${cabinet} in it: ${error.message}`, error);
      throw error;
    }
  }

  #broken(problem: string, cause?: unknown): BrokenDocument {
    return new BrokenDocument(this.#document.url, problem, { cause });
  }
}

const isAbsent = (error: unknown) => (error as { code?: unknown } | null)?.code === 'ENOENT';
