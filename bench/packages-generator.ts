/** Made-up stanzas as an archive's Packages has them; some with a description folded over lines. Stanza n depends on n and nothing else. */
import { chanceOf, oneOf } from '@patch/catalogue/testing/chance.ts';
import { madeSources, plainPhrase } from './made-words.ts';

export function madeStanza(n: number): string {
  const chance = chanceOf(n);
  const whole = (below: number) => Math.floor(chance() * below);
  const source = oneOf(madeSources, chance);
  const version = `${1 + whole(9)}.${whole(30)}.${whole(20)}-${whole(9)}ubuntu${whole(5)}.${whole(9)}`;
  const needs = Array.from(
    { length: 2 + whole(8) },
    () => `lib${oneOf(madeSources, chance)}${whole(9)} (>= ${whole(9)}.${whole(30)})`,
  );
  const folded =
    n % 3 === 0
      ? `${Array.from({ length: 4 }, () => ` ${plainPhrase(10, chance)}\n`).join('')} .\n ${plainPhrase(8, chance)}\n`
      : '';
  return `Package: ${source}-${n}
Architecture: amd64
Version: ${version}
Priority: optional
Section: libs
Source: ${source}${n % 5 === 0 ? ` (${version}+b1)` : ''}
Origin: Ubuntu
Maintainer: Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>
Bugs: https://bugs.launchpad.net/ubuntu/+filebug
Installed-Size: ${whole(9000)}
Depends: ${needs.join(', ')}
Filename: pool/main/${source.charAt(0)}/${source}/${source}-${n}_${version}_amd64.deb
Size: ${1000 + whole(9_000_000)}
MD5sum: ${n.toString(16).padStart(32, '0')}
SHA1: ${n.toString(16).padStart(40, '0')}
SHA256: ${n.toString(16).padStart(64, '0')}
Homepage: https://www.example.org/${source}
Description: ${plainPhrase(6, chance)}
${folded}Description-md5: ${(n * 31).toString(16).padStart(32, '0')}

`;
}
