/**
 * Builds a suite of an apt archive as a vendor publishes it, for fixtures: a signed InRelease, and the Packages index of each
 * component.
 */
import { createHash } from 'node:crypto';
import { pathInMirror } from '../parsers/mirror-layout.ts';
import type { FixtureFiles } from './fixture-files.ts';
import type { Signer } from './signed-text.ts';
import { storedGzip } from './stored-gzip.ts';

export interface PublishedSuite {
  /** Without a trailing slash. */
  readonly archive: string;
  readonly suite: string;
  /** `Tue, 03 Jun 2031 10:00:00 UTC` */
  readonly date: string;
  readonly architecture?: string;
  /** The text of the Packages index by component: main, universe. */
  readonly components: Readonly<Record<string, string>>;
}

/** Formats stanzas for a Packages index; a line break inside a value becomes an indented line. */
export function packagesFrom(stanzas: readonly Readonly<Record<string, string>>[]): string {
  const text = (stanza: Readonly<Record<string, string>>) =>
    Object.entries(stanza)
      .map(([name, value]) => `${name}: ${value.split('\n').join('\n ')}`)
      .join('\n');
  return `${stanzas.map(text).join('\n\n')}\n`;
}

export async function aptSuiteFrom(
  published: PublishedSuite,
  signer: Signer,
): Promise<FixtureFiles> {
  const { archive, suite, date, architecture = 'amd64', components } = published;
  const files = Object.entries(components).flatMap(
    ([component, text]): [string, string | Uint8Array][] => {
      const path = `${component}/binary-${architecture}/Packages`;
      return [
        [path, text],
        [`${path}.gz`, storedGzip(text)],
      ];
    },
  );
  const release = [
    'Origin: Fixtures',
    `Suite: ${suite}`,
    `Codename: ${suite}`,
    `Date: ${date}`,
    `Architectures: ${architecture}`,
    `Components: ${Object.keys(components).join(' ')}`,
    'SHA256:',
    ...files.map(([path, content]) => ` ${sha256(content)} ${Buffer.byteLength(content)} ${path}`),
    '',
  ].join('\n');
  const address = (path: string) => pathInMirror(`${archive}/dists/${suite}/${path}`);
  return {
    [address('InRelease')]: await signer.sign(release),
    // The index is listed in both forms and published in one, like in archives.
    ...Object.fromEntries(
      files
        .filter(([path]) => path.endsWith('.gz'))
        .map(([path, content]) => [address(path), content]),
    ),
    'keys/fixtures.asc': signer.publicKey,
  };
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
