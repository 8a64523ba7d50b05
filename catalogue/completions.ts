/** The registry of completions: which lists complete which. */
import type { Completion } from './definition/completion.ts';
import { windowsKbBaseList } from './vendors/windows/lists/windows-kb-base-list.ts';
import { windowsPatchList } from './vendors/windows/lists/windows-patch-list.ts';
import {
  knownIssuesCompletion,
  windowsKbCompletion,
} from './vendors/windows/windows-kb-completion.ts';

export const completions: readonly Completion[] = [
  windowsKbCompletion,
  knownIssuesCompletion(windowsKbBaseList),
  knownIssuesCompletion(windowsPatchList),
];
