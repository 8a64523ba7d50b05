/** Large made-up files in the vendors' formats, the same for the same size: an updateinfo as rpm repositories have it, an index of packages as apt has it. */
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const words =
  'buffer overflow in the parser allows remote attackers to run code when a crafted file is opened by the user & its group'.split(' ');
const packages = ['openssl', 'kernel', 'glibc', 'systemd', 'curl', 'python3', 'postgresql', 'nginx', 'libxml2', 'firefox', 'bind', 'sudo'];
const severities = ['critical', 'important', 'moderate', 'low'];

/** A generator of numbers below its argument, the same row of them each time (xorshift32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Written once; an interrupted writing leaves nothing under the name. */
async function written(path: string, records: (n: number) => string | null, head = '', tail = ''): Promise<void> {
  if (existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  const file = createWriteStream(`${path}.new`);
  file.write(head);
  for (let n = 0; ; n++) {
    const record = records(n);
    if (record === null) break;
    if (!file.write(record)) await once(file, 'drain');
  }
  file.end(tail);
  await once(file, 'close');
  await rename(`${path}.new`, path);
}

/** About so many bytes of XML. */
export async function updateinfoFile(path: string, bytes: number): Promise<number> {
  const random = numbers(42);
  const some = (count: number) => Array.from({ length: count }, () => words[random(words.length)]).join(' ');
  let size = 0;
  await written(
    path,
    (n) => {
      if (size >= bytes) return null;
      const record = advisory(n, random, some);
      size += record.length;
      return record;
    },
    '<?xml version="1.0" encoding="UTF-8"?>\n<updates>\n',
    '</updates>\n',
  );
  return (await stat(path)).size;
}

function advisory(n: number, random: (below: number) => number, some: (count: number) => string): string {
  const name = packages[random(packages.length)] ?? 'bash';
  const id = `openSUSE-SLE-15.6-${2024 + (n % 3)}-${n + 1}`;
  const cves = Array.from({ length: 1 + random(4) }, () => `CVE-202${random(6)}-${1000 + random(50_000)}`);
  const version = `${1 + random(9)}.${random(30)}.${random(20)}`;
  const built = Array.from({ length: 2 + random(6) }, (_, place) => {
    const full = `${name}${['', '-devel', '-libs', '-doc', '-tools', '-debuginfo', '-32bit', '-static'][place] ?? ''}`;
    return `        <package name="${full}" epoch="0" version="${version}" release="150600.${random(90)}.1" arch="x86_64" src="${name}-${version}.src.rpm">
          <filename>${full}-${version}-150600.1.x86_64.rpm</filename>
          <sum type="sha256">${(n * 7919 + place).toString(16).padStart(64, '0')}</sum>
        </package>\n`;
  });
  return `  <update from="maint-coord@example.org" status="stable" type="security" version="1">
    <id>${id}</id>
    <title>Security update for ${name}</title>
    <severity>${severities[random(4)] ?? 'low'}</severity>
    <release>openSUSE Leap 15.6</release>
    <issued date="${1_700_000_000 + n * 60}"/>
    <references>
${cves.map((cve) => `      <reference href="https://www.example.org/security/cve/${cve}/" id="${cve}" title="${cve}: ${some(4).replaceAll('&', '&amp;')}" type="cve"/>`).join('\n')}
    </references>
    <description>This update for ${name} fixes the following issues:

${cves.map((cve) => `- ${cve}: ${some(24).replaceAll('&', '&amp;')} (bsc#${1_200_000 + random(9999)}).`).join('\n')}
</description>
    <pkglist>
      <collection short="leap">
        <name>openSUSE Leap 15.6</name>
${built.join('')}      </collection>
    </pkglist>
  </update>
`;
}

export async function packagesFile(path: string, stanzas: number): Promise<number> {
  const random = numbers(7);
  const some = (count: number) => Array.from({ length: count }, () => words[random(words.length)]).join(' ');
  await written(path, (n) => {
    if (n >= stanzas) return null;
    const source = packages[random(packages.length)] ?? 'bash';
    const version = `${1 + random(9)}.${random(30)}.${random(20)}-${random(9)}ubuntu${random(5)}.${random(9)}`;
    return `Package: ${source}-${n}
Architecture: amd64
Version: ${version}
Priority: optional
Section: libs
Source: ${source}
Origin: Ubuntu
Maintainer: Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>
Bugs: https://bugs.launchpad.net/ubuntu/+filebug
Installed-Size: ${random(9000)}
Depends: libc6 (>= 2.34), libgcc-s1 (>= 3.0), libstdc++6 (>= 5.2), ${source} (= ${version})
Filename: pool/main/${source[0] ?? 'b'}/${source}/${source}-${n}_${version}_amd64.deb
Size: ${1000 + random(9_000_000)}
MD5sum: ${n.toString(16).padStart(32, '0')}
SHA1: ${n.toString(16).padStart(40, '0')}
SHA256: ${n.toString(16).padStart(64, '0')}
Homepage: https://www.example.org/${source}
Description: ${some(6)}
Description-md5: ${(n * 31).toString(16).padStart(32, '0')}

`;
  });
  return (await stat(path)).size;
}
