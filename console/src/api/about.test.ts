import { afterEach, expect, test, vi } from 'vitest';
import { about, become } from './about.ts';
import { fetchAbout } from './fetch-about.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  become({ name: 'Patch Repository', timeZone: null });
});

test('the last answer holds until there is a newer one, also when the service is away', async () => {
  expect(about()).toEqual({ name: 'Patch Repository', timeZone: null });
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(JSON.stringify({ name: 'Patches of Acme', timeZone: 'Europe/Istanbul' })),
  );
  await fetchAbout();
  expect(about()).toEqual({ name: 'Patches of Acme', timeZone: 'Europe/Istanbul' });
  expect(JSON.parse(localStorage.getItem('patch-repository.about') ?? '')).toEqual(about());
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('away');
  });
  await fetchAbout();
  expect(about().name).toBe('Patches of Acme');
});
