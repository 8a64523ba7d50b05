/** Signs in with any proof of identity; the login page then redirects. */
import type { PasskeyAssertion } from '@patch/contract/passkey-assertion.ts';
import { authenticateEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { ApiCallError, callApi } from '../../api/call-api.ts';
import { type LoginType, signIn } from '../../api/session.ts';

export interface Shown {
  readonly username: string;
  /** Of an identity provider: the ticket that one came back with. */
  readonly password: string;
  readonly loginType: LoginType;
  readonly otp?: string;
  readonly passkey?: PasskeyAssertion;
}

export function useSignIn() {
  const attempt = useMutation({
    mutationFn: (shown: Shown) => callApi(authenticateEndpoint, { body: shown }),
    meta: { quiet: true },
    onSuccess: ({ token, user }, { loginType }) => signIn(token, user, loginType),
  });
  return {
    ...attempt,
    /** For a form: done when it is over, whichever way. How it failed is told over the form, with how long to wait. */
    try: (shown: Shown): Promise<unknown> => attempt.mutateAsync(shown).catch(() => undefined),
  };
}

export const failedWith = (failure: Error | null, code: string): boolean =>
  failure instanceof ApiCallError && failure.code === code;
