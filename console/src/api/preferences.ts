/**
 * What the signed-in person prefers of each list. Fetched with the session, kept on the server, and remembered in this browser so
 * that the next visit begins with the right columns.
 */
import {
  ListPreference,
  moduleNameMissing,
  preferencesCall,
  resetPreferenceCall,
  savePreferenceCall,
} from '@patch/contract/preference-calls.ts';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { durations } from '../theme/tokens.ts';
import { toast } from '../widgets/toast.tsx';
import { makeCall } from './make-call.ts';
import { onSignedOut, session } from './session.ts';

type Preferences = Readonly<Record<string, ListPreference>>;

interface PreferenceState {
  readonly preferences: Preferences;
  /** True until the server has answered for the person who is signed in. */
  readonly loading: boolean;
}

const storageKey = 'patch-repository.preferences';
const Remembered = z.object({ user: z.number(), preferences: z.record(z.string(), ListPreference) });

const watchers = new Set<() => void>();
const saving = new Map<string, ReturnType<typeof setTimeout>>();
let current: PreferenceState = { preferences: {}, loading: true };
let fetchedFor: string | null = null;
/** Raised by each change: what the server says of an earlier one must not undo it. */
let changes = 0;

function become(next: PreferenceState): void {
  current = next;
  for (const watcher of watchers) watcher();
}

/** Resolves when they are known or cannot be: a list is never kept back for want of them. Asks once a session. */
export async function fetchPreferences(): Promise<void> {
  const { token } = session();
  if (token === null || fetchedFor === token) return;
  fetchedFor = token;
  if (current.loading) become({ preferences: remembered(), loading: true });
  try {
    const { preferences } = await makeCall(preferencesCall);
    if (fetchedFor === token) settle(preferences);
  } catch {
    // What this browser remembers holds until they can be asked for again.
    if (fetchedFor === token) fetchedFor = null;
  }
}

/** Shows it at once and saves it soon; a burst of changes, such as a column being dragged, is saved once. */
export function updatePreference(moduleName: string, preference: ListPreference): void {
  if (moduleName === '') throw new Error(moduleNameMissing);
  changes += 1;
  become({ ...current, preferences: { ...current.preferences, [moduleName]: preference } });
  clearTimeout(saving.get(moduleName));
  saving.set(
    moduleName,
    setTimeout(() => {
      saving.delete(moduleName);
      void kept(makeCall(savePreferenceCall, { body: { moduleName, preference } }));
    }, durations.widthChange),
  );
}

export function resetPreference(moduleName: string): void {
  clearTimeout(saving.get(moduleName));
  saving.delete(moduleName);
  changes += 1;
  const { [moduleName]: _gone, ...preferences } = current.preferences;
  become({ ...current, preferences });
  void kept(makeCall(resetPreferenceCall, { params: { moduleName } }));
}

/** As when nobody had signed in: every list at its own columns, and loading. */
export function destroyPreferences(): void {
  for (const timer of saving.values()) clearTimeout(timer);
  saving.clear();
  fetchedFor = null;
  become({ preferences: {}, loading: true });
}

export function usePreferences(): PreferenceState {
  return useSyncExternalStore(watch, () => current);
}

async function kept(saved: Promise<{ readonly preferences: Preferences }>): Promise<void> {
  const asOf = changes;
  try {
    const { preferences } = await saved;
    if (changes === asOf) settle(preferences);
  } catch (failure) {
    toast.failure(failure);
  }
}

function settle(preferences: Preferences): void {
  const { user } = session();
  if (user !== null) localStorage.setItem(storageKey, JSON.stringify({ user: user.id, preferences }));
  become({ preferences, loading: false });
}

/** Somebody else's are not shown. */
function remembered(): Preferences {
  try {
    const { user, preferences } = Remembered.parse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
    return user === session().user?.id ? preferences : {};
  } catch {
    return {};
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

onSignedOut(destroyPreferences);
