/** Texts as people paste them: several outputs together, in odd encodings, with prompts and noise. */
import { expect, test } from 'vitest';
import { createChance, pick } from '../../testing/chance.ts';
import { inventoryText, maxInventoryBytes } from './inventory-text.ts';
import { readInventory } from './read-inventory.ts';
import { hostileNames, readHostile } from './testing/hostile-inventories.ts';

test('reads outputs of several tools from one text', () => {
  const { machine, understood, unreadable } = readInventory(`[root@host ~]# cat /etc/os-release
NAME="Rocky Linux"
ID="rocky"
VERSION_ID="8.4"
[root@host ~]# uname -r
4.18.0-305.3.1.el8_4.x86_64
[root@host ~]# rpm -qa
bash-4.4.20-1.el8_4.x86_64
\u001b[1mglibc-2.28-151.el8.i686\u001b[0m
this line has another format
glibc-2.28-151.el8.x86_64
[root@host ~]#
`);
  expect(machine).toMatchObject({
    platform: 'linux',
    distribution: 'rocky',
    release: '8.4',
    architecture: 'x86_64',
    kernel: '4.18.0-305.3.1.el8_4.x86_64',
  });
  expect(machine.packages).toHaveLength(3);
  expect(understood).toEqual([
    { format: 'command line', lines: 4 },
    { format: 'os-release', lines: 3 },
    { format: 'uname', lines: 1 },
    { format: 'rpm', lines: 3 },
  ]);
  expect(unreadable).toEqual([
    { line: 10, text: 'this line has another format', reason: 'No known format of an inventory' },
  ]);
});

test('reads JSON between other lines', () => {
  const json = JSON.stringify([{ HotFixID: 'KB5034441' }], null, 2);
  const { machine, understood, unreadable } = readInventory(
    `PS C:\\> Get-HotFix | ConvertTo-Json\r\n${json.replaceAll('\n', '\r\n')}\r\nMicrosoft Windows [Version 10.0.19045.6456]\r\n{"broken": \r\nKB5031455\r\n`,
  );
  expect(machine).toMatchObject({ build: '10.0.19045.6456', kbs: ['5034441', '5031455'] });
  expect(understood).toContainEqual({ format: 'Get-HotFix', lines: 5 });
  expect(unreadable).toEqual([
    { line: 8, text: '{"broken":', reason: 'No known format; JSON must be complete' },
  ]);
});

const sample = 'ProductName:\t\tmacOS\nProductVersion:\t\t15.7.5\nBuildVersion:\t\t24G624\n';

test.each([
  ['UTF-8', Buffer.from(sample)],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${sample}`)],
  ['UTF-16', Buffer.from(sample, 'utf16le')],
  ['UTF-16 with its mark', Buffer.from(`\uFEFF${sample}`, 'utf16le')],
  ['UTF-16 of the other byte order', Buffer.from(`\uFEFF${sample}`, 'utf16le').swap16()],
  ['UTF-16 of the other byte order without its mark', Buffer.from(sample, 'utf16le').swap16()],
  ['CRLF', Buffer.from(sample.replaceAll('\n', '\r\n'))],
  ['CR', Buffer.from(sample.replaceAll('\n', '\r'))],
])('reads %s', (_, bytes) => {
  const { machine, unreadable } = readInventory(inventoryText(bytes));
  expect(unreadable).toEqual([]);
  expect(machine).toMatchObject({ release: '15.7.5', build: '24G624' });
});

test('reads ASCII values of any code page', () => {
  const text = Buffer.concat([
    Buffer.from('Versi'),
    Buffer.from([0xa2]),
    Buffer.from('n:  10.0.17763 N/D Build 17763\n'),
  ]);
  expect(readInventory(inventoryText(text)).machine.build).toBe('10.0.17763');
});

test('reports a text about two machines', () => {
  const { machine, unreadable } = readInventory(
    'ID=debian\nVERSION_ID="11"\nID=debian\nVERSION_ID="12"\n',
  );
  expect(machine.release).toBe('11');
  expect(unreadable).toEqual([
    {
      line: 4,
      text: 'VERSION_ID="12"',
      reason: 'The text already names release 11; check one machine at a time',
    },
  ]);
});

test('counts every line, whatever ends it', () => {
  const chance = createChance(4);
  for (let number = 0; number < 300; number += 1) {
    const lines = Array.from({ length: 6 }, (_, index) =>
      pick([`wick-1.${index}-1.el8.x86_64`, `a note: ${index}!`, `KB503445${index}`], chance),
    );
    const text = lines.map((line) => line + pick(['\n', '\r\n', '\r\r\n', '\r'], chance)).join('');
    const expected = readInventory(`${lines.join('\n')}\n`);
    const reading = readInventory(text);
    const { unreadable } = reading;
    expect({ text, ...reading }).toEqual({ text, ...expected });
    expect(unreadable.map(({ line }) => lines[line - 1])).toEqual(
      lines.filter((line) => line.startsWith('a note')),
    );
  }
});

test('reads the line that a terminal wrote over another one', () => {
  const { machine, unreadable } = readInventory('Reading 10%\rwick-1.1-1.el8.x86_64\r\n');
  expect(machine.packages).toMatchObject([{ name: 'wick' }]);
  expect(unreadable).toMatchObject([{ line: 1, text: 'Reading 10%' }]);
});

test('counts every line, and shortens the first unreadable ones', () => {
  const noise = Array.from({ length: 3000 }, (_, index) => `noise ${index} ${'x'.repeat(300)}`);
  const { understood, unreadable, unreadableLines } = readInventory(
    [...noise, 'KB5034441'].join('\n'),
  );
  expect(understood).toEqual([{ format: 'KB numbers', lines: 1 }]);
  expect(unreadableLines).toBe(3000);
  expect(unreadable.length).toBeLessThan(1000);
  expect(unreadable.every(({ text }) => text.length <= 201)).toBe(true);
});

test('ignores members of an object’s prototype', () => {
  const { machine } = readInventory(
    `{"__proto__": {"HotFixID": "KB1111111", "polluted": true}, "constructor": {"prototype": {"polluted": true}}}
{"bomFormat": "CycloneDX", "components": [{"__proto__": {"purl": "pkg:deb/debian/x@1"}, "purl": {"toString": 1}}]}`,
  );
  expect(machine).toMatchObject({ kbs: [], packages: [] });
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('refuses a text beyond its limit', () => {
  expect(() => readInventory('x'.repeat(maxInventoryBytes + 1))).toThrow(/at most 5242880/);
});

test.each(hostileNames)('reads half a megabyte of %s to its end', (name) => {
  const { counted, lines } = readHostile(name, 500_000);
  expect(counted).toBeLessThanOrEqual(lines);
});

test('reads 100,000 lines, and reports that it stopped there', () => {
  const line = (index: number) => `package-${index}-1.1-1.el8.x86_64\n`;
  const text = Array.from({ length: 100_010 }, (_, index) => line(index)).join('');
  const { machine, unreadable, unreadableLines } = readInventory(text);
  expect(machine.packages).toHaveLength(100_000);
  expect(unreadableLines).toBe(10);
  expect(unreadable[0]).toMatchObject({
    line: 100_001,
    reason: 'Only the first 100,000 lines are read',
  });
});

test('reads any mutation of an inventory', () => {
  const text = `ID=debian\nVERSION_ID="11"\n5.10.0-8-amd64\nii  bash  5.1-2  amd64  shell\nHotFixID\nKB5034441\nbash-4.4-1.el8.x86_64\nOS Version:  10.0.17763 N/A Build 17763\n{"bomFormat":"CycloneDX","components":[{"purl":"pkg:deb/debian/x@1?arch=all"}]}\nName  Id  Version\n--------------------\nGit  Git.Git  2.40\n`;
  const chance = createChance(14);
  const units = [
    '\n',
    '\t',
    ' ',
    '{',
    '"',
    ':',
    '-',
    '.',
    '\u001b[',
    '\uFEFF',
    '[',
    ']',
    '%',
    '\\',
    '\u0000',
    'KB1234567',
    'é',
  ];
  for (let number = 0; number < 1000; number += 1) {
    let mutated = text;
    for (let changes = 0; changes < 4; changes += 1) {
      const at = Math.floor(chance() * mutated.length);
      const removed = Math.floor(chance() * chance() * 40);
      mutated = mutated.slice(0, at) + pick(units, chance) + mutated.slice(at + removed);
    }
    const { understood, unreadableLines } = readInventory(mutated);
    const counted = understood.reduce((sum, { lines }) => sum + lines, unreadableLines);
    const lines = mutated.split('\n').length;
    expect([mutated, counted > 0 && counted <= lines + 1]).toEqual([mutated, true]);
  }
});
