/** Which lists complete which. */
import type { Completion } from './definition/completion.ts';
import { windowsKbCompletion } from './vendors/windows/windows-kb-completion.ts';

export const completions: readonly Completion[] = [windowsKbCompletion];
