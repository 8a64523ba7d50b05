import { expect, test } from 'vitest';
import { jumpTargets } from './jump-targets.ts';

const labels = (typed: string) => jumpTargets(typed).map(({ label }) => label);

test('screens are found by words of their name, those that begin with them first', () => {
  expect(labels('alma')).toEqual(['AlmaLinux']);
  expect(labels('sync')[0]).toBe('Sync');
  expect(labels('linux').length).toBeGreaterThan(2);
  expect(labels('CVE-2024-3094')).toEqual([]);
  expect(labels('')).toHaveLength(6);
});

test('no address is offered twice', () => {
  const paths = ['', 'a', 'patch', 'linux'].flatMap((typed) =>
    jumpTargets(typed).map(({ path }) => `${typed} ${path}`),
  );
  expect(new Set(paths).size).toBe(paths.length);
});
