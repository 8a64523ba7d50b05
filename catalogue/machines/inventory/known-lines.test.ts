/** Reading with known lines must give the same result as reading without, wherever the lines stand. */
import { expect, test } from 'vitest';
import { createChance, pick } from '../../testing/chance.ts';
import { KnownLines } from './known-lines.ts';
import { readInventory } from './read-inventory.ts';

const blocks = [
  'bash 0:5.1.8-6.el9 x86_64 (none)',
  'perl-libs 4:5.26.3-422.el8 x86_64 perl:5.26:8040020210:c0ffee',
  'kernel-core-5.14.0-70.el9.x86_64',
  'kernel-core-5.14.0-162.el9.x86_64',
  'bash-4.4.19-1.el8.x86_64',
  'bind-libs-32:9.11.36-1.el8.x86_64',
  '32:bind-utils-9.11.36-1.el8.x86_64',
  'bind|32:9.11.36-1.el8|x86_64',
  'less 590 1.el8 (none) x86_64',
  'less 590 150400.3.6.2 0 x86_64',
  'tzdata-2024a-1.el8',
  'tzdata-1:2024a-1.el8',
  'tzdata-2024a-1.el8.noar',
  'bash-5.1.8-6.el9.x86_64   Thu 14 Mar 2024 10:11:12 AM UTC',
  'bash.x86_64  5.1.8-6.el9  @baseos',
  'Installed Packages\nxorg-x11-fonts-ISO8859-1-75dpi.noarch',
  '      7.5-19.el8      @appstream',
  'xorg-x11-fonts-ISO8859-1-75dpi.noarch\n      7.5-19.el8\n      @appstream',
  'gpg-pubkey-fd431d51-4ae0493b.(none)',
  'openssl 3.0.11-1~deb12u2 amd64 ii  openssl 3.0.11-1~deb12u2',
  'libssl3:amd64 3.0.11-1~deb12u2 amd64 ii openssl 3.0.11-1~deb12u2',
  'vim 2:9.0.1378-2 amd64 rc vim 2:9.0.1378-2',
  'ii  curl  7.88.1-10+deb12u5  amd64  command line tool',
  'Souhait=inconnU/Installé/suppRimé\n| État=Non/Installé\n|/ Err?=(aucune)',
  '||/ Nom  Version  Architecture  Description\n+++-====-====-====-====',
  'ii  wick  1.0-1  amd64  loads things ...',
  'Installed some-thing noarch',
  'wick|1.0-1|noarch|wick:1',
  '--+--+--+--',
  'Loading repository data...',
  'S | Name | Type | Version | Arch | Repository\n--+------+------+---------+------+-----------\ni | bash | package | 5.1-1 | x86_64 | Main',
  'zlib1g 1:1.2.13.dfsg-1',
  'bash/stable,now 5.2.15-2+b2 amd64 [installed]',
  'Listing...',
  'ID="almalinux"\nVERSION_ID="9.4"',
  'ID=debian\nVERSION_ID="12"',
  '5.14.0-427.13.1.el9_4.x86_64',
  'Host Name:   WEB-1\nOS Name:   Microsoft Windows Server 2022 Standard\nOS Version:   10.0.20348 N/A Build 20348',
  'Name Id Version Source\n--------------------------\nGit Git.Git 2.40 winget',
  '--------------------------------',
  'Name   Identifier   Version',
  'HotFixID  Description\nKB5034122 Update',
  'KB5036909',
  '[root@web ~]# rpm -qa',
  'what is this line?',
  'label: value',
  'label:',
  '\u001b[31mbash-5.1.8-6.el9.x86_64\u001b[0m',
  'progress\rcurl-7.76.1-29.el9.x86_64',
  '{"Source":"x","HotFixID":"KB5036909"}',
];

test('reads equal lines alike in every text', () => {
  const known = new KnownLines();
  let packages = 0;
  for (let seed = 1; seed <= 3000; seed += 1) {
    const chance = createChance(seed);
    const count = 1 + Math.floor(chance() * 14);
    const text = Array.from({ length: count }, () => pick(blocks, chance)).join('\n');
    const complete = chance() < 0.5 ? `${text}\n` : text;
    const expected = readInventory(complete);
    packages += expected.machine.packages.length;
    expect({ seed, ...readInventory(complete, known) }).toEqual({ seed, ...expected });
  }
  expect(packages).toBeGreaterThan(3000);
});

test('returns the identical package for a known line', () => {
  const known = new KnownLines();
  const line = 'bash 0:5.1.8-6.el9 x86_64 (none)\n';
  readInventory(line, known);
  const [one, other] = [readInventory(line, known), readInventory(`a note\n${line}`, known)];
  expect(one.machine.packages[0]).toBe(other.machine.packages[0]);
});

test('knows in each text that its lines state epochs', () => {
  const known = new KnownLines();
  const text = 'bash-4.4.19-1.el8.x86_64\nbind-libs-32:9.11.36-1.el8.x86_64\n';
  const epochs = () => readInventory(text, known).machine.packages.map(({ epoch }) => epoch);
  expect([epochs(), epochs(), epochs()]).toEqual([
    ['0', '32'],
    ['0', '32'],
    ['0', '32'],
  ]);
});
