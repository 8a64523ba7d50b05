import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { plistDictionary, plistMembers } from './plist-values.ts';

const plist = (inner: string) =>
  documentFrom(
    'https://example.org/a.plist',
    `<?xml version="1.0"?>\n<plist version="1.0">${inner}</plist>`,
  );

test('reads values of every kind', async () => {
  const read = await plistDictionary(
    plist(`<dict>
      <key>word</key><string>a &amp; <![CDATA[<b>]]></string>
      <key>empty</key><string/>
      <key>number</key><integer>11507801280</integer>
      <key>huge</key><integer>8040020210811063001</integer>
      <key>half</key><real>0.5</real>
      <key>yes</key><true/><key>no</key><false/>
      <key>day</key><date> 2031-01-02T03:04:05Z </date>
      <key>bytes</key><data> aGk=
      </data>
      <key>list</key><array><string>a</string><array/><dict><key>b</key><integer>1</integer></dict></array>
      <key>__proto__</key><string>text</string>
    </dict>`),
  );
  expect({ ...read, ['__proto__']: undefined }).toMatchObject({
    word: 'a & <b>',
    empty: '',
    number: 11507801280,
    huge: '8040020210811063001',
    half: 0.5,
    yes: true,
    no: false,
    day: '2031-01-02T03:04:05Z',
    list: ['a', [], { b: 1 }],
  });
  expect(Buffer.from(read.bytes as Uint8Array).toString()).toBe('hi');
  expect(Object.entries(read).find(([key]) => key === '__proto__')?.[1]).toBe('text');
});

test('reads the members of one dictionary one by one, a repeated key each time', async () => {
  const document = plist(
    '<dict><key>Other</key><dict><key>x</key><integer>1</integer></dict><key>Products</key><dict><key>a</key><string>1</string><key>b</key><dict><key>Products</key><dict/></dict><key>a</key><array/></dict></dict>',
  );
  expect(await collect(plistMembers(document, 'Products'))).toEqual([
    ['a', '1'],
    ['b', { Products: {} }],
    ['a', []],
  ]);
  await expect(collect(plistMembers(document, 'Absent'))).rejects.toThrow(
    'it has no dictionary "Absent"',
  );
});

test.each([
  ['<dict><string>x</string></dict>', 'a value without a key'],
  ['<array/>', '<array> lies where its outermost dictionary belongs'],
  ['<dict><key>a</key><word>x</word></dict>', '<word> is not a value of a property list'],
  ['<dict><key>Products</key><array/></dict>', '"Products" is not a dictionary'],
  ['<dict><key>Products</key><dict>', 'not well formed'],
  ['', 'it has no outermost dictionary'],
])('refuses %s', async (inner, problem) => {
  await expect(collect(plistMembers(plist(inner), 'Products'))).rejects.toThrow(problem);
});
