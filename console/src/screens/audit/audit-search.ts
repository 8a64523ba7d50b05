/** What the address of the audit screen holds: which entries are shown. */
import type { AuditFilter } from '@patch/contract/audit-endpoints.ts';
import { z } from 'zod';

const words = z
  .union([z.string(), z.number().transform(String)])
  .transform((text) => text.trim().slice(0, 200))
  .transform((text) => (text === '' ? undefined : text))
  .optional()
  .catch(undefined);
const instant = z.coerce.number().int().min(1).max(8.64e15).optional().catch(undefined);

export const auditSearchSchema = z.object({
  user: words,
  action: words,
  subject: words,
  outcome: z.enum(['done', 'refused', 'failed']).optional().catch(undefined),
  requestId: words,
  /** Epoch milliseconds: the first and the last of the days that are shown. */
  from: instant,
  to: instant,
});
export type AuditSearch = z.infer<typeof auditSearchSchema>;

/** As the calls take it: what is not asked for is absent, and `to` is the first moment that is not shown. */
export function filterOf({ to, ...search }: AuditSearch): AuditFilter {
  const filter = { ...search, ...(to !== undefined && { to: to + 1 }) };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
