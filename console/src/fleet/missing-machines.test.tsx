import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { MissingMachines } from './missing-machines.tsx';

test.each([
  [[0, 0, 0], 'No machine that reports is known to miss it.', []],
  [[1, 0, 0], 'Missing on 1 machine.', ['misses.equal.CVE-2024-3094']],
  [
    [1300, 2, 0],
    'Missing on 1,300 machines, and perhaps on 2 more.',
    ['misses.equal.CVE-2024-3094', 'mayMiss.equal.CVE-2024-3094'],
  ],
  [[0, 1, 0], 'Missing perhaps on 1 machine.', ['mayMiss.equal.CVE-2024-3094']],
  [
    [0, 0, 4],
    'No machine that reports is known to miss it. Accepted on 4.',
    ['accepts.equal.CVE-2024-3094'],
  ],
])('links each number to its machines: %j', async (counts, words, criteria) => {
  const [missing = 0, uncertain = 0, accepted = 0] = counts;
  await renderInApp(
    <p data-testid="sentence">
      <MissingMachines counts={{ missing, uncertain, accepted }} named="CVE-2024-3094" />
    </p>,
  );
  expect(screen.getByTestId('sentence').textContent).toBe(words);
  const searches = screen
    .queryAllByRole('link')
    .map((link) => new URL(link.getAttribute('href') ?? '', 'http://x').searchParams);
  expect(searches.map((search) => search.get('criteria'))).toEqual(criteria);
});
