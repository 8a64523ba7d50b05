/** Serves the language map, which is not in the database. */
import { windowsLanguages } from '@patch/catalogue/vendors/windows/windows-languages.ts';
import { languageMapCall } from '@patch/contract/language-map-call.ts';
import type { Answer } from '../http/answer.ts';

export function languageMapRoutes(answer: Answer): void {
  answer(languageMapCall, async () => ({ objList: [...windowsLanguages], totalCount: windowsLanguages.length }));
}
