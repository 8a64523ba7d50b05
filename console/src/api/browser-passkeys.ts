/** Creates and uses passkeys in this browser. The library is loaded on first use. */
import type { PasskeyAssertion } from '@patch/contract/accounts/passkey-assertion.ts';
import type { PasskeyRegistration } from '@patch/contract/accounts/passkey-endpoints.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

export const browserHasPasskeys = (): boolean =>
  typeof globalThis.PublicKeyCredential === 'function';

/** Throws an Error whose message says what to do. */
export async function signWithPasskey(options: object): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    return await startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    });
  } catch (thrown) {
    throw toPasskeyError(thrown, 'used');
  }
}

/** Throws an Error whose message says what to do. */
export async function makePasskey(options: object): Promise<PasskeyRegistration> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  try {
    return await startRegistration({
      optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
    });
  } catch (thrown) {
    throw toPasskeyError(thrown, 'created');
  }
}

/** Maps the exception names of WebAuthn level 3, 5.1.3 and 5.1.4. */
function toPasskeyError(thrown: unknown, done: 'used' | 'created'): Error {
  const name = thrown instanceof Error ? thrown.name : '';
  const messages: Readonly<Record<string, string>> = {
    NotAllowedError: `The passkey was not ${done}: the request was cancelled or took too long. Try again.`,
    AbortError: `The passkey was not ${done}: the request was cancelled. Try again.`,
    InvalidStateError: 'This device or security key already has a passkey for your account.',
    SecurityError: `The browser does not allow passkeys on ${globalThis.location.host}. Open the console at its configured address.`,
    NotSupportedError: 'This device or security key cannot create a passkey for this site.',
  };
  return new Error(
    messages[name] ??
      `The passkey was not ${done}: the browser reported an error. Try another device.`,
    { cause: thrown },
  );
}
