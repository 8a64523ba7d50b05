/** A mirror's address without its password, which readers of the settings need not know. A folder stays unchanged. */
export function withoutCredentials(mirror: string): string {
  if (!/^https?:\/\//i.test(mirror)) return mirror;
  const url = new URL(mirror);
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}
