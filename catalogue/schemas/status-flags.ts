/** Status flags that look alike in every list. */
import { flag } from '../definition/fields.ts';

/**
 * Every list names this field `superseded`.
 * @param help who states it
 */
export const supersededFlag = (help: string) => flag('Superseded', { badge: 'muted', help });

/**
 * For vendors that state exploitation themselves, in addition to the risk sources.
 * @param help who states it
 */
export const exploitedFlag = (help: string) =>
  flag('Exploited', { badge: 'danger', risk: 'exploited', alsoVendor: true, help });
