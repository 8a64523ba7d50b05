import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail, WireRow } from '@patch/contract/base/row-schema.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentCalls } from '../testing/fake-api.ts';
import { person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { readChain } from './chain-of-record.ts';
import { SupersedenceChain } from './supersedence-chain.tsx';

const kbs = getList('patch_repository');
const product = "Windows 11 for 'ARM'";
const day = (n: number) => Date.UTC(2024, 0, n);

const show = async (values: object, found: readonly WireRow[] = []) => {
  const record = {
    id: 1,
    kbId: 'KB5000100',
    productName: product,
    releaseDate: day(20),
    ...values,
  } as unknown as WireDetail;
  const chain = readChain(kbs, record);
  if (chain === null) throw new Error('There is nothing to draw');
  return renderInApp(<SupersedenceChain list={kbs} record={record} chain={chain} Heading="h2" />, {
    replies: [reply(searchEndpoint(kbs), { objList: found, totalCount: found.length })],
  });
};
const older = Array.from({ length: 12 }, (_, n) => ({
  kbId: `KB50000${10 + n}`,
  relation: n === 11 ? 'Replaced directly' : 'Replaced through others',
  releaseDate: day(n + 1),
  replaces: n === 0 ? [] : [`KB50000${9 + n}`],
}));
const newer = [
  {
    kbId: 'KB5000300',
    relation: 'Replaces it through others',
    releaseDate: day(30),
    replaces: ['KB5000200'],
  },
  {
    kbId: 'KB5000200',
    relation: 'Replaces it directly',
    releaseDate: day(25),
    replaces: ['KB5000100'],
  },
];
const getStep = (name: string) => within(screen.getByRole('list', { name }));

test('shows steps from the oldest update to the one to install and folds long ones', async () => {
  await show({ kbIdToBeInstalled: 'KB5000300', supersedence: [...newer, ...older] });
  const chain = await screen.findByRole('list', { name: 'Oldest to newest' });
  expect([...chain.children].map((step) => step.querySelector('p')?.textContent)).toEqual([
    'Superseded indirectly',
    'Superseded directly',
    'This update',
    'Supersedes it directly',
    'Install instead',
  ]);
  expect(screen.getByText(/is superseded on/).textContent).toBe(
    `KB5000100 is superseded on ${product}; install KB5000300 instead. It supersedes 12 older updates.`,
  );
  const through = getStep('Superseded indirectly');
  expect(through.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'KB5000018',
    'KB5000019',
    'KB5000020',
  ]);
  expect(through.getByText('by KB5000021')).toBeTruthy();
  await person.click(through.getByRole('button', { name: '8 older updates' }));
  expect(through.getAllByRole('link')).toHaveLength(11);
  await person.click(through.getByRole('button', { name: 'Hide 8 older updates' }));
  expect(through.getAllByRole('link')).toHaveLength(3);
  expect(getStep('This update').getByText('KB5000100').closest('[aria-current]')).toBeTruthy();
  expect(getStep('Install instead').getByText('supersedes KB5000200')).toBeTruthy();
  const lines = [...chain.querySelectorAll('[data-line]')].map((line) =>
    line.getAttribute('data-line'),
  );
  expect(lines).toEqual(['through others', 'directly', 'directly', 'through others']);
});

test('links each update to its record, or to all records that mention an ambiguous one', async () => {
  const found = [
    { id: 42, kbId: 'KB5000200' },
    { id: 43, kbId: 'KB5000300' },
    { id: 44, kbId: 'KB5000300' },
  ];
  await show({ kbIdToBeInstalled: 'KB5000300', supersedence: newer }, found);
  const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  await waitFor(() => expect(href('KB5000200')).toBe('/patch-repository/record/42'));
  // Two records have this name.
  expect(href('KB5000300')).toBe('/patch-repository/identifier/KB5000300');
  expect(sentCalls()).toMatchObject([
    {
      method: 'POST',
      path: kbs.searchPath,
      body: {
        filter:
          "lower(kbId) in ('kb5000200','kb5000300') and lower(productName) = 'windows 11 for ''arm'''",
      },
    },
  ]);
});

test('shows the evidence without a tick when no successor is known', async () => {
  const installEvidence =
    'Of 33 updates of its line on branch 10.0.20348 it has the highest fixed build. No successor is known.';
  await show({
    kbIdToBeInstalled: 'KB5000100',
    supersedence: [],
    installEvidence,
  });
  const summary = await screen.findByText(/has no known successor/);
  expect(summary.textContent).toBe(`KB5000100 has no known successor on ${product}.`);
  expect(screen.getByText(/33 updates of its line/).textContent).toContain(installEvidence);
  expect(screen.queryByRole('list')).toBeNull();
  expect(summary.parentElement?.querySelector('svg')).toBeNull();
  expect(sentCalls()).toEqual([]);
});

test('shows the fixed build and the source of the statement in a box', async () => {
  const built = {
    ...newer[1],
    fixedBuild: '10.0.20348.5139',
    evidence: 'offline scan file; fixed builds',
  };
  await show({ kbIdToBeInstalled: null, supersedence: [built] });
  const box = (await screen.findByText('10.0.20348.5139')).closest('li');
  expect(box?.title).toBe('offline scan file; fixed builds');
  expect(screen.getByText(/is superseded on/).textContent).toBe(
    `KB5000100 is superseded on ${product} by KB5000200.`,
  );
});

test('shows contradictions of the vendor with both sources', async () => {
  const contradictions = [
    {
      statement: 'KB5000100 replaces KB5000300',
      source: 'security update guide, 2024-Jan',
      against: 'KB5000100 is of 2024-01-09, KB5000300 of 2024-02-13',
      againstSource: 'security update guide, 2024-Jan; offline scan file',
    },
  ];
  await show({ kbIdToBeInstalled: 'KB5000100', supersedence: [], contradictions });
  expect((await screen.findByRole('note')).textContent).toBe(
    'The vendor contradicts itself:KB5000100 replaces KB5000300 (security update guide, 2024-Jan), but KB5000100 is of 2024-01-09, KB5000300 of 2024-02-13 (security update guide, 2024-Jan; offline scan file).',
  );
});
