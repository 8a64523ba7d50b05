/**
 * Made-up advisories as updateinfo.xml has them, after three vendors by turns: SUSE (a package for each architecture, times as numbers), Red Hat
 * and those who rebuild it (modules, checksums, restarts), Oracle (change logs for descriptions). Advisory n depends on n and nothing else.
 */
import { type Chance, chanceOf, oneOf } from '@patch/catalogue/testing/chance.ts';
import { madeSources, phrase } from './made-words.ts';

export const updateinfoHead = '<?xml version="1.0" encoding="UTF-8"?>\n<updates>\n';
export const updateinfoTail = '</updates>\n';

interface Flavour {
  readonly prefix: string;
  readonly release: string;
  readonly architectures: readonly string[];
  readonly date: (time: number) => string;
  /** With modules, checksums and restarts. */
  readonly rich: boolean;
}

const asNumber = (time: number) => String(time / 1000);
const asWords = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
const asDay = (time: number) => new Date(time).toISOString().slice(0, 10);

const flavours: readonly Flavour[] = [
  {
    prefix: 'openSUSE-',
    release: 'openSUSE Leap 15.6',
    architectures: ['aarch64', 'ppc64le', 's390x', 'x86_64'],
    date: asNumber,
    rich: false,
  },
  {
    prefix: 'RHSA-',
    release: 'Enterprise Linux 9',
    architectures: ['x86_64'],
    date: asWords,
    rich: true,
  },
  {
    prefix: 'ELSA-',
    release: 'Oracle Linux 8',
    architectures: ['src', 'x86_64', 'i686'],
    date: asDay,
    rich: false,
  },
];
const parts = [
  '',
  '-devel',
  '-libs',
  '-doc',
  '-tools',
  '-debuginfo',
  '-debugsource',
  '-common',
  '-static',
  '-headers',
  '-minimal',
  '-client',
];
const severities = ['critical', 'Important', 'moderate', 'Low'];
const begin = Date.UTC(2018, 0, 1);
const hour = 3_600_000;

export function madeAdvisory(n: number): string {
  const chance = chanceOf(n);
  const flavour = flavours[n % flavours.length] as Flavour;
  const source = oneOf(madeSources, chance);
  const issued = begin + n * hour;
  const version = `${whole(chance, 9)}.${whole(chance, 30)}.${whole(chance, 20)}`;
  const release = `${whole(chance, 600)}.${whole(chance, 9)}.el9`;
  const cves = Array.from(
    { length: 1 + whole(chance, 5) },
    () => `CVE-${2018 + whole(chance, 8)}-${1000 + whole(chance, 50_000)}`,
  );
  // Most have a handful of packages, a few some dozens.
  const names = Array.from({ length: 1 + Math.floor(chance() ** 5 * 50) }, (_, at) => {
    const round = Math.floor(at / parts.length);
    return `${source}${parts[at % parts.length]}${round === 0 ? '' : round}`;
  });
  const built = names.flatMap((name, at) =>
    flavour.architectures.map((architecture) =>
      packageElement(flavour, name, source, version, release, architecture, n * 1000 + at),
    ),
  );
  const module =
    flavour.rich && chance() < 0.4
      ? `        <module name="${source}" stream="${whole(chance, 20)}" version="80${10 + whole(chance, 80)}020210101010101" context="${hex(n, 8)}" arch="x86_64"/>\n`
      : '';
  return `  <update from="security@vendor.example" status="${flavour.rich ? 'final' : 'stable'}" type="security" version="1">
    <id>${flavour.prefix}${new Date(issued).getUTCFullYear()}:${n + 1}</id>
    <title>${oneOf(severities, chance)}: ${source} security &amp; bug fix update</title>
    <severity>${oneOf(severities, chance)}</severity>
    <release>${flavour.release}</release>
    <issued date="${flavour.date(issued)}"/>
${flavour.rich ? `    <updated date="${flavour.date(issued + hour)}"/>\n    <rights>Copyright &#169; the vendor</rights>\n` : ''}    <references>
${cves.map((cve) => reference(cve, cve, 'cve')).join('')}${cves.map((cve) => reference(String(1_000_000 + whole(chance, 900_000)), `VUL-0: ${cve}: ${source}: ${phrase(6, chance)}`, 'bugzilla')).join('')}    </references>
    <description>This update for ${source} fixes the following issues:

${cves.map((cve) => `- ${cve}: ${phrase(28, chance)} (bsc#${1_000_000 + whole(chance, 900_000)}).\n`).join('')}</description>
    <pkglist>
      <collection short="updates">
        <name>${flavour.release}</name>
${module}${built.join('')}      </collection>
    </pkglist>
  </update>
`;
}

function packageElement(
  { rich }: Flavour,
  name: string,
  source: string,
  version: string,
  release: string,
  architecture: string,
  n: number,
): string {
  const src = rich ? ` src="${source}-${version}-${release}.src.rpm"` : '';
  const sum = rich ? `          <sum type="sha256">${hex(n, 64)}</sum>\n` : '';
  const reboot =
    rich && source === 'kernel' ? '          <reboot_suggested>True</reboot_suggested>\n' : '';
  return `        <package name="${name}" epoch="0" version="${version}" release="${release}" arch="${architecture}"${src}>
          <filename>${name}-${version}-${release}.${architecture}.rpm</filename>
${sum}${reboot}        </package>
`;
}

function reference(id: string, title: string, type: string): string {
  return `      <reference href="https://vendor.example/security/${type}/${id}" id="${id}" title="${title}" type="${type}"/>\n`;
}

function whole(chance: Chance, below: number): number {
  return Math.floor(chance() * below);
}

/** Digits that look like a checksum's: none of them packs well. */
function hex(n: number, digits: number): string {
  const chance = chanceOf(n);
  return Array.from({ length: digits / 8 }, () =>
    Math.floor(chance() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
}
