/** Reads the body of a call from its bytes, in any thread: parses JSON, validates it and refuses text that cannot be stored. */
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { z } from 'zod';
import { assertStorableText } from './assert-storable-text.ts';
import { parseJson } from './parse-json.ts';
import { readInput } from './read-input.ts';

/** @throws AppError `too_large`, `not_json`, `invalid_input` */
export function readJsonBody<C extends Endpoint>(call: C, bytes: Uint8Array): z.output<C['body']> {
  const sent = parseJson(bytes, call.maxBodyValues);
  const body = readInput<C['body']>('body', call.body, sent);
  assertStorableText(sent);
  return body;
}
