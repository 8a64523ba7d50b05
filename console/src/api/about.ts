/** Name, time zone and mail of this installation, known before sign-in. The last reply is stored until a newer one arrives. */
import { useSyncExternalStore } from 'react';

export interface About {
  readonly name: string;
  /** IANA name; null means the browser's time zone. */
  readonly timeZone: string | null;
  /** False when a reset link cannot be sent. */
  readonly sendsMail: boolean;
}

/** Sign-out does not remove this key: it describes the installation, not a user. */
export const aboutKey = 'patch-repository.about';
const defaultAbout: About = { name: 'Patch Repository', timeZone: null, sendsMail: true };
const watchers = new Set<() => void>();
let current = readStored();

function readStored(): About {
  try {
    const { name, timeZone, sendsMail } = JSON.parse(
      localStorage.getItem(aboutKey) ?? '{}',
    ) as Partial<About>;
    return typeof name === 'string' && name !== ''
      ? {
          name,
          timeZone: typeof timeZone === 'string' ? timeZone : null,
          sendsMail: sendsMail !== false,
        }
      : defaultAbout;
  } catch {
    return defaultAbout;
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

export function setAbout(next: About): void {
  const { name, timeZone, sendsMail } = next;
  if (name === current.name && timeZone === current.timeZone && sendsMail === current.sendsMail)
    return;
  current = { name, timeZone, sendsMail };
  localStorage.setItem(aboutKey, JSON.stringify(current));
  for (const watcher of watchers) watcher();
}
