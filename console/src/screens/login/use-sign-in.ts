/** Signs in with whatever shows who somebody is, and goes on to the page that was asked for. */
import { authenticateCall } from '@patch/contract/sign-in-calls.ts';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CallFailed, makeCall } from '../../api/make-call.ts';
import { type LoginType, signIn } from '../../api/session.ts';

export interface Shown {
  readonly username: string;
  /** Of an identity provider: the ticket that one came back with. */
  readonly password: string;
  readonly loginType: LoginType;
  readonly otp?: string;
}

export function useSignIn() {
  const router = useRouter();
  return useMutation({
    mutationFn: (shown: Shown) => makeCall(authenticateCall, { body: shown }),
    meta: { quiet: true },
    async onSuccess({ token, user }, { loginType }) {
      signIn(token, user, loginType);
      // The login page's own guard knows the way back, or that the password must be changed first.
      if (!user.mustChangePassword) await router.invalidate();
    },
  });
}

export const refusedWith = (failure: Error | null, code: string): boolean => failure instanceof CallFailed && failure.code === code;
