/** Keys of all queries. The type checker rejects any other key. Invalidating a key invalidates all keys that begin with it. */
import type { SourceKey } from '@patch/catalogue/sources.ts';

declare const fromFactory: unique symbol;

/** Only `key` below returns this type. */
type RegisteredKey = readonly unknown[] & { readonly [fromFactory]: true };

declare module '@tanstack/react-query' {
  // Declaration merging needs an interface.
  interface Register {
    queryKey: RegisteredKey;
  }
}

const key = <const Parts extends readonly unknown[]>(...parts: Parts) =>
  parts as Parts & RegisteredKey;

const clients = 'floto_user';

export const queryKeys = {
  alerts: {
    all: () => key('alerts'),
    preview: (alert: object) => key('alert preview', alert),
  },
  apiKeys: {
    everyone: () => key('api keys', 'everyone'),
    own: () => key('api keys', 'own'),
    toEndWithPassword: () => key('api keys', 'to end with the password'),
    user: (id: number) => key('api keys', 'user', id),
  },
  atomFeeds: {
    all: () => key('atom feeds'),
  },
  audit: {
    actions: () => key('audit', 'actions'),
    entries: (filter: object) => key('audit', 'entries', filter),
  },
  channels: {
    all: () => key('channels'),
    deliveries: (id: number) => key('channels', id, 'deliveries'),
  },
  /** Licensed clients are a list: invalidating the list refetches them. */
  clients: {
    all: () => key('list', clients),
    detail: (id: number) => key('list', clients, 'client', id),
    exposure: (id: number) => key('list', clients, 'client', id, 'exposure'),
  },
  dashboard: {
    all: () => key('dashboard'),
    /** The key contains the chosen products, because they decide what is ranked. */
    figures: (timeZone: string, lastRunEnd: number, products: unknown) =>
      key('dashboard', timeZone, lastRunEnd, products),
  },
  downloads: {
    all: () => key('downloads'),
    bundleKeys: () => key('downloads', 'keys'),
    files: () => key('downloads', 'files'),
    imports: () => key('downloads', 'imports'),
    publishing: () => key('downloads', 'publishing'),
  },
  email: {
    configuration: () => key('email', 'configuration'),
    configured: () => key('email', 'configured'),
    deliveries: () => key('email', 'deliveries'),
  },
  identifiers: {
    machines: (cve: string) => key('identifier', cve, 'machines'),
    nearest: (identifier: string) => key('identifier', identifier, 'nearest'),
    records: (identifier: string) => key('identifier', identifier),
    vulnerability: (cve: string) => key('identifier', cve, 'vulnerability'),
  },
  /** A run that ends invalidates `all` of its lists. */
  lists: {
    all: (list: string) => key('list', list),
    chain: (list: string, id: number, names: readonly string[]) =>
      key('list', list, 'chain', id, names),
    count: (list: string, filter: string) => key('list', list, 'count', filter),
    cveRisks: (list: string, id: number, cves: readonly string[], all: boolean) =>
      key('list', list, 'cve risks', id, cves, all),
    matches: (list: string, query: string) => key('list', list, 'matches', query),
    page: (list: string, search: ListSearch, size: number, page: number | 'all so far') =>
      key('list', list, 'rows', search, size, page),
    group: (list: string, ids: readonly number[], sort: string) =>
      key('list', list, 'group', ids, sort),
    reading: (list: string, search: ListSearch, typing: boolean) =>
      key('list', list, 'reading', search, typing),
    record: (list: string, id: number | undefined) => key('list', list, 'record', id),
    relaxed: (list: string, search: ListSearch) => key('list', list, 'relaxed', search),
    summaries: (list: string) => key('list', list, 'summary'),
    summary: (list: string, search: ListSearch) => key('list', list, 'summary', search),
    sharing: (list: string, id: number) => key('list', list, 'sharing', id),
    update: (list: string, name: string) => key('list', list, 'update', name),
    updateCount: (list: string, search: ListSearch, totalCount: number | undefined) =>
      key('list', list, 'updates', search, totalCount),
  },
  /** Invalidated with the machines, whose counts they change. */
  exceptions: {
    ofClient: (client: number) => key('list', 'machines', 'exceptions', 'client', client),
    pages: (filter: object) => key('list', 'machines', 'exceptions', filter),
  },
  machineGroups: {
    all: () => key('list', 'machines', 'groups'),
  },
  machines: {
    accepted: (id: number, offset: number) => key('list', 'machines', 'accepted', id, offset),
    exposure: (named: string) => key('list', 'machines', 'exposure', named),
    missing: (id: number, size: number) => key('list', 'machines', 'missing', id, size),
    ofClient: (id: number) => key('list', clients, 'client', id, 'machines'),
    ofRecord: (list: string, id: number, size: number) => key('list', list, 'machines', id, size),
    report: (query: object) => key('list', 'machines', 'report', query),
    summary: () => key('dashboard', 'machines'),
  },
  /** `products`: the choice that `mine` resolves. */
  months: {
    month: (month: string, query: object, products: object | null | undefined) =>
      key('month', month, query, products),
    source: (
      month: string,
      source: SourceKey,
      query: object,
      products: object | null | undefined,
    ) => key('month', month, source, query, products),
  },
  /** Apart from the machines, which show assignees too. */
  notes: {
    all: () => key('notes'),
    assignments: (to: string) => key('notes', 'assignments', to),
    finding: (list: string, id: number, machine: number | undefined) =>
      key('notes', list, id, machine),
  },
  plans: {
    all: () => key('plans'),
    one: (id: number) => key('plans', id),
  },
  passkeys: {
    all: () => key('passkeys'),
  },
  passwords: {
    policy: () => key('password policy'),
    resetLink: (id: string) => key('reset link', id),
  },
  checkpoints: {
    all: () => key('checkpoints'),
    difference: (from: number, to: number | null, ring?: number) =>
      key('checkpoints', 'difference', from, to, ring),
    rules: () => key('checkpoints', 'rules'),
  },
  reportMails: {
    all: () => key('report mails'),
  },
  rings: {
    all: () => key('rings'),
    decisions: (ring: number) => key('rings', 'decisions', ring),
    clientChoices: () => key('list', 'floto_user', 'ring choices'),
  },
  runs: {
    changes: (run: number, kind: string | undefined) => key('run', run, 'changes', kind),
    forBundles: (source: SourceKey) => key('runs', source, 'for bundles'),
    /** Contains the latest run, so that the page is refetched when a run begins or ends. */
    page: (source: SourceKey, size: number, run: number | undefined, state: string | undefined) =>
      key('runs', source, 'page', size, run, state),
    rejections: (run: number) => key('run', run, 'rejections'),
  },
  secondFactor: {
    choices: (purpose: string) => key('second factor', 'choices', purpose),
    newSecret: () => key('second factor', 'new secret'),
    state: () => key('second factor', 'state'),
  },
  sessions: {
    own: () => key('sessions', 'own'),
    user: (id: number) => key('sessions', 'user', id),
  },
  searchMemory: {
    all: () => key('search memory'),
  },
  settings: {
    all: () => key('settings'),
  },
  sources: {
    all: () => key('sources'),
    schedulePreview: (cron: string) => key('schedule preview', cron),
    settings: (source: SourceKey) => key('source settings', source),
  },
  sso: {
    configuration: () => key('sso', 'configuration'),
    status: () => key('sso', 'status'),
  },
  syncSummary: {
    all: () => key('sync summary'),
  },
  tags: {
    search: (text: string) => key('tags', text),
  },
  users: {
    page: (page: object) => key('users', page),
  },
  views: {
    all: (list: string) => key('views', list),
  },
} as const;

interface ListSearch {
  /** Criteria as text, as in the address. */
  readonly criteria: string;
  readonly keyword: string;
  /** Absent where the order is irrelevant. */
  readonly sort?: string;
  readonly timeZone: string;
}
