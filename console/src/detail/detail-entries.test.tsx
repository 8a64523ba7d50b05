import type { DetailTable } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { sharingRecordsEndpoint } from '@patch/contract/records/shared-identifier-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply } from '../testing/fake-api.ts';
import { noUpdates } from '../testing/no-updates.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { findEntryLayout } from './entry-groups.ts';
import { RecordContent } from './record-content.tsx';
import { RecordIdentity } from './record-identity.tsx';

const kbs = getList('patch_repository');
const question = 'How could an attacker exploit this vulnerability?';
const cves = (...numbers: readonly number[]) => numbers.map((number) => `CVE-2024-${number}`);

const show = async (record: object) => {
  const shown = {
    id: 7,
    kbId: 'KB5090122',
    firstSeenTime: 1,
    changedTime: 1,
    withdrawnTime: null,
    ...record,
  } as unknown as WireDetail;
  await renderInApp(
    <>
      <RecordIdentity list={kbs} record={shown} heading={{ Tag: 'h2' }} />
      <RecordContent list={kbs} record={shown} tableHeading="h3" />
    </>,
    { replies: [...noUpdates, reply(sharingRecordsEndpoint, { identifiers: [], lists: [] })] },
  );
  await screen.findByRole('heading', { level: 2 });
};
const region = (name: string) => within(screen.getByRole('region', { name }));
const isOpen = (heading: string) => screen.getByText(heading).closest('details')?.open;

test('shows questions as headings that unfold answers and CVEs', async () => {
  const faq = [
    { question, answer: 'By an archive.', cve: cves(1, 2) },
    { question, answer: 'By a file.\n\n- one\n- two', cve: cves(3) },
    ...Array.from({ length: 8 }, (_, index) => ({
      question: `Question ${index}?`,
      answer: `Answer ${index}`,
      cve: cves(index),
    })),
    { question: null, answer: 'By the way.', cve: cves(9) },
  ];
  await show({ faq });
  expect(screen.getByRole('heading', { name: 'Questions and answers 11' })).toBeTruthy();
  expect(screen.getAllByText(question)).toHaveLength(1);
  expect(isOpen(question)).toBe(false);
  const first = screen.getByText(question).closest('details') as HTMLElement;
  expect(within(first).getByText('By an archive.')).toBeTruthy();
  expect(within(first).getByText(/By a file/).textContent).toBe('By a file.\n\n- one\n- two');
  expect(within(first).getByText('2 CVEs')).toBeTruthy();
  expect(within(first).getByRole('link', { name: 'CVE-2024-3', hidden: true })).toBeTruthy();
  expect(screen.getByText('Further notes')).toBeTruthy();

  const search = screen.getByRole('searchbox', { name: 'Search questions and answers' });
  await fillIn(search, 'archive');
  await waitFor(() =>
    expect(screen.getByRole('heading', { name: 'Questions and answers 1 of 11' })).toBeTruthy(),
  );
  expect(isOpen(question)).toBe(true);
  expect(screen.queryByText('Question 1?')).toBeNull();
  await fillIn(search, 'nowhere');
  expect(await screen.findByText('No matching rows.')).toBeTruthy();
});

test('unfolds all questions when they are few', async () => {
  await show({ advice: [{ kind: 'Workaround', description: 'Unplug it.', cve: cves(1) }] });
  expect(isOpen('Workaround')).toBe(true);
  expect(region('Mitigations and workarounds').getByText('Unplug it.')).toBeTruthy();
});

test('shows the first 50 questions, and the others on demand', async () => {
  await show({
    faq: Array.from({ length: 60 }, (_, index) => ({
      question: `Question ${index}?`,
      answer: 'Yes.',
      cve: [],
    })),
  });
  expect(screen.queryByText('Question 59?')).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Show 10 more' }));
  expect(screen.getByText('Question 59?')).toBeTruthy();
});

test('shows known issues without descriptions as a grid', async () => {
  const rows = [
    {
      kbId: 'KB5090122',
      description: null,
      article: 'https://support.microsoft.com/help/5090122',
      cve: cves(1, 2, 3),
    },
  ];
  expect(findEntryLayout(kbs.detail.tables['knownIssues'] as DetailTable, rows)).toBeNull();
  await show({ knownIssues: rows });
  expect(region('Known issues').getByRole('link', { name: 'support.microsoft.com' })).toBeTruthy();
  // The keyboard reaches the CVEs that do not fit in the cell.
  expect(region('Known issues').getByRole('button', { name: /^\+1 more/ }).tabIndex).toBe(0);
  const described = [{ ...rows[0], description: 'Printing fails.' }];
  expect(findEntryLayout(kbs.detail.tables['knownIssues'] as DetailTable, described)).toEqual({
    heading: 'kbId',
    body: 'description',
    others: ['article', 'cve'],
  });
});

test('does not list sparse fields as not provided by the vendor', async () => {
  await show({});
  const missing = screen.getByText(/^Not provided by the vendor/).textContent;
  expect(missing).toContain('How to uninstall');
  expect(missing).not.toContain('Left out');
});
