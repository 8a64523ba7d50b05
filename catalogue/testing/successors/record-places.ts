/** Every place of a publication where records lie beside each other, or a value stands: what a generated state changes. */

import type { RecordGroup, Span, ValueSpan } from './outline-spans.ts';
import { type Content, type PackedContent, textsIn, withText } from './packed-content.ts';
import { type PagedRecords, pagedRecordsIn } from './paged-records.ts';
import type { PublishedState } from './published-state.ts';
import { outlineOf, replacedSpans, withRecords } from './text-outline.ts';

type Files = PublishedState['files'];

export interface PlacedValue {
  readonly name: string;
  readonly text: string;
  readonly span: Span;
}

/** Records beside each other. */
export interface RecordPlace {
  /** For the one who reads a failure. */
  readonly where: string;
  /** The file that they lie in; of a list of pages the first. */
  readonly path: string;
  readonly records: readonly string[];
  /** How many records of other groups they lie in. */
  readonly depth: number;
  /** Each record replaced by these, none to many; those that are not named stay. */
  with(replaced: ReadonlyMap<number, readonly string[]>): Files;
}

/** A text with values that can be changed. */
export interface ValuePlace {
  readonly where: string;
  readonly path: string;
  readonly values: readonly PlacedValue[];
  /** The text between a value's ends replaced. */
  with(value: PlacedValue, text: string): Files;
}

export function withFileText(
  files: Files,
  path: string,
  place: readonly string[],
  text: string | null,
): Files {
  const file = files.get(path);
  if (file === undefined) throw new Error(`There is no ${path}`);
  return new Map(files).set(path, { ...file, content: withText(file.content, place, text) });
}

/** In the files of these paths. */
export function recordPlacesIn(files: Files, paths: Iterable<string>): RecordPlace[] {
  const asked = new Set(paths);
  const paged = pagedRecordsIn(files).filter(({ pages }) => pages.some((page) => asked.has(page)));
  const places = [...asked].flatMap((path) => {
    const file = files.get(path);
    if (file === undefined) return [];
    const isPage = paged.some(({ pages }) => pages.includes(path));
    const ofTexts = textsIn(file.content).flatMap(({ place, text }) =>
      outlineOf(text)
        .groups.filter(({ depth }) => !isPage || depth > 1)
        .map((group) => placeOfGroup(files, path, place, text, group)),
    );
    return [...ofTexts, ...placesOfMembers(files, path, file)];
  });
  return [...places, ...paged.map(placeOfPages)];
}

function placeOfGroup(
  files: Files,
  path: string,
  place: readonly string[],
  text: string,
  group: RecordGroup,
): RecordPlace {
  return {
    where: `${[path, ...place].join('!')}: ${group.name || 'records'}`,
    path,
    records: group.records.map(({ start, end }) => text.slice(start, end)),
    depth: group.depth,
    with: (replaced) => withFileText(files, path, place, withRecords(text, group, replaced)),
  };
}

function placeOfPages({ records, pages, with: laidOut }: PagedRecords): RecordPlace {
  const [path = ''] = pages;
  const renewed = (replaced: ReadonlyMap<number, readonly string[]>) =>
    laidOut(records.flatMap((record, place) => replaced.get(place) ?? [record]));
  return { where: `${path} and its other pages`, path, records, depth: 1, with: renewed };
}

/** Between the name of a file and its text; no text has it. */
const nameEnd = '\u0000';

/** The files of a tar archive are records too, each with its name. */
function placesOfMembers(files: Files, path: string, file: PackedContent): RecordPlace[] {
  const { content } = file;
  if (content.kind !== 'archive' || content.archive !== 'tar') return [];
  const members = [...content.members].flatMap(([name, member]) =>
    member.kind === 'text' ? [{ name, text: member.text }] : [],
  );
  const renewed = (replaced: ReadonlyMap<number, readonly string[]>): Files => {
    const written = new Map<string, Content>(
      [...content.members].filter(([, member]) => member.kind !== 'text'),
    );
    for (const [place, { name, text }] of members.entries()) {
      for (const record of replaced.get(place) ?? [name + nameEnd + text]) {
        const [newName = '', newText = ''] = record.split(nameEnd);
        written.set(newName, { kind: 'text', text: newText });
      }
    }
    return new Map(files).set(path, { ...file, content: { ...content, members: written } });
  };
  return [
    {
      where: `${path}: its files`,
      path,
      records: members.map(({ name, text }) => name + nameEnd + text),
      depth: 0,
      with: renewed,
    },
  ];
}

/** In the files of these paths. */
export function valuePlacesIn(files: Files, paths: Iterable<string>): ValuePlace[] {
  return [...new Set(paths)].flatMap((path) => {
    const file = files.get(path);
    if (file === undefined) return [];
    return textsIn(file.content).flatMap(({ place, text }): ValuePlace[] => {
      const values = outlineOf(text).values.map((span: ValueSpan) => ({
        name: span.name,
        text: text.slice(span.start, span.end),
        span,
      }));
      if (values.length === 0) return [];
      const renewed = ({ span }: PlacedValue, written: string) =>
        withFileText(
          files,
          path,
          place,
          replacedSpans(text, [{ start: span.start, end: span.end, text: written }]),
        );
      return [{ where: [path, ...place].join('!'), path, values, with: renewed }];
    });
  });
}
