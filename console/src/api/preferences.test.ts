import { specified } from '@patch/catalogue/testing/specified.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  destroyPreferences,
  fetchPreferences,
  resetPreference,
  updateFrame,
  updatePreference,
  usePreferences,
} from './preferences.ts';
import { signIn, signOut } from './session.ts';

const user: SignedInUser = {
  id: 7,
  name: 'operator',
  email: '',
  userType: 'Admin',
  timezone: null,
  mustChangePassword: false,
};
const sent: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];
let kept: Record<string, object> = {};
let frame: object = {};

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  kept = {};
  frame = {};
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const body =
      init.body === undefined
        ? null
        : (JSON.parse(init.body as string) as { moduleName: string; preference: object });
    sent.push({ method: init.method ?? '', path, body });
    if (path.endsWith('/frame')) frame = body ?? {};
    else if (body !== null) kept[body.moduleName] = body.preference;
    if (init.method === 'DELETE') delete kept[path.split('/').at(-1) ?? ''];
    return new Response(JSON.stringify({ preferences: kept, frame }));
  });
  destroyPreferences();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  signOut();
});

const shown = () => renderHook(() => usePreferences()).result;

test('they are fetched once a session, and only by who is signed in', async () => {
  kept = { patch: { columns: ['uuid'] } };
  await fetchPreferences();
  expect(sent).toEqual([]);
  signIn('one', user);
  const result = shown();
  expect(result.current).toEqual({ preferences: {}, frame: {}, loading: true });
  await act(() => fetchPreferences());
  await act(() => fetchPreferences());
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/preference']);
  expect(result.current).toEqual({
    preferences: { patch: { columns: ['uuid'] } },
    frame: {},
    loading: false,
  });
});

test('a burst of changes is shown at once and saved once', async () => {
  signIn('two', user);
  await fetchPreferences();
  const result = shown();
  for (const width of [200, 210, 220])
    act(() => updatePreference('patch', { widths: { title: width } }));
  expect(result.current.preferences).toEqual({ patch: { widths: { title: 220 } } });
  await act(() => vi.advanceTimersByTimeAsync(specified.times.widthDebounce - 1));
  expect(sent).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(sent.slice(1)).toEqual([
    {
      method: 'POST',
      path: '/api/preference',
      body: { moduleName: 'patch', preference: { widths: { title: 220 } } },
    },
  ]);
  act(() => resetPreference('patch'));
  expect(result.current.preferences).toEqual({});
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(sent.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/preference/patch' });
});

test('without a module name nothing is changed', () => {
  expect(() => updatePreference('', {})).toThrow(specified.moduleNameRequired);
});

test('signing out puts every list back to its own columns and marks them loading', async () => {
  signIn('three', user);
  kept = { patch: { columns: ['uuid'] } };
  await fetchPreferences();
  const result = shown();
  expect(result.current.loading).toBe(false);
  act(() => signOut());
  expect(result.current).toEqual({ preferences: {}, frame: {}, loading: true });
});

test('signing out leaves nothing of the person in this browser, and what is answered late is not for the next one', async () => {
  localStorage.setItem('patch-repository.about', '{"name":"Example"}');
  localStorage.setItem('patch-repository.sidebar', 'collapsed');
  signIn('three', user);
  kept = { patch: { columns: ['uuid'] } };
  await fetchPreferences();
  expect(Object.keys(localStorage).toSorted()).toEqual([
    'patch-repository.about',
    'patch-repository.preferences',
    'patch-repository.session',
    'patch-repository.sidebar',
  ]);
  act(() => updateFrame({ theme: 'dark' }));
  act(() => signOut());
  signIn('six', { ...user, id: 9 });
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(shown().current).toEqual({ preferences: {}, frame: {}, loading: true });
  act(() => signOut());
  expect(Object.keys(localStorage)).toEqual(['patch-repository.about']);
});

test('the frame is shown at once and saved as a whole', async () => {
  signIn('seven', user);
  frame = { theme: 'dark' };
  await fetchPreferences();
  const result = shown();
  act(() => updateFrame({ sidebar: 'collapsed' }));
  expect(result.current.frame).toEqual({ theme: 'dark', sidebar: 'collapsed' });
  expect(sent.at(-1)).toEqual({
    method: 'POST',
    path: '/api/preference/frame',
    body: { theme: 'dark', sidebar: 'collapsed' },
  });
});

test('the next visit begins with what this browser remembers of the same person, of nobody else', async () => {
  signIn('four', user);
  kept = { patch: { columns: ['uuid'] } };
  await fetchPreferences();
  destroyPreferences();
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('unreachable')));
  await fetchPreferences();
  expect(shown().current).toEqual({
    preferences: { patch: { columns: ['uuid'] } },
    frame: {},
    loading: true,
  });
  destroyPreferences();
  signIn('five', { ...user, id: 8 });
  await fetchPreferences();
  expect(shown().current.preferences).toEqual({});
});
