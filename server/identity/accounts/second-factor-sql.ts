/** A boolean SQL expression over a row of `users`: whether the person has a second factor. */
export const hasSecondFactorSql = `(exists (select from two_factor where two_factor.user_id = users.id and enabled_time is not null)
  or exists (select from passkey where passkey.user_id = users.id))`;
