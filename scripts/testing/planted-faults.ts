/** Faults that are planted into the product, one kind of constant or behaviour each, with the test of docs/coverage.md that must fail. */
import type { ProvingTest } from '../coverage-table.ts';

export interface PlantedFault {
  /** The line of docs/coverage.md. */
  readonly id: string;
  /** Relative to the root. */
  readonly file: string;
  /** Occurs once in the file, whatever the line breaks. */
  readonly original: string;
  readonly changed: string;
  readonly test: ProvingTest;
}

/** What `run-planted-faults.ts` found out. */
export interface PlantedOutcome {
  /** Names of the tests that failed, a list per fault, in the faults' order. */
  readonly failedUnder: readonly string[][];
  /** Of the same tests, without a fault. */
  readonly failedWithout: string[];
  readonly passedWithout: string[];
}

/** Matches the names under which tests of these written titles run: placeholders of a table stand for any words. */
export function runTitle(titles: readonly string[]): RegExp {
  const escaped = (words: string) => words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const one = (title: string) =>
    title
      .split(/%[a-z]|\$\w+/)
      .map(escaped)
      .join('.*');
  return new RegExp(`(${titles.map(one).join('|')})$`);
}

const tokens = 'console/src/theme/tokens.ts';
const callApi = { file: 'console/src/api/call-api.ts', tests: 'console/src/api/call-api.test.ts' };
const outcomes = 'console/src/shell/outcome-pages.test.tsx';
const lists = 'catalogue/specified-lists.test.ts';
const dates = 'server/ingest/sync/last-sync-dates.test.ts';
const queries = 'console/src/api/query-client.test.tsx';

function fault(
  id: string,
  file: string,
  original: string,
  changed: string,
  testFile: string,
  title: string,
): PlantedFault {
  return { id, file, original, changed, test: { file: testFile, title } };
}

export const plantedFaults: readonly PlantedFault[] = [
  // Times
  fault(
    '2.37',
    tokens,
    'changePasswordOpens: 400',
    'changePasswordOpens: 300',
    'console/src/shell/use-delayed-open.test.ts',
    'opens its delay after it was asked for, and not before',
  ),
  fault(
    '9.1',
    callApi.file,
    'const timeout = 120_000',
    'const timeout = 60_000',
    callApi.tests,
    'is the specification’s words after 120 seconds',
  ),
  fault(
    '9.2',
    tokens,
    'lazyShowsLoading: 400',
    'lazyShowsLoading: 500',
    outcomes,
    'a %s page that is fetched shows that it loads, then that it timed out',
  ),
  fault(
    '9.2',
    tokens,
    'lazyTimesOut: 10_000',
    'lazyTimesOut: 12_000',
    outcomes,
    'gives up after its time, and not before',
  ),
  fault(
    '9.5',
    tokens,
    'dropdownSettles: 750',
    'dropdownSettles: 700',
    'console/src/values/words-select.test.tsx',
    'a dropdown is searched once the typing has paused for 750 ms; what is known is offered',
  ),
  fault(
    '9.6',
    callApi.file,
    'const unauthorisedWindow = 500',
    'const unauthorisedWindow = 400',
    callApi.tests,
    'ends the session once, however many calls were refused together',
  ),
  fault(
    '9.6',
    tokens,
    'drawerHides: 500',
    'drawerHides: 600',
    'console/src/detail/use-hidden-later.test.tsx',
    'that a drawer is hidden is told 500 ms after it was closed',
  ),
  fault(
    '9.9',
    tokens,
    'toast: 3000',
    'toast: 2000',
    'console/src/widgets/toast-host.test.tsx',
    'says what was done, in the specification’s words when it has none of its own, for 3 seconds',
  ),

  // Sizes
  fault(
    '9.3',
    'console/src/list/list-url.ts',
    'defaultPageSize: PageSize = 25',
    'defaultPageSize: PageSize = 50',
    'console/src/list/list-container.test.tsx',
    'has 25 items a page, or 10 or 50; the wire has 1000 from the first on when nothing is said',
  ),
  fault(
    '9.6',
    tokens,
    "drawer: '45%'",
    "drawer: '40%'",
    'console/src/shell/main-layout.test.tsx',
    'opens 400 ms after its trigger, with inputs that are read-only until they have the focus, Update and Cancel',
  ),
  fault(
    '9.7',
    tokens,
    'sidebarExpanded: 170',
    'sidebarExpanded: 180',
    'console/src/shell/main-layout.test.tsx',
    'the sidebar is 50 wide collapsed and 170 expanded, and stays as it was left',
  ),
  fault(
    '9.8',
    'console/src/values/file-size.ts',
    '1_048_576',
    '1_000_000',
    'console/src/values/file-size.test.ts',
    '%i bytes read %s',
  ),
  fault(
    '9.8',
    'console/src/values/input-of-kind.tsx',
    'units={sizeUnits} decimals={2}',
    'units={sizeUnits} decimals={3}',
    'console/src/values/number-decimals.test.tsx',
    'a number of a unit takes two decimals, a whole number none; neither is negative',
  ),
  fault(
    '5.15',
    'contract/form-rules/tag-rules.ts',
    'maxTagLength = 50',
    'maxTagLength = 60',
    'contract/form-rules/tag-rules.test.ts',
    'of the kind %s has at most 50 characters',
  ),
  fault(
    '5.4',
    'contract/form-rules/text-rules.ts',
    'atMost(100)',
    'atMost(120)',
    'contract/form-rules/all-form-rules.test.ts',
    '$rule',
  ),
  fault(
    '7.18',
    'contract/search-endpoint.ts',
    'largestPage = 1000',
    'largestPage = 500',
    'contract/search-endpoint.test.ts',
    'what is not said has its default',
  ),

  // Keys, fields and paths
  fault(
    '3.8',
    'catalogue/vendors/oraclelinux/oraclelinux-list.ts',
    "key: 'oracle_linux_patch'",
    "key: 'oraclelinux_patch'",
    lists,
    'every product area of the specification is a list',
  ),
  fault(
    '3.7',
    'catalogue/vendors/macos/macos-list.ts',
    "columns: ['productKey', 'title', 'releaseDate', 'osVersion']",
    "columns: ['title', 'productKey', 'releaseDate', 'osVersion']",
    lists,
    'default columns, in order',
  ),
  fault(
    '3.10',
    'server/ingest/sync/sync-routes.ts',
    'return { id: 1, ',
    'return { ',
    dates,
    'are an id and a date of each source, none before its first sync',
  ),
  fault(
    '3.16',
    'catalogue/vendors/ubuntu/ubuntu-notice-list.ts',
    'is_source:',
    'isSource:',
    lists,
    'the release packages of notices and of third-party applications',
  ),
  fault(
    '3.25',
    'catalogue/vendors/windows/windows-kb-base-list.ts',
    "'Hotfix'",
    "'Hotfixes'",
    lists,
    'the option lists',
  ),
  fault(
    '7.18',
    'catalogue/vendors/oraclelinux/oraclelinux-list.ts',
    "'/linux/oraclelinux/search'",
    "'/linux/oracle/search'",
    'server/records/search/every-search-path.test.ts',
    'are those of the lists',
  ),

  // Texts
  fault(
    '8.2',
    callApi.file,
    "'Request timeout reached, Please Try again'",
    "'The request timed out. Try again.'",
    callApi.tests,
    'is the specification’s words after 120 seconds',
  ),
  fault(
    '8.7',
    'console/src/shell/outcome-pages.tsx',
    'module with name {',
    'module {',
    'console/src/shell/router-pages.test.tsx',
    '%s names a list that is not there: the page that is not found says so',
  ),
  fault(
    '8.7',
    'console/src/shell/outcome-pages.tsx',
    'title="ChunkLoadError"',
    'title="Not loaded"',
    outcomes,
    'says why',
  ),

  // Behaviours that are taken away
  fault(
    '2.43',
    'console/src/widgets/sortable-items.tsx',
    'if (sorted !== keys) onSort(sorted);',
    '',
    'console/src/widgets/sortable-items.test.tsx',
    'an item is dragged by its handle with the pointer',
  ),
  fault(
    '2.51',
    'console/src/list/use-list-page.ts',
    'objList: distinctBy(reply.objList)',
    'objList: reply.objList',
    'console/src/list/list-container.test.tsx',
    'shows a row once, though the answer has it twice',
  ),
  fault(
    '4.2',
    'console/src/api/session.ts',
    'for (const key of keys) localStorage.removeItem(key);',
    'localStorage.removeItem(storageKey);',
    'console/src/api/preferences.test.ts',
    'signing out leaves nothing of the person in this browser, and what is answered late is not for the next one',
  ),
  fault(
    '4.2',
    'console/src/shell/follow-sign-out.ts',
    'search: { redirectFrom: href }',
    'search: {}',
    'console/src/shell/main-layout.test.tsx',
    'signs out: the session is forgotten, and the login page knows the way back',
  ),
  fault(
    '7.13',
    'server/ingest/sync/sync-routes.ts',
    "get('ubuntu')",
    "get('debian')",
    dates,
    'are when each source was last synced with success',
  ),
  fault(
    '8.3',
    'console/src/api/query-client.ts',
    'failure.status === 401',
    'failure.status === 499',
    queries,
    'a 401 shows no toast',
  ),
  fault(
    '8.3',
    'console/src/api/query-client.ts',
    "mutation.meta?.['quiet'] !== true",
    'mutation !== null',
    queries,
    'a call that does not notify shows no toast',
  ),
];
