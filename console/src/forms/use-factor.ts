/** Chooses the second factor in a form: a passkey if the user has one, otherwise a code. */

import type { PasskeyAssertion } from '@patch/contract/accounts/passkey-assertion.ts';
import type { FactorChoices } from '@patch/contract/accounts/second-factor-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { browserHasPasskeys, signWithPasskey } from '../api/browser-passkeys.ts';
import { queryKeys } from '../api/query-keys.ts';

export type FactorProof = { readonly otp: string } | { readonly passkey: PasskeyAssertion };

export type Factor = ReturnType<typeof useFactor>;

/** Milliseconds. A challenge is accepted for five minutes. */
const renewIntervalMs = 4 * 60_000;

/**
 * @param load Reads the factors of the user.
 * @param key Identifies the user in the cache.
 * @param enabled False asks for a code without loading.
 */
export function useFactor(
  key: string,
  load: (signal: AbortSignal) => Promise<FactorChoices>,
  enabled = true,
) {
  const [prefersCode, setPrefersCode] = useState(false);
  const choices = useQuery({
    queryKey: queryKeys.secondFactor.choices(key),
    queryFn: ({ signal }) => load(signal),
    enabled,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: renewIntervalMs,
    retry: false,
    meta: { quiet: true },
  });
  const { data } = choices;
  const passkey = browserHasPasskeys() ? (data?.passkey ?? null) : null;
  // Until the factors are known, the user may always try a code.
  const hasCode = data === undefined || data.app || data.backupCodesLeft > 0;
  const method: 'passkey' | 'code' =
    passkey === null || (prefersCode && hasCode) ? 'code' : 'passkey';
  return {
    /** True until the user's factors are loaded. */
    pending: enabled && choices.isPending,
    method,
    hasApp: data?.app ?? true,
    /** Switches to the other method. Null when there is only one. */
    switchMethod: passkey !== null && hasCode ? () => setPrefersCode(!prefersCode) : null,
    /** Asks the browser for the passkey, or takes the code. Throws an Error with the reason when the browser returns none. */
    async getProof(otp = ''): Promise<FactorProof> {
      if (method === 'code' || passkey === null) return { otp: otp.trim() };
      try {
        return { passkey: await signWithPasskey(passkey) };
      } finally {
        // The server accepts each challenge once.
        void choices.refetch();
      }
    },
  };
}
