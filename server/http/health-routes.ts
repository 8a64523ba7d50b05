/** Ready means: the database answers within two seconds. */
import { setTimeout as after } from 'node:timers/promises';
import { healthCall } from '@patch/contract/health-call.ts';
import type { Database } from '../database/database.ts';
import type { Answer } from './answer.ts';
import { productVersion } from './product-version.ts';
import { Refusal } from './refusal.ts';

const patience = 2_000;

export function healthRoutes(answer: Answer, { database }: { readonly database: Database }): void {
  answer(healthCall, async () => {
    if (!(await answersInTime(database)))
      throw new Refusal(503, 'not_ready', 'The database does not answer just now. Try again in a moment.', { 'retry-after': '5' });
    return { status: 'ready' as const, version: productVersion, database: database.kind };
  });
}

async function answersInTime(database: Database): Promise<boolean> {
  const given = new AbortController();
  try {
    return await Promise.race([database.query('select 1').then(() => true), after(patience, false, { signal: given.signal })]);
  } catch {
    return false;
  } finally {
    given.abort();
  }
}
