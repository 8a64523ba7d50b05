/** The kinds of exceptions: apart from their calls, since the addresses of pages name them. */
export const exceptionKinds = ['accepted', 'not_applicable', 'waiting'] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

export const exceptionKindWords: Readonly<Record<ExceptionKind, string>> = {
  accepted: 'Accepted risk',
  not_applicable: 'Not applicable',
  waiting: 'Waiting',
};
