/** Builds the records of an XML document from its text, piece by piece, within limits of memory. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { RecordPaths } from './record-paths.ts';
import { BrokenXml, type XmlElement, type XmlFault } from './xml-element.ts';

/** Limit of characters of one record, and between two tags; far above any vendor's. */
const maxRecordLength = 64 * 1024 ** 2;
/** Cost of an element beside its text, in characters. */
const elementCost = 100;
const maxDepth = 500;

interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
}

/** Methods throw BrokenXml: on the first fault without a fault handler, at a limit, and at a premature end. */
export class RecordReader {
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #paths: RecordPaths;
  readonly #onFault: ((fault: XmlFault) => void) | undefined;
  /** Names of the open elements from the root to the open record; of all open elements outside of records. */
  readonly #above: string[] = [];
  /** The open record and its open elements. */
  readonly #open: Growing[] = [];
  /** The record that ended last, while no element has begun since. */
  #closed: Growing | null = null;
  #finished: XmlElement[] = [];
  /** Characters of the open record. */
  #recordLength = 0;
  /** Characters since the parser last reported anything. */
  #silence = 0;
  #begun = false;
  #atEnd = false;

  /** @param onFault receives every fault; the reader then continues behind it. */
  constructor(paths: RecordPaths, onFault: ((fault: XmlFault) => void) | undefined) {
    this.#paths = paths;
    this.#onFault = onFault;
    if (onFault !== undefined) keepOpenAtStrayEndTags(this.#parser);
    const addText = (text: string) => this.#addText(text);
    this.#parser.on('error', (error) => this.#reportError(error));
    this.#parser.on('opentag', (tag) => this.#openElement(tag));
    this.#parser.on('text', addText);
    this.#parser.on('cdata', addText);
    this.#parser.on('closetag', () => this.#closeElement());
  }

  /** Returns the records that end in the next piece of the document. */
  read(chunk: string): readonly XmlElement[] {
    if (!this.#begun) this.#begun = mustBegin(chunk);
    this.#silence += chunk.length;
    this.#parser.write(chunk);
    if (this.#silence > maxRecordLength)
      throw new BrokenXml(
        `what begins at line ${this.#parser.line} or before has no end within ${maxRecordLength.toLocaleString('en')} characters`,
      );
    return this.#takeFinished();
  }

  /** Returns the records that only the end of the document completes. */
  end(): readonly XmlElement[] {
    this.#atEnd = true;
    this.#parser.close();
    return this.#takeFinished();
  }

  #takeFinished(): readonly XmlElement[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  #reportError(error: Error): void {
    const problem = error.message.replace(/^(.*?:)?\d+:\d+: /, '').replace(/\.$/, '');
    if (this.#onFault === undefined || this.#atEnd)
      throw new BrokenXml(`not well formed at line ${this.#parser.line}: ${problem}`);
    this.#onFault(this.#faultHere(problem));
  }

  #faultHere(problem: string): XmlFault {
    return { line: this.#parser.line, problem, record: this.#open[0] ?? this.#closed };
  }

  #openElement(tag: SaxesTagPlain): void {
    this.#silence = 0;
    const name = localName(tag.name);
    if (this.#above.length + this.#open.length > maxDepth)
      throw new BrokenXml(
        `elements are nested more than ${maxDepth} deep at line ${this.#parser.line}`,
      );
    if (this.#onFault !== undefined) this.#endUnended(name, this.#onFault);
    const parent = this.#open.at(-1);
    this.#closed = null;
    if (parent === undefined && !this.#beginsRecord(name)) return;
    const element = createElement(name, tag);
    this.#grow(elementCost + measureAttributes(element.attributes));
    parent?.children.push(element);
    this.#open.push(element);
  }

  /** Ends the open element that lacks its end, with everything in it, when an element of this name cannot lie within it. */
  #endUnended(name: string, onFault: (fault: XmlFault) => void): void {
    const depth = this.#paths.depthToEnd(this.#above, name);
    if (depth === -1) return;
    onFault(this.#faultHere(`<${this.#above[depth]}> has no end`));
    if (this.#open[0] !== undefined) this.#finished.push(this.#open[0]);
    this.#open.length = 0;
    this.#above.length = depth;
    endBelow(this.#parser, depth);
  }

  /** Returns whether an element of this name, outside of all records, begins a record. */
  #beginsRecord(name: string): boolean {
    const { roots } = this.#paths;
    if (this.#above.length === 0 && !roots.has(name))
      throw new BrokenXml(`its outermost element is <${name}>, not <${[...roots].join('> or <')}>`);
    this.#above.push(name);
    this.#recordLength = 0;
    return this.#paths.leadTo(this.#above);
  }

  #addText(text: string): void {
    this.#silence = 0;
    const element = this.#open.at(-1);
    if (element === undefined) return;
    this.#grow(text.length);
    element.text += text;
  }

  #closeElement(): void {
    this.#silence = 0;
    const element = this.#open.pop();
    if (this.#open.length > 0) return;
    this.#above.pop();
    if (element === undefined) return;
    this.#finished.push(element);
    this.#closed = element;
  }

  #grow(by: number): void {
    this.#recordLength += by;
    if (this.#recordLength > maxRecordLength)
      throw new BrokenXml(
        `<${this.#open[0]?.name}> at line ${this.#parser.line} is longer than ${maxRecordLength.toLocaleString('en')} characters`,
      );
  }
}

function createElement(name: string, { attributes }: SaxesTagPlain): Growing {
  const values: Record<string, string> = {};
  for (const attribute in attributes)
    values[localName(attribute)] = attributes[attribute] as string;
  return { name, attributes: values, children: [], text: '' };
}

function measureAttributes(attributes: Readonly<Record<string, string>>): number {
  let length = 0;
  for (const name in attributes) length += name.length + (attributes[name] as string).length;
  return length;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** Returns true once there is more than space. Reports JSON that is served instead of XML. */
function mustBegin(chunk: string): boolean {
  const first = chunk.trimStart().charAt(0);
  if (first === '{' || first === '[') throw new BrokenXml('it is JSON where XML was expected');
  if (first !== '' && first !== '<') throw new BrokenXml('it is not XML');
  return first !== '';
}

/** Members of saxes with which the reader continues after surplus and missing end tags. */
interface Internals {
  tags: { readonly name: string }[];
  readonly name: string;
  closeTag(): void;
}

/**
 * saxes treats an end tag that matches no open element as the end of everything. This reports it as a fault and leaves the tag in
 * the text.
 */
function keepOpenAtStrayEndTags(parser: SaxesParser): void {
  const internals = parser as unknown as Internals;
  const closeTag = internals.closeTag.bind(parser);
  internals.closeTag = () => {
    const { tags, name } = internals;
    if (tags.at(-1)?.name === name || tags.some((tag) => tag.name === name)) return closeTag();
    internals.tags = [];
    closeTag();
    internals.tags = tags;
  };
}

/** Ends all open elements except the outermost ones, of which `depth` stay open. */
function endBelow(parser: SaxesParser, depth: number): void {
  (parser as unknown as Internals).tags.length = depth;
}
