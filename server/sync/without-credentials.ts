/** A mirror's address as it may be shown: whoever may see settings need not know its password. A folder stays as it is. */
export function withoutCredentials(mirror: string): string {
  if (!/^https?:\/\//i.test(mirror)) return mirror;
  const url = new URL(mirror);
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}
