import { expect, test } from 'vitest';
import { getRelyingParty } from './relying-party.ts';

test.each([
  ['https://patch.example.org', 'patch.example.org', 'https://patch.example.org'],
  ['https://patch.example.org:8443/console', 'patch.example.org', 'https://patch.example.org:8443'],
  ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
  [null, 'localhost', 'http://localhost:5173'],
])('binds a console at %j to %s', (baseUrl, id, origin) => {
  const party = getRelyingParty(baseUrl);
  if (party.kind === 'none') throw new Error(party.why);
  expect(party.id).toBe(id);
  expect(party.isOrigin(origin)).toBe(true);
  expect(party.isOrigin('https://example.org')).toBe(false);
  expect(party.isOrigin('not an origin')).toBe(false);
});

test.each([
  ['http://patch.example.org', 'https'],
  ['https://192.0.2.7', 'IP address 192.0.2.7'],
  ['https://[2001:db8::1]', 'IP address'],
  ['patch', 'valid base URL'],
])('refuses passkeys for a console at %j', (baseUrl, why) => {
  expect(getRelyingParty(baseUrl)).toEqual({ kind: 'none', why: expect.stringContaining(why) });
});
