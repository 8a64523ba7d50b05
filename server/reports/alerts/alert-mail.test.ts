import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { composeAlertMail } from './alert-mail.ts';

/** Reads a value of an address as the console does: as JSON where it is JSON, else as text. */
function readByConsole(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

test.each([
  'kernel',
  'windows server',
  '"windows server" 2022',
  '"windows server"',
  '5034441',
  '1e5',
])('links to the view with the keyword %j', (keyword) => {
  const { body } = composeAlertMail({
    list: getList('almalinux_patch'),
    view: { id: 7, name: 'Mine' },
    search: { criteria: '', keyword, sort: null, columns: null },
    records: [],
    totalCount: 1,
    updateCount: 1,
    risk: [],
    baseUrl: 'https://patch.example.org',
    installation: 'Patch Repository',
  });
  const [address = ''] = /https:\S+view=7/.exec(body) ?? [];
  expect(readByConsole(new URL(address).searchParams.get('keyword') ?? '')).toBe(keyword);
});
