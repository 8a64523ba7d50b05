import { expect, test } from 'vitest';
import { median } from './measure.ts';
import { type PagesResult, pagesReport } from './pages-report.ts';

const audit = {
  page: 'login',
  profile: 'desktop',
  scores: [89.6, 95, 96],
  timings: [612, 1449, 10.4, 0.00123],
  failed: [],
} as const;

const result: PagesResult = {
  day: '2026-01-02',
  machine: 'A processor',
  browser: '1.2',
  lighthouse: '12',
  runs: 5,
  audits: [audit],
  firstRows: { cpuSlowdown: 4, latencyMs: 120, milliseconds: 1504 },
  scripts: { rows: { kilobytes: 219.6, files: 16 }, numbers: { kilobytes: 251, files: 17 } },
};

test('marks each score by the target of its profile', () => {
  const mobile = { ...audit, profile: 'mobile', scores: [74.4, 94, 100] } as const;
  const text = pagesReport({ ...result, audits: [audit, mobile] });
  expect(text).toContain(
    '| login | desktop | 90 ✓ | 95 ✓ | 96 ✗ | 0.6 s | 1.4 s | 10 ms | 0.001 |',
  );
  expect(text).toContain('| login | mobile | 74 ✗ | 94 ✗ | 100 ✓ |');
});

test('names the audits that cost points, and is silent when there are none', () => {
  const failing = { ...audit, failed: ['errors-in-console (Browser errors)'] };
  expect(pagesReport({ ...result, audits: [failing] })).toContain(
    'Audits that cost points:\n\n- login, desktop: errors-in-console (Browser errors)\n',
  );
  expect(pagesReport(result)).not.toContain('cost points');
});

test('says by how much rows and scripts miss their targets', () => {
  const text = pagesReport(result);
  expect(text).toContain('1.50 s (target 1.5 s ✗)');
  expect(text).toContain('| the first rows | 220 | 220 ✓ | 16 | 15 ✗ |');
  expect(text).toContain('| facets and histogram are visible | 251 | 250 ✗ | 17 | – |');
});

test('writes a dash for a timing that Lighthouse does not tell', () => {
  const silent = { ...audit, timings: [Number.NaN, 1000, 0, 0] };
  expect(pagesReport({ ...result, audits: [silent] })).toContain('| – | 1.0 s | 0 ms | 0 |');
});

test('takes the middle of the runs, and between the two middle ones', () => {
  expect(median([9, 1, 5, 3, 7])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});
