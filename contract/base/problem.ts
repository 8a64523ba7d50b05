/** The reply to every refused or failed call, with the HTTP status 400, 401, 403, 404, 409, 413, 422, 429, 500 or 503. */
import { z } from 'zod';

export const Problem = z.object({
  /** A text for the user: the problem, then the next step. */
  userMessage: z.string(),
  /** For programs: unknown_field, locked_out, sync_running … */
  code: z.string(),
  /** The id in the server's log line. */
  requestId: z.string(),
});
export type Problem = z.infer<typeof Problem>;

/** The same in the form of osv.dev, of endpoints with `errors: 'rpc'`. */
export const RpcProblem = z
  .object({
    message: z.string(),
    details: z.tuple([
      z.object({ reason: z.string(), metadata: z.object({ requestId: z.string() }) }),
    ]),
  })
  .transform(
    ({ message, details: [{ reason, metadata }] }): Problem => ({
      userMessage: message,
      code: reason,
      requestId: metadata.requestId,
    }),
  );
