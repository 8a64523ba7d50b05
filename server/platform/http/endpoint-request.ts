/** Builds the request object of a handler: validated input, caller, and functions to read and report more. */
import { Readable } from 'node:stream';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import {
  type Authenticators,
  findSight,
  type Principal,
  requireProof,
  sightOf,
} from './authenticate.ts';
import { parseJson, readInput } from './read-input.ts';
import type { AuditedChange, EndpointRequest } from './route.ts';
import { knowsTag } from './send-reply.ts';

/** The input before validation. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

function toRawInput(call: Endpoint, request: FastifyRequest): RawInput {
  return {
    params: request.params,
    query: request.query,
    body: call.receives === 'file' ? undefined : request.body,
  };
}

/** Returns true for a call whose body is the output of inventory tools. */
const isInventory = ({ receives }: Endpoint) => receives === 'text' || receives === 'gzip';

/** Returns the input that may be recorded, which excludes inventories. */
export function toLoggedInput(call: Endpoint, request: FastifyRequest): RawInput {
  const input = toRawInput(call, request);
  return isInventory(call) ? { ...input, body: undefined } : input;
}

/** @throws AppError `invalid_input` with the invalid fields. */
export function endpointRequest<C extends Endpoint>(
  call: C,
  {
    request,
    reply,
    caller,
    authenticators,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    caller: Principal;
    authenticators: Authenticators;
  },
  changed: (change: AuditedChange) => void,
): EndpointRequest<C> {
  const { params, query, readBody } = validateInput(call, toRawInput(call, request));
  return {
    params,
    query,
    get body() {
      return readBody();
    },
    bytes: call.receives === 'gzip' ? toBytes(request.body) : null,
    user: caller.user,
    session: caller.session,
    client: caller.client,
    keyId: caller.keyId,
    sight: sightOf(caller),
    findSight: (made, userId) => findSight(made, userId, authenticators),
    byProvider: caller.byProvider,
    requireProof: (scope) => requireProof(caller, scope),
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 400) ?? '',
    requestId: request.id,
    signal: createCloseSignal(reply),
    cookie: (name) => readCookie(request, name),
    knows: (tag) => knowsTag(request, tag),
    upload: call.receives === 'file' ? toUpload(request.body) : null,
    changed,
  };
}

function validateInput<C extends Endpoint>(call: C, input: RawInput) {
  const params = readInput<C['params']>('path', call.params, input.params);
  const query = readInput<C['query']>('query', call.query, input.query);
  if (call.receives === 'gzip') {
    for (const part of [input.params, input.query]) assertStorableText(part);
    const readBody = () => {
      const sent = parseJson(toBytes(input.body), call.maxBodyValues);
      const body = readInput<C['body']>('body', call.body, sent);
      assertStorableText(sent);
      return body;
    };
    return { params, query, readBody };
  }
  const body = readInput<C['body']>('body', call.body, input.body);
  // Checked after the schemas, whose messages are more specific.
  if (call.receives !== 'text' || call.reads !== true)
    for (const part of [input.params, input.query, input.body]) assertStorableText(part);
  return { params, query, readBody: () => body };
}

/** Returns no bytes for a request without a content type, which has no body. */
const toBytes = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : new Uint8Array();

/** Returns an empty stream for a request without a content type, which has no body. */
function toUpload(body: unknown): Readable {
  return body instanceof Readable ? body : Readable.from([]);
}

function createCloseSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  if (raw.destroyed) closed.abort();
  else raw.once('close', () => (raw.writableFinished ? undefined : closed.abort()));
  return closed.signal;
}

/** Returns the cookie without decoding: the service's cookies contain no encoded characters. */
function readCookie({ headers }: FastifyRequest, name: string): string | null {
  const pairs = (headers.cookie ?? '').split(/; */);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/**
 * Refuses a request with text that the database cannot store: a NUL character, or half of a surrogate pair.
 * @throws AppError `invalid_input`
 */
function assertStorableText(input: unknown): void {
  // Without recursion, since JSON may be nested deeper than the stack.
  const pending: { readonly value: unknown; readonly path: string }[] = [
    { value: input, path: '' },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') refuse(value, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        refuse(name, path);
        pending.push({ value: inner, path: path === '' ? name : `${path}.${name}` });
      }
  }
}

function refuse(text: string, path: string): void {
  const found = text.includes('\0')
    ? 'the character U+0000'
    : text.isWellFormed()
      ? null
      : 'half of a surrogate pair';
  if (found === null) return;
  throw new AppError(
    'invalid_input',
    `${path === '' ? 'The request' : path} contains ${found}, which the database cannot store. Any other text is allowed.`,
  );
}
