/** Tests a mirror or a vendor by requesting one document. */
import type { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { createSlowError, FailedAttempt } from './fetch-failed.ts';
import type { Upstream } from './upstream.ts';

export interface UpstreamTest {
  /** Null when the document is available. */
  readonly problem: FetchProblem | null;
  readonly milliseconds: number;
}

/** Makes one attempt of at most `limitMs`. Reads only the first chunk of the body. */
export async function testUpstream(
  upstream: Upstream,
  url: string,
  limitMs: number,
): Promise<UpstreamTest> {
  const started = performance.now();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(createSlowError(limitMs)), limitMs);
  const problem = await findProblem(upstream, url, stop.signal).finally(() => clearTimeout(timer));
  return { problem, milliseconds: Math.round(performance.now() - started) };
}

async function findProblem(
  upstream: Upstream,
  url: string,
  signal: AbortSignal,
): Promise<FetchProblem | null> {
  try {
    const served = await upstream.request(url, null, signal);
    if (served.kind === 'absent') return { code: 'status', params: { status: 404 } };
    if (served.kind === 'body') for await (const _ of served.body) break;
    return null;
  } catch (error) {
    if (error instanceof FailedAttempt) return error.problem;
    throw error;
  }
}
