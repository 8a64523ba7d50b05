import { toWord } from '../../values/vendor-words.ts';

/** Completes a notice's id by its prefix, which some records lack: USN-612-10 for 612-10. Returns null for other values. */
export function parseNoticeId(id: unknown, type: unknown = null): string | null {
  const [, prefix, number] =
    /^(USN-|LSN-|SSN-)?(\d+-\d+)$/.exec(toWord(id)?.toUpperCase() ?? '') ?? [];
  if (number === undefined) return null;
  const kind = toWord(type)?.toUpperCase() ?? '';
  return `${prefix ?? (/^[LS]SN$/.test(kind) ? `${kind}-` : 'USN-')}${number}`;
}
