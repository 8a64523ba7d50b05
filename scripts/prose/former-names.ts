/** Identifiers that the project once had, each with the field's term that took its place. check-names.ts refuses them, so that none comes back. */
export const formerNames: Readonly<Record<string, string>> = {
  ApiError: 'AppError',
  CallCancelled: 'ApiCallCancelled',
  CallFailed: 'ApiCallError',
  Doors: 'Authenticators',
  GatherAnswer: 'CandidateScanResult',
  KeepActions: 'AuditHookParts',
  KnownMarks: 'KeysetCache',
  KnownTotals: 'CountCache',
  LookParts: 'PollParts',
  PageMark: 'PageBookmark',
  Refusal: 'AppError',
  RestingInput: 'DebouncedInput',
  RowMark: 'RowBookmark',
  StartError: 'StartupError',
  TipHost: 'TooltipHost',
  ToldRecord: 'AlertItem',
  admit: 'authenticate',
  answerCalls: 'registerEndpoints',
  apiKeyDoor: 'apiKeyAuthenticator',
  askedAs: 'filterName',
  countedTry: 'withAttemptLimit',
  defineCall: 'defineEndpoint',
  describeCalls: 'describeEndpoints',
  isDatabaseAway: 'isDatabaseUnavailable',
  keepActions: 'auditHook',
  keptOut: 'rejectedKeys',
  letGo: 'release',
  lookDue: 'runDue',
  makeCall: 'callApi',
  mayBeAsked: 'isFilterable',
  nudge: 'notify',
  ownSession: 'requireSessionHash',
  pillOf: 'sourceStatusSummary',
  somebodyThere: 'isUserActive',
  stretchesOf: 'orderSegmentsOf',
  takingTurns: 'createConcurrencyLimiter',
  toldRecord: 'toAlertItem',
  untilThere: 'retryUntilAvailable',
  useEver: 'useHasBeen',
  useKeptItems: 'useOptimisticList',
  useSettled: 'useDebouncedValue',
  walkSql: 'indexScanSql',
  whoAsks: 'requireUser',
};

const words = new RegExp(`(?<![\\w$])(${Object.keys(formerNames).join('|')})(?![\\w$])`);
/** `mostRows` is `maxRows`. */
const superlative =
  /(?<![\w$.])(most(?:Rows|Pages|Values|Entries|Records|Files|Ids|Names|Tries|Attempts))(?![\w$])/;

/** What is wrong with the identifiers of a line of code; null: nothing. */
export function formerNameIn(line: string): string | null {
  const former = words.exec(line)?.[1];
  if (former !== undefined) return `${former} is called ${formerNames[former]}`;
  const most = superlative.exec(line)?.[1];
  return most === undefined ? null : `${most} is called max${most.slice(4)}`;
}
