/** The modules of the validator, which come without types. Each exports its tests by name; one of them stands for all. */

declare module '@secvisogram/csaf-validator-lib/csaf_2_1/schemaTests.js' {
  export const csaf_2_1_strict: (document: unknown) => unknown;
}

declare module '@secvisogram/csaf-validator-lib/csaf_2_1/mandatoryTests.js' {
  export const mandatoryTest_6_1_1: (document: unknown) => unknown;
}

declare module '@secvisogram/csaf-validator-lib/csaf_2_1/recommendedTests.js' {
  export const recommendedTest_6_2_1: (document: unknown) => unknown;
}

declare module '@secvisogram/csaf-validator-lib/csaf_2_1/informativeTests.js' {
  export const informativeTest_6_3_1: (document: unknown) => unknown;
}
