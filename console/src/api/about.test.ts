import { aboutEndpoint } from '@patch/contract/operations/about-endpoint.ts';
import { afterEach, expect, test } from 'vitest';
import { addReplies, disconnect, reply } from '../testing/fake-api.ts';
import { about, setAbout } from './about.ts';
import { fetchAbout } from './fetch-about.ts';

afterEach(() => setAbout({ name: 'Patch Repository', timeZone: null, sendsMail: true }));

test('keeps the last reply until a newer one arrives, also while the service is unreachable', async () => {
  expect(about()).toEqual({ name: 'Patch Repository', timeZone: null, sendsMail: true });
  addReplies(
    reply(aboutEndpoint, {
      name: 'Patches of Acme',
      timeZone: 'Europe/Istanbul',
      sendsMail: false,
    }),
  );
  await fetchAbout();
  expect(about()).toEqual({
    name: 'Patches of Acme',
    timeZone: 'Europe/Istanbul',
    sendsMail: false,
  });
  expect(JSON.parse(localStorage.getItem('patch-repository.about') ?? '')).toEqual(about());
  addReplies(disconnect(aboutEndpoint));
  await fetchAbout();
  expect(about().name).toBe('Patches of Acme');
});
