/** Where the records and the values of a vendor's text lie, whatever its form: JSON, XML, stanzas, indented blocks or lines. */
import { jsonOutline } from './json-outline.ts';
import { blocksOutline, linesOutline, stanzasOutline } from './line-outlines.ts';
import type { RecordGroup, Span, TextOutline } from './outline-spans.ts';
import { xmlOutline } from './xml-outline.ts';

const empty: TextOutline = { groups: [], values: [] };
const outlines = new Map<string, TextOutline>();

/** Of an index that only names other files and their sums it is empty: such a file follows the others (see seals.ts). */
export function outlineOf(text: string): TextOutline {
  const known = outlines.get(text);
  if (known !== undefined) return known;
  const outline = isIndex(text) ? empty : outlineByForm(text);
  if (outlines.size > 500) outlines.clear();
  outlines.set(text, outline);
  return outline;
}

export function isIndex(text: string): boolean {
  return (
    text.startsWith('-----BEGIN PGP SIGNED MESSAGE-----') ||
    /^[^]{0,200}<repomd\b/.test(text) ||
    /^(?:[\da-f]{32,128} .+\n?)+$/i.test(text)
  );
}

function outlineByForm(text: string): TextOutline {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  const json = /^[{[]/.test(start) ? jsonOutline(text) : null;
  if (json !== null) return json;
  if (start.startsWith('<')) return xmlOutline(text);
  const lines = start.split('\n');
  if (lines.slice(0, 5).some((line) => /^[A-Za-z][\w-]*:(?:\s|$)/.test(line)))
    return stanzasOutline(text);
  return lines.some((line) => /^[ \t]+\S/.test(line)) ? blocksOutline(text) : linesOutline(text);
}

/** Each record replaced by these texts, none to many; records that are not named stay. */
export function withRecords(
  text: string,
  { records, separator, room }: RecordGroup,
  replaced: ReadonlyMap<number, readonly string[]>,
): string {
  const written = records.map(
    ({ start, end }, place) => replaced.get(place) ?? [text.slice(start, end)],
  );
  if (room !== null)
    return text.slice(0, room.start) + written.flat().join(separator) + text.slice(room.end);
  return replacedSpans(
    text,
    records.map((span, place) => ({ ...span, text: (written[place] ?? []).join(separator) })),
  );
}

/** Spans must not overlap. */
export function replacedSpans(
  text: string,
  spans: readonly (Span & { readonly text: string })[],
): string {
  let written = '';
  let at = 0;
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    written += text.slice(at, span.start) + span.text;
    at = span.end;
  }
  return written + text.slice(at);
}
