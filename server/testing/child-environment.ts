/** The environment of child processes that tests start: of the machine's variables only those that find programs and speed up starts. */
export const childEnvironment = {
  PATH: process.env['PATH'],
  // A start compiles 2,000 modules, which takes a third of its processor time.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  // Tests kill processes, which needs no safety against power failures.
  POSTGRES_SETTINGS: 'fsync=off',
};
