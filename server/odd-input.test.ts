/** Whatever is asked of the real app is answered or refused: no text in an address, and none in a body, is an error of ours. */
import type { Call } from '@patch/contract/call.ts';
import { calls } from '@patch/contract/calls.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { password, withSignInApp } from './auth/testing/sign-in-app.ts';
import { describeOnDatabases } from './testing/databases.ts';

const oddTexts = [
  'a\0b',
  '',
  ' ',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '￿',
  '1e999',
  '-1',
  '9'.repeat(30),
  '../../etc/passwd',
  '[]',
  'İ',
  '\n',
  '\u202e',
];
const oddBodies = [
  'null',
  '[]',
  '0',
  '""',
  '{"":""}',
  '{"__proto__":null}',
  '{"keyword":"\\ud800"}',
  '{"filter":"\\u0000"}',
  '{"keyword":"\\u0000"}',
  '{"keyword":"kernel\\u0000update"}',
  '{"keyword":"\\ud800 kernel"}',
  '{"filter":"lower(title) = \'a\\u0000b\' and lower(title) not like \'%a\\u0000_b%\'"}',
  '{"body":"\\ud800"}',
];

const named = (schema: z.ZodType) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

describeOnDatabases('odd input', (open) => {
  const service = withSignInApp(open);
  let token = '';
  let turn = 0;
  beforeAll(() => service.repopulate());
  // Some calls end the session, and one address signs in only so often.
  beforeEach(async () => {
    turn += 1;
    const { json } = await service.signIn('Operator', password, { from: `10.0.${turn >> 8}.${turn & 255}` });
    token = String(json['token']);
  });
  afterAll(() => service.app.close());

  async function status({ method, access }: Call, path: string, body?: string): Promise<string> {
    const reply = await service.app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: { authorization: `Apikey ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: body }),
    });
    // A refusal of the caller would prove nothing.
    const untried = access !== 'public' && [401, 403, 429].includes(reply.statusCode);
    return reply.statusCode >= 500 || untried ? `${method} ${path} ${body ?? ''}: ${reply.statusCode} ${reply.body}` : 'answered';
  }

  const asked = calls.filter(({ streams, access, name }) => streams !== 'events' && access !== 'client' && name !== 'sign_out');

  test.each(asked.filter(({ method }) => method === 'GET'))('$path takes any text in its address', async (call) => {
    const example = (path: string) => path.replaceAll(/\{\w+\}/g, '999999');
    for (const text of oddTexts) {
      const odd = encodeURIComponent(text);
      for (const name of named(call.query)) expect(await status(call, `${example(call.path)}?${name}=${odd}`)).toBe('answered');
      for (const name of named(call.params)) expect(await status(call, example(call.path.replace(`{${name}}`, odd)))).toBe('answered');
    }
  });

  test.each(asked.filter(({ method, receives }) => method !== 'GET' && receives === undefined))(
    '$method $path takes any body',
    async (call) => {
      for (const body of oddBodies) expect(await status(call, call.path.replaceAll(/\{\w+\}/g, '999999'), body)).toBe('answered');
    },
  );
});
