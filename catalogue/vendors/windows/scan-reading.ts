/** Reads the facts of the updates that are of use, each from the cabinet it lies in, and tells what could not be read. */
import { detached } from '../../parsers/detached.ts';
import type { FileReader, WsusScanFile } from '../../parsers/wsus-scan-file.ts';
import type { XmlElement } from '../../parsers/xml-element.ts';
import { BrokenXml } from '../../parsers/xml-fault.ts';
import { xmlFragment } from '../../parsers/xml-fragment.ts';
import { propertiesOf, type ScanProperties, type ScanWords, wordsOf } from './scan-facts.ts';
import type { ScanPackage, ScanUpdate } from './scan-package.ts';

/** Why there are no facts. */
export class Unreadable {
  readonly problem: string;
  constructor(problem: string) {
    this.problem = problem;
  }
}

export class ScanItem {
  /** By revision: of what is offered, and of its parts. */
  readonly #properties = new Map<number, ScanProperties | Unreadable>();
  /** By revision: of what is offered, and of categories. */
  readonly #words = new Map<number, ScanWords | Unreadable>();
  /** Most updates are described by one of a few texts. */
  readonly #texts = new Map<string, string>();

  static async of(scan: WsusScanFile, scanned: ScanPackage): Promise<ScanItem> {
    const reading = new ScanItem();
    const titled = new Set<ScanUpdate>();
    const described = new Set<ScanUpdate>();
    for (const update of scanned.offered()) {
      titled.add(update);
      for (const part of scanned.partsOf(update)) described.add(part);
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
        reading.#words.set(revision, reading.#shared(await readWords(update, read)));
    }
    return reading;
  }

  propertiesOf({ revision }: ScanUpdate): ScanProperties | Unreadable {
    return this.#properties.get(revision) ?? notRead;
  }

  wordsOf({ revision }: ScanUpdate): ScanWords | Unreadable {
    return this.#words.get(revision) ?? notRead;
  }

  #shared(words: ScanWords | Unreadable): ScanWords | Unreadable {
    if (words instanceof Unreadable) return words;
    return {
      ...words,
      description: this.#once(words.description),
      uninstallNotes: this.#once(words.uninstallNotes),
    };
  }

  #once(text: string | null): string | null {
    if (text === null) return null;
    const known = this.#texts.get(text) ?? text;
    this.#texts.set(known, known);
    return known;
  }
}

const notRead = new Unreadable('It is not among what was read.');

async function readProperties(
  { revision }: ScanUpdate,
  read: FileReader,
): Promise<ScanProperties | Unreadable> {
  const name = `x/${revision}`;
  const bytes = read(name);
  if (bytes === null) return new Unreadable(`It has no properties: there is no ${name}.`);
  return facts(name, bytes, propertiesOf, 'properties');
}

/** In English; in the update's own language when there are none. */
async function readWords(
  { revision, language }: ScanUpdate,
  read: FileReader,
): Promise<ScanWords | Unreadable> {
  for (const name of new Set([`l/en/${revision}`, `l/${language}/${revision}`])) {
    const bytes = read(name);
    if (bytes !== null) return facts(name, bytes, wordsOf, 'words');
  }
  return new Unreadable(`It has no English title: there is no l/en/${revision}.`);
}

async function facts<Facts>(
  name: string,
  bytes: Uint8Array,
  factsOf: (fragment: readonly XmlElement[]) => Facts | null,
  kind: string,
): Promise<Facts | Unreadable> {
  try {
    const found = factsOf(await xmlFragment(bytes));
    if (found !== null) return detached(found);
    return new Unreadable(`It has no ${kind}: ${name} holds something else.`);
  } catch (error) {
    if (!(error instanceof BrokenXml)) throw error;
    return new Unreadable(`Its ${kind} cannot be read: ${name} is ${error.message}.`);
  }
}
