/** Returns how often a test repeats something at random: a quarter in `npm test`, all in the section `rounds` of `npm run test:long`. */
export const rounds = (all: number): number =>
  process.env['ALL_ROUNDS'] === 'true' ? all : Math.ceil(all / 4);

/** Returns the seeds from 1 on. @param all - Their count in the section `rounds`. */
export const seeds = (all: number): readonly number[] =>
  Array.from({ length: rounds(all) }, (_, index) => index + 1);
