/** Uploads a file with progress, which fetch does not report. */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { Problem } from '@patch/contract/base/problem.ts';
import type { z } from 'zod';
import { ApiCallCancelled, ApiCallError } from './api-call-error.ts';
import { session } from './session.ts';

export interface SendFileOptions<C extends Endpoint> {
  readonly query: z.input<C['query']>;
  /** @param share - From 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Supports endpoints without path parameters only. */
export function sendFile<C extends Endpoint>(
  call: C,
  file: Blob,
  { query, onProgress, signal }: SendFileOptions<C>,
): Promise<z.output<C['reply']>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const search = new URLSearchParams(query as Record<string, string>);
    request.open(call.method, `/api${call.path}${search.size === 0 ? '' : `?${search}`}`);
    request.setRequestHeader('Content-Type', 'application/zip');
    const { token } = session();
    if (token !== null) request.setRequestHeader('Authorization', `Apikey ${token}`);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : loaded / total),
    );
    request.addEventListener('error', () =>
      reject(
        new ApiCallError(
          0,
          'unreachable',
          'The upload was interrupted, or the server refused the file.',
        ),
      ),
    );
    request.addEventListener('abort', () => reject(new ApiCallCancelled('The call was cancelled')));
    request.addEventListener('load', () => {
      const reply = parseJson(request.responseText);
      const checked = request.status < 300 ? call.reply.safeParse(reply) : null;
      if (checked?.success === true) resolve(checked.data as z.output<C['reply']>);
      else reject(toRefusal(request.status, reply));
    });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function toRefusal(status: number, reply: unknown): ApiCallError {
  const problem = Problem.safeParse(reply);
  if (!problem.success)
    return new ApiCallError(status, 'unexpected_reply', 'Unable to connect with server.');
  const { userMessage, code, requestId } = problem.data;
  return new ApiCallError(status, code, userMessage, { requestId });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
