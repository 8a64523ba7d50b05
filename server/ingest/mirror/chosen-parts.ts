/** Which sources and parts a person names on the command line: `almaLinux`, `ubuntu:jammy-security,noble-security`. */
import type { AnyFeed, AnyPart } from '@patch/catalogue/definition/feed.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';

export interface ChosenParts {
  readonly source: SourceKey;
  readonly label: string;
  readonly parts: readonly AnyPart[];
}

/** What was named is not there; the message says what is. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName';
}

/** All parts of all sources when nothing is named. Throws UnknownName. */
export function chosenParts(
  feeds: Partial<Record<SourceKey, AnyFeed>>,
  names: readonly string[],
): readonly ChosenParts[] {
  const sources = Object.keys(feeds) as SourceKey[];
  if (names.length === 0) return sources.map((source) => chosen(feeds, source, null));
  return names.map((name) => {
    const [asked = '', ...rest] = name.split(':');
    const source = sources.find((key) => key.toLowerCase() === asked.toLowerCase());
    if (source === undefined)
      throw new UnknownName(
        `There is no source '${asked}'. The sources are: ${sources.join(', ')}.`,
      );
    return chosen(feeds, source, rest.length === 0 ? null : rest.join(':').split(','));
  });
}

function chosen(
  feeds: Partial<Record<SourceKey, AnyFeed>>,
  source: SourceKey,
  keys: readonly string[] | null,
): ChosenParts {
  const feed = feeds[source];
  const own: readonly AnyPart[] = feed?.parts ?? [];
  const label = sourceLabels[source];
  if (keys === null) return { source, label, parts: own };
  const parts = keys.map((key) => {
    const part = own.find((candidate) => candidate.key === key) ?? feed?.otherParts?.partOf(key);
    if (part) return part;
    const more = feed?.otherParts === undefined ? '' : `, or ${feed.otherParts.words}`;
    throw new UnknownName(
      `${label} has no part '${key}'. Its parts are: ${own.map((each) => each.key).join(', ')}${more}.`,
    );
  });
  return { source, label, parts };
}
