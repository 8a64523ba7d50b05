/** The search parameters of the audit screen. */
import type { AuditFilter } from '@patch/contract/operations/audit-endpoints.ts';
import { z } from 'zod';

const textFilter = z
  .union([z.string(), z.number().transform(String)])
  .transform((text) => text.trim().slice(0, 200))
  .transform((text) => (text === '' ? undefined : text))
  .optional()
  .catch(undefined);
const instant = z.coerce.number().int().min(1).max(8.64e15).optional().catch(undefined);

export const auditSearchSchema = z.object({
  user: textFilter,
  action: textFilter,
  subject: textFilter,
  outcome: z.enum(['done', 'refused', 'failed']).optional().catch(undefined),
  requestId: textFilter,
  /** First and last day, in epoch milliseconds. */
  from: instant,
  to: instant,
});
export type AuditSearch = z.infer<typeof auditSearchSchema>;

/** Converts the search into a request. Empty filters are omitted, and `to` becomes exclusive. */
export function toAuditFilter({ to, ...search }: AuditSearch): AuditFilter {
  const filter = { ...search, ...(to !== undefined && { to: to + 1 }) };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
