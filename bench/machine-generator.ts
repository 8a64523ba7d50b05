/**
 * A made-up catalogue of errata for many releases, always the same: erratum n brings the ten packages of one source to a new version. And
 * a machine with 2,000 packages that has every erratum of its release but the last ones.
 */
import type { MadeEntry } from './errata-generator.ts';

export const entriesOfRecord = 10;
const releases = 20;
const sourcesOfRelease = 500;
const installedSources = 200;
/** Errata of the machine's release that it has not taken; two of five are of its packages. */
const untaken = 500;
const firstDay = Date.UTC(2019, 0, 1);
const minute = 60_000;
/** Of the machine. */
const ownRelease = 8;

const releaseOf = (n: number) => 1 + (n % releases);
/** Scattered, so that neighbours are of different sources. */
const sourceOf = (n: number) => (Math.floor(n / releases) * 379) % sourcesOfRelease;

const packageOf = (source: number, place: number) => `source${source}-part${place}`;

const versionOf = (source: number, erratum: number) =>
  `${1 + (source % 7)}.${Math.floor(erratum / 1000)}.${erratum % 1000}-${1 + (erratum % 9)}.el8_${erratum % 11}`;

export function madeErratum(n: number): MadeEntry {
  const [release, source] = [releaseOf(n), sourceOf(n)];
  const id = `ALSA-${2019 + Math.floor(n / 150_000)}:${n}`;
  return {
    key: id,
    row: {
      bulletinId: id,
      title: `Important: source${source} security update`,
      osVersion: [`AlmaLinux ${release}`],
      severity: ['Critical', 'Important', 'Moderate', 'Low'][n % 4] ?? null,
      releaseDate: firstDay + n * minute,
    },
    detail: {
      status: 'final',
      packages: Array.from({ length: entriesOfRecord }, (_, place) => ({
        name: packageOf(source, place),
        version: versionOf(source, n),
        architecture: place === 0 ? 'noarch' : 'x86_64',
      })),
    },
  };
}

/** What its tools print, for a catalogue of so many records. */
export function madeInventory(rows: number): string {
  const taken = new Map<number, number>();
  const until = rows - untaken * releases;
  for (let n = 0; n < until; n += 1) if (releaseOf(n) === ownRelease) taken.set(sourceOf(n), n);
  const lines = Array.from({ length: installedSources }, (_, source) =>
    Array.from(
      { length: entriesOfRecord },
      (__, place) =>
        `${packageOf(source, place)} 0:${versionOf(source, taken.get(source) ?? 0)} ${place === 0 ? 'noarch' : 'x86_64'} (none)`,
    ),
  );
  return [`ID="almalinux"\nVERSION_ID="${ownRelease}.9"`, ...lines.flat(), ''].join('\n');
}
