/** The flags that tell records apart at a glance, alike in every list that has them. */
import { flag } from '../definition/fields.ts';

/** Every list calls its field `superseded`. `help` says on whose word. */
export const supersededFlag = (help: string) => flag('Superseded', { badge: 'muted', help });

/** Every list calls its field `exploited`. `help` says on whose word. */
export const exploitedFlag = (help: string) => flag('Exploited', { badge: 'danger', help });
