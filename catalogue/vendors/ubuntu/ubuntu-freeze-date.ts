/** Since when the packages of one of Ubuntu's releases do not change. */
import { parseDistroInfo, parseDistroInfoDay } from '../../schemas/distro-info.ts';

export const releasesAddress = 'https://debian.pages.debian.net/distro-info-data/ubuntu.csv';

/**
 * Returns when the packages of a release were frozen: the date of its Release file, which does not change after the release. Null before
 * the release, when the file has a current date, and when the vendor's table does not state the release's day.
 */
export function findFreezeDate(
  codename: string,
  releaseFileDate: number | null,
  csv: string | null,
): number | null {
  const row = parseDistroInfo(csv ?? '').find(({ series }) => series === codename);
  const released = parseDistroInfoDay(row?.['release']);
  return released !== null && releaseFileDate !== null && releaseFileDate >= released
    ? releaseFileDate
    : null;
}
