/** Public information about the service. It is a separate file because every page of the console loads it. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

/** The login page and the tab's title show this before anybody has signed in. */
export const aboutEndpoint = defineEndpoint({
  name: 'about',
  summary: 'The name of this installation, its time zone, and whether it sends email',
  tag: 'Settings',
  method: 'GET',
  path: '/about',
  access: 'public',
  reply: z.object({
    name: z.string(),
    timeZone: z.string().nullable(),
    sendsMail: z.boolean().describe('Whether a mail server is configured'),
  }),
});
