/** Words of winget's manifest schema (1.12); other words are reported. */
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

/** Returns each unknown word once; the installer shows the word itself. */
export function findUnknownInstallerWords(
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
