/** The registry of completions: which lists complete which. */
import type { Completion } from './definition/completion.ts';
import { windowsKbBaseList } from './vendors/windows/windows-kb-base-list.ts';
import {
  knownIssuesCompletion,
  windowsKbCompletion,
} from './vendors/windows/windows-kb-completion.ts';
import { windowsPatchList } from './vendors/windows/windows-patch-list.ts';

export const completions: readonly Completion[] = [
  windowsKbCompletion,
  knownIssuesCompletion(windowsKbBaseList),
  knownIssuesCompletion(windowsPatchList),
];
