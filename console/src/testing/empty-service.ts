/** Replies of a service without data: lists are empty, other resources are missing, and the event stream is silent. */

import { meEndpoint, type SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { ssoStatusEndpoint } from '@patch/contract/accounts/sso-endpoints.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { may } from '@patch/contract/base/user-types.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { preferencesEndpoint } from '@patch/contract/operations/preference-endpoints.ts';
import type { HttpHandler } from 'msw/http';
import { refuse, reply, respond } from './fake-api.ts';

const emptyList = { objList: [], totalCount: 0 };
const emptySummary = { totalCount: 0, facets: {}, furtherValues: {}, histogram: null };

/** Replies to every call of the contract. Calls that users of this type may not make are refused. */
export function emptyService(user: SignedInUser): readonly HttpHandler[] {
  return [
    reply(meEndpoint, user),
    reply(preferencesEndpoint, { preferences: {}, frame: {} }),
    reply(ssoStatusEndpoint, { enabled: false, label: '' }),
    ...endpoints.map((endpoint) => emptyReply(endpoint, user)),
  ];
}

function emptyReply(endpoint: Endpoint, { userType }: SignedInUser): HttpHandler {
  const { access } = endpoint;
  if (access !== 'public' && access !== 'client' && !may(userType, access))
    return refuse(endpoint, 403);
  if (endpoint.streams === 'events')
    return respond(endpoint, () => new Response(new ReadableStream()));
  const emptyBody = [emptyList, emptySummary].find(
    (body) => endpoint.reply.safeParse(body).success,
  );
  return emptyBody === undefined ? refuse(endpoint, 404) : reply(endpoint, emptyBody);
}
