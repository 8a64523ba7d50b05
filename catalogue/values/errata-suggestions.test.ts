import { expect, test } from 'vitest';
import {
  anySuggestions,
  readSuggestions,
  type Suggestions,
  suggests,
} from './errata-suggestions.ts';

test('reads only 0 and false as no', () => {
  for (const yes of [1, '1', 'True', '', true]) expect(suggests(yes)).toBe(true);
  for (const no of [0, '0', 'false', 'False', false]) expect(suggests(no)).toBe(false);
  for (const unsaid of [null, undefined]) expect(suggests(unsaid)).toBeNull();
});

test('reads each suggestion by its own name', () => {
  const written: Record<string, unknown> = { reboot_suggested: 0, relogin_suggested: 'True' };
  expect(readSuggestions((name) => written[name])).toEqual({
    rebootSuggested: false,
    restartSuggested: null,
    reloginSuggested: true,
  });
});

test('suggests what one package needs, and null without packages', () => {
  const of = (rebootSuggested: boolean | null, restartSuggested: boolean | null): Suggestions => ({
    rebootSuggested,
    restartSuggested,
    reloginSuggested: null,
  });
  expect(anySuggestions([of(false, null), of(true, false), of(null, null)])).toEqual(
    of(true, false),
  );
  expect(anySuggestions([])).toEqual(of(null, null));
});
