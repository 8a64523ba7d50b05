/** The words that winget's manifests are written with (schema 1.12), so that one that is none of them is reported. */
import type { UnknownWord } from '../../definition/feed.ts';
import type { WingetInstaller } from '../../parsers/winget-manifest.ts';

const vocabularies = {
  type: {
    vocabulary: 'installer type',
    words: [
      'msix',
      'msi',
      'appx',
      'exe',
      'zip',
      'inno',
      'nullsoft',
      'wix',
      'burn',
      'pwa',
      'portable',
      'font',
    ],
  },
  architecture: { vocabulary: 'architecture', words: ['x86', 'x64', 'arm', 'arm64', 'neutral'] },
  scope: { vocabulary: 'scope', words: ['user', 'machine'] },
} as const;

/** Each once; the installer shows the word itself. */
export function unknownInstallerWords(
  installers: readonly Pick<WingetInstaller, keyof typeof vocabularies>[],
): UnknownWord[] {
  return Object.entries(vocabularies).flatMap(([name, { vocabulary, words }]) => {
    const written = new Set(
      installers.map((installer) => installer[name as keyof typeof vocabularies]),
    );
    return [...written].flatMap((word) =>
      word === null || (words as readonly string[]).includes(word)
        ? []
        : [{ vocabulary, word, shownAs: null }],
    );
  });
}
