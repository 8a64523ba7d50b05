/** The rows and fields of lists that exist for a person. */
export interface Sight {
  /** Whether restricted fields are shown: to an administrator, or to an administrator's API key with the scope `clients`. */
  readonly restricted: boolean;
  /** Numbers of the groups whose machines alone exist for the person; null: all machines. */
  readonly groups: readonly number[] | null;
}

/** Sees all machines, and no restricted fields: what the service itself searches for. */
export const unlimitedSight: Sight = { restricted: false, groups: null };
