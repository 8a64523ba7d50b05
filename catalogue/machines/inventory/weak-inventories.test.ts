/** Texts with less information than they seem to have: counts without their list, cut columns, other languages and code pages. */
import { describe, expect, it } from 'vitest';
import { inventoryAdvice } from './inventory-advice.ts';
import { inventoryText } from './inventory-text.ts';
import { readInventory } from './read-inventory.ts';
import { packageWords, readAs } from './testing/read-as.ts';

const getAdviceKinds = (text: string) =>
  inventoryAdvice(readInventory(text)).map(({ kind }) => kind);

const systeminfo = (heading: string, ...entries: string[]) =>
  [
    'Host Name:                 EXAMPLE',
    'OS Name:                   Microsoft Windows 10 Pro',
    'OS Version:                10.0.19045 N/A Build 19045',
    'Processor(s):              1 Processor(s) Installed.',
    '                           [01]: Intel64 Family 6',
    heading,
    ...entries.map((entry, index) => `                           [0${index + 1}]: ${entry}`),
  ].join('\n');

describe('systeminfo', () => {
  it.each([
    ['Hotfix(s):                 5 Hotfix(s) Installed.', ['KB5030211', 'KB5029921'], 3],
    ['修补程序:         安装了 3 个修补程序。', ['KB5030211'], 2],
    ['Correctif(s):              2 Corrections installées.', ['KB5030211', 'KB5029921'], undefined],
    ['Hotfix(s):                 48 Hotfix(s) Installed.', [], 48],
    ['Hotfix(s):                 N/A', [], undefined],
  ])('compares the count of "%s" with the list', (heading, entries, unlisted) => {
    expect(readInventory(`${systeminfo(heading, ...entries)}\n`).machine.unlistedKbs).toBe(
      unlisted,
    );
  });

  it.each(['KB50299', 'KB5', 'K'])('does not read %s, a part of a number', (part) => {
    const text = systeminfo('Hotfix(s):                 2 Hotfix(s) Installed.', 'KB5030211', part);
    const { machine, unreadable } = readInventory(text);
    expect(machine).toMatchObject({ kbs: ['5030211'], unlistedKbs: 1 });
    expect(unreadable.map(({ line }) => line)).toEqual([8]);
    expect(getAdviceKinds(text)).toContain('unlistedHotfixes');
  });

  it.each([
    ['C:\\> powershell "(Get-ItemProperty HKLM:\\CV).UBR"\n1964', '10.0.19045.1964'],
    ['    UBR    REG_DWORD    0x7ac', '10.0.19045.1964'],
    ['1964', '10.0.19045'],
  ])('reads the revision of %j where the registry states it', (lines, build) => {
    const text = `${systeminfo('Hotfix(s):                 1 Hotfix(s) Installed.', 'KB5030211')}\n${lines}\n`;
    expect(readInventory(text).machine.build).toBe(build);
  });

  it('shows a product name in Cyrillic of DOS and of Windows', () => {
    const name = 'Майкрософт Windows Server 2019 Standard';
    const text = systeminfo('Hotfix(s): 1', 'KB5030211').replace('Microsoft Windows 10 Pro', name);
    const dos = Uint8Array.from(text, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code < 0x80 ? code : code - (code < 0x440 ? 0x390 : 0x360);
    });
    const windows = Uint8Array.from(text, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code < 0x80 ? code : code - 0x350;
    });
    for (const bytes of [dos, windows])
      expect(readInventory(inventoryText(bytes)).machine.distribution).toBe(name);
  });
});

describe('dpkg -l', () => {
  const row = (name: string, version: string, width: number) =>
    `ii  ${name.padEnd(width)} ${version.padEnd(width)} amd64        words`;

  it.each([
    ['a version', row('openssh-server', '1:9.2p1-2+deb1', 14), true],
    ['a name', row('linux-image-6.', '6.1.106-3', 14), true],
    ['a version at 100 columns', row('libwebkit2gtk-4.0-3', '2.44.2-1~deb12u1+bp', 19), true],
    ['nothing of a name with its architecture', row('libwebp7:amd64', '1.2.4-0.2', 14), undefined],
    ['nothing of short cells', row('curl', '7.88.1-10', 14), undefined],
    [
      'nothing where columns fit their cells',
      'ii  openssh-server 1:9.2p1-2+deb12u2 amd64  words',
      undefined,
    ],
  ])('detects whether the screen cut %s', (_, line, cut) => {
    const [found] = readAs('dpkg -l', line).packages;
    expect(found?.cut).toBe(cut);
    expect(getAdviceKinds(line).includes('cutColumns')).toBe(cut === true);
  });

  it('recognizes rows of packages that were never installed', () => {
    const text =
      'un  mail-reader  <none>  <none>  (no description available)\nun  awk:any <keine> <keine> (keine Beschreibung vorhanden)\npn  editor  <none>  <none>\n';
    expect(readAs('dpkg -l', text).packages).toEqual([]);
  });
});

describe('winget list', () => {
  const header = [
    'Name                     Id               Version   Available Source',
    '---------------------------------------------------------------------',
  ];
  const table = (...rows: string[]) => readInventory([...header, ...rows, ''].join('\n'));

  it.each([
    [
      'an unknown version',
      'Contoso Agent            ARP\\Contoso      Unknown',
      ['ARP\\Contoso', null],
    ],
    [
      'the word latest',
      'Fabrikam Helper          Fabrikam.Helper  latest',
      ['Fabrikam.Helper', null],
    ],
    [
      'a picture of two columns',
      'Sync 🚀 Agent            Contoso.Sync     2.1',
      ['Contoso.Sync', '2.1'],
    ],
    [
      'a picture in another code page',
      'Sync ≡ƒÜÇ Agent            Contoso.Sync     2.1',
      ['Contoso.Sync', '2.1'],
    ],
    ['a bound', 'Old tool                 Old.Tool         > 1.2', ['Old.Tool', '> 1.2']],
  ])('reads a row with %s, and the rows below', (_, row, expected) => {
    const { machine, unreadableLines } = table(
      row,
      'Git                      Git.Git          2.43.0    2.49.0    winget',
    );
    expect(unreadableLines).toBe(0);
    expect(machine.applications.map(({ identifier, version }) => [identifier, version])).toEqual([
      expected,
      ['Git.Git', '2.43.0'],
    ]);
  });

  it.each(['Mozilla.Firefo…', 'Mozilla.FirefoΓÇª', 'Mozilla.FirefoÔÇª', 'Mozilla.Firefo?'])(
    'does not read the cut identifier %s',
    (identifier) => {
      const { machine, unreadable, troubles } = table(
        `Firefox                  ${identifier}  115.9`,
      );
      expect(machine.applications).toEqual([]);
      expect(unreadable).toHaveLength(1);
      expect(troubles).toContain('cutColumns');
    },
  );
});

describe('rpm', () => {
  it('recognizes keys in every form', () => {
    const keys = [
      'gpg-pubkey-3abb34f8-5ffd890e',
      'gpg-pubkey-3abb34f8-5ffd890e.(none)',
      'gpg-pubkey (none):3abb34f8-5ffd890e (none) (none)',
      '(none):gpg-pubkey-3abb34f8-5ffd890e.(none)',
      'gpg-pubkey|(none)|3abb34f8|5ffd890e|(none)',
    ];
    expect(readAs('rpm', keys.join('\n')).packages).toEqual([]);
  });

  it('reads a missing epoch as 0 when other lines of the form state one', () => {
    const text = 'ID=rocky\nVERSION_ID=8\nbind-32:9.11-26.el8.x86_64\nbash-4.4-1.el8.x86_64\n';
    const { packages } = readInventory(text).machine;
    expect(packages.map(packageWords)).toEqual([
      'bind 32 9.11-26.el8 x86_64',
      'bash 0 4.4-1.el8 x86_64',
    ]);
    expect(getAdviceKinds(text)).toEqual([]);
  });

  it.each([
    [
      'ID=ol\nVERSION_ID=7.9\n',
      'rsyslog-8.24.0-57.0.3.el7_9.3',
      'rsyslog - 8.24.0-57.0.3.el7_9.3 -',
    ],
    ['ID=opensuse-leap\nVERSION_ID=15.5\n', 'bash-4.4-150400.25.22', 'bash - 4.4-150400.25.22 -'],
    [
      'ID=ol\nVERSION_ID=7.9\n5.4.17-2136.el7uek.x86_64\n',
      'curl-7.29.0-59.el7_9.2',
      'curl - 7.29.0-59.el7_9.2 x86_64',
    ],
  ])('reads names without an architecture, %j %s', (system, line, words) => {
    const text = `${system}${line}\n`;
    expect(readInventory(text).machine.packages.map(packageWords)).toEqual([words]);
    expect(getAdviceKinds(text).includes('noArchitectures')).toBe(words.endsWith('-'));
  });
});
