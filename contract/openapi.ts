/** Creates the OpenAPI 3.1 document of the calls. */
import { DocumentFailure, FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { FeedRemark } from '@patch/catalogue/definition/feed-remark.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { SignedInUser } from './accounts/sign-in-endpoints.ts';
import type { Access, Endpoint } from './base/endpoint.ts';
import { Problem } from './base/problem.ts';
import { PasswordPolicy } from './form-rules/password-rules.ts';
import { searchExample, searchReference } from './search-reference.ts';
import { AuditEntry, RunChange, RunRejection } from './sources/run-endpoints.ts';
import { PartFailure, RunMessage, RunStage } from './sources/run-message.ts';
import { Run, SourceState, SyncDetails } from './sources/sync-endpoints.ts';

type Json = { readonly [key: string]: unknown };

/** Shapes that are written once, by name; all others are inlined. */
const shared = {
  Problem,
  SignedInUser,
  PasswordPolicy,
  Run,
  RunMessage,
  RunStage,
  PartFailure,
  DocumentFailure,
  FetchProblem,
  FeedRemark,
  SourceState,
  SyncDetails,
  AuditEntry,
  RunRejection,
  RunChange,
};
const nameOfShared = new Map<unknown, string>(
  Object.entries(shared).map(([name, schema]) => [schema, name]),
);

/** Replies to calls that cannot be served, by status. */
const refusals = {
  400: { name: 'Unreadable', description: 'The body is not JSON.' },
  401: {
    name: 'NotSignedIn',
    description:
      'No token, or one that has expired; for signing in: a wrong user name or password.',
  },
  403: { name: 'Forbidden', description: 'Administrators only.' },
  404: { name: 'NotFound', description: 'Not found.' },
  409: {
    name: 'Conflict',
    description: 'Not possible in the current state; the message gives the reason.',
  },
  422: {
    name: 'Refused',
    description: 'The input is not valid; the message names the field and what is allowed.',
  },
  429: {
    name: 'TooMany',
    description:
      'Too many requests, in total or at once; the header Retry-After gives the seconds to wait.',
  },
  503: {
    name: 'NotReady',
    description: 'The service is starting or its database cannot be reached.',
  },
} as const;
type RefusalStatus = keyof typeof refusals;

export function openApiDocument(
  calls: readonly Endpoint[],
  { version }: { version: string },
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of calls) {
    const path = (paths[call.path] ??= {});
    const method = call.method.toLowerCase();
    if (path[method] !== undefined)
      throw new Error(`${call.name} is a second call of ${call.method} ${call.path}`);
    path[method] = operation(call);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Patch Repository',
      version,
      description:
        'Vendor patch catalogues in one searchable repository. Times are epoch milliseconds. Sign in with `POST /authenticate` and send the token with every call.',
    },
    servers: [{ url: '/api' }],
    security: [{ Apikey: [] }],
    tags: [...new Set(calls.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        Apikey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The word Apikey, a space and the token that `POST /authenticate` returns, an API key, or a client’s token: `Apikey 9f86d081…`',
        },
      },
      schemas: Object.fromEntries(
        Object.entries(shared).map(([name, schema]) => [name, toSchema(schema, 'output', schema)]),
      ),
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, { name, description }]) => [
          name,
          refusal(description, status === '429'),
        ]),
      ),
    },
  };
}

function operation(call: Endpoint): Json {
  const body = describeBody(call);
  const list = catalogueLists.find(({ key }) =>
    [`search_${key}`, `group_${key}`].includes(call.name),
  );
  const parameters = [...parametersIn('path', call.params), ...parametersIn('query', call.query)];
  const example = list === undefined ? {} : { example: searchExample(list) };
  return {
    operationId: call.name,
    summary: call.summary,
    ...(list === undefined ? {} : { description: searchReference(list) }),
    tags: [call.tag],
    ...(call.access === 'public' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.receives === 'file' ? { requestBody: aFile } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: {
              'application/json': { schema: body.schema, ...example },
              ...(call.receives === 'text' ? { 'text/plain': { schema: { type: 'string' } } } : {}),
            },
          },
        }),
    responses: {
      [call.status ?? 200]:
        call.status === 302
          ? leadsOn
          : {
              description: 'The requested result',
              content: {
                [mediaTypes[call.streams ?? 'json']]: { schema: toSchema(call.reply, 'output') },
              },
            },
      ...Object.fromEntries(
        listRefusals(call, body !== undefined, parameters.length > 0).map((status) => [
          status,
          { $ref: `#/components/responses/${refusals[status].name}` },
        ]),
      ),
    },
  };
}

const aFile = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

const leadsOn = {
  description: 'Redirects the browser',
  headers: { Location: { description: 'The target', schema: { type: 'string' } } },
};

const mediaTypes = {
  json: 'application/json',
  events: 'text/event-stream',
  file: 'application/octet-stream',
  image: 'image/png',
} as const;

const refusalsByAccess: Record<Access, readonly RefusalStatus[]> = {
  public: [],
  standard: [401],
  operator: [401, 403],
  approver: [401, 403],
  admin: [401, 403],
  client: [401, 403],
};

function listRefusals(
  call: Endpoint,
  hasBody: boolean,
  hasParameters: boolean,
): readonly RefusalStatus[] {
  const signsIn = call.access === 'public' && hasBody;
  return [
    ...(hasBody ? ([400] as const) : []),
    ...(signsIn ? ([401, 429] as const) : refusalsByAccess[call.access]),
    ...(call.path.includes('{') ? ([404] as const) : []),
    // An accepted job cannot be accepted twice.
    ...(call.status === 202 ? ([409] as const) : []),
    // Each open stream occupies a connection.
    ...(call.streams === 'events' ? ([429] as const) : []),
    ...(hasBody || hasParameters || call.receives === 'file' ? ([422] as const) : []),
    503,
  ];
}

function refusal(description: string, retryAfter: boolean): Json {
  const headers = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } };
  return {
    description,
    ...(retryAfter ? { headers } : {}),
    content: { 'application/json': { schema: toSchema(Problem, 'output') } },
  };
}

function parametersIn(location: 'path' | 'query', schema: z.ZodType): readonly Json[] {
  // Everything in an address is text; the parsed type is more precise where it can be described.
  const written = toSchema(schema, 'input');
  const read = (toSchema(schema, 'output').properties ?? {}) as Record<string, Json>;
  const required = (written.required ?? []) as readonly string[];
  return Object.entries((written.properties ?? {}) as Record<string, Json>).map(
    ([name, asWritten]) => {
      const asRead = read[name];
      const { description, ...shape } =
        asRead !== undefined && (asRead.type !== undefined || asRead.enum !== undefined)
          ? asRead
          : asWritten;
      return {
        name,
        in: location,
        required: location === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: shape,
      };
    },
  );
}

/** Returns undefined for a call without a body. */
function describeBody(call: Endpoint): { schema: Json; required: boolean } | undefined {
  const written = toSchema(call.body, 'input');
  const shapes = ((written.anyOf ?? [written]) as readonly Json[]).filter(
    ({ type }) => type !== 'null',
  );
  const schema = shapes.length === 1 ? (shapes[0] ?? written) : written;
  if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0)
    return undefined;
  return { schema, required: !call.body.safeParse(undefined).success };
}

/** @param root a schema to write out although it is shared. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', root?: unknown): Json {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const name = zodSchema === root ? undefined : nameOfShared.get(zodSchema);
      if (name !== undefined) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        jsonSchema.$ref = `#/components/schemas/${name}`;
        return;
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // A reply may gain properties, on which clients must not fail.
      if (io === 'output') delete jsonSchema.additionalProperties;
    },
  });
  return written;
}
