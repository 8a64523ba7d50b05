/** Compares the version order of both package formats with the systems' own programs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dpkgPairs, rpmPairs, type VersionPair } from '../testing/version-pairs.ts';
import { compareDpkgVersions } from './dpkg-version.ts';
import { compareRpmVersions } from './rpm-version.ts';

const isAvailable = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** One pair per line, separated by a tab. */
const toLines = (pairs: readonly VersionPair[]) => pairs.map(([a, b]) => `${a}\t${b}\n`).join('');

function differences(
  pairs: readonly VersionPair[],
  printed: string,
  compare: (a: string, b: string) => number,
): string[] {
  const orders = printed.trim().split('\n').map(Number);
  expect(orders).toHaveLength(pairs.length);
  return pairs.flatMap(([a, b], index) =>
    Math.sign(compare(a, b)) === orders[index] ? [] : [`${a} to ${b}: ${orders[index]}`],
  );
}

const pairCount = 100_000;
/** `dpkg --compare-versions` starts two processes per pair: VERSION_PAIRS=100000 compares all of them, in minutes. */
const dpkgPairCount = Number(process.env['VERSION_PAIRS'] ?? 400);
const seed = 20_261_123;

describe('the systems’ own programs', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'versions-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.skipIf(!isAvailable('perl', ['-MDpkg::Version', '-e', '1']))(
    `orders ${pairCount} generated pairs as dpkg's own library does`,
    () => {
      const pairs = dpkgPairs(pairCount, seed);
      const program =
        'chomp; ($a,$b)=split /\\t/; print version_compare(Dpkg::Version->new($a),Dpkg::Version->new($b)),"\\n"';
      const printed = execFileSync('perl', ['-MDpkg::Version', '-ne', program], {
        input: toLines(pairs),
        maxBuffer: 1e8,
      });
      expect(differences(pairs, printed.toString(), compareDpkgVersions)).toEqual([]);
    },
  );

  test.skipIf(!isAvailable('dpkg', ['--version']))(
    `orders ${dpkgPairCount} generated pairs as dpkg --compare-versions does`,
    () => {
      const pairs = dpkgPairs(dpkgPairCount, seed + 1);
      const file = join(folder, 'dpkg-pairs');
      writeFileSync(file, toLines(pairs));
      const loop = `while IFS="$(printf '\\t')" read -r a b; do
          if dpkg --compare-versions "$a" lt "$b"; then echo -1
          elif dpkg --compare-versions "$a" eq "$b"; then echo 0
          elif dpkg --compare-versions "$a" gt "$b"; then echo 1
          else echo "none for $a and $b"; fi
        done < "$0"`;
      const printed = execFileSync('sh', ['-c', loop, file], { maxBuffer: 1e8 }).toString();
      expect(differences(pairs, printed, compareDpkgVersions)).toEqual([]);
    },
    3_600_000,
  );

  test.skipIf(!isAvailable('rpm', ['--version']))(
    `orders ${pairCount} generated pairs as rpm does`,
    () => {
      const pairs = rpmPairs(pairCount, seed + 2);
      const file = join(folder, 'rpm-pairs');
      writeFileSync(file, toLines(pairs));
      const program = `for line in io.lines("${file}") do
          local a, b = line:match("^(.-)\t(.*)$")
          print(rpm.vercmp(a, b) .. "\\n")
        end`;
      const printed = execFileSync('rpm', ['--eval', `%{lua: ${program}}`], {
        maxBuffer: 1e8,
      }).toString();
      expect(differences(pairs, printed, compareRpmVersions)).toEqual([]);
    },
    600_000,
  );
});
