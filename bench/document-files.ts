/** Large generated documents in vendors' formats, and documents in a mirror's folder: updateinfo.xml, AlmaLinux errata, EPSS scores. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { updateinfoFrom } from '@patch/catalogue/testing/rpm-repository-from.ts';
import { madeEntry } from './errata-generator.ts';

export async function writeDocument(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function readFacts(n: number) {
  const { row, detail } = madeEntry(n);
  return {
    id: String(row['bulletinId']),
    title: String(row['title']),
    severity: String(row['severity']),
    category: String(row['category']),
    seconds: Number(row['releaseDate']) / 1000,
    names: row['binaryPkgName'] as readonly string[],
    cves: detail['cve'] as readonly string[],
  };
}

const describe = (cve: string) =>
  `- ${cve}: a crafted file lets naïve users & groups run code when size < 0 or the name is "root"; the length is checked before the copy.\n`;

export interface GeneratedText {
  readonly text: string;
  readonly records: number;
}

/** Returns an updateinfo.xml of about so many characters. */
export function updateinfoText(characters: number): GeneratedText {
  const update = (n: number) => {
    const { id, title, severity, names, cves, seconds } = readFacts(n);
    return {
      id,
      type: 'security',
      title,
      severity,
      issued: new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' '),
      description: cves.map(describe).join(''),
      references: cves.map((cve) => ({ id: cve, type: 'cve', href: `https://v.example/${cve}` })),
      packages: names.flatMap((name) =>
        ['aarch64', 's390x', 'x86_64'].map((arch) => ({
          name,
          version: `1.${n % 90}`,
          release: '1.el9',
          arch,
        })),
      ),
    };
  };
  const sampled = 1000;
  const sample = updateinfoFrom(Array.from({ length: sampled }, (_, n) => update(n))).length;
  const records = Math.ceil((characters / sample) * sampled);
  return { text: updateinfoFrom(Array.from({ length: records }, (_, n) => update(n))), records };
}

/** Publishes errata of AlmaLinux 9 from number `from` on, whose packages are newer than any other unless `version` says which they are. */
export function publishErrata(
  mirror: string,
  from: number,
  count: number,
  version: (n: number) => string = () => '99.0',
): Promise<void> {
  const data = Array.from({ length: count }, (_, index) => {
    const n = from + index;
    const { id, title, severity, category, names, cves, seconds } = readFacts(n);
    const build = `${version(n)}-1.el9`;
    return {
      id,
      issued_date: seconds,
      updated_date: seconds,
      severity,
      title,
      description: title,
      type: category,
      packages: names.map((name, part) => ({
        name,
        epoch: '0',
        version: version(n),
        release: '1.el9',
        arch: 'x86_64',
        src: `${name}-${build}.src.rpm`,
        filename: `${name}-${build}.x86_64.rpm`,
        checksum: (n * 100 + part).toString(16).padStart(64, '0'),
        checksum_type: 'sha256',
        reboot_suggested: 0,
      })),
      modules: [],
      references: cves.map((cve) => ({ id: cve, type: 'cve', href: `https://v.example/${cve}` })),
    };
  });
  const file = join(mirror, 'errata.almalinux.org/9/errata.full.json');
  return writeDocument(file, JSON.stringify({ schema_version: '1.0', data }));
}

export const epssDays = ['first', 'ordinary', 'new model'] as const;

/** An ordinary day changes 3 % of the scores and 62 % of the percentiles, a new model all. CVEs have the names that `madeEntry` gives. */
export function publishEpss(
  mirror: string,
  day: (typeof epssDays)[number],
  count: number,
): Promise<void> {
  const years = 11;
  const isNew = day === 'new model';
  const isOrdinary = day === 'ordinary';
  const lines = Array.from({ length: count }, (_, n) => {
    const base = ((n * 7919) % 90_000) / 100_000;
    const score = isNew ? 0.00007 : isOrdinary && n % 100 < 3 ? 0.0101 : 0;
    const rank = isNew || (isOrdinary && n % 100 < 62) ? 0.00001 : 0;
    const cve = `CVE-${2015 + (n % years)}-${1000 + Math.floor(n / years)}`;
    return `${cve},${(base + score).toFixed(5)},${(base + rank).toFixed(5)}\n`;
  });
  const date = `2026-08-0${epssDays.indexOf(day) + 1}T12:00:00Z`;
  const head = `#model_version:${isNew ? 'v2026.09.01' : 'v2026.06.15'},score_date:${date}\ncve,epss,percentile\n`;
  const file = join(mirror, 'epss.empiricalsecurity.com/epss_scores-current.csv.gz');
  return writeDocument(file, gzipSync(head + lines.join('')));
}
