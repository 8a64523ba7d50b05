/** The languages of Windows updates, for clients that request files in one language. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

export const languageMapEndpoint = defineEndpoint({
  name: 'read_windows_languages',
  summary: 'The languages in which Windows Update offers updates',
  tag: 'Patch list',
  method: 'GET',
  path: '/windows/language/map',
  access: 'standard',
  machines: 'none',
  scope: 'read',
  reply: z.object({
    objList: z.array(
      z.object({
        languageId: z
          .number()
          .int()
          .describe('The Windows language identifier (LCID); 0 means all languages'),
        shortLanguage: z.string().describe("As Windows Update writes it: 'pt-br'"),
        longLanguage: z.string().describe('In English'),
      }),
    ),
    totalCount: z.number().int(),
  }),
});
