/** The id of the bulletin of a patch that no bulletin is known to list: SUSE builds it from the patch's number, mostly. */
const letters: Readonly<Record<string, string>> = {
  security: 'S',
  recommended: 'R',
  bugfix: 'R',
  feature: 'F',
  enhancement: 'F',
};

/** openSUSE-2024-137 is openSUSE-SU-2024:0137-1, what comes from SUSE Linux Enterprise is of SUSE's own; any other name stays as it is. */
export function bulletinIdOf(patch: string, type: string | null): string {
  const [, vendor, enterprise, year, number] =
    /^(openSUSE|SUSE)-(SLE-[\d.]+-)?(\d{4})-(\d+)$/.exec(patch) ?? [];
  if (year === undefined || number === undefined) return patch;
  const word = type?.toLowerCase() ?? '';
  const letter = (Object.hasOwn(letters, word) ? letters[word] : undefined) ?? 'O';
  return `${enterprise === undefined ? vendor : 'SUSE'}-${letter}U-${year}:${number.padStart(4, '0')}-1`;
}
