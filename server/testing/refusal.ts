/** Reads what a refused call answers, in either form that calls have. */
import { Problem } from '@patch/contract/base/problem.ts';
import { z } from 'zod';

const RpcFailure = z.object({
  message: z.string(),
  details: z.tuple([
    z.object({ reason: z.string(), metadata: z.object({ requestId: z.string() }) }),
  ]),
});

/** Null for what is neither a problem nor a failure with a code of gRPC. */
export function readRefusal(json: unknown): Problem | null {
  const rpc = RpcFailure.safeParse(json);
  if (!rpc.success) return Problem.safeParse(json).data ?? null;
  const { message, details } = rpc.data;
  const [{ reason, metadata }] = details;
  return { userMessage: message, code: reason, requestId: metadata.requestId };
}
