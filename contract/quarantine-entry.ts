/** Changes of a publication that look like a damaged one: the records stay as they are until an administrator accepts or rejects them. */
import { z } from 'zod';

export const quarantineReasons = ['records_missing', 'content_lost'] as const;

/** Within a source one entry waits for each of these. */
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
  /** Records that would be withdrawn, or changed. */
  records: z.number().int(),
  /** Records that they are a share of: those of the part that were known before; for lost content, those that the vendor lists and that were listed before. */
  known: z.number().int(),
  /** In which fields and tables, with the number of records that would lose something there or have it replaced; most records first. Empty for missing records. */
  losses: z.array(z.object({ label: z.string(), records: z.number().int() })),
  /** At most ten: the name of the record, and its losses in words. */
  examples: z.array(z.object({ name: z.string(), losses: z.array(z.string()) })),
  /** The run that met them first, and when. */
  runId: z.number().int(),
  quarantinedAt: z.number().describe('Epoch milliseconds'),
});
export type QuarantineEntry = z.infer<typeof QuarantineEntry>;
