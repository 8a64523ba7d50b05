/** The flags that tell records apart at a glance, alike in every list that has them. */
import { flag } from '../definition/fields.ts';

/** Every list calls its field `superseded`. `help` says on whose word. */
export const supersededFlag = (help: string) => flag('Superseded', { badge: 'muted', help });

/** For a vendor that says so itself: its word counts beside the risk sources'. `help` says on whose word. */
export const exploitedFlag = (help: string) =>
  flag('Exploited', { badge: 'danger', risk: 'exploited', alsoVendor: true, help });
