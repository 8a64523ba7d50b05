/** Finds words of a notice without a mapping: its type, its releases, the pockets of its packages. */
import type { UnknownWord } from '../../definition/feed.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import { formatUbuntuReleaseName, isKnownRelease } from './ubuntu-releases.ts';

/** Live patches have a pocket of their own; pockets of subscriptions and certified systems are named after them. */
const knownPockets: readonly string[] = [
  'security',
  'updates',
  'proposed',
  'backports',
  'livepatch',
  'esm-infra',
  'esm-infra-legacy',
  'esm-apps',
  'esm-apps-legacy',
  'ros-esm',
  'fips',
  'fips-updates',
  'fips-preview',
  'realtime',
  'soss',
];

export interface NoticeWords {
  /** As the vendor writes it. */
  readonly type: string | null;
  readonly shownType: string;
  /** By code name; null when the notice does not state the version. */
  readonly versions: ReadonlyMap<string, string | null>;
  readonly packages: readonly { readonly pocket: string | null }[];
}

export function findUnknownNoticeWords({
  type,
  shownType,
  versions,
  packages,
}: NoticeWords): UnknownWord[] {
  const releases = [...versions].filter(
    ([codename, version]) => !isKnownRelease(codename, version),
  );
  const pockets = distinctWords(packages.map(({ pocket }) => pocket)).filter(
    (pocket) => !knownPockets.includes(pocket),
  );
  return [
    ...(type === null || /^[ULS]SN$/i.test(type)
      ? []
      : [{ vocabulary: 'type', word: type, shownAs: shownType }]),
    ...releases.map(([word]) => ({
      vocabulary: 'release',
      word,
      shownAs: formatUbuntuReleaseName(word, null),
    })),
    ...pockets.map((word) => ({ vocabulary: 'pocket', word, shownAs: null })),
  ];
}
