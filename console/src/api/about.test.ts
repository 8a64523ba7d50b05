import { aboutEndpoint } from '@patch/contract/about-endpoint.ts';
import { afterEach, expect, test } from 'vitest';
import { addReplies, disconnect, reply } from '../testing/fake-api.ts';
import { about, setAbout } from './about.ts';
import { fetchAbout } from './fetch-about.ts';

afterEach(() => setAbout({ name: 'Patch Repository', timeZone: null }));

test('keeps the last reply until a newer one arrives, also while the service is unreachable', async () => {
  expect(about()).toEqual({ name: 'Patch Repository', timeZone: null });
  addReplies(reply(aboutEndpoint, { name: 'Patches of Acme', timeZone: 'Europe/Istanbul' }));
  await fetchAbout();
  expect(about()).toEqual({ name: 'Patches of Acme', timeZone: 'Europe/Istanbul' });
  expect(JSON.parse(localStorage.getItem('patch-repository.about') ?? '')).toEqual(about());
  addReplies(disconnect(aboutEndpoint));
  await fetchAbout();
  expect(about().name).toBe('Patches of Acme');
});
