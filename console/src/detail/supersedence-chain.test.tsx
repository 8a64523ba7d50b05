import { listOfKey } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInRouter } from '../testing/render-in-router.tsx';
import { chainOfRecord } from './chain-of-record.ts';
import { SupersedenceChain } from './supersedence-chain.tsx';

const kbs = listOfKey('patch_repository');
const product = "Windows 11 for 'ARM'";
const day = (n: number) => Date.UTC(2024, 0, n);

const show = async (values: object, found: readonly object[] = []) => {
  const record = { id: 1, kbId: 'KB5000100', productName: product, releaseDate: day(20), ...values } as unknown as WireDetail;
  const chain = chainOfRecord(kbs, record);
  if (chain === null) throw new Error('There is nothing to draw');
  return renderInRouter(<SupersedenceChain list={kbs} record={record} chain={chain} Heading="h2" />, {
    [kbs.searchPath]: { objList: found, totalCount: found.length },
  });
};
const older = Array.from({ length: 12 }, (_, n) => ({
  kbId: `KB50000${10 + n}`,
  relation: n === 11 ? 'Replaced directly' : 'Replaced through others',
  releaseDate: day(n + 1),
  replaces: n === 0 ? [] : [`KB50000${9 + n}`],
}));
const newer = [
  { kbId: 'KB5000300', relation: 'Replaces it through others', releaseDate: day(30), replaces: ['KB5000200'] },
  { kbId: 'KB5000200', relation: 'Replaces it directly', releaseDate: day(25), replaces: ['KB5000100'] },
];
const stepOf = (name: string) => within(screen.getByRole('list', { name }));

test('an ordered list from the oldest to the one to install, long steps folded', async () => {
  await show({ kbIdToBeInstalled: 'KB5000300', supersedence: [...newer, ...older] });
  const chain = await screen.findByRole('list', { name: 'From the oldest to the newest' });
  expect([...chain.children].map((step) => step.querySelector('p')?.textContent)).toEqual([
    'Replaced through others',
    'Replaced directly',
    'This one',
    'Replaces it directly',
    'To install instead',
  ]);
  expect(screen.getByText(/is out of date/).textContent).toBe(
    `KB5000100 is out of date on ${product}: KB5000300 replaces it through others and is the one to install. This one replaces 12 older ones.`,
  );
  const through = stepOf('Replaced through others');
  expect(through.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['KB5000018', 'KB5000019', 'KB5000020']);
  expect(through.getByText('by KB5000021')).toBeTruthy();
  fireEvent.click(through.getByRole('button', { name: '8 older ones' }));
  expect(through.getAllByRole('link')).toHaveLength(11);
  fireEvent.click(through.getByRole('button', { name: 'Fold 8 older ones' }));
  expect(through.getAllByRole('link')).toHaveLength(3);
  expect(stepOf('This one').getByText('KB5000100').closest('[aria-current]')).toBeTruthy();
  expect(stepOf('To install instead').getByText('replaces KB5000200')).toBeTruthy();
  const lines = [...chain.querySelectorAll('[data-line]')].map((line) => line.getAttribute('data-line'));
  expect(lines).toEqual(['through others', 'directly', 'directly', 'through others']);
});

test('each leads to the record of the same product, or to all that names it', async () => {
  const found = [
    { id: 42, kbId: 'KB5000200' },
    { id: 43, kbId: 'KB5000300' },
    { id: 44, kbId: 'KB5000300' },
  ];
  const { asked } = await show({ kbIdToBeInstalled: 'KB5000300', supersedence: newer }, found);
  const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  await waitFor(() => expect(href('KB5000200')).toBe('/patch-repository/record/42'));
  // Two records have the name.
  expect(href('KB5000300')).toBe('/patch-repository/identifier/KB5000300');
  expect(asked).toEqual([
    {
      method: 'POST',
      path: kbs.searchPath,
      body: { filter: "lower(kbId) in ('kb5000200','kb5000300') and lower(productName) = 'windows 11 for ''arm'''" },
    },
  ]);
});

test('the newest says so, and asks for nothing when it is alone', async () => {
  const { asked } = await show({ kbIdToBeInstalled: 'KB5000100', supersedence: [] });
  expect((await screen.findByText(/is the newest/)).textContent).toBe(
    `KB5000100 is the newest on ${product}: nothing that is known replaces it.`,
  );
  expect(screen.queryByRole('list')).toBeNull();
  expect(asked).toEqual([]);
});

test('the newest of a chain is marked as the one to install', async () => {
  await show({ kbIdToBeInstalled: 'KB5000100', supersedence: older.slice(11) });
  expect(await screen.findByRole('list', { name: 'This one · install it' })).toBeTruthy();
  expect(screen.getByText(/is the newest/).textContent).toContain('This one replaces one older one.');
});

test('without a word on what to install, those that replace it are told', async () => {
  await show({ supersedence: newer });
  expect((await screen.findByText(/is replaced on/)).textContent).toBe(
    `KB5000100 is replaced on ${product} by 2 newer ones, the last of which is KB5000300.`,
  );
});

test('where the one to install is not told, the newest is in sight', async () => {
  const many = Array.from({ length: 7 }, (_, n) => ({
    kbId: `KB500020${n}`,
    relation: 'Replaces it directly',
    releaseDate: day(n + 1),
    replaces: [],
  }));
  await show({ supersedence: many });
  await screen.findByRole('list', { name: 'Replaces it directly' });
  const step = stepOf('Replaces it directly');
  expect(step.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['KB5000204', 'KB5000205', 'KB5000206']);
  expect(step.getByRole('button', { name: '4 earlier ones' })).toBeTruthy();
});
