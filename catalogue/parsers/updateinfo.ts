/**
 * Streams updateinfo.xml, in which RPM repositories publish their advisories. Generators and vendors differ: attributes and
 * elements may be missing, dates come as attribute or text, elements carry prefixes, and unescaped markup sometimes breaks a
 * record.
 */
import {
  createRejection,
  createRemark,
  type Document,
  type Rejection,
  type Remark,
} from '../definition/feed.ts';
import { readSuggestions, type Suggestions } from '../values/errata-suggestions.ts';
import { remarkOnDates, vendorDate } from '../values/vendor-dates.ts';
import { toWord } from '../values/vendor-words.ts';
import { convertFaults } from './create-document.ts';
import { BrokenXml, child, children, type XmlElement, type XmlFault } from './xml-element.ts';
import { xmlRecords } from './xml-reader.ts';

export interface UpdateinfoAdvisory extends Suggestions {
  readonly kind: 'advisory';
  readonly id: string;
  readonly title: string | null;
  /** As written, including line breaks. */
  readonly description: string | null;
  readonly summary: string | null;
  readonly type: string | null;
  readonly severity: string | null;
  /** final, stable, retracted. */
  readonly status: string | null;
  /** Incremented with each re-release. */
  readonly version: string | null;
  /** The vendor's name of the product, sometimes a number. */
  readonly release: string | null;
  readonly issued: number | null;
  readonly updated: number | null;
  readonly packages: readonly UpdateinfoPackage[];
  readonly modules: readonly UpdateinfoModule[];
  readonly references: readonly UpdateinfoReference[];
}

export interface UpdateinfoPackage extends Suggestions {
  readonly name: string;
  readonly epoch: string | null;
  readonly version: string | null;
  readonly release: string | null;
  readonly arch: string | null;
  readonly src: string | null;
  /** The module of the package's own collection. */
  readonly module: UpdateinfoModule | null;
  readonly checksum: string | null;
  readonly checksumType: string | null;
}

export interface UpdateinfoModule {
  readonly name: string;
  readonly stream: string | null;
  readonly version: string | null;
  readonly context: string | null;
  readonly arch: string | null;
}

export interface UpdateinfoReference {
  readonly id: string | null;
  readonly type: string | null;
  readonly title: string | null;
  readonly href: string | null;
}

export type UpdateinfoItem = UpdateinfoAdvisory | Rejection | Remark;

/**
 * Yields in the document's order, repeated ids each time. Throws BrokenDocument on a document that is not updateinfo, or
 * truncated.
 */
export async function* readUpdateinfo(document: Document): AsyncGenerator<UpdateinfoItem> {
  const faults: XmlFault[] = [];
  const damaged = new Set<XmlElement | null>();
  function* remarks(): Generator<Remark> {
    for (const { line, problem, record } of faults.splice(0)) {
      if (damaged.has(record)) continue;
      damaged.add(record);
      yield createRemark(
        `${readSoundId(record) ?? document.url} is not well formed at line ${line} (${problem}); it is read as far as that allows`,
      );
    }
  }
  let index = 0;
  const updates = xmlRecords(document.chunks(), ['updates/update'], {
    onFault: (fault) => faults.push(fault),
  });
  for await (const update of convertFaults(document.url, BrokenXml, updates)) {
    index += 1;
    if (faults.length > 0) yield* remarks();
    const id = damaged.has(update) ? readSoundId(update) : readId(update);
    if (id !== null) yield* toItems(id, update, document.url);
    else
      yield createRejection(
        `update ${index}`,
        damaged.has(update) ? 'its id is damaged' : 'it has no id',
        document.url,
      );
  }
  yield* remarks();
}

/** Yields only the ids, repeated ones each time: half the work of reading everything. */
export async function* updateinfoIds(document: Document): AsyncGenerator<string> {
  const ids = xmlRecords(document.chunks(), ['updates/update/id'], { onFault: () => undefined });
  for await (const { text } of convertFaults(document.url, BrokenXml, ids)) {
    const id = toWord(text);
    if (id !== null) yield id;
  }
}

function* toItems(id: string, update: XmlElement, url: string): Generator<UpdateinfoItem> {
  const { packages, modules, nameless } = readPackages(update);
  if (nameless) return yield createRejection(id, 'one of its packages has no name', url);
  const issued = readDate(child(update, 'issued'));
  const updated = readDate(child(update, 'updated'));
  yield* remarkOnDates(id, { issued, updated });
  yield {
    kind: 'advisory',
    id,
    title: toWord(textWithin(child(update, 'title'))),
    description: readProse(child(update, 'description')),
    summary: readProse(child(update, 'summary')),
    type: toWord(update.attributes.type),
    severity: toWord(child(update, 'severity')?.text) ?? toWord(update.attributes.severity),
    status: toWord(update.attributes.status),
    version: toWord(update.attributes.version),
    release: toWord(child(update, 'release')?.text),
    issued: vendorDate(issued),
    updated: vendorDate(updated),
    ...readSuggestions((name) => child(update, name)?.text),
    packages,
    modules,
    references: children(child(update, 'references'), 'reference').flatMap(({ attributes }) => {
      const reference = {
        id: toWord(attributes.id),
        type: toWord(attributes.type),
        title: toWord(attributes.title),
        href: toWord(attributes.href),
      };
      return Object.values(reference).every((word) => word === null) ? [] : [reference];
    }),
  };
}

function readId(update: XmlElement | null): string | null {
  return update === null ? null : toWord(child(update, 'id')?.text);
}

/** Returns the id of a record that is not well formed, unless the damage may lie in the id itself. */
function readSoundId(update: XmlElement | null): string | null {
  const id = readId(update);
  return id !== null && /^[\w:.+-]+$/.test(id) ? id : null;
}

/** Reads packages with the module of their own collection. */
function readPackages(update: XmlElement) {
  const packages: UpdateinfoPackage[] = [];
  const modules: UpdateinfoModule[] = [];
  let nameless = false;
  for (const collection of children(update, 'pkglist').flatMap((list) =>
    children(list, 'collection'),
  )) {
    const module = readModule(child(collection, 'module'));
    if (module !== null) modules.push(module);
    for (const element of children(collection, 'package')) {
      const read = readPackage(element, module);
      if (read === null) nameless = true;
      else packages.push(read);
    }
  }
  return { packages, modules, nameless };
}

function readModule(element: XmlElement | undefined): UpdateinfoModule | null {
  const name = toWord(element?.attributes.name);
  if (element === undefined || name === null) return null;
  const { stream, version, context, arch } = element.attributes;
  return {
    name,
    stream: toWord(stream),
    version: toWord(version),
    context: toWord(context),
    arch: toWord(arch),
  };
}

function readPackage(
  element: XmlElement,
  module: UpdateinfoModule | null,
): UpdateinfoPackage | null {
  const { attributes } = element;
  const name = toWord(attributes.name);
  if (name === null) return null;
  const sum = child(element, 'sum');
  return {
    name,
    epoch: toWord(attributes.epoch),
    version: toWord(attributes.version),
    release: toWord(attributes.release),
    arch: toWord(attributes.arch),
    src: toWord(attributes.src),
    module,
    checksum: toWord(sum?.text),
    checksumType: toWord(sum?.attributes.type),
    ...readSuggestions((tag) => child(element, tag)?.text),
  };
}

/** Returns the date as written; null when it is missing. */
function readDate(element: XmlElement | undefined): string | null {
  return toWord(element?.attributes.date) ?? toWord(element?.text);
}

function readProse(element: XmlElement | undefined): string | null {
  const text = textWithin(element);
  return text.trim() === '' ? null : text;
}

/** Returns the text, including the text of elements that markup in it created. */
function textWithin(element: XmlElement | undefined): string {
  return element === undefined ? '' : element.text + element.children.map(textWithin).join('');
}
