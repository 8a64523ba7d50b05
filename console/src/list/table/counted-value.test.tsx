import { getList } from '@patch/catalogue/lists.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { CountedValue } from './counted-value.tsx';

const machines = getList('machines');
const row = { id: 67108865, name: 'web-1', judgedOn: 1, notJudged: false };

async function show(values: object, name: string, list: typeof machines | 'cve' = machines) {
  await renderInApp(
    <div data-testid="cell">
      <CountedValue
        list={list === 'cve' ? getList('vulnerabilities') : list}
        row={{ ...row, ...values }}
        name={name}
      />
    </div>,
  );
  const href = screen.queryByRole('link')?.getAttribute('href') ?? null;
  return {
    text: screen.getByTestId('cell').textContent,
    criteria: href === null ? null : new URL(href, 'http://x').searchParams.get('criteria'),
    path: href === null ? null : new URL(href, 'http://x').pathname,
  };
}

const path = '/patch-repository/all-patches';

test.each([
  ['missing', 'missingOn.equal.#67108865'],
  ['missingCritical', 'criticalOn.equal.#67108865'],
  ['missingImportant', 'importantOn.equal.#67108865'],
  ['missingModerate', 'moderateOn.equal.#67108865'],
  ['missingLow', 'lowOn.equal.#67108865'],
  ['missingUnspecified', 'unspecifiedOn.equal.#67108865'],
  ['missingExploited', 'exploitedOn.equal.#67108865'],
  ['uncertain', 'mayBeMissingOn.equal.#67108865**needsSubscriptionOn.not_equal.#67108865'],
  ['needsSubscription', 'needsSubscriptionOn.equal.#67108865'],
  ['accepted', 'acceptedOn.equal.#67108865'],
])('links %s to these records', async (name, criteria) => {
  expect(await show({ [name]: 12 }, name)).toEqual({ text: '12', criteria, path });
});

test('links the patches of a CVE', async () => {
  expect(await show({ cve: 'CVE-2024-3094', recordCount: 7 }, 'recordCount', 'cve')).toEqual({
    text: '7',
    criteria: 'cve.equal.CVE-2024-3094',
    path,
  });
});

test('says what a machine may miss that certainly misses nothing', async () => {
  const counts = { missing: 0, uncertain: 2, needsSubscription: 5 };
  expect(await show(counts, 'missing')).toEqual({
    text: '7 may be',
    criteria: 'mayBeMissingOn.equal.#67108865',
    path,
  });
});

test('says of a machine that certainly misses records only these', async () => {
  const counts = { missing: 3, uncertain: 2, needsSubscription: 5 };
  expect(await show(counts, 'missing')).toMatchObject({ text: '3' });
});

test.each([
  [{ missing: 0 }, '0'],
  [{ missing: 0, uncertain: 0, needsSubscription: 0 }, '0'],
  [{ missing: null, judgedOn: null, createdTime: Date.now() }, 'being judged'],
  [{ missing: null, judgedOn: null, createdTime: Date.now() - 3_600_000 }, 'waiting'],
  [{ missing: null, notJudged: true }, 'not judged'],
])('links nothing, and says why a count is missing: %j', async (values, text) => {
  expect(await show(values, 'missing')).toEqual({ text, criteria: null, path: null });
});
