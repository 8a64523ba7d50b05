import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { noExposure } from '../testing/no-machines.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { MissingMachines } from './missing-machines.tsx';

const cve = 'CVE-2024-3094';
const not = `misses.not_equal.${cve}**mayMiss.not_equal.${cve}**accepts.not_equal.${cve}`;

test.each([
  [{ machines: 9 }, 'No machine that reports is known to miss it.', []],
  [{ missing: 1 }, 'Missing on 1 machine.', [`misses.equal.${cve}`]],
  [
    { missing: 1300, uncertain: 2 },
    'Missing on 1,300 machines, and perhaps on 2 more.',
    [`misses.equal.${cve}`, `mayMiss.equal.${cve}`],
  ],
  [
    { missing: 12, overdue: 3, uncertain: 2 },
    'Missing on 12 machines, overdue on 3, and perhaps on 2 more.',
    [`misses.equal.${cve}`, `overdue.equal.${cve}`, `mayMiss.equal.${cve}`],
  ],
  [{ uncertain: 1 }, 'Missing perhaps on 1 machine.', [`mayMiss.equal.${cve}`]],
  [
    { accepted: 4 },
    'No machine that reports is known to miss it. Accepted on 4.',
    [`accepts.equal.${cve}`],
  ],
  [
    { missing: 12, notMissing: 370, notJudged: 8, beingJudged: 1 },
    'Missing on 12 machines. 370 do not miss it, 8 cannot be judged, 1 is being judged.',
    [
      `misses.equal.${cve}`,
      `${not}**notJudged.equal.false**judgedOn.is_not_null`,
      `${not}**notJudged.equal.true`,
      `${not}**judgedOn.is_null`,
    ],
  ],
  [
    { notCompared: 370, notJudged: 8 },
    'No machine that reports is known to miss it. 370 cannot be compared with it, 8 cannot be judged.',
    [`${not}**notJudged.equal.false**judgedOn.is_not_null`, `${not}**notJudged.equal.true`],
  ],
])('links each number to its machines: %j', async (counts, words, criteria) => {
  await renderInApp(
    <p data-testid="sentence">
      <MissingMachines counts={{ ...noExposure, machines: 400, ...counts }} named={cve} />
    </p>,
  );
  expect(screen.getByTestId('sentence').textContent).toBe(words);
  const searches = screen
    .queryAllByRole('link')
    .map((link) => new URL(link.getAttribute('href') ?? '', 'http://x').searchParams);
  expect(searches.map((search) => search.get('criteria'))).toEqual(criteria);
});

test.each(['Admin', 'Standard'] as const)(
  'says to %s that no machine reports',
  async (userType) => {
    await renderInApp(
      <p data-testid="sentence">
        <MissingMachines counts={noExposure} named={cve} />
      </p>,
      { session: { userType } },
    );
    const isAdmin = userType === 'Admin';
    expect(screen.getByTestId('sentence').textContent).toBe(
      isAdmin
        ? 'No machine reports. Add machines to see which of them miss it.'
        : 'No machine reports.',
    );
    expect(
      screen.queryAllByRole('link').map((link) => link.getAttribute('href')?.split('?')[0]),
    ).toEqual(isAdmin ? ['/patch-repository/machines'] : []);
  },
);
