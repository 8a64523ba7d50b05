/** Signs in with any credentials; the login page then redirects. */
import type { PasskeyAssertion } from '@patch/contract/accounts/passkey-assertion.ts';
import { authenticateEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { ApiCallError, callApi } from '../../api/call-api.ts';
import { type LoginType, signIn } from '../../api/session.ts';

export interface Credentials {
  readonly username: string;
  /** For an identity provider, its ticket. */
  readonly password: string;
  readonly loginType: LoginType;
  readonly otp?: string;
  readonly passkey?: PasskeyAssertion;
}

export function useSignIn() {
  const attempt = useMutation({
    mutationFn: (credentials: Credentials) => callApi(authenticateEndpoint, { body: credentials }),
    meta: { quiet: true },
    onSuccess: ({ token, user }, { loginType }) => signIn(token, user, loginType),
  });
  return {
    ...attempt,
    /** Attempts a sign-in for a form. It always resolves; the form shows a failure and the remaining lockout time. */
    try: (credentials: Credentials): Promise<unknown> =>
      attempt.mutateAsync(credentials).catch(() => undefined),
  };
}

export const hasErrorCode = (failure: Error | null, code: string): boolean =>
  failure instanceof ApiCallError && failure.code === code;
