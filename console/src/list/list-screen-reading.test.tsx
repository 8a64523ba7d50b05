import {
  type CountedQuery,
  queryReadingEndpoint,
} from '@patch/contract/records/query-reading-endpoint.ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { addReplies, bodiesSentTo, refuse, reply } from '../testing/fake-api.ts';
import { fillIn, pressKey } from '../testing/person.ts';
import {
  alma,
  ask,
  beginWithoutPreferences,
  chips,
  open,
  searchBox,
  serve,
} from './testing/served-list.tsx';

const critical = { paramName: 'severity', operator: 'in', value: ['Critical'] } as const;
const notCritical = { ...critical, operator: 'not_in' } as const;
const readings: Readonly<Record<string, CountedQuery>> = {
  'opensll critical': {
    parts: [
      { text: 'opensll', keyword: 'openssl', corrected: true },
      { text: 'critical', criterion: critical },
    ],
    criteria: [critical],
    keyword: 'openssl',
    totalCount: 3,
  },
  'bitte openssl critical': {
    parts: [
      { text: 'bitte', leftOut: true },
      { text: 'openssl', keyword: 'openssl' },
      { text: 'critical', criterion: critical },
    ],
    criteria: [critical],
    keyword: 'openssl',
    totalCount: 3,
  },
  'not critical': {
    parts: [{ text: 'not critical', criterion: notCritical }],
    criteria: [notCritical],
    keyword: '',
    totalCount: 7,
  },
  'latest openssl': {
    parts: [
      { text: 'openssl', keyword: 'openssl' },
      { text: 'latest', sort: '-title' },
    ],
    criteria: [],
    keyword: 'openssl',
    sort: '-title',
    totalCount: 3,
  },
  kernel: {
    parts: [{ text: 'kernel', keyword: 'kernel' }],
    criteria: [],
    keyword: 'kernel',
    totalCount: 9,
  },
};

function serveReadings(): void {
  addReplies(
    reply(queryReadingEndpoint(alma), ({ body }) => {
      const { q } = body as { readonly q: string };
      return readings[q] ?? { parts: [], criteria: [], keyword: q, totalCount: 0 };
    }),
  );
}

beforeEach(beginWithoutPreferences);

describe('words in the search bar', () => {
  test('become the criteria that they mean on Enter', async () => {
    serve({});
    serveReadings();
    const { search } = await open();
    await ask('opensll critical');
    await waitFor(() =>
      expect(search()).toEqual({ criteria: 'severity.in.Critical', keyword: 'openssl' }),
    );
    expect(chips().getByText('Critical')).toBeTruthy();
    await pressKey('Backspace', searchBox());
    await waitFor(() => expect(search()).toEqual({ criteria: 'severity.in.Critical' }));
    await pressKey('Backspace', searchBox());
    await waitFor(() => expect(search()).toEqual({}));
  });

  test('show what they mean, with its count, while they are typed', async () => {
    serve({});
    serveReadings();
    const { search } = await open();
    await fillIn(searchBox(), 'opensll critical');
    const meant = await screen.findByRole('option', {
      name: /opensll → openssl.*Severity Critical.*3 records/,
    });
    expect(screen.getByRole('option', { name: /opensll critical as written/ })).toBeTruthy();
    await pressKey('ArrowDown', searchBox());
    expect(meant.getAttribute('aria-selected')).toBe('true');
    await pressKey('ArrowDown', searchBox());
    await pressKey('Enter', searchBox());
    await waitFor(() => expect(search()).toEqual({ keyword: 'opensll critical' }));
  });

  test('show that a criterion excludes its value', async () => {
    serve({});
    serveReadings();
    await open();
    await fillIn(searchBox(), 'not critical');
    expect(
      await screen.findByRole('option', { name: /Severity is none of Critical.*7 records/ }),
    ).toBeTruthy();
  });

  test('replace the criteria that the words before meant, and keep chosen ones', async () => {
    serve({});
    serveReadings();
    const { search } = await open('?criteria=category.in.security');
    await ask('opensll critical');
    await waitFor(() =>
      expect(search()).toEqual({
        criteria: 'category.in.security**severity.in.Critical',
        keyword: 'openssl',
      }),
    );
    await ask('kernel');
    await waitFor(() =>
      expect(search()).toEqual({ criteria: 'category.in.security', keyword: 'kernel' }),
    );
    expect(bodiesSentTo(queryReadingEndpoint(alma))).toContainEqual({
      q: 'kernel',
      filter: "lower(category) in ('security')",
    });
  });

  test('ask for an order until other words are asked for', async () => {
    serve({});
    serveReadings();
    const { search } = await open();
    await fillIn(searchBox(), 'latest openssl');
    await screen.findByRole('option', { name: /openssl.*Title.*3 records/ });
    await pressKey('Enter', searchBox());
    await waitFor(() => expect(search()).toEqual({ keyword: 'openssl', sort: '-title' }));
    await ask('kernel');
    await waitFor(() => expect(search()).toEqual({ keyword: 'kernel' }));
  });

  test('that no record has are named beside the search that does without them', async () => {
    serve({});
    serveReadings();
    const { search } = await open();
    await fillIn(searchBox(), 'bitte openssl critical');
    await screen.findByRole('option', { name: /left out: bitte.*openssl.*3 records/ });
    await pressKey('Enter', searchBox());
    await waitFor(() =>
      expect(search()).toEqual({ criteria: 'severity.in.Critical', keyword: 'openssl' }),
    );
    expect((await screen.findByText(/No record has it/)).textContent).toBe(
      'Left out: bitte. No record has it with the rest, or no criterion says it.',
    );
    await ask('kernel');
    await waitFor(() => expect(search()).toEqual({ keyword: 'kernel' }));
    expect(screen.queryByText(/No record has it/)).toBeNull();
  });

  test('ask for a quick count only while they are typed', async () => {
    serve({});
    serveReadings();
    await open();
    await fillIn(searchBox(), 'opensll critical');
    await screen.findByRole('option', { name: /3 records/ });
    const q = 'opensll critical';
    expect(bodiesSentTo(queryReadingEndpoint(alma))).toEqual([{ q, typing: true }]);
    await pressKey('Enter', searchBox());
    await waitFor(() =>
      expect(bodiesSentTo(queryReadingEndpoint(alma))).toEqual([{ q, typing: true }, { q }]),
    );
  });

  test('are searched as they are when the server cannot read them', async () => {
    serve({});
    addReplies(refuse(queryReadingEndpoint(alma), 500));
    const { search } = await open();
    await ask('openssl critical');
    await waitFor(() => expect(search()).toEqual({ keyword: 'openssl critical' }));
  });

  test('in quotes, and names of records, are not read', async () => {
    serve({});
    serveReadings();
    const { search } = await open();
    await ask('"critical update"');
    await waitFor(() => expect(search()).toEqual({ keyword: '"critical update"' }));
    await ask('CVE-2024-1086');
    await waitFor(() => expect(search()).toEqual({ keyword: 'CVE-2024-1086' }));
    expect(bodiesSentTo(queryReadingEndpoint(alma))).toEqual([]);
  });
});
