/** Names the release of a machine by all that its text says, so that it is never taken for a sibling with the same ID and number. */

/** Words of os-release and of other release files. */
export type ReleaseWord = 'name' | 'version' | 'prettyName' | 'codename' | 'buildId';
export type ReleaseWords = ReadonlyMap<ReleaseWord, string>;

interface Release {
  readonly distribution: string | null;
  readonly release: string | null;
}

/** Distributions that have the ID and the numbers of another one, by their names. */
const siblings: readonly { readonly id: string; readonly name: RegExp; readonly own: string }[] = [
  { id: 'centos', name: /\bCentOS ?Stream\b/i, own: 'centos-stream' },
  { id: 'almalinux', name: /\bKitten\b/i, own: 'almalinux-kitten' },
];

/** CentOS Linux ended with 8: a higher number is CentOS Stream's. */
const firstStreamAlone = 9;

const preview = /\b(Alpha|Beta|RC ?\d{0,2}|Preview)\b/i;

export function nameRelease(stated: Release, words: ReleaseWords): Release {
  const { distribution } = stated;
  if (distribution === null) return stated;
  const names = ['name', 'prettyName'] as const;
  const sibling = siblings.find(
    ({ id, name }) => id === distribution && names.some((word) => name.test(words.get(word) ?? '')),
  );
  const isStream =
    distribution === 'centos' && Number.parseInt(stated.release ?? '', 10) >= firstStreamAlone;
  return {
    distribution: sibling?.own ?? (isStream ? 'centos-stream' : distribution),
    release: stated.release === null ? unnumbered(words) : withPreview(stated.release, words),
  };
}

/** `10.0 Beta`: builds of a preview are not those of the release. */
function withPreview(release: string, words: ReleaseWords): string {
  const [, stage] =
    preview.exec(`${words.get('version') ?? ''} ${words.get('prettyName') ?? ''}`) ?? [];
  return stage === undefined ? release : `${release} ${stage}`;
}

/** Debian's testing and unstable, and rolling distributions have no number: `forky/sid`, `rolling`. */
function unnumbered(words: ReleaseWords): string | null {
  const pretty = words.get('prettyName');
  const [suites] = /\b[a-z]+\/sid\b/.exec(pretty ?? '') ?? [];
  const known = suites ?? words.get('codename') ?? words.get('buildId');
  if (known !== undefined) return known;
  return pretty === undefined || /\d/.test(pretty) ? null : 'rolling';
}

export const isPreview = (release: string): boolean => preview.test(release);
