/**
 * The elements of an XML document that a reader asks for, each whole, as the document streams by. Names are local names:
 * prefixes and namespaces do not matter. No DTD is read and no entity expanded but the five of XML itself.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { endAllBut, keepOpenAtStrayEndTags } from './stray-end-tags.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, character references resolved; that of its children is theirs. */
  readonly text: string;
}

/** Where the text of a document is not well formed. */
export interface XmlFault {
  readonly line: number;
  readonly problem: string;
  /** The record it lies in; null outside of all. */
  readonly record: XmlElement | null;
}

export class BrokenXml extends Error {
  override readonly name = 'BrokenXml';
}

export interface XmlOptions {
  /** Told of every fault; the reader then goes on behind it. Without it the first fault throws. A document that ends too early always throws. */
  readonly onFault?: (fault: XmlFault) => void;
  /** Where a path ends in '*': whether an element of that name is such a record, wherever it lies. */
  readonly isRecord?: (name: string) => boolean;
}

/** Characters of one record, and of what stands between two tags. No vendor's comes near; each is held in memory. */
const maxRecordLength = 64 * 1024 ** 2;
/** What an element costs beside its text, in characters. */
const elementCost = 100;
const maxDepth = 500;

/**
 * `paths` lead from the root: 'updates/update', or 'updates/*' for whatever lies there. Yields in the document's order. A record inside a
 * record is part of the outer one; where faults are read past, the outer one lacks its end.
 */
export async function* xmlRecords(
  chunks: AsyncIterable<string>,
  paths: readonly string[],
  { onFault, isRecord = () => false }: XmlOptions = {},
): AsyncGenerator<XmlElement> {
  const steps = paths.map((path) => path.split('/'));
  const roots = new Set(steps.map(([root]) => root));
  const parser = new SaxesParser({ xmlns: false });
  if (onFault !== undefined) keepOpenAtStrayEndTags(parser);
  const above: string[] = [];
  const open: Growing[] = [];
  let closed: Growing | null = null;
  let finished: XmlElement[] = [];
  let atEnd = false;
  /** Of the record that is open. */
  let recordLength = 0;
  /** Since the parser last told of anything. */
  let silence = 0;

  const grow = (by: number) => {
    recordLength += by;
    if (recordLength > maxRecordLength)
      throw new BrokenXml(
        `<${open[0]?.name}> at line ${parser.line} is longer than ${maxRecordLength.toLocaleString('en')} characters`,
      );
  };

  parser.on('error', (error) => {
    const problem = error.message.replace(/^(.*?:)?\d+:\d+: /, '').replace(/\.$/, '');
    if (onFault === undefined || atEnd)
      throw new BrokenXml(`not well formed at line ${parser.line}: ${problem}`);
    onFault({ line: parser.line, problem, record: open[0] ?? closed });
  });
  const named = new Set(steps.flat());
  /** Whether one of the paths leads to the element that `above` ends with. Asked of every element outside of the records. */
  const isWanted = () => {
    const last = above.length - 1;
    return steps.some(
      (path) =>
        path.length === above.length &&
        path.every((step, depth) => step === above[depth] || (step === '*' && depth === last)),
    );
  };
  /** How deep the element lies that has to end where another one of that name begins; -1 when none has to. */
  const lacksEnd = (name: string) => {
    if (!named.has(name) && !isRecord(name)) return -1;
    const isOneOf = (step: string | undefined, depth: number) =>
      step === '*' ? isRecord(name) : step === name && above[depth] === name;
    return above.findIndex(
      (_, depth) => depth > 0 && steps.some((path) => isOneOf(path[depth], depth)),
    );
  };

  parser.on('opentag', (tag) => {
    silence = 0;
    const name = localName(tag.name);
    if (above.length + open.length > maxDepth)
      throw new BrokenXml(`elements are nested more than ${maxDepth} deep at line ${parser.line}`);
    const depth = onFault === undefined ? -1 : lacksEnd(name);
    if (depth !== -1) {
      onFault?.({
        line: parser.line,
        problem: `<${above[depth]}> has no end`,
        record: open[0] ?? closed,
      });
      if (open[0] !== undefined) finished.push(open[0]);
      open.length = 0;
      above.length = depth;
      endAllBut(parser, depth);
    }
    const parent = open.at(-1);
    closed = null;
    if (parent === undefined) {
      if (above.length === 0 && !roots.has(name))
        throw new BrokenXml(
          `its outermost element is <${name}>, not <${[...roots].join('> or <')}>`,
        );
      above.push(name);
      if (!isWanted()) return;
      recordLength = 0;
    }
    const element = grown(name, tag);
    grow(elementCost + lengthOf(element.attributes));
    parent?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    silence = 0;
    const element = open.at(-1);
    if (element === undefined) return;
    grow(text.length);
    element.text += text;
  });
  parser.on('cdata', (text) => {
    silence = 0;
    const element = open.at(-1);
    if (element === undefined) return;
    grow(text.length);
    element.text += text;
  });
  parser.on('closetag', () => {
    silence = 0;
    const element = open.pop();
    if (open.length > 0) return;
    above.pop();
    if (element === undefined) return;
    finished.push(element);
    closed = element;
  });

  let begun = false;
  for await (const chunk of chunks) {
    if (!begun) begun = mustBegin(chunk);
    silence += chunk.length;
    parser.write(chunk);
    if (silence > maxRecordLength)
      throw new BrokenXml(
        `what begins at line ${parser.line} or before has no end within ${maxRecordLength.toLocaleString('en')} characters`,
      );
    yield* finished;
    finished = [];
  }
  atEnd = true;
  parser.close();
  yield* finished;
}

interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
}

function grown(name: string, { attributes }: SaxesTagPlain): Growing {
  const named: Record<string, string> = {};
  for (const attribute in attributes) named[localName(attribute)] = attributes[attribute] as string;
  return { name, attributes: named, children: [], text: '' };
}

function lengthOf(attributes: Readonly<Record<string, string>>): number {
  let length = 0;
  for (const name in attributes) length += name.length + (attributes[name] as string).length;
  return length;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** True once there is more than space; what a vendor serves instead of XML is named. */
function mustBegin(chunk: string): boolean {
  const first = chunk.trimStart().charAt(0);
  if (first === '{' || first === '[') throw new BrokenXml('it is JSON where XML was expected');
  if (first !== '' && first !== '<') throw new BrokenXml('it is no XML');
  return first !== '';
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((candidate) => candidate.name === name);
}

export function children(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((candidate) => candidate.name === name) ?? [];
}

/** The trimmed text of the first child of that name; null where there is none or it is empty. */
export function childText(element: XmlElement | undefined, name: string): string | null {
  return child(element, name)?.text.trim() || null;
}
