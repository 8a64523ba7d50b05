/** Resolves the sources and parts of a command line: `almaLinux`, `ubuntu:jammy-security,noble-security`. */
import type { AnyFeed, AnyPart } from '@patch/catalogue/definition/feed.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';

export interface ChosenParts {
  readonly source: SourceKey;
  readonly label: string;
  readonly parts: readonly AnyPart[];
}

/** An unknown source or part. The message lists the valid ones. */
export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
}

/** Returns all parts of all sources for an empty command line. @throws UnknownNameError */
export function resolveParts(
  feeds: Partial<Record<SourceKey, AnyFeed>>,
  names: readonly string[],
): readonly ChosenParts[] {
  const sources = Object.keys(feeds) as SourceKey[];
  if (names.length === 0) return sources.map((source) => resolveSource(feeds, source, null));
  return names.map((name) => {
    const [sourceName = '', ...rest] = name.split(':');
    const source = sources.find((key) => key.toLowerCase() === sourceName.toLowerCase());
    if (source === undefined)
      throw new UnknownNameError(`Unknown source '${sourceName}'. Sources: ${sources.join(', ')}.`);
    return resolveSource(feeds, source, rest.length === 0 ? null : rest.join(':').split(','));
  });
}

function resolveSource(
  feeds: Partial<Record<SourceKey, AnyFeed>>,
  source: SourceKey,
  keys: readonly string[] | null,
): ChosenParts {
  const feed = feeds[source];
  const feedParts: readonly AnyPart[] = feed?.parts ?? [];
  const label = sourceLabels[source];
  if (keys === null) return { source, label, parts: feedParts };
  const parts = keys.map((key) => {
    const part =
      feedParts.find((candidate) => candidate.key === key) ?? feed?.otherParts?.toPart(key);
    if (part) return part;
    const more = feed?.otherParts === undefined ? '' : `, or ${feed.otherParts.words}`;
    throw new UnknownNameError(
      `${label} has no part '${key}'. Parts: ${feedParts.map((each) => each.key).join(', ')}${more}.`,
    );
  });
  return { source, label, parts };
}
