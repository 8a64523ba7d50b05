/**
 * Where the records and values of an XML text lie: records are elements beside each other that are called alike, and the entries of a
 * property list's dictionary. Texts that are not quite well formed are read as far as they go.
 */
import type { RecordGroup, Span, TextOutline, ValueSpan } from './outline-spans.ts';

interface Element extends Span {
  readonly name: string;
  readonly children: Element[];
  readonly attributes: readonly ValueSpan[];
  /** Between its tags; null of an empty one. */
  inside: Span | null;
  end: number;
}

const token =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<![^>]*>|<(\/?)([\w:.-]+)((?:\s[^<>]*?)?)(\/?)>/g;

export function xmlOutline(text: string): TextOutline {
  const root = elementsOf(text);
  const groups: RecordGroup[] = [];
  const values: ValueSpan[] = [];
  // The outermost element is the document itself.
  for (const outermost of root.children) collect(text, outermost, 0, groups, values);
  return {
    groups,
    values: values.filter(({ start, end }) => text.slice(start, end).trim() !== ''),
  };
}

function elementsOf(text: string): Element {
  const root: Element = {
    name: '',
    start: 0,
    end: text.length,
    children: [],
    attributes: [],
    inside: { start: 0, end: text.length },
  };
  const open = [root];
  for (const { 0: tag, 1: closing, 2: name, 3: attributes = '', 4: empty, index } of text.matchAll(
    token,
  )) {
    if (name === undefined) continue;
    const end = index + tag.length;
    if (closing === '/') {
      const place = open.findLastIndex((element) => element.name === name);
      if (place < 1) continue;
      for (const element of open.splice(place)) {
        element.end = end;
        if (element.inside !== null) element.inside = { start: element.inside.start, end: index };
      }
      continue;
    }
    const from = index + 1 + name.length;
    const element: Element = {
      name,
      start: index,
      end,
      children: [],
      attributes: [...attributesIn(attributes, from)],
      inside: null,
    };
    open.at(-1)?.children.push(element);
    if (empty === '/') continue;
    element.inside = { start: end, end };
    open.push(element);
  }
  return root;
}

function* attributesIn(written: string, from: number): Generator<ValueSpan> {
  for (const { 0: whole, 1: name = '', 2: value = '', index } of written.matchAll(
    /([\w:.-]+)\s*=\s*["']([^"']*)["']/g,
  )) {
    const end = from + index + whole.length - 1;
    if (!name.startsWith('xmlns')) yield { name, start: end - value.length, end };
  }
}

function collect(
  text: string,
  element: Element,
  depth: number,
  groups: RecordGroup[],
  values: ValueSpan[],
): void {
  const { name, children, attributes, inside } = element;
  values.push(...attributes);
  // The keys of a property list are not values.
  if (
    name !== 'key' &&
    children.length === 0 &&
    inside !== null &&
    !/<!\[CDATA\[/.test(text.slice(inside.start, inside.end))
  )
    values.push({ name, ...inside });
  const alike =
    name === 'dict'
      ? Map.groupBy(entriesOf(children), () => 'entry')
      : Map.groupBy(children, shapeOf);
  for (const records of alike.values()) {
    if (records.some(isCompound))
      groups.push({ records, separator: '\n', room: null, name, depth });
  }
  for (const child of name === 'dict' ? entriesOf(children) : children)
    collect(text, child, depth + 1, groups, values);
}

/** CESA-2031--4101 and CESA-2031--4105 are called alike. */
const shapeOf = ({ name }: Element) => name.replaceAll(/\d+/g, '#');

const isCompound = ({ children, attributes }: Element) =>
  children.length > 0 || attributes.length > 0;

/** A key and its value are one. */
function entriesOf(children: readonly Element[]): Element[] {
  return children.flatMap((key, place) => {
    const value = children[place + 1];
    if (key.name !== 'key' || value === undefined) return [];
    return [{ ...value, start: key.start, children: [key, ...value.children] }];
  });
}
