/** What made-up advisories and packages are of, and the prose of their descriptions. */
import { type Chance, oneOf } from '@patch/catalogue/testing/chance.ts';

export const madeSources: readonly string[] =
  'openssl kernel glibc systemd curl python3 postgresql nginx libxml2 firefox bind sudo samba php nodejs git vim grub2 qemu-kvm libreoffice'.split(
    ' ',
  );

/** Some as XML writes them. */
const words =
  'buffer overflow in the parser allows remote attackers to run code when a crafted file is opened by user &amp; group if size &lt; 0 or name is &quot;root&quot; fixed naïve Müller&#8217;s check of length before copy'.split(
    ' ',
  );
const plain = words.filter((word) => !word.includes('&'));

/** To stand in XML: entities and characters beyond ASCII among it. */
export function phrase(count: number, chance: Chance): string {
  return Array.from({ length: count }, () => oneOf(words, chance)).join(' ');
}

/** Without anything that XML would have to escape. */
export function plainPhrase(count: number, chance: Chance): string {
  return Array.from({ length: count }, () => oneOf(plain, chance)).join(' ');
}
