/** Asks a mirror, or a vendor, for one document and says how that went. */
import type { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { FailedAttempt, slowAttempt } from './fetch-failed.ts';
import type { Upstream } from './upstream.ts';

export interface UpstreamTest {
  /** Null: the document arrives. */
  readonly problem: FetchProblem | null;
  readonly milliseconds: number;
}

/** One attempt, which ends after `limitMs`; the body is not read beyond its first piece. */
export async function testUpstream(
  upstream: Upstream,
  url: string,
  limitMs: number,
): Promise<UpstreamTest> {
  const started = performance.now();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(slowAttempt(limitMs)), limitMs);
  const problem = await problemOf(upstream, url, stop.signal).finally(() => clearTimeout(timer));
  return { problem, milliseconds: Math.round(performance.now() - started) };
}

async function problemOf(
  upstream: Upstream,
  url: string,
  signal: AbortSignal,
): Promise<FetchProblem | null> {
  try {
    const served = await upstream.ask(url, null, signal);
    if (served.kind === 'absent') return { code: 'status', params: { status: 404 } };
    if (served.kind === 'body') for await (const _ of served.body) break;
    return null;
  } catch (error) {
    if (error instanceof FailedAttempt) return error.problem;
    throw error;
  }
}
