/** Splits an identifier after its separators. The parts together are the name. */
export const nameParts = (name: string): readonly string[] =>
  name.split(/(?<=[-:/_+~@, ])|(?<=\.)(?=[a-z])/i);
