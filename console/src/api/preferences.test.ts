import { specified } from '@patch/catalogue/testing/specified.ts';
import {
  type FramePreference,
  type ListPreference,
  type OwnPreferences,
  preferencesEndpoint,
  resetPreferenceEndpoint,
  saveFramePreferenceEndpoint,
  savePreferenceEndpoint,
} from '@patch/contract/operations/preference-endpoints.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addReplies, disconnect, reply, sentCalls } from '../testing/fake-api.ts';
import { signedInUser } from '../testing/sign-in-as.ts';
import {
  destroyPreferences,
  fetchPreferences,
  resetPreference,
  updateFrame,
  updatePreference,
  usePreferences,
} from './preferences.ts';
import { signIn, signOut } from './session.ts';

const user = signedInUser({ id: 7, name: 'operator', timezone: null });
let stored: Record<string, ListPreference> = {};
let frame: FramePreference = {};
const readOwn = (): OwnPreferences => ({ preferences: stored, frame });

beforeEach(() => {
  vi.useFakeTimers();
  stored = {};
  frame = {};
  addReplies(
    reply(preferencesEndpoint, readOwn),
    reply(saveFramePreferenceEndpoint, ({ body }) => {
      frame = body as FramePreference;
      return readOwn();
    }),
    reply(savePreferenceEndpoint, ({ body }) => {
      const saved = body as { readonly moduleName: string; readonly preference: ListPreference };
      stored[saved.moduleName] = saved.preference;
      return readOwn();
    }),
    reply(resetPreferenceEndpoint, ({ path }) => {
      delete stored[path.split('/').at(-1) ?? ''];
      return readOwn();
    }),
  );
  destroyPreferences();
});

afterEach(() => void vi.useRealTimers());

const shown = () => renderHook(() => usePreferences()).result;

test('fetches the preferences once a session, and only when signed in', async () => {
  stored = { patch: { columns: ['uuid'] } };
  await fetchPreferences();
  expect(sentCalls()).toEqual([]);
  signIn('one', user);
  const result = shown();
  expect(result.current).toEqual({ preferences: {}, frame: {}, loading: true });
  await act(() => fetchPreferences());
  await act(() => fetchPreferences());
  expect(sentCalls().map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /preference']);
  expect(result.current).toEqual({
    preferences: { patch: { columns: ['uuid'] } },
    frame: {},
    loading: false,
  });
});

test('shows a burst of changes at once and saves it once', async () => {
  signIn('two', user);
  await fetchPreferences();
  const result = shown();
  for (const width of [200, 210, 220])
    act(() => updatePreference('patch', { widths: { title: width } }));
  expect(result.current.preferences).toEqual({ patch: { widths: { title: 220 } } });
  await act(() => vi.advanceTimersByTimeAsync(specified.times.widthDebounce - 1));
  expect(sentCalls()).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(sentCalls().slice(1)).toMatchObject([
    {
      method: 'POST',
      path: '/preference',
      body: { moduleName: 'patch', preference: { widths: { title: 220 } } },
    },
  ]);
  act(() => resetPreference('patch'));
  expect(result.current.preferences).toEqual({});
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(sentCalls().at(-1)).toMatchObject({ method: 'DELETE', path: '/preference/patch' });
});

test('throws without a module name', () => {
  expect(() => updatePreference('', {})).toThrow(specified.moduleNameRequired);
});

test('resets all preferences on sign-out', async () => {
  signIn('three', user);
  stored = { patch: { columns: ['uuid'] } };
  await fetchPreferences();
  const result = shown();
  expect(result.current.loading).toBe(false);
  act(() => signOut());
  expect(result.current).toEqual({ preferences: {}, frame: {}, loading: true });
});

test('removes the stored data of the user on sign-out and ignores late replies', async () => {
  localStorage.setItem('patch-repository.about', '{"name":"Example"}');
  localStorage.setItem('patch-repository.sidebar', 'collapsed');
  signIn('three', user);
  stored = { patch: { columns: ['uuid'] } };
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
  // The pending call of the former user is answered now.
  await vi.waitFor(() => expect(frame).toEqual({ theme: 'dark' }));
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(shown().current).toEqual({ preferences: {}, frame: {}, loading: true });
  act(() => signOut());
  expect(Object.keys(localStorage)).toEqual(['patch-repository.about']);
});

test('shows a change of the frame at once and saves all of its fields', async () => {
  signIn('seven', user);
  frame = { theme: 'dark' };
  await fetchPreferences();
  const result = shown();
  act(() => updateFrame({ sidebar: 'collapsed' }));
  expect(result.current.frame).toEqual({ theme: 'dark', sidebar: 'collapsed' });
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(sentCalls().at(-1)).toMatchObject({
    method: 'POST',
    path: '/preference/frame',
    body: { theme: 'dark', sidebar: 'collapsed' },
  });
});

test('begins the next visit with the stored preferences of the same user', async () => {
  signIn('four', user);
  stored = { patch: { columns: ['uuid'] } };
  await fetchPreferences();
  destroyPreferences();
  addReplies(disconnect(preferencesEndpoint));
  await fetchPreferences();
  expect(shown().current).toEqual({
    preferences: { patch: { columns: ['uuid'] } },
    frame: {},
    loading: true,
    failed: true,
  });
  destroyPreferences();
  signIn('five', { ...user, id: 8 });
  await fetchPreferences();
  expect(shown().current.preferences).toEqual({});
});
