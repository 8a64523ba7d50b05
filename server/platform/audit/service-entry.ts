/** An audit entry for an action of the service itself, without a user, key, client or request. */
import type { NewEntry } from './audit-store.ts';

type ServiceAction = Pick<NewEntry, 'time' | 'action' | 'subject'> &
  Partial<Pick<NewEntry, 'before' | 'after' | 'parameters'>>;

export function serviceEntry({
  time,
  action,
  subject,
  before = null,
  after = null,
  parameters = null,
}: ServiceAction): NewEntry {
  return {
    time,
    userId: null,
    userName: null,
    keyName: null,
    clientId: null,
    clientName: null,
    action,
    subject,
    before,
    after,
    parameters,
    address: '',
    requestId: '',
    outcome: 'done',
    code: '',
  };
}
