/** Whether an administrator has to decide something of a source: withdrawals or content that is held. */
import type { SourceState } from './sync-endpoints.ts';

export function waitsForDecision({
  held,
  heldContent,
}: Pick<SourceState, 'held' | 'heldContent'>): boolean {
  return held.length + heldContent.length > 0;
}
