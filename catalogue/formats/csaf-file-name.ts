/** Names of CSAF files by section 5.1 of the standard. */

/** Each run of letters that a name may not have becomes one underscore: `ALSA-2024:1517` is `alsa-2024_1517.json`. */
export const csafFileName = (id: string): string =>
  `${id.toLowerCase().replace(/[^+\-a-z0-9]+/g, '_')}.json`;

/** The folder of a document, by its first release. */
export const csafYear = (initialRelease: number): string =>
  String(new Date(initialRelease).getUTCFullYear());
