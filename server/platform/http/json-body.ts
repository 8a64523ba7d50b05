/** Parses JSON bodies. An absent or empty body is undefined with any content type. Routes that receive files or plain text get these unread or decoded. */
import type { IncomingMessage } from 'node:http';
import { inventoryText } from '@patch/catalogue/machines/inventory/inventory-text.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { wrongContentType } from './failure-of.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Most members and items of a JSON body. */
    readonly maxBodyValues?: number;
  }
}

/** Members and items of a body: parsing costs by values, not by bytes. A thousand queries of osv.dev have some eight each. */
const defaultMaxValues = 10_000;

const [quote, comma, bracket, brace, backslash] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c] as const;

export const fileTypes = ['application/zip', 'application/octet-stream'];

export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async ({ routeOptions }: FastifyRequest, text: string) =>
      takeTurn(text.length, () => parseJson(text, routeOptions.config.maxBodyValues)),
  );
  app.addContentTypeParser(
    fileTypes,
    async ({ routeOptions }: FastifyRequest, file: IncomingMessage) => {
      if (routeOptions.config.receivesFile !== true) throw wrongContentType();
      return file;
    },
  );
  app.addContentTypeParser(
    'text/plain',
    { parseAs: 'buffer' },
    async ({ routeOptions }: FastifyRequest, bytes: Buffer) => {
      if (routeOptions.config.receivesText === true)
        return takeTurn(bytes.length, () => ({ text: inventoryText(bytes) }));
      return requireEmpty(bytes.toString(), routeOptions.config.receivesText);
    },
  );
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async ({ routeOptions }: FastifyRequest, text: string) =>
      requireEmpty(text, routeOptions.config.receivesText),
  );
}

const largeBody = 16_384;
let previous: Promise<unknown> = Promise.resolve();

/**
 * Gives large bodies at most half of the time: one is parsed and checked alone, and the next one waits as long as that took. A page
 * that somebody else opens meanwhile waits for one body, however many arrive. A small body has its turn at once.
 */
async function takeTurn<Parsed>(size: number, parse: () => Parsed): Promise<Parsed> {
  if (size < largeBody) return parse();
  const ended = Promise.withResolvers<undefined>();
  const own = previous;
  previous = ended.promise;
  await own;
  const begun = performance.now();
  try {
    return parse();
  } finally {
    // What follows on parsing without a pause, such as the check of the body, ends before.
    setImmediate(() => setTimeout(() => ended.resolve(undefined), performance.now() - begun));
  }
}

function requireEmpty(text: string, receivesText = false): undefined {
  if (text.trim() !== '') throw wrongContentType(receivesText);
}

function parseJson(text: string, maxValues = defaultMaxValues): unknown {
  if (text.trim() === '') return undefined;
  if (hasTooManyValues(text, maxValues))
    throw new AppError(
      'too_large',
      `The body may have at most ${maxValues.toLocaleString('en')} values. Send less at once.`,
    );
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('not_json', `The body is not JSON: ${describePosition(error)}.`);
  }
}

/** Counts in a pass over the text, which costs a fraction of parsing: what is refused delays nobody. */
function hasTooManyValues(text: string, maxValues: number): boolean {
  if (text.length < maxValues) return false;
  let values = 1;
  for (let at = 0; at < text.length && values <= maxValues; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at);
    else if (character === comma || character === bracket || character === brace) values += 1;
  }
  return values > maxValues;
}

/** Returns the position of the quote that ends the text whose first quote is at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
}

/** Describes the position of the error only, since V8's message repeats the text, which may contain a password. */
function describePosition(error: unknown): string {
  const position =
    error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined
    ? 'it ends too early or has characters that JSON does not allow'
    : `it is invalid from character ${Number(position) + 1} on`;
}
