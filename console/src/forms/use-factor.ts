/** Which second factor a person shows in a form: a passkey where they have one, or a code. */

import type { PasskeyAssertion } from '@patch/contract/passkey-assertion.ts';
import type { FactorChoices } from '@patch/contract/second-factor-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { browserHasPasskeys, signWithPasskey } from '../api/browser-passkeys.ts';
import { queryKeys } from '../api/query-keys.ts';

export type ShownFactor = { readonly otp: string } | { readonly passkey: PasskeyAssertion };

export interface Factor {
  /** It is not known yet what the person can show. */
  readonly pending: boolean;
  readonly way: 'passkey' | 'code';
  readonly hasApp: boolean;
  /** Takes the other way; null where there is one alone. */
  readonly change: (() => void) | null;
  /** Asks the browser for the passkey, or takes the code. Throws an Error that says why there is none. */
  show(otp: string | undefined): Promise<ShownFactor>;
}

/** A challenge is accepted for five minutes. */
const renewedEvery = 4 * 60_000;

/** `load` asks what can be shown; `key` names for whom. While `enabled` is false a code is asked for. */
export function useFactor(
  key: string,
  load: (signal: AbortSignal) => Promise<FactorChoices>,
  enabled = true,
): Factor {
  const [wantsCode, setWantsCode] = useState(false);
  const choices = useQuery({
    queryKey: queryKeys.secondFactor.choices(key),
    queryFn: ({ signal }) => load(signal),
    enabled,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: renewedEvery,
    retry: false,
    meta: { quiet: true },
  });
  const { data } = choices;
  const passkey = browserHasPasskeys() ? (data?.passkey ?? null) : null;
  // What is not known is no reason to keep a person out: a code can always be tried.
  const hasCode = data === undefined || data.app || data.backupCodesLeft > 0;
  const way = passkey === null || (wantsCode && hasCode) ? 'code' : 'passkey';
  return {
    pending: enabled && choices.isPending,
    way,
    hasApp: data?.app ?? true,
    change: passkey !== null && hasCode ? () => setWantsCode(!wantsCode) : null,
    async show(otp = '') {
      if (way === 'code' || passkey === null) return { otp: otp.trim() };
      try {
        return { passkey: await signWithPasskey(passkey) };
      } finally {
        // Each challenge is accepted once.
        void choices.refetch();
      }
    },
  };
}
