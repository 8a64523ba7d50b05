/** Asks before a form is left whose changes are not saved: by a link, by Back, or by closing the tab. */
import { type ParsedLocation, useBlocker } from '@tanstack/react-router';
import { session } from '../api/session.ts';
import { confirm } from '../widgets/confirm-modal.tsx';

type Place = Pick<ParsedLocation, 'pathname'> & { readonly search: object };

export interface Unsaved {
  /** What would be lost, in a sentence. */
  readonly words: string;
  /** Whether the form is still there after that step; when absent: on the same page. */
  readonly stays?: (next: Place, current: Place) => boolean;
}

export const onSamePage = (next: Place, current: Place): boolean =>
  next.pathname === current.pathname;

export function useUnsavedGuard(unsaved: boolean, { words, stays = onSamePage }: Unsaved): void {
  useBlocker({
    enableBeforeUnload: unsaved,
    disabled: !unsaved,
    async shouldBlockFn({ current, next }) {
      // A user who is signed out cannot save.
      if (session().token === null || stays(next as Place, current as Place)) return false;
      return confirm({
        title: 'Discard the changes?',
        body: words,
        danger: true,
        yes: 'Discard',
        no: 'Keep editing',
      }).then(
        () => false,
        () => true,
      );
    },
  });
}

export function UnsavedGuard({ unsaved, ...more }: Unsaved & { readonly unsaved: boolean }) {
  useUnsavedGuard(unsaved, more);
  return null;
}
