/**
 * Counts the records of the feed mirror's documents with patterns over their text, not with the product's readers:
 * npm run count-mirror. Beside what `npm run catalogue` prints, it tells whether a reader loses records.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

const mirror = join(import.meta.dirname, '..', '..', 'shared', 'feed-mirror');
if (!existsSync(mirror)) {
  process.stderr.write('There is no ../shared/feed-mirror beside the project to count.\n');
  process.exit(1);
}

const files = (pattern: string) => globSync(pattern, { cwd: mirror }).toSorted();

function textOf(file: string): string {
  const path = join(mirror, file);
  if (file.endsWith('.gz')) return gunzipSync(readFileSync(path)).toString();
  if (file.endsWith('.zst')) return zstdDecompressSync(readFileSync(path)).toString();
  if (/\.(bz2|xz)$/.test(file))
    return execFileSync(file.endsWith('.xz') ? 'xz' : 'bzip2', ['-dc', path], {
      maxBuffer: 1 << 30,
    }).toString();
  return readFileSync(path, 'utf8');
}

const matches = (pattern: string, expression: RegExp) =>
  files(pattern).flatMap((file) =>
    [...textOf(file).matchAll(expression)].map((found) => ({ file, found: found[1] ?? found[0] })),
  );
const distinct = (found: readonly { readonly found: string }[]) =>
  new Set(found.map((each) => each.found)).size;

const kbs = matches(
  'api.msrc.microsoft.com/cvrf/v3.0/cvrf/*',
  /<vuln:Remediation\s+Type="Vendor Fix">\s*<vuln:Description>\s*(?:KB)?(\d{6,7})\s*<\/vuln:Description>/g,
);
const alma = matches(
  'errata.almalinux.org/*/errata.full.json',
  /"(AL[SBE]A-\d{4}:\w+)", ?"issued_date"/g,
);
const notices = matches(
  'ubuntu.com/security/notices.json@*',
  /"id": ?"((?:USN|LSN|SSN)-[\d-]+)", ?"instructions"/g,
);
const rocky = matches(
  'apollo.build.resf.org/api/v3/advisories/index.json@page=*',
  /"name": ?"(RL[SBEX]A-\d{4}:\d+)"/g,
);
const oracle = matches('yum.oracle.com/repo/OracleLinux/*/**/*updateinfo.xml*', /<update[\s>]/g);
const suse = matches(
  'download.opensuse.org/update/leap/*/*/repodata/*updateinfo.xml*',
  /<update[\s>]/g,
);
const cefs = matches('cefs.steve-meier.de/errata.latest.xml.bz2', /<CE[SBE]A-\d{4}--\w+[\s>]/g);
const debian = matches(
  'salsa.debian.org/**/list',
  /^[\t ]+\[\w+\][\t ]+-[\t ]+\S+[\t ]+[^\s<]\S*/gm,
);
const ubuntuPackages = matches(
  '{security,archive}.ubuntu.com/ubuntu/dists/*/*/binary-*/Packages',
  /^Package: /gm,
);
const pardusPackages = matches(
  'depo.pardus.org.tr/*/dists/*/*/binary-*/Packages.gz',
  /^Package: /gm,
);
const macProducts = matches(
  'swscan.apple.com/content/catalogs/others/index-26-*.sucatalog',
  /<key>PostDate<\/key>/g,
);

const lines: readonly (readonly [string, string, number])[] = [
  ['wsus', 'distinct KB numbers of vendor fixes in the CVRF documents', distinct(kbs)],
  ['almaLinux', 'errata in errata.full.json of each release', alma.length],
  ['ubuntu', 'distinct notices on the pages of notices.json', distinct(notices)],
  ['ubuntu', 'stanzas in the Packages files', ubuntuPackages.length],
  ['rockyLinux', 'distinct advisories on the pages of the API', distinct(rocky)],
  ['oracleLinux', 'update elements in the updateinfo files', oracle.length],
  ['opensuse', 'update elements in the updateinfo files of Leap', suse.length],
  ['centOs', 'errata elements in the CEFS document', cefs.length],
  ['debian', 'lines with a fixed version in the DSA and DLA lists', debian.length],
  ['pardus', 'stanzas in the Packages files', pardusPackages.length],
  ['mac', 'products in the merged catalogue', macProducts.length],
];
process.stdout.write('| source | what is counted | records |\n|---|---|--:|\n');
for (const [source, what, count] of lines)
  process.stdout.write(`| ${source} | ${what} | ${count.toLocaleString('en')} |\n`);
