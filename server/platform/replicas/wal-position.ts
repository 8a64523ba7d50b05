/** Places in the write-ahead log of a PostgreSQL server: a server that has replayed the log up to a place has all that was committed before it. */
import { z } from 'zod';

/** Bytes from the beginning of the log. */
export type WalPosition = bigint;

/** As PostgreSQL writes a pg_lsn: '16/B374D848'. */
export const WalPosition = z
  .string()
  .regex(/^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i)
  .transform((text): WalPosition => {
    const [high = '', low = ''] = text.split('/');
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  });
