/** What this installation is called and which time zone it keeps: known before anybody signs in, and the last answer until there is a newer one. */
import { useSyncExternalStore } from 'react';

export interface About {
  readonly name: string;
  /** IANA name; null: each browser's. */
  readonly timeZone: string | null;
}

/** Of the installation, not of a person: it stays when one signs out. */
export const aboutKey = 'patch-repository.about';
const unnamed: About = { name: 'Patch Repository', timeZone: null };
const watchers = new Set<() => void>();
let current = kept();

function kept(): About {
  try {
    const { name, timeZone } = JSON.parse(localStorage.getItem(aboutKey) ?? '{}') as Partial<About>;
    return typeof name === 'string' && name !== ''
      ? { name, timeZone: typeof timeZone === 'string' ? timeZone : null }
      : unnamed;
  } catch {
    return unnamed;
  }
}

export function about(): About {
  return current;
}

export function useAbout(): About {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, about);
}

export function become(next: About): void {
  if (next.name === current.name && next.timeZone === current.timeZone) return;
  current = { name: next.name, timeZone: next.timeZone };
  localStorage.setItem(aboutKey, JSON.stringify(current));
  for (const watcher of watchers) watcher();
}
