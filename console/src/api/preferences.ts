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
} from '@patch/contract/operations/preference-endpoints.ts';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { durations } from '../theme/tokens.ts';
import { callApi } from './call-api.ts';
import { onSignedOut, session, userKey } from './session.ts';
import { toast } from './toast.ts';

type Preferences = Readonly<Record<string, ListPreference>>;

interface PreferenceState {
  readonly preferences: Preferences;
  readonly frame: FramePreference;
  /** True until the server has replied. */
  readonly loading: boolean;
  /** The last fetch failed: what is stored in this browser stays until the next one. */
  readonly failed?: true;
}

const storageKey = userKey('preferences');
const StoredPreferences = z.object({
  user: z.number(),
  preferences: z.record(z.string(), ListPreference),
  frame: FramePreference.optional(),
});

const watchers = new Set<() => void>();
const saveTimers = new Map<string, ReturnType<typeof setTimeout>>();
const initialState: PreferenceState = { preferences: {}, frame: {}, loading: true };
let current: PreferenceState = readStored();
let fetchedFor: string | null = null;
/** Number of changes: the reply to an earlier one must not undo a later one. */
let changes = 0;
let frameSaving: Promise<void> = Promise.resolve();

function setState(next: PreferenceState): void {
  current = next;
  for (const watcher of watchers) watcher();
}

/** Fetches once a session. Also resolves on failure, since lists work without preferences. */
export async function fetchPreferences(): Promise<void> {
  const { token } = session();
  if (token === null || fetchedFor === token) return;
  fetchedFor = token;
  if (current.loading) setState(readStored());
  try {
    const own = await callApi(preferencesEndpoint);
    if (fetchedFor === token) settle(own);
  } catch {
    if (fetchedFor !== token) return;
    fetchedFor = null;
    setState({ ...current, failed: true });
  }
}

/** Shows the change at once and saves it debounced, since a column that is dragged changes often. */
export function updatePreference(moduleName: string, preference: ListPreference): void {
  if (moduleName === '') throw new Error(moduleNameMissing);
  changes += 1;
  setState({ ...current, preferences: { ...current.preferences, [moduleName]: preference } });
  clearTimeout(saveTimers.get(moduleName));
  saveTimers.set(
    moduleName,
    setTimeout(() => {
      saveTimers.delete(moduleName);
      void applyReply(callApi(savePreferenceEndpoint, { body: { moduleName, preference } }));
    }, durations.widthChange),
  );
}

export function resetPreference(moduleName: string): void {
  clearTimeout(saveTimers.get(moduleName));
  saveTimers.delete(moduleName);
  changes += 1;
  const { [moduleName]: _removed, ...preferences } = current.preferences;
  setState({ ...current, preferences });
  void applyReply(callApi(resetPreferenceEndpoint, { params: { moduleName } }));
}

/** Shows the change at once and saves it. */
export function updateFrame(change: FramePreference): void {
  changes += 1;
  const frame = { ...current.frame, ...change };
  setState({ ...current, frame });
  frameSaving = applyReply(callApi(saveFramePreferenceEndpoint, { body: frame }));
}

/** Resolves when the server has the last change of the frame, or has refused it: replies that follow the choice are asked for then. */
export const waitForFrame = (): Promise<void> => frameSaving;

/** Resets to the state before sign-in: default columns, loading. */
export function destroyPreferences(): void {
  for (const timer of saveTimers.values()) clearTimeout(timer);
  saveTimers.clear();
  fetchedFor = null;
  // Pending replies to the former user must not be applied.
  changes += 1;
  setState(initialState);
}

export const ownPreferences = (): PreferenceState => current;

export function usePreferences(): PreferenceState {
  return useSyncExternalStore(watch, ownPreferences);
}

async function applyReply(saved: Promise<OwnPreferences>): Promise<void> {
  const changesBefore = changes;
  try {
    const own = await saved;
    if (changes === changesBefore) settle(own);
  } catch (failure) {
    toast.failure(failure);
  }
}

function settle({ preferences, frame }: OwnPreferences): void {
  const { user } = session();
  if (user !== null)
    localStorage.setItem(storageKey, JSON.stringify({ user: user.id, preferences, frame }));
  setState({ preferences, frame, loading: false });
}

/** Ignores stored preferences of another user. */
function readStored(): PreferenceState {
  try {
    const {
      user,
      preferences,
      frame = {},
    } = StoredPreferences.parse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
    return user === session().user?.id ? { preferences, frame, loading: true } : initialState;
  } catch {
    return initialState;
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

onSignedOut(destroyPreferences);
