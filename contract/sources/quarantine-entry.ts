/** Changes that look like a damaged publication: the records stay unchanged until an administrator accepts or rejects them. */
import { z } from 'zod';

export const quarantineReasons = ['records_missing', 'content_lost'] as const;

/** A source has at most one waiting entry for each key. */
export const QuarantineKey = z.strictObject({
  part: z.string().min(1).max(100),
  list: z.string().max(100),
  reason: z
    .enum(quarantineReasons)
    .describe('The vendor no longer lists records; or it lists them with less content'),
});
export type QuarantineKey = z.infer<typeof QuarantineKey>;

export const QuarantineEntry = z.object({
  ...QuarantineKey.shape,
  partLabel: z.string(),
  /** Records that would be withdrawn or changed. */
  records: z.number().int(),
  /**
   * The total that `records` is a part of: records of the part that were known before; for lost content, listed records that were
   * listed before.
   */
  known: z.number().int(),
  /**
   * The affected fields and tables, with the number of records whose value would be lost or replaced; most records first. Empty
   * for missing records.
   */
  losses: z.array(z.object({ label: z.string(), records: z.number().int() })),
  /** At most ten: the record's name, and its losses in words. */
  examples: z.array(z.object({ name: z.string(), losses: z.array(z.string()) })),
  /** The run that found them first, and when. */
  runId: z.number().int(),
  quarantinedAt: z.number().describe('Epoch milliseconds'),
});
export type QuarantineEntry = z.infer<typeof QuarantineEntry>;
