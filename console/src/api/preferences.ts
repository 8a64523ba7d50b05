/**
 * Preferences of the signed-in user for each list and for the frame. They are fetched with the session, saved on the server and
 * cached in this browser until sign-out, so that the next visit begins with the right columns.
 */
import {
  FramePreference,
  ListPreference,
  moduleNameMissing,
  type OwnPreferences,
  preferencesEndpoint,
  resetPreferenceEndpoint,
  saveFramePreferenceEndpoint,
  savePreferenceEndpoint,
} from '@patch/contract/preference-endpoints.ts';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { durations } from '../theme/tokens.ts';
import { callApi } from './call-api.ts';
import { onSignedOut, personKey, session } from './session.ts';
import { toast } from './toast.ts';

type Preferences = Readonly<Record<string, ListPreference>>;

interface PreferenceState {
  readonly preferences: Preferences;
  readonly frame: FramePreference;
  /** True until the server has replied. */
  readonly loading: boolean;
}

const storageKey = personKey('preferences');
const Remembered = z.object({
  user: z.number(),
  preferences: z.record(z.string(), ListPreference),
  frame: FramePreference.optional(),
});

const watchers = new Set<() => void>();
const saving = new Map<string, ReturnType<typeof setTimeout>>();
const none: PreferenceState = { preferences: {}, frame: {}, loading: true };
let current: PreferenceState = remembered();
let fetchedFor: string | null = null;
/** Number of changes: the reply to an earlier one must not undo a later one. */
let changes = 0;

function become(next: PreferenceState): void {
  current = next;
  for (const watcher of watchers) watcher();
}

/** Fetches once a session. Also resolves on failure, since lists work without preferences. */
export async function fetchPreferences(): Promise<void> {
  const { token } = session();
  if (token === null || fetchedFor === token) return;
  fetchedFor = token;
  if (current.loading) become(remembered());
  try {
    const own = await callApi(preferencesEndpoint);
    if (fetchedFor === token) settle(own);
  } catch {
    // The stored preferences stay until the next fetch.
    if (fetchedFor === token) fetchedFor = null;
  }
}

/** Shows the change at once and saves it debounced, since a column that is dragged changes often. */
export function updatePreference(moduleName: string, preference: ListPreference): void {
  if (moduleName === '') throw new Error(moduleNameMissing);
  changes += 1;
  become({ ...current, preferences: { ...current.preferences, [moduleName]: preference } });
  clearTimeout(saving.get(moduleName));
  saving.set(
    moduleName,
    setTimeout(() => {
      saving.delete(moduleName);
      void kept(callApi(savePreferenceEndpoint, { body: { moduleName, preference } }));
    }, durations.widthChange),
  );
}

export function resetPreference(moduleName: string): void {
  clearTimeout(saving.get(moduleName));
  saving.delete(moduleName);
  changes += 1;
  const { [moduleName]: _gone, ...preferences } = current.preferences;
  become({ ...current, preferences });
  void kept(callApi(resetPreferenceEndpoint, { params: { moduleName } }));
}

/** Shows the change at once and saves it. */
export function updateFrame(change: FramePreference): void {
  changes += 1;
  const frame = { ...current.frame, ...change };
  become({ ...current, frame });
  void kept(callApi(saveFramePreferenceEndpoint, { body: frame }));
}

/** Resets to the state before sign-in: default columns, loading. */
export function destroyPreferences(): void {
  for (const timer of saving.values()) clearTimeout(timer);
  saving.clear();
  fetchedFor = null;
  // Pending replies to the former user must not be applied.
  changes += 1;
  become(none);
}

export const ownPreferences = (): PreferenceState => current;

export function usePreferences(): PreferenceState {
  return useSyncExternalStore(watch, ownPreferences);
}

async function kept(saved: Promise<OwnPreferences>): Promise<void> {
  const asOf = changes;
  try {
    const own = await saved;
    if (changes === asOf) settle(own);
  } catch (failure) {
    toast.failure(failure);
  }
}

function settle({ preferences, frame }: OwnPreferences): void {
  const { user } = session();
  if (user !== null)
    localStorage.setItem(storageKey, JSON.stringify({ user: user.id, preferences, frame }));
  become({ preferences, frame, loading: false });
}

/** Ignores stored preferences of another user. */
function remembered(): PreferenceState {
  try {
    const {
      user,
      preferences,
      frame = {},
    } = Remembered.parse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
    return user === session().user?.id ? { preferences, frame, loading: true } : none;
  } catch {
    return none;
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

onSignedOut(destroyPreferences);
