/**
 * Defines one HTTP call as data: the server answers it, the console makes it and OpenAPI describes it, without repeating its path
 * or shapes.
 */
import type { z } from 'zod';
import { noBody, noParams, noQuery } from './no-input.ts';
import type { UserAccess } from './user-types.ts';

/** Who may make a call: a user whose type has the access, `public` anybody, `client` licensed clients. */
export type Access = 'public' | 'client' | UserAccess;

/**
 * Scopes of API keys: read lists, records and runs; start and cancel syncs; manage licensed clients; administer the rest; create
 * and fetch database dumps in addition; assess machines; read the open formats; read events; report the machine that
 * has the key.
 */
export const apiKeyScopes = [
  'read',
  'sync',
  'clients',
  'manage',
  'backup',
  'assess',
  'formats',
  'events',
  'report',
] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  /** Unique over all calls; the operationId in OpenAPI. */
  readonly name: string;
  readonly summary: string;
  readonly tag: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below /api with parameters in braces: /windows/kb/{id}. */
  readonly path: string;
  readonly access: Access;
  /**
   * The machines that the call shows to, or changes for, a user of some groups alone: `own` ones, or `none` to anybody. Absent: those of
   * all groups, or what concerns them, so that such a user may not make the call.
   */
  readonly machines?: 'own' | 'none';
  /** True for a call that changes nothing although it is not a GET, because its input does not fit into an address. */
  readonly reads?: true;
  /** The scope that an API key needs, beside its owner's rights; absent when only signed-in users may make the call. */
  readonly scope?: ApiKeyScope;
  /**
   * Requires a proof of identity within the last minutes, otherwise 403 `reauthentication_required`. API keys cannot make the
   * call.
   */
  readonly reauthenticates?: true;
  readonly params: Params;
  /** Path parameters that grant access by themselves; logs omit them. */
  readonly secretParams?: readonly string[];
  /** Each address of this GET is valid once: the service does not answer HEAD, which may change nothing (RFC 9110, 9.2.1). */
  readonly once?: true;
  readonly query: Query;
  readonly body: Body;
  readonly reply: Reply;
  /**
   * Requests per minute from one address before a 429; unlimited when absent. The limit is generous, because many people may
   * share an address, and the limit of failed sign-in attempts protects the accounts.
   */
  readonly rateLimit?: { readonly perMinute: number };
  /** Status of a successful reply; 200 when absent. */
  readonly status?: 200 | 201 | 202 | 302;
  /**
   * `events`: server-sent events in the shape of `reply`, until the caller disconnects. `file`: a download. `image`: a picture.
   * Absent: one JSON reply.
   */
  readonly streams?: 'events' | 'file' | 'image';
  /**
   * `file`: the body is a file of any size that the call allows. `text`: JSON, or plain text in any encoding, which arrives as `{
   * text }`. `gzip`: JSON that may be compressed, which the handler gets as bytes so that a thread can read it, and which the audit log omits. Absent: JSON or nothing.
   */
  readonly receives?: 'file' | 'text' | 'gzip';
  /** `rpc`: failures are `{ code, message }` with gRPC's numbers, and invalid input is a 400, as osv.dev's clients expect. Absent: a `Problem`. */
  readonly errors?: 'rpc';
  /** Limit of a body that is not a file; 256 KiB when absent. */
  readonly maxBodyBytes?: number;
  /** Limit of the members and items of a JSON body, which cost time to parse; 10,000 when absent. */
  readonly maxBodyValues?: number;
}

type Input = 'params' | 'query' | 'body';

/** A call takes no parameters, no query and no body unless it defines them. */
export function defineEndpoint<
  R extends z.ZodType,
  P extends z.ZodType = typeof noParams,
  Q extends z.ZodType = typeof noQuery,
  B extends z.ZodType = typeof noBody,
>(
  call: Omit<Endpoint<P, Q, B, R>, Input> & Partial<Pick<Endpoint<P, Q, B, R>, Input>>,
): Endpoint<P, Q, B, R> {
  const withoutInput: Pick<Endpoint, Input> = { params: noParams, query: noQuery, body: noBody };
  return { ...withoutInput, ...call } as Endpoint<P, Q, B, R>;
}
