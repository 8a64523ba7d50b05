/** Generates odd requests to a call, each valid except for one unexpected input. */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { type InputPath, jsonWith, jsonWithName, listPaths } from './input-paths.ts';
import {
  oddFiles,
  oddHeaders,
  oddInAddress,
  oddNames,
  oddNumbers,
  oddTexts,
  wrongTypes,
} from './unexpected-values.ts';

export interface RequestInput {
  readonly params: Readonly<Record<string, string>>;
  /** Encoded values. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** JSON text. */
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly file?: Buffer | undefined;
}

export interface OddRequest {
  /** The odd input: 'path id', 'query size', 'body 0 search.keyword'. Empty for a valid request. */
  readonly input: string;
  readonly value: string;
  readonly request: RequestInput;
}

export interface CallExamples {
  readonly query: Readonly<Record<string, unknown>>;
  /** Empty if the call has no body. */
  readonly bodies: readonly unknown[];
  readonly file: Buffer | undefined;
}

/** Headers read by the service, its libraries or a proxy in front. */
const headersRead = [
  'cookie',
  'if-none-match',
  'if-modified-since',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'origin',
  'referer',
  'last-event-id',
  'accept',
  'accept-encoding',
  'accept-language',
  'range',
  'host',
];
const authorizations = ['', 'Apikey ', 'Apikey prk_', 'Apikey prc_', 'Bearer '];
const contentTypes = [
  'multipart/form-data; boundary="\xff"',
  'application/x-www-form-urlencoded',
  'text/plain',
  '\xff',
  'application/json; charset="',
];
const form =
  '--\xff\r\nContent-Disposition: form-data; name="\0"; filename="../\0"\r\n\r\n\0\r\n--\xff--&a[b][c]=1&__proto__=%00';
/** Query names that no call has. */
const oddQueryNames = ['%00', '%ED%A0%80', '%', '', '__proto__', 'constructor', 'a%5Bb%5D'];

/** Selects the values with which an input is tried. */
export type Pick = <Value>(values: readonly Value[]) => readonly Value[];

/** Parts for building the requests of one call. */
interface RequestParts {
  readonly pick: Pick;
  /** Returns a valid request with new resources, since an accepted request may have removed earlier ones. */
  readonly valid: () => Promise<RequestInput>;
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly bodies: CallExamples['bodies'];
}

/**
 * @param params - Creates a resource for each path parameter. It is called before each input, since an accepted request may have removed
 * the resource. With `everyHeader` all odd headers are tried, else two, since headers are read before the call is known.
 */
export async function* oddRequests(
  call: Endpoint,
  { query, bodies, file }: CallExamples,
  params: () => Promise<Readonly<Record<string, string>>>,
  { everyHeader, pick }: { readonly everyHeader: boolean; readonly pick: Pick },
): AsyncGenerator<OddRequest> {
  const pairs = Object.entries(query).map(
    ([name, value]) => [name, encodeURIComponent(String(value))] as const,
  );
  const [body] = bodies;
  const valid = async (): Promise<RequestInput> => ({
    params: await params(),
    query: pairs,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file !== undefined && { file }),
  });
  const parts = { pick, valid, pairs, bodies };
  yield* validRequests(parts);
  yield* oddPaths(call, parts);
  yield* oddQueries(parts);
  yield* oddHeaderRequests(
    await valid(),
    pick(everyHeader ? oddHeaders : oddHeaders.slice(0, 2)),
    pick,
  );
  if (call.receives === 'file') yield* oddFileRequests(await valid(), pick(oddFiles));
  yield* oddBodies(parts);
}

async function* validRequests({ valid, bodies }: RequestParts): AsyncGenerator<OddRequest> {
  for (const [index, example] of bodies.entries())
    yield {
      input: '',
      value: `example ${index}`,
      request: { ...(await valid()), body: JSON.stringify(example) },
    };
  if (bodies.length === 0) yield { input: '', value: 'example', request: await valid() };
}

async function* oddPaths(
  { path }: Endpoint,
  { pick, valid }: RequestParts,
): AsyncGenerator<OddRequest> {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const request = await valid();
    for (const value of pick(oddInAddress))
      yield {
        input: `path ${name}`,
        value,
        request: { ...request, params: { ...request.params, [name]: value } },
      };
  }
}

async function* oddQueries({ pick, valid, pairs }: RequestParts): AsyncGenerator<OddRequest> {
  for (const [name] of pairs) {
    const request = await valid();
    const input = `query ${name}`;
    const others = pairs.filter(([otherName]) => otherName !== name);
    for (const value of pick(oddInAddress))
      yield { input, value, request: { ...request, query: [...others, [name, value]] } };
    yield { input, value: 'twice', request: { ...request, query: [...pairs, [name, '1']] } };
  }
  const request = await valid();
  for (const name of pick(oddQueryNames))
    yield {
      input: 'query name',
      value: name,
      request: { ...request, query: [...pairs, [name, '1']] },
    };
}

function* oddHeaderRequests(
  request: RequestInput,
  values: readonly string[],
  pick: Pick,
): Generator<OddRequest> {
  for (const value of values) {
    const headers = Object.fromEntries(
      headersRead.map((name) => [
        name,
        name === 'cookie' ? `sso=${value}; ${value}=${value}` : value,
      ]),
    );
    yield { input: 'headers', value, request: { ...request, headers } };
    for (const start of pick(authorizations))
      yield {
        input: 'authorization',
        value: start + value,
        request: { ...request, headers: { authorization: start + value } },
      };
  }
  for (const type of pick(contentTypes))
    yield {
      input: 'content-type',
      value: type,
      request: { ...request, file: undefined, body: form, headers: { 'content-type': type } },
    };
}

function* oddFileRequests(request: RequestInput, files: readonly Buffer[]): Generator<OddRequest> {
  for (const odd of files)
    yield {
      input: 'file',
      value: odd.toString('latin1', 0, 20),
      request: { ...request, file: odd },
    };
}

async function* oddBodies({ pick, valid, bodies }: RequestParts): AsyncGenerator<OddRequest> {
  for (const [index, example] of bodies.entries())
    for (const location of listPaths(example)) {
      const input = `body ${index} ${location.path.join('.')}`;
      const request = await valid();
      for (const value of pick(getOddValues(location)))
        yield {
          input,
          value,
          request: { ...request, body: jsonWith(example, location.path, value) },
        };
      if (location.kind !== 'object') continue;
      for (const value of pick(oddNames))
        yield {
          input: `${input} name`,
          value,
          request: { ...request, body: jsonWithName(example, location.path, value) },
        };
    }
}

/** Returns all values of the input's kind, and some of every other kind. */
function getOddValues({ kind }: InputPath): readonly string[] {
  if (kind === 'text') return [...oddTexts, ...oddNumbers.slice(0, 3), ...wrongTypes];
  if (kind === 'number') return [...oddNumbers, ...wrongTypes, ...oddTexts.slice(0, 3)];
  return [...wrongTypes, ...oddTexts.slice(0, 3), ...oddNumbers.slice(0, 3)];
}
