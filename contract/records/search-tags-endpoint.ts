/** Suggestions of a tag picker while a tag is typed. */
import { z } from 'zod';
import { SearchText } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';

export const maxTagsOffered = 50;

export const searchTagsEndpoint = defineEndpoint({
  name: 'known_tags',
  summary: `Known tags that contain the text, those that begin with it first, at most ${maxTagsOffered}`,
  tag: 'Lists',
  method: 'GET',
  path: '/searchTags',
  access: 'standard',
  machines: 'none',
  scope: 'read',
  query: z.strictObject({
    tag: SearchText.max(255)
      .default('')
      .describe('The text typed so far, case-insensitive; an empty text returns no tags'),
  }),
  reply: z.array(z.string()).max(maxTagsOffered),
});
