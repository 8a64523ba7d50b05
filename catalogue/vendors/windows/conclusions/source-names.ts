/** Names of the sources of conclusions, for people. */
import { containingLines } from '../names/kb-lines.ts';
import type { DateSource } from './kb-release-dates.ts';
import type { ReplacementEvidence } from './product-replacements.ts';

/** Returns 'offline scan file' or 'security update guide, 2026-Apr'. */
export function formatSource(source: DateSource | ReplacementEvidence): string {
  if (source === 'scan') return 'offline scan file';
  if (source === 'build') return 'fixed builds';
  return typeof source === 'string'
    ? containingLines[source]
    : `security update guide, ${source.id}`;
}

/** Joins distinct names. */
export function formatSources(sources: Iterable<DateSource | ReplacementEvidence>): string {
  return [...new Set([...sources].map(formatSource))].join('; ');
}

/** Returns '2026-04-14'. */
export function toIsoDay(date: number): string {
  return new Date(date).toISOString().slice(0, 10);
}
