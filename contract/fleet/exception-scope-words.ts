/** Words of exceptions, which pages, mails and the audit log share. */
import type { ListedException } from './exception-endpoints.ts';

/** Returns where an exception holds: 'on web-1', 'on all machines of North', 'on 1 machine of the group Web'. */
export function scopeWords({
  scope,
  name,
  machines,
}: Pick<ListedException, 'scope' | 'name' | 'machines'>): string {
  if (scope === 'all') return 'on all machines';
  if (scope === 'client') return `on all machines of ${name ?? 'a removed client'}`;
  if (scope === 'machine') return `on ${name ?? 'a machine'}`;
  const count = machines ?? 0;
  return `on ${count.toLocaleString('en')} ${count === 1 ? 'machine' : 'machines'} of the group ${name ?? 'that was removed'}`;
}
