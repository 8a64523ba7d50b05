/** Letters by update type in bulletin ids. */
const letters: Readonly<Record<string, string>> = {
  security: 'S',
  recommended: 'R',
  bugfix: 'R',
  feature: 'F',
  enhancement: 'F',
};

/**
 * Derives the bulletin id of a patch that no known bulletin lists: openSUSE-SU-2024:0137-1 for openSUSE-2024-137, SUSE-… for patches from
 * SUSE Linux Enterprise. Other names are returned unchanged. SUSE mostly numbers bulletins this way.
 */
export function deriveBulletinId(patch: string, type: string | null): string {
  const [, vendor, enterprise, year, number] =
    /^(openSUSE|SUSE)-(SLE-[\d.]+-)?(\d{4})-(\d+)$/.exec(patch) ?? [];
  if (year === undefined || number === undefined) return patch;
  const word = type?.toLowerCase() ?? '';
  const letter = (Object.hasOwn(letters, word) ? letters[word] : undefined) ?? 'O';
  return `${enterprise === undefined ? vendor : 'SUSE'}-${letter}U-${year}:${number.padStart(4, '0')}-1`;
}
