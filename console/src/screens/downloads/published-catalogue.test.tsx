import {
  type Publishing,
  publishingEndpoint,
} from '@patch/contract/licensing/publishing-endpoint.ts';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { reply } from '../../testing/fake-api.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signInAs } from '../../testing/sign-in-as.ts';
import { unpublished } from '../../testing/unpublished.ts';
import { PublishedCatalogue } from './published-catalogue.tsx';

beforeEach(() => signInAs());

test.each<[Publishing['state'], Partial<Publishing>, string]>([
  ['off', { place: null }, 'Not published. With the setting PUBLISH_TO'],
  ['waiting', {}, 'It was not published yet. Clients fetch it from the bucket.'],
  ['published', { publishedAt: Date.now() }, 'Last published just now. Clients fetch it'],
  [
    'failed',
    { publishedAt: Date.now() - 7_200_000, reason: 'The bucket refused. Give the key the right.' },
    'Clients do not get what is newThe bucket refused. Give the key the right. Last published 2 hours ago.',
  ],
  [
    'failed',
    { reason: 'Make a root.' },
    'The catalogue cannot be publishedMake a root. It was not published yet.',
  ],
  [
    'silent',
    { publishedAt: Date.now() - 86_400_000 },
    'Nothing is published any moreNo process has tried to for hours.',
  ],
])('says whether the catalogue is published when it is %s', async (state, about, words) => {
  const replies = [reply(publishingEndpoint, { ...unpublished, place: 'bucket', state, ...about })];
  await renderInApp(<PublishedCatalogue />, { session: {}, replies });
  await waitFor(() => expect(document.body.textContent).toContain(words));
});
