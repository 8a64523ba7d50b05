/** Labels for the states of a licensed client, and the options of its licence fields. */
import type { ClientState } from '@patch/contract/licensed-client-endpoints.ts';

export const stateLabels: Readonly<
  Record<
    ClientState,
    { readonly words: string; readonly tone: 'good' | 'quiet' | 'warning' | 'bad' }
  >
> = {
  waiting: { words: 'Not activated yet', tone: 'quiet' },
  active: { words: 'Active', tone: 'good' },
  expired: { words: 'Expired', tone: 'warning' },
  revoked: { words: 'Revoked', tone: 'bad' },
};

export const toOptions = <Value extends string>(
  words: Readonly<Record<Value, string>>,
): { value: Value; label: string }[] =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }));
