/** Parses JSON bodies. An absent or empty body is undefined with any content type. Routes that receive files or plain text get these unread or decoded. */
import type { IncomingMessage } from 'node:http';
import { inventoryText } from '@patch/catalogue/machines/inventory/inventory-text.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { wrongContentType } from './failure-of.ts';

export const fileTypes = ['application/zip', 'application/octet-stream'];

export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => parseJson(text),
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
      if (routeOptions.config.receivesText === true) return { text: inventoryText(bytes) };
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

function requireEmpty(text: string, receivesText = false): undefined {
  if (text.trim() !== '') throw wrongContentType(receivesText);
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('not_json', `The body is not JSON: ${describePosition(error)}.`);
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
