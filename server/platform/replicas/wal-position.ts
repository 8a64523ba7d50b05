/** Positions in PostgreSQL's write-ahead log. A server that has replayed the log up to a position has every commit before it. */
import { z } from 'zod';

/** Offset in bytes from the beginning of the log. */
export type WalPosition = bigint;

/** Parses a pg_lsn of PostgreSQL: '16/B374D848'. */
export const WalPosition = z
  .string()
  .regex(/^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i)
  .transform((text): WalPosition => {
    const [high = '', low = ''] = text.split('/');
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  });
