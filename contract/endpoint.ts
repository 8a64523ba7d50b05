/** One HTTP call as data. The server answers it, the console makes it, OpenAPI describes it; none repeats its path or shapes. */
import type { z } from 'zod';

/** Who may make a call. Every signed-in person may make a `standard` one, only administrators an `admin` one, only a licensed client a `client` one. */
export type Access = 'public' | 'standard' | 'admin' | 'client';

/** What an API key may be good for: to read lists, records and runs; to start and cancel syncs; to keep the licensed clients; to administer the rest; beside that, to have database dumps made and fetch them; to ask what a machine misses; to read the open formats. */
export const apiKeyScopes = [
  'read',
  'sync',
  'clients',
  'manage',
  'backup',
  'assess',
  'formats',
] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  /** Unique over all calls; OpenAPI's operationId. */
  readonly name: string;
  readonly summary: string;
  readonly tag: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api, parameters in braces: /windows/kb/{id}. */
  readonly path: string;
  readonly access: Access;
  /** It changes nothing, though it is no GET: what it asks for does not fit an address. */
  readonly reads?: true;
  /** What an API key needs, beside its owner's right, to make the call. Absent: only a person who signed in makes it. */
  readonly scope?: ApiKeyScope;
  /** The person must have proved who they are within the last minutes; 403 `reauthentication_required` otherwise. No API key makes it. */
  readonly reauthenticates?: true;
  readonly params: Params;
  /** Path parameters that grant access by themselves; no log shows them. */
  readonly secretParams?: readonly string[];
  readonly query: Query;
  readonly body: Body;
  readonly reply: Reply;
  /**
   * Requests a minute from one address; more are a 429. Unlimited when absent. Generous: many people may share an address,
   * and the limit of failed sign-in attempts guards the accounts.
   */
  readonly rateLimit?: { readonly perMinute: number };
  /** Of a good answer; 200 when absent. */
  readonly status?: 200 | 201 | 202 | 302;
  /** `events`: server-sent events, each as `reply` says, until the caller leaves. `file`: a download. `image`: a picture, for pages to show. One JSON reply when absent. */
  readonly streams?: 'events' | 'file' | 'image';
  /**
   * `file`: the request's body is a file as it is, of any size the call allows. `text`: JSON, or plain text in any encoding, which
   * arrives as `{ text }`. `gzip`: JSON that may be compressed, and that no audit record repeats. JSON, or nothing, when absent.
   */
  readonly receives?: 'file' | 'text' | 'gzip';
  /** `rpc`: failures are `{ code, message }` with the numbers of gRPC, and wrong input is a 400, as clients of osv.dev expect. A `Problem` when absent. */
  readonly errors?: 'rpc';
  /** Of a body that is no file; 256 KiB when absent. */
  readonly maxBodyBytes?: number;
}

export function defineEndpoint<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(call: Endpoint<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return call;
}
