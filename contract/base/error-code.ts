/** Reads the details of an unknown error beyond its message. */

/** Returns codes such as `ENOENT` or `23505`; null without one. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : null;
}

/** Returns whether a call of the operating system failed, such as for a full disk or a read-only file. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && (error as { readonly syscall?: unknown }).syscall !== undefined;
}
