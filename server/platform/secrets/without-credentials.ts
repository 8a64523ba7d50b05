/** Removes user name and password from the address of a mirror. A folder stays unchanged. */
export function withoutCredentials(mirror: string): string {
  if (!/^https?:\/\//i.test(mirror)) return mirror;
  const url = new URL(mirror);
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}
