/** The audit log's name for a recovery at the terminal, which is no call. */
export const recoveryAction = 'recover_administrator';
