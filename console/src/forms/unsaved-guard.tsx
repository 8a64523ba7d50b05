/** Asks before a form with unsaved changes is left by a link, by Back, or by closing the tab. */
import { type ParsedLocation, useBlocker } from '@tanstack/react-router';
import { session } from '../api/session.ts';
import { confirm } from '../widgets/confirm-modal.tsx';

type PageLocation = Pick<ParsedLocation, 'pathname'> & { readonly search: object };

export interface Unsaved {
  /** A sentence that says what would be lost. */
  readonly message: string;
  /** Returns whether the form remains after the navigation. By default it remains on the same page. */
  readonly remains?: (next: PageLocation, current: PageLocation) => boolean;
}

export const isSamePage = (next: PageLocation, current: PageLocation): boolean =>
  next.pathname === current.pathname;

export function useUnsavedGuard(
  unsaved: boolean,
  { message, remains = isSamePage }: Unsaved,
): void {
  useBlocker({
    enableBeforeUnload: unsaved,
    disabled: !unsaved,
    async shouldBlockFn({ current, next }) {
      // A signed-out user cannot save.
      if (session().token === null || remains(next as PageLocation, current as PageLocation))
        return false;
      return confirm({
        title: 'Discard the changes?',
        body: message,
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
