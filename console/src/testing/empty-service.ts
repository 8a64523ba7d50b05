/** A service without any data: every list is empty, everything else is missing, and the stream of events stays silent. */
import type { Endpoint } from '@patch/contract/endpoint.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { preferencesEndpoint } from '@patch/contract/preference-endpoints.ts';
import { meEndpoint, type SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { ssoStatusEndpoint } from '@patch/contract/sso-endpoints.ts';
import type { HttpHandler } from 'msw/http';
import { refuse, reply, respond } from './fake-api.ts';

const nothing = { objList: [], totalCount: 0 };
const nothingToCount = { totalCount: 0, facets: {}, furtherValues: {}, histogram: null };

/** Replies to every call of the contract; an administrator's call is refused to any other user. */
export function emptyService(user: SignedInUser): readonly HttpHandler[] {
  return [
    reply(meEndpoint, user),
    reply(preferencesEndpoint, { preferences: {}, frame: {} }),
    reply(ssoStatusEndpoint, { enabled: false, label: '' }),
    ...endpoints.map((endpoint) => emptyReply(endpoint, user)),
  ];
}

function emptyReply(endpoint: Endpoint, { userType }: SignedInUser): HttpHandler {
  if (endpoint.access === 'admin' && userType !== 'Admin') return refuse(endpoint, 403);
  if (endpoint.streams === 'events')
    return respond(endpoint, () => new Response(new ReadableStream()));
  const fitting = [nothing, nothingToCount].find((body) => endpoint.reply.safeParse(body).success);
  return fitting === undefined ? refuse(endpoint, 404) : reply(endpoint, fitting);
}
