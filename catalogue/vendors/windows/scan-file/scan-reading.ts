/** Reads the facts of the required updates from their cabinets, and the reason for each that cannot be read. */
import { detachText } from '../../../parsers/detach-text.ts';
import type { FileReader, WsusScanFile } from '../../../parsers/wsus-scan-file.ts';
import { BrokenXml, type XmlElement } from '../../../parsers/xml-element.ts';
import { xmlFragment } from '../../../parsers/xml-reader.ts';
import { parseProperties, parseWords, type ScanProperties, type ScanWords } from './scan-facts.ts';
import type { ScanPackage, ScanUpdate } from './scan-package.ts';

/** Reason why facts cannot be read. */
export class ReadFailure {
  readonly problem: string;
  constructor(problem: string) {
    this.problem = problem;
  }
}

export class ScanReading {
  /** By revision: of offered updates and their parts. */
  readonly #properties = new Map<number, ScanProperties | ReadFailure>();
  /** By revision: of offered updates and categories. */
  readonly #words = new Map<number, ScanWords | ReadFailure>();
  /** Shares strings: most updates have one of a few texts. */
  readonly #texts = new Map<string, string>();

  static async read(scan: WsusScanFile, scanned: ScanPackage): Promise<ScanReading> {
    const reading = new ScanReading();
    const titled = new Set<ScanUpdate>();
    const described = new Set<ScanUpdate>();
    for (const update of scanned.listOffered()) {
      titled.add(update);
      for (const part of scanned.listParts(update)) described.add(part);
      for (const id of [...update.classifications, ...update.products]) {
        const category = scanned.byUuid(id);
        if (category !== undefined) titled.add(category);
      }
    }
    const languages = new Set(['en', ...[...titled].map(({ language }) => language)]);
    const patterns = ['x/*', ...[...languages].map((language) => `l/${language}/*`)];
    const revisions = [...titled.union(described)].map(({ revision }) => revision);
    for await (const { revision, read } of scan.files(revisions, patterns)) {
      const update = scanned.updates.get(revision);
      if (update === undefined) continue;
      if (described.has(update))
        reading.#properties.set(revision, await readProperties(update, read));
      if (titled.has(update))
        reading.#words.set(revision, reading.#shareTexts(await readWords(update, read)));
    }
    return reading;
  }

  getProperties({ revision }: ScanUpdate): ScanProperties | ReadFailure {
    return this.#properties.get(revision) ?? missingFailure;
  }

  getWords({ revision }: ScanUpdate): ScanWords | ReadFailure {
    return this.#words.get(revision) ?? missingFailure;
  }

  #shareTexts(words: ScanWords | ReadFailure): ScanWords | ReadFailure {
    if (words instanceof ReadFailure) return words;
    return {
      ...words,
      description: this.#shareText(words.description),
      uninstallNotes: this.#shareText(words.uninstallNotes),
    };
  }

  #shareText(text: string | null): string | null {
    if (text === null) return null;
    const known = this.#texts.get(text) ?? text;
    this.#texts.set(known, known);
    return known;
  }
}

const missingFailure = new ReadFailure('It is not among what was read.');

async function readProperties(
  { revision }: ScanUpdate,
  read: FileReader,
): Promise<ScanProperties | ReadFailure> {
  const name = `x/${revision}`;
  const bytes = read(name);
  if (bytes === null) return new ReadFailure(`It has no properties: ${name} is missing.`);
  return parseFacts(name, bytes, parseProperties, 'properties');
}

/** Reads English words, else those of the update's own language. */
async function readWords(
  { revision, language }: ScanUpdate,
  read: FileReader,
): Promise<ScanWords | ReadFailure> {
  for (const name of new Set([`l/en/${revision}`, `l/${language}/${revision}`])) {
    const bytes = read(name);
    if (bytes !== null) return parseFacts(name, bytes, parseWords, 'words');
  }
  return new ReadFailure(`It has no English title: l/en/${revision} is missing.`);
}

async function parseFacts<Facts>(
  name: string,
  bytes: Uint8Array,
  parse: (fragment: readonly XmlElement[]) => Facts | null,
  kind: string,
): Promise<Facts | ReadFailure> {
  try {
    const found = parse(await xmlFragment(bytes));
    if (found !== null) return detachText(found);
    return new ReadFailure(`It has no ${kind}: ${name} contains something else.`);
  } catch (error) {
    if (!(error instanceof BrokenXml)) throw error;
    return new ReadFailure(`Its ${kind} cannot be read: ${name} is ${error.message}.`);
  }
}
