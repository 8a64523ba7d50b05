/** The action of a recovery at the terminal, which has no endpoint of its own. */
export const recoveryAction = 'recover_administrator';
