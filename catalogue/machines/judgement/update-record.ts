/** Reads updates of Windows, and releases of macOS and applications, from the rows and details of their lists. */
import type { ApplicationRelease, MacRelease, WindowsUpdate } from './machine-fixes.ts';
import { rowsIn, type StoredRecord, wordIn, wordsIn } from './stored-values.ts';

const toDigits = (kb: string) => kb.replace(/^KB/i, '');

/** Reads a row of the list of KBs by product; null for a row without a KB. */
export function windowsUpdate({ key, row, detail }: StoredRecord): WindowsUpdate | null {
  const kb = wordIn(row, 'kbId');
  if (kb === null) return null;
  const date = row['releaseDate'];
  return {
    key,
    kb: toDigits(kb),
    line: wordIn(detail, 'line') ?? 'Other product',
    fixedBuilds: wordsIn(detail, 'fixedBuild'),
    supersededBy: wordsIn(row, 'supersededBy').map(toDigits),
    releaseDate: typeof date === 'number' ? date : null,
  };
}

/**
 * The version is null for anything but the system itself: voices, applications. A security update has the version of the system that it
 * is for, which it does not change: `SecUpd2021-008Catalina`.
 */
export function macRelease({ key, row }: StoredRecord): MacRelease {
  const title = wordIn(row, 'title') ?? '';
  const isSystem = /^(?:Install )?(?:macOS|OS X|Mac OS X)\b/.test(title);
  const isSecurityUpdate = /^(?:Security Update |SecUpd)\d/.test(title);
  return {
    key,
    version: isSystem || isSecurityUpdate ? wordIn(row, 'version') : null,
    build: wordIn(row, 'build'),
    ...(isSecurityUpdate && { isSecurityUpdate }),
  };
}

export function applicationRelease({ key, row, detail }: StoredRecord): ApplicationRelease {
  const codes = rowsIn(detail, 'releasePackages').map((one) => wordIn(one, 'productCode'));
  return {
    key,
    name: wordIn(row, 'name') ?? '',
    identifier: wordIn(detail, 'packageId'),
    productCodes: [...new Set(codes.filter((code) => code !== null))],
    version: wordIn(row, 'version'),
  };
}
