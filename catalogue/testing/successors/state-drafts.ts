/** What a vendor might publish after a state, by the kind of what is new in it: not sealed yet, and not proven. */
import { type Chance, oneOf } from '../chance.ts';
import { mentionsIn, withMove } from './address-moves.ts';
import { isInRelease } from './inrelease-seal.ts';
import { withOtherPacking } from './other-packings.ts';
import type { PublishedState } from './published-state.ts';
import { pathsRead, type ReadableState } from './readable-state.ts';
import { withClones } from './record-clones.ts';
import { type RecordPlace, recordPlacesIn, valuePlacesIn } from './record-places.ts';
import { editedValue } from './value-edits.ts';

export const successorKinds = ['changed', 'removed', 'grown', 'shrunk', 'moved'] as const;
export type SuccessorKind = (typeof successorKinds)[number];

export interface Draft {
  readonly files: PublishedState['files'];
  readonly done: string;
}

/** Null where chance has led nowhere. */
export const drafts: Readonly<
  Record<SuccessorKind, (before: ReadableState, chance: Chance) => Draft | null>
> = {
  changed: (before, chance) =>
    chance() < 0.75 ? valueDraft(before, chance) : nestedDraft(before, chance),
  removed: (before, chance) => removalDraft(before, chance, 1, () => 1),
  shrunk: (before, chance) =>
    removalDraft(before, chance, 2, (records) => Math.ceil(records * (0.4 + chance() * 0.5))),
  grown: (before, chance) =>
    chance() < 0.75 ? cloneDraft(before, chance) : returnDraft(before, chance),
  moved: moveDraft,
};

/** Files that stay as they are in every generated state, each with the reason. */
const unchangedFiles: readonly { readonly file: RegExp; readonly reason: string }[] = [
  {
    file: /\/cvrf\/v3\.0\/updates$/,
    reason:
      'A month leaves the index of the security update guide for hours and comes back: it keeps its copy, and the run says so.',
  },
];

/** The files that a draft may change. */
function pathsToChange(before: ReadableState): string[] {
  return pathsRead(before).filter((path) => !unchangedFiles.some(({ file }) => file.test(path)));
}

function valueDraft(before: ReadableState, chance: Chance): Draft | null {
  const places = valuePlacesIn(before.state.files, [oneOf(pathsToChange(before), chance)]);
  if (places.length === 0) return null;
  const place = oneOf(places, chance);
  const value = oneOf(place.values, chance);
  const text = editedValue(value, place, chance, `renewed${Math.floor(chance() * 9000) + 1000}`);
  if (text === null || text === value.text) return null;
  return {
    files: place.with(value, text),
    done: `${place.where}: ${value.name} ${value.text.slice(0, 60)} -> ${text.slice(0, 80)}`,
  };
}

/** A record inside of another one is gone, or there twice under another name. */
function nestedDraft(before: ReadableState, chance: Chance): Draft | null {
  const place = placeOf(before, chance, ({ depth, records }) => depth > 1 && records.length > 0);
  if (place === null) return null;
  if (chance() < 0.5) return removal(place, [Math.floor(chance() * place.records.length)]);
  const files = withClones(place, 1, chance);
  return files === null ? null : { files, done: `${place.where}: one more` };
}

function removalDraft(
  before: ReadableState,
  chance: Chance,
  least: number,
  count: (records: number) => number,
): Draft | null {
  const place = placeOf(before, chance, ({ records }) => records.length >= least);
  if (place === null) return null;
  const all = [...place.records.keys()];
  const gone = Array.from({ length: count(all.length) }, () =>
    all.splice(Math.floor(chance() * all.length), 1),
  ).flat();
  return removal(place, gone);
}

function removal(place: RecordPlace, gone: readonly number[]): Draft {
  const files = place.with(new Map(gone.map((record) => [record, []])));
  const named = gone
    .slice(0, 3)
    .map((record) => place.records[record]?.slice(0, 60).replaceAll(/\s+/g, ' '));
  return {
    files,
    done: `${place.where}: without ${gone.length} of ${place.records.length} (${named.join(' | ')})`,
  };
}

function cloneDraft(before: ReadableState, chance: Chance): Draft | null {
  const place = placeOf(before, chance, ({ records }) => records.length > 0);
  if (place === null) return null;
  const count = chance() < 0.5 ? 1 + Math.floor(chance() * 3) : 25 + Math.floor(chance() * 10);
  const files = withClones(place, count, chance);
  return files === null ? null : { files, done: `${place.where}: ${count} more` };
}

function moveDraft(before: ReadableState, chance: Chance): Draft | null {
  const { files } = before.state;
  const mentions = mentionsIn(files, pathsToChange(before));
  if (mentions.length === 0) return null;
  const mention = oneOf(mentions, chance);
  const index = files.get(mention.index)?.content;
  // The names in the index of a suite are those of its components.
  const named = index?.kind === 'text' && isInRelease(index.text);
  const moved =
    named || chance() < 0.5
      ? withOtherPacking(files, mention, chance)
      : withMove(files, mention, chance);
  return (
    moved && { files: moved, done: `${mention.path}, named by ${mention.index}, lies elsewhere` }
  );
}

/** Something that was published before is published again. */
function returnDraft({ earlier }: ReadableState, chance: Chance): Draft | null {
  if (earlier.length === 0) return null;
  const place = Math.floor(chance() * earlier.length);
  return {
    files: oneOf(earlier, () => place / earlier.length).files,
    done: `what was published as number ${place + 1} again`,
  };
}

/** One of the places of a file, more often one of those that hold the most, and of a file that holds many records. */
function placeOf(
  before: ReadableState,
  chance: Chance,
  fits: (place: RecordPlace) => boolean,
): RecordPlace | null {
  const { files } = before.state;
  const paths = pathsToChange(before);
  const maxIn = (path: string) =>
    Math.max(0, ...recordPlacesIn(files, [path]).map(({ records }) => records.length));
  const full = chance() < 0.5 ? paths.toSorted((a, b) => maxIn(b) - maxIn(a)).slice(0, 3) : paths;
  const places = recordPlacesIn(files, [oneOf(full, chance)]).filter(fits);
  if (places.length === 0) return null;
  const sizeOf = ({ records }: RecordPlace) =>
    records.reduce((size, record) => size + record.length, 0);
  const largest = places.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 3);
  return oneOf(chance() < 0.7 ? largest : places, chance);
}
