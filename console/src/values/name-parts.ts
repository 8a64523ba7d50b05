/** Where a long identifier may be broken: after the signs that part it. */

/** Their text together is the name. */
export const nameParts = (name: string): readonly string[] =>
  name.split(/(?<=[-:/_+~@, ])|(?<=\.)(?=[a-z])/i);
