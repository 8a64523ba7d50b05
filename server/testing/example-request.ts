/** Sends a request to any call of the contract, with a valid address, that changes nothing. */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { readRefusal } from './refusal.ts';

const params: Readonly<Record<string, string>> = {
  prefix: 'windows',
  type: 'all',
  source: 'almaLinux',
  list: 'almalinux_patch',
};
const queries: Readonly<Record<string, string>> = {
  is_sync_running: 'service=almaLinux',
  start_sync: 'service=almaLinux',
  cancel_sync: 'service=almaLinux',
  schedule_preview: 'cron=15%203%20*%20*%20*',
};

/** Returns the status and the code of a refusal. Does not read successful replies, which may be endless streams. */
export async function makeExample(
  app: FastifyInstance,
  call: Endpoint,
  token?: string,
): Promise<{ status: number; code: string }> {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '999999');
  const query = queries[call.name];
  const reply = await app.inject({
    method: call.method,
    url: `/api${path}${query === undefined ? '' : `?${query}`}`,
    headers: { ...(token !== undefined && { authorization: `Apikey ${token}` }) },
    payloadAsStream: true,
    ...(call.receives === 'file' && {
      headers: {
        ...(token !== undefined && { authorization: `Apikey ${token}` }),
        'content-type': 'application/octet-stream',
      },
      payload: 'no file',
    }),
    ...(call.receives !== 'file' && call.method !== 'GET' && { payload: {} }),
  });
  const stream = reply.stream();
  if (reply.statusCode < 400) {
    stream.destroy();
    return { status: reply.statusCode, code: '' };
  }
  const text = (await stream.toArray()).join('');
  return { status: reply.statusCode, code: readRefusal(JSON.parse(text))?.code ?? '' };
}
