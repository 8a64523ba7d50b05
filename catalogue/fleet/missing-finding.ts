/** What a part of an inventory says of a record whose fix it lacks. */
export const missingStates = ['uncertain', 'needsSubscription', 'missing'] as const;
/** Ascending by certainty: of several parts of a machine, the most certain state counts. */
export type MissingState = (typeof missingStates)[number];
