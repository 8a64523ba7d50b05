/** Parses JSON bodies. An absent or empty body is undefined with any content type. Routes that receive files, reports or plain text get these unread, as bytes or decoded. */
import type { IncomingMessage } from 'node:http';
import { inventoryText } from '@patch/catalogue/machines/inventory/inventory-text.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wrongContentType } from './failure-of.ts';
import { parseJson } from './read-input.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Most members and items of a JSON body. */
    readonly maxBodyValues?: number;
  }
}

export const fileTypes = ['application/zip', 'application/octet-stream'];

export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ routeOptions: { config } }: FastifyRequest, bytes: Buffer) =>
      config.receivesGzip === true
        ? bytes
        : takeTurn(bytes.length, () => parseJson(bytes, config.maxBodyValues)),
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
