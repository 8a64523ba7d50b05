/** What an unknown error says about itself beyond its message. */

/** `ENOENT`, `23505`; null when the error has no code. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : null;
}

/** A call of the operating system failed: a full disk, a file that must not be written. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && (error as { readonly syscall?: unknown }).syscall !== undefined;
}
