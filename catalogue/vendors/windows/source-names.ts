/** How the sources of what is concluded about a KB are named to people. */
import type { DateSource } from './kb-release-dates.ts';
import type { ReplacementEvidence } from './product-replacements.ts';

/** 'offline scan file', 'security update guide, 2026-Apr' */
export function nameOfSource(source: DateSource | ReplacementEvidence): string {
  if (source === 'scan') return 'offline scan file';
  if (source === 'line') return 'monthly rollups hold all earlier ones';
  return source === 'build' ? 'fixed builds' : `security update guide, ${source.id}`;
}

/** Each once, joined. */
export function namesOfSources(sources: Iterable<DateSource | ReplacementEvidence>): string {
  return [...new Set([...sources].map(nameOfSource))].join('; ');
}

/** '2026-04-14' */
export function isoDay(date: number): string {
  return new Date(date).toISOString().slice(0, 10);
}
