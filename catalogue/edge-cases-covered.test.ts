/** Every file of the mirror's edge cases has a test that reads it. A new one fails here until its test is written and named in the table. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from './testing/describe-with-mirror.ts';

/** By file or folder of the edge cases, the longest that fits. */
const tests: Readonly<Record<string, string>> = {
  debian: 'catalogue/vendors/debian/debian-mirror.test.ts',
  'rpm/all-fields-missing.xml.xz': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/ampersands.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/bad-id/repodata/badid-updateinfo.xml.gz': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/bad-id': 'catalogue/parsers/repomd-data.test.ts',
  'rpm/cefs-minified-attributes.xml': 'catalogue/vendors/centos/centos-mirror.test.ts',
  'rpm/cefs-x-id.xml': 'catalogue/vendors/centos/centos-mirror.test.ts',
  'rpm/checksum-mismatch': 'catalogue/parsers/repomd-data.test.ts',
  'rpm/corrupt-crc/repodata/corrupt-updateinfo.xml.gz':
    'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/corrupt-crc': 'catalogue/parsers/repomd-data.test.ts',
  'rpm/dates.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/decompress': 'catalogue/parsers/decompress.test.ts',
  'rpm/duplicates': 'catalogue/schemas/updateinfo-merge.test.ts',
  'rpm/entity-expansion.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/href-absolute-repomd.xml': 'catalogue/parsers/repomd.test.ts',
  'rpm/href-dotdot-repomd.xml': 'catalogue/parsers/repomd.test.ts',
  'rpm/href-file-repomd.xml': 'catalogue/parsers/repomd.test.ts',
  'rpm/issued-as-text.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/legacy/alma-errata.json': 'catalogue/vendors/almalinux/almalinux-mirror.test.ts',
  'rpm/legacy/suse-10.2-patch-openssl-2349.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/legacy/suse-10.2-patches.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/legacy/suse-10.2-repomd.xml': 'catalogue/parsers/repomd.test.ts',
  'rpm/mangled-dates.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/markup-in-description.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/missing-issued.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/modules': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/namespaced.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/open-size-bomb': 'catalogue/parsers/repomd-data.test.ts',
  'rpm/oracle-oval': 'catalogue/vendors/oraclelinux/oracle-oval.test.ts',
  'rpm/pulp': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/re-release.xml': 'catalogue/schemas/updateinfo-merge.test.ts',
  'rpm/reboot-suggested.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/repomd-empty.xml': 'catalogue/parsers/repomd.test.ts',
  'rpm/repomd-no-updateinfo.xml': 'catalogue/parsers/repomd.test.ts',
  'rpm/repomd-payload-404.xml': 'catalogue/parsers/repomd-data.test.ts',
  'rpm/retracted.xml': 'catalogue/schemas/updateinfo-entry.test.ts',
  'rpm/rocky-v3-last-page.json': 'catalogue/vendors/rockylinux/rockylinux-mirror.test.ts',
  'rpm/severity-spellings.xml': 'catalogue/schemas/updateinfo-entry.test.ts',
  'rpm/signed-repomd': 'catalogue/parsers/repomd-signature.test.ts',
  'rpm/suse-modern-shape.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/suse-repomd-no-open-size': 'catalogue/parsers/repomd-data.test.ts',
  'rpm/suse-repomd-zst-without-updateinfo.xml': 'catalogue/parsers/repomd.test.ts',
  'rpm/tr-in-title.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/truncated-updateinfo.xml.gz': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/updateinfo-empty.xml': 'catalogue/parsers/updateinfo-edge-cases.test.ts',
  'rpm/upper-case': 'catalogue/parsers/repomd-data.test.ts',
  'rpm/zchunk': 'catalogue/parsers/repomd-data.test.ts',
  'ubuntu/cves-page-real.json': 'catalogue/vendors/ubuntu/ubuntu-edge-cases.test.ts',
  'ubuntu/notices-page-real.json': 'catalogue/vendors/ubuntu/ubuntu-edge-cases.test.ts',
  'ubuntu/osv': 'catalogue/vendors/ubuntu/ubuntu-edge-cases.test.ts',
  'ubuntu/usn-database-all.json.bz2': 'catalogue/vendors/ubuntu/ubuntu-packages-mirror.test.ts',
  'windows/cab-samples': 'catalogue/parsers/cabinet.test.ts',
  'windows/language_map.json': 'server/records/details/language-map-routes.test.ts',
  'windows/msrc-json': 'catalogue/vendors/windows/msrc-edge-cases.test.ts',
  'windows/overlay-small-cab': 'catalogue/vendors/windows/odd-scan-files.test.ts',
  'windows/update-xml/GetConfigData-language-map-response.xml':
    'server/records/details/language-map-routes.test.ts',
  'windows/update-xml': 'catalogue/vendors/windows/odd-scan-files.test.ts',
};

/** A test names the file; of a repository that it reads as a whole, the folder. */
function whyNotTested(file: string): string | null {
  const places = [
    file,
    ...[...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index)).toReversed(),
  ];
  const place = places.find((candidate) => Object.hasOwn(tests, candidate));
  if (place === undefined) return `${file} has no test in the table`;
  const address = tests[place] ?? '';
  const url = new URL(`../${address}`, import.meta.url);
  if (!existsSync(url)) return `${file}: there is no ${address}`;
  const code = readFileSync(url, 'utf8');
  const named =
    code.includes(basename(file)) ||
    (file.includes('/repodata/') && code.includes(basename(place)));
  return code.includes('edge-cases') && named ? null : `${file}: ${address} does not name it`;
}

describeWithMirror('the edge cases', () => {
  const folder = new URL('edge-cases/', feedMirror);
  // What says what the files are.
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.pathname.length));

  test('each has a test that names it', () => {
    expect(files.length).toBeGreaterThan(80);
    expect(files.map(whyNotTested).filter((reason) => reason !== null)).toEqual([]);
  });

  test('the table names nothing that is not there', () => {
    const there = new Set(
      files.flatMap((file) =>
        file.split('/').map((_, steps, all) => all.slice(0, steps + 1).join('/')),
      ),
    );
    expect(Object.keys(tests).filter((place) => !there.has(place))).toEqual([]);
  });
});
