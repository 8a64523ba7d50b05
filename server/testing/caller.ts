/** Calls the API as one caller. */
import type { FastifyInstance } from 'fastify';
import { readRefusal } from './refusal.ts';

export interface ApiReply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  /** Empty when the reply is not JSON. */
  readonly json: Record<string, unknown>;
  readonly bytes: Buffer;
}

/** The reply to a call. Each part can be awaited separately. */
export class Reply extends Promise<ApiReply> {
  static override get [Symbol.species]() {
    return Promise;
  }
  get status() {
    return this.then(({ status }) => status);
  }
  get json() {
    return this.then(({ json }) => json);
  }
  /** The field `objList` of the reply. */
  get list() {
    return this.then(({ json }) => json['objList'] as Record<string, unknown>[]);
  }
  /** '200', or a refusal with its code: '422 wrong_code'. */
  get outcome() {
    return this.then(({ status, json }) =>
      status < 400 ? String(status) : `${status} ${readRefusal(json)?.code}`,
    );
  }
  /** The status and the message for the user. */
  get refusal() {
    return this.then(({ status, json }) => [status, json['userMessage']]);
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Headers = Readonly<Record<string, string>>;

/** @param body - An object or text is sent as JSON, a buffer as a file. */
export function send(
  app: FastifyInstance,
  method: Method,
  path: string,
  { headers, body }: { readonly headers?: Headers; readonly body?: object | string | undefined },
): Reply {
  const sent = app
    .inject({
      method,
      url: `/api${path}`,
      headers: {
        ...(Buffer.isBuffer(body) && { 'content-type': 'application/octet-stream' }),
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    })
    .then((reply) => {
      const isJson = String(reply.headers['content-type']).startsWith('application/json');
      return {
        status: reply.statusCode,
        headers: reply.headers,
        json: (isJson ? reply.json() : {}) as Record<string, unknown>,
        bytes: reply.rawPayload,
      };
    });
  return new Reply((resolve) => resolve(sent));
}

export class Caller {
  readonly #app: () => FastifyInstance;
  readonly token: () => Promise<string> | string;
  readonly #headers: Headers;

  /** @param headers - Sent with each call. */
  constructor(app: () => FastifyInstance, token: Caller['token'], headers: Headers = {}) {
    this.#app = app;
    this.token = token;
    this.#headers = headers;
  }

  /** Returns the same caller for another application. */
  at(app: FastifyInstance): Caller {
    return new Caller(() => app, this.token, this.#headers);
  }
  get(path: string, headers?: Headers): Reply {
    return this.#send('GET', path, undefined, headers);
  }
  post(path: string, body?: object | string, headers?: Headers): Reply {
    return this.#send('POST', path, body, headers);
  }
  put(path: string, body?: object | string, headers?: Headers): Reply {
    return this.#send('PUT', path, body, headers);
  }
  delete(path: string): Reply {
    return this.#send('DELETE', path);
  }

  #send(method: Method, path: string, body?: object | string, headers?: Headers): Reply {
    const sent = Promise.resolve(this.token()).then((token) =>
      send(this.#app(), method, path, {
        body,
        headers: {
          ...this.#headers,
          ...(token !== '' && { authorization: `Apikey ${token}` }),
          ...headers,
        },
      }),
    );
    return new Reply((resolve) => resolve(sent));
  }
}
