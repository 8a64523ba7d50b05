import { wordOf } from '../../values/vendor-words.ts';

/** The notice's id with its prefix, which some records lack: USN-612-10 for 612-10. Null when it is no id of a notice. */
export function noticeIdOf(id: unknown, type: unknown = null): string | null {
  const [, prefix, number] =
    /^(USN-|LSN-|SSN-)?(\d+-\d+)$/.exec(wordOf(id)?.toUpperCase() ?? '') ?? [];
  if (number === undefined) return null;
  const kind = wordOf(type)?.toUpperCase() ?? '';
  return `${prefix ?? (/^[LS]SN$/.test(kind) ? `${kind}-` : 'USN-')}${number}`;
}
