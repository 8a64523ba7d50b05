/** The tracking of a CSAF document: its revisions are what the catalogue knows of a record, its first reading and its last change. */
import type { CsafRevision, CsafTracking } from './csaf-types.ts';

export interface TrackedDocument {
  readonly id: string;
  readonly aliases: readonly string[];
  /** Epoch milliseconds. */
  readonly created: number;
  readonly changed: number;
  readonly vendor: string;
  /** What the last revision says, for a withdrawn document; null for others. */
  readonly state: string | null;
}

export function csafTracking(tracked: TrackedDocument): CsafTracking {
  const { id, aliases, created, changed, vendor, state } = tracked;
  const first: CsafRevision = {
    date: isoTime(created),
    number: '1.0.0',
    summary: `First read from ${vendor}.`,
  };
  const last: CsafRevision[] =
    changed > created
      ? [
          {
            date: isoTime(changed),
            number: versionAt(changed),
            summary: state ?? `As ${vendor} changed it.`,
          },
        ]
      : [];
  const revisions =
    last.length === 0 && state !== null ? [{ ...first, summary: state }] : [first, ...last];
  return {
    ...(aliases.length > 0 && { aliases }),
    current_release_date: isoTime(changed),
    id,
    initial_release_date: isoTime(created),
    revision_history: revisions,
    status: 'final',
    version: revisions.at(-1)?.number ?? first.number,
  };
}

const isoTime = (time: number): string => new Date(time).toISOString();

/** Versions are semantic. The catalogue keeps the last change of a record alone: the minor and patch numbers are its day and time, so that later versions are higher. */
function versionAt(time: number): string {
  const [day = '', clock = ''] = isoTime(time).split('T');
  return `1.${day.replaceAll('-', '')}.${Number(clock.slice(0, 12).replaceAll(/[:.]/g, ''))}`;
}
