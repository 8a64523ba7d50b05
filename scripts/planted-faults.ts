/** Faults that are planted into the product, each with the test file of `npm test` that must fail under it. */

/** `find` occurs once in `file`. Paths are relative to the root. */
export interface PlantedFault {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly test: string;
}

const tokens = 'console/src/theme/tokens.ts';
const callApi = 'console/src/api/call-api.ts';
const lists = 'catalogue/specified-lists.test.ts';
const outcomes = 'console/src/shell/outcome-pages.test.tsx';
const callApiTest = 'console/src/api/call-api.test.ts';
const layout = 'console/src/shell/main-layout.test.tsx';
const container = 'console/src/list/list-container.test.tsx';
const queryTest = 'console/src/api/query-client.test.tsx';
const syncRoutes = 'server/ingest/sync/sync-routes.ts';
const searchStore = 'server/records/search/search-store.test.ts';
const dates = 'server/ingest/sync/last-sync-dates.test.ts';

const refreshedMemory = 'server/records/memory/refreshed-memory.test.ts';
const ringDecisions = 'server/licensing/rings/ring-decisions.test.ts';
const changedRisk = 'server/platform/database/changed-risk-store.ts';
const memoryStore = 'server/records/memory/list-memory-store.ts';
const listMemory = 'server/records/memory/list-memory.ts';
const listMemories = 'server/records/memory/list-memories.ts';

const table: readonly (readonly [file: string, find: string, replace: string, test: string])[] = [
  [
    tokens,
    'changePasswordOpens: 400',
    'changePasswordOpens: 300',
    'console/src/shell/use-delayed-open.test.ts',
  ],
  [callApi, 'const timeoutMs = 120_000', 'const timeoutMs = 60_000', callApiTest],
  [tokens, 'lazyShowsLoading: 400', 'lazyShowsLoading: 500', outcomes],
  [tokens, 'lazyTimesOut: 10_000', 'lazyTimesOut: 12_000', outcomes],
  [
    tokens,
    'dropdownSettles: 750',
    'dropdownSettles: 700',
    'console/src/values/words-select.test.tsx',
  ],
  [callApi, 'const unauthorisedWindowMs = 500', 'const unauthorisedWindowMs = 400', callApiTest],
  [tokens, 'drawerHides: 500', 'drawerHides: 600', 'console/src/detail/use-hidden-later.test.tsx'],
  [tokens, 'toast: 3000', 'toast: 2000', 'console/src/widgets/toast-host.test.tsx'],
  [
    'console/src/list/address/list-url.ts',
    'defaultPageSize: PageSize = 25',
    'defaultPageSize: PageSize = 50',
    container,
  ],
  [tokens, "drawer: '45%'", "drawer: '40%'", layout],
  [tokens, 'sidebarExpanded: 170', 'sidebarExpanded: 180', layout],
  [
    'console/src/values/file-size.ts',
    '1_048_576',
    '1_000_000',
    'console/src/values/file-size.test.ts',
  ],
  [
    'console/src/values/input-of-kind.tsx',
    'units={sizeUnits} decimals={2}',
    'units={sizeUnits} decimals={3}',
    'console/src/values/number-decimals.test.tsx',
  ],
  [
    'contract/form-rules/tag-rules.ts',
    'maxTagLength = 50',
    'maxTagLength = 60',
    'contract/form-rules/tag-rules.test.ts',
  ],
  [
    'contract/form-rules/text-rules.ts',
    'atMost(100)',
    'atMost(120)',
    'contract/form-rules/all-form-rules.test.ts',
  ],
  [
    'contract/search-endpoint.ts',
    'largestPage = 1000',
    'largestPage = 500',
    'contract/search-endpoint.test.ts',
  ],
  [
    'catalogue/vendors/oraclelinux/oraclelinux-list.ts',
    "key: 'oracle_linux_patch'",
    "key: 'oraclelinux_patch'",
    lists,
  ],
  [
    'catalogue/vendors/macos/macos-list.ts',
    "columns: ['productKey', 'title', 'releaseDate', 'osVersion']",
    "columns: ['title', 'productKey', 'releaseDate', 'osVersion']",
    lists,
  ],
  [syncRoutes, 'id: 1,', '', dates],
  ['catalogue/vendors/ubuntu/ubuntu-notice-list.ts', 'is_source:', 'isSource:', lists],
  ['catalogue/vendors/windows/lists/windows-kb-base-list.ts', "'Hotfix'", "'Hotfixes'", lists],
  [
    'catalogue/vendors/oraclelinux/oraclelinux-list.ts',
    "'/linux/oraclelinux/search'",
    "'/linux/oracle/search'",
    'server/records/search/every-search-path.test.ts',
  ],
  [
    callApi,
    "'Request timeout reached, Please Try again'",
    "'The request timed out. Try again.'",
    callApiTest,
  ],
  [
    'console/src/shell/outcome-pages.tsx',
    'module with name {',
    'module {',
    'console/src/shell/router-pages.test.tsx',
  ],
  ['console/src/shell/outcome-pages.tsx', 'title="ChunkLoadError"', 'title="Not loaded"', outcomes],
  [
    'console/src/widgets/sortable-items.tsx',
    'if (sorted !== keys) onSort(sorted);',
    '',
    'console/src/widgets/sortable-items.test.tsx',
  ],
  [
    'console/src/list/pages/use-list-page.ts',
    'rows.toReversed().map((row) => [row.id, row])',
    'rows.toReversed().map((row, index) => [index, row])',
    container,
  ],
  [
    'console/src/api/session.ts',
    'for (const key of keys) localStorage.removeItem(key);',
    'localStorage.removeItem(storageKey);',
    'console/src/api/preferences.test.ts',
  ],
  ['console/src/shell/follow-sign-out.ts', 'search: { redirectFrom: href }', 'search: {}', layout],
  [syncRoutes, "get('ubuntu')", "get('debian')", dates],
  [
    'console/src/api/query-client.ts',
    'failure.status === 401',
    'failure.status === 499',
    queryTest,
  ],
  [
    'console/src/api/query-client.ts',
    "mutation.meta?.['quiet'] !== true",
    'mutation !== null',
    queryTest,
  ],
  [
    'server/ingest/sync/upstream.ts',
    'firstDelayMs * 2 ** attempt',
    'firstDelayMs * 3 ** attempt',
    'server/ingest/sync/fetcher-faults.test.ts',
  ],
  [
    'server/ingest/sync/upstream.ts',
    'status === 425 || ',
    '',
    'server/ingest/sync/fetcher.test.ts',
  ],
  [
    'server/ingest/sync/withdraw-missing.ts',
    'rowIds.length * 100 > known * shrinkageShare',
    'rowIds.length * 100 >= known * shrinkageShare',
    'server/ingest/sync/quarantined-withdrawals.test.ts',
  ],
  [
    'server/records/search/search-limit.ts',
    '.length >= maxWaiting',
    '.length > maxWaiting',
    'server/records/search/search-limit.test.ts',
  ],
  [
    'server/records/memory/rank-rows.ts',
    'Math.max(0, offset - skipped)',
    'offset',
    'server/records/search/many-name-matches.test.ts',
  ],
  [
    'server/records/search/relaxed-search.ts',
    'terms.length < 2 ? [] : terms',
    'terms',
    'server/records/search/relaxed-search.test.ts',
  ],
  [
    'server/machines/assess-updates.ts',
    'count: own + count',
    'count',
    'server/machines/machine-routes.test.ts',
  ],
  [
    'catalogue/machines/judgement/macos-judgement.ts',
    'left.count - right.count || ',
    '',
    'catalogue/machines/judgement/machine-state.test.ts',
  ],
  [
    'catalogue/machines/judgement/rpm-judgement.ts',
    'installed.cut === undefined &&',
    '',
    'catalogue/machines/judgement/weak-verdicts.test.ts',
  ],
  [
    'server/licensing/clients/client-state.ts',
    'licenseExpiry <= now',
    'licenseExpiry < now',
    'server/licensing/clients/client-protocol.test.ts',
  ],
  [
    'server/ingest/sync/compare-stored.ts',
    ' || row.part !== part.key',
    '',
    'server/ingest/sync/reread-parts.test.ts',
  ],
  [
    'server/ingest/sync/feed-part-store.ts',
    'coalesce(excluded.read_whole_time, stored.read_whole_time)',
    'excluded.read_whole_time',
    'server/ingest/sync/feed-part-store.test.ts',
  ],
  [
    'server/ingest/sync/fetcher.ts',
    'options.checksum === undefined && cached !== null && this',
    'cached !== null && this',
    'server/ingest/sync/fetcher.test.ts',
  ],
  [
    'server/records/memory/list-memory-store.ts',
    'from = [revision, last];',
    'from = [revision, last + 1];',
    searchStore,
  ],
  [
    'server/records/criteria/condition-meaning.ts',
    "(shape !== 'contains' || literal.includes('\\n'))",
    "shape !== 'contains'",
    searchStore,
  ],
  [
    'server/records/criteria/condition-meaning.ts',
    "if (lines.some((line) => line.includes('\\n'))) return null;",
    '',
    'server/records/criteria/condition-meaning.test.ts',
  ],
  [
    'server/records/search/search-limit.ts',
    'this.#waiting.find((entry) => this.#isFree(entry.user))',
    'this.#waiting.at(0)',
    'server/records/search/search-limit.test.ts',
  ],
  [
    'catalogue/machines/judgement/deb-judgement.ts',
    "version !== '0' &&",
    '',
    'catalogue/machines/judgement/package-judgement.test.ts',
  ],
  [
    'catalogue/machines/judgement/newer-fixes.ts',
    "key.epoch < series.epoch ? '' : null",
    'null',
    'catalogue/machines/judgement/indexed-fixes.test.ts',
  ],
  [
    'server/machines/assess-packages.ts',
    'machine.packages.filter((one) => !isOfOtherRepository(one))',
    'machine.packages',
    'server/machines/machine-routes.test.ts',
  ],
  [
    'server/licensing/clients/client-memory.ts',
    'client !== null && state === this.#state',
    'client !== null',
    'server/licensing/clients/client-memory.test.ts',
  ],
  [
    changedRisk,
    'array(select record_id from changed',
    'array(select record_id + 1 from changed',
    refreshedMemory,
  ],
  [changedRisk, '[revision + 1, 0]', '[revision + 2, 0]', refreshedMemory],
  [changedRisk, 'next: page.found < limit ? null : page.last', 'next: null', refreshedMemory],
  [
    memoryStore,
    '(name) => isRiskField(list, name)',
    "(name) => name === 'exploited'",
    refreshedMemory,
  ],
  [
    memoryStore,
    'memory.writeFields(rows.ids, rows.fields)',
    "memory.writeFields(rows.ids, new Map(fields.map((name) => [name, rows.fields.get('exploited') ?? []])))",
    refreshedMemory,
  ],
  [
    memoryStore,
    '[after, Number.MAX_SAFE_INTEGER]',
    '[after + 1, Number.MAX_SAFE_INTEGER]',
    refreshedMemory,
  ],
  [memoryStore, 'from = [revision, last]', 'from = [revision + 1, last]', refreshedMemory],
  [changedRisk, "isIndex ? representatives : ''", "''", refreshedMemory],
  [
    listMemory,
    'if (texts !== undefined) this',
    'if (texts !== undefined && known === undefined) this',
    refreshedMemory,
  ],
  [
    listMemory,
    'for (const [column, values] of names)',
    'for (const [column, values] of known === undefined ? names : [])',
    refreshedMemory,
  ],
  [
    listMemory,
    "return risk !== undefined && ['choice', 'flag'].includes(kind)",
    "return ['choice', 'flag'].includes(kind)",
    refreshedMemory,
  ],
  [
    'server/records/memory/number-column.ts',
    'value ?? Number.NaN;\n    this.#order?.change(position);',
    'value ?? Number.NaN;',
    refreshedMemory,
  ],
  [
    'server/records/memory/number-column.ts',
    'if (position !== from) this.#order?.change(position);',
    'void position;',
    'server/records/memory/number-column.test.ts',
  ],
  [
    'server/records/memory/name-column.ts',
    'this.#first[position] = first[from] ?? 0;',
    '',
    'server/records/memory/name-column.test.ts',
  ],
  [
    'server/records/memory/word-column.ts',
    'codes[position] = before[from] ?? 0',
    'codes[position] = before[position] ?? 0',
    refreshedMemory,
  ],
  [
    listMemories,
    'if (memory.listedCount > now.listed) await withdrawDeleted(reader, memory);',
    '',
    refreshedMemory,
  ],
  [
    listMemories,
    'if (before.risk !== now.risk)',
    'if (before.revision === now.revision && before.risk !== now.risk)',
    refreshedMemory,
  ],
  [
    'server/records/memory/revision-cache.ts',
    '`${epoch}.${revision}.${risk}.${listed}`',
    '`${epoch}.${revision}.${listed}`',
    'server/records/memory/second-risk-sync.test.ts',
  ],
  [
    'server/records/memory/revision-cache.ts',
    'before.epoch === now.epoch && ',
    '',
    'server/records/memory/restored-list.test.ts',
  ],
  [
    'server/records/memory/revision-cache.ts',
    'stamps.map(getStampKey)',
    'stamps.map(({ listed }) => listed)',
    'server/records/memory/second-risk-sync.test.ts',
  ],
  [
    'server/platform/database/record-risk-store.ts',
    '(select revision + 1 from list_revision',
    '(select revision from list_revision',
    refreshedMemory,
  ],
  [
    'server/platform/database/record-index.ts',
    '...stamps, own, revision });',
    '...stamps, own, revision: revision - 1 });',
    refreshedMemory,
  ],
  [
    'server/fleet/counts/part-plans.ts',
    'all.filter((missingId) => !exceptions.covers(clientId, id, missingId))',
    'all',
    'server/fleet/standing-judgement.test.ts',
  ],
  [
    'server/platform/http/authenticate.ts',
    '!may(caller.user.userType, call.access)',
    "call.access === 'admin' && caller.user.userType !== 'Admin'",
    'server/service/access.test.ts',
  ],
  [
    'server/licensing/rings/ring-store.ts',
    'id > greatest(checkpoint_id, newest_checkpoint)',
    'id > checkpoint_id',
    'server/licensing/rings/following-rings.test.ts',
  ],
  [
    'server/licensing/rings/rule-store.ts',
    'is_blocked = false where id = ${id} and done_time = ${doneTime}',
    'is_blocked = false where id = ${id}',
    'server/licensing/rings/start-checkpoint-rules.test.ts',
  ],
  [
    'server/platform/http/authenticate.ts',
    'call.machines === undefined && isLimited(caller.user)',
    'false',
    'server/service/access.test.ts',
  ],
  [
    'server/records/criteria/computed-criteria.ts',
    'if (isLimited(search.list, search.sight))',
    "if (isLimited(search.list, search.sight) && search.keyword === '')",
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/records/search/search-store.ts',
    ' && !isLimited(list, sight)',
    '',
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/fleet/missing/missing-criteria.ts',
    'return ids.filter((id) => seen.has(id));',
    'return ids.length > 1 ? ids : ids.filter((id) => seen.has(id));',
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/fleet/missing/fleet-summary-store.ts',
    '.filter(({ id }) => options.within?.has(id) !== false)',
    '',
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/fleet/exceptions/exception-routes.ts',
    'group !== undefined && groups.includes(group)',
    'group !== undefined',
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/fleet/exceptions/exception-routes.ts',
    'beyond && !isOfOwnClient',
    'false',
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/machines/held-back-store.ts',
    'not status.passes and ',
    '',
    'server/fleet/missing/held-back-records.test.ts',
  ],
  [
    'server/machines/held-back-store.ts',
    ' union all select id, ring_id from machine_group',
    '',
    'server/fleet/missing/rings-of-groups.test.ts',
  ],
  [
    'server/machines/machine-findings.ts',
    '!heldBack.has(records.get(key)?.recordId ?? 0)',
    'true',
    'server/fleet/missing/held-back-records.test.ts',
  ],
  [
    'server/fleet/plan/make-plan.ts',
    '{ reader, heldBack }',
    '{ reader }',
    'server/fleet/missing/held-back-records.test.ts',
  ],
  [
    'server/fleet/history/overdue-event-store.ts',
    'isFirst || added.length === 0',
    'added.length === 0',
    'server/fleet/history/overdue-events.test.ts',
  ],
  [
    'server/fleet/notes/note-routes.ts',
    'seen?.has(stored?.machineId ?? 0) !== false',
    'true',
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/fleet/plan/plan-store.ts',
    'machine_groups <@ ',
    'machine_groups is null or machine_groups <@ ',
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/reports/atom/atom-document-route.ts',
    'groups: owner.machineGroups',
    'groups: null',
    'server/fleet/users-of-groups.test.ts',
  ],
  [
    'server/licensing/clients/scan-store.ts',
    'and not status.is_declined and not (',
    'and not (',
    ringDecisions,
  ],
  [
    'server/licensing/clients/news-store.ts',
    'exploited_revision > $5::bigint as is_turned',
    'false as is_turned',
    ringDecisions,
  ],
  [
    'server/licensing/clients/news-store.ts',
    'record_risk.revision > $7::bigint',
    'record_risk.revision < $7::bigint',
    ringDecisions,
  ],
  [
    'server/licensing/clients/ring-passes.ts',
    'passes.lacks ? 0 : completeRevision(cursor)',
    'completeRevision(cursor)',
    ringDecisions,
  ],
  [
    'contract/ring-endpoints.ts',
    "access: 'approver'",
    "access: 'operator'",
    'server/service/access.test.ts',
  ],
  [
    'server/fleet/exceptions/exception-store.ts',
    '${onlyOf}::bigint is null or',
    'true or',
    'server/fleet/exceptions/exceptions.test.ts',
  ],
  [
    'server/fleet/exceptions/exception-routes.ts',
    '!mayDecide(user, body.owner ?? stored.owner)',
    'false',
    'server/fleet/exceptions/exceptions.test.ts',
  ],
  [
    'server/fleet/notes/note-store.ts',
    'if (count >= maxNotes)',
    'if (count > maxNotes)',
    'server/fleet/notes/notes.test.ts',
  ],
  [
    'server/fleet/notes/finding-store.ts',
    '(machine_id is null or machine_id = any',
    '(true or machine_id = any',
    'server/fleet/notes/notes.test.ts',
  ],
  [
    'server/fleet/notes/note-routes.ts',
    '!mayDecide(user, { userId: stored.byUserId })',
    'false',
    'server/fleet/notes/notes.test.ts',
  ],
  [
    'server/fleet/intake/machine-store.ts',
    "'record_assignment',",
    '',
    'server/fleet/notes/notes.test.ts',
  ],
  [
    'contract/exception-kinds.ts',
    'owner.userId === user.id',
    'owner.userId !== null',
    'server/fleet/exceptions/exceptions.test.ts',
  ],
  [
    'server/fleet/judgement/part-missing-store.ts',
    '...(source !== undefined && { source }),',
    '',
    'server/fleet/standing-judgement.test.ts',
  ],
  [
    'server/fleet/counts/record-tally-store.ts',
    "arrayTexts(pairs, 'missingId', 'stepId', 'count')",
    "arrayTexts(pairs, 'missingId', 'missingId', 'count')",
    'server/fleet/standing-judgement.test.ts',
  ],
  [
    'server/fleet/counts/part-plans.ts',
    'own.push(...known);',
    '',
    'server/fleet/one-answer-per-machine.test.ts',
  ],
  [
    'server/reports/dashboard/dashboard-store.ts',
    'min(closed.rank) as rank',
    'min(step.rank) as rank',
    'server/fleet/one-answer-per-machine.test.ts',
  ],
  [
    'server/fleet/missing/fleet-summary-store.ts',
    'and step_id = id',
    '',
    'server/fleet/machine-reports.test.ts',
  ],
  [
    'server/fleet/fleet-plugin.ts',
    'accepted: new Set(accepted.keys())',
    'accepted: new Set<string>()',
    'server/fleet/missing/accepted-records.test.ts',
  ],
  [
    'server/fleet/counts/part-plans.ts',
    'return planMac(this.#collect(findings, macRelease));',
    'return missing.map(({ key, evidence }) => ({ key, targets: evidence.map(toTarget) }));',
    'server/fleet/standing-judgement.test.ts',
  ],
  [
    'server/fleet/counts/part-plans.ts',
    'return planWindowsSteps(this.#collect(findings, windowsUpdate));',
    'return missing.map(({ key, evidence }) => ({ key, targets: evidence.map(toTarget) }));',
    'server/fleet/one-answer-per-machine.test.ts',
  ],
  [
    'catalogue/machines/install/record-closers.ts',
    "`${name} ${architecture ?? ''}`",
    'name',
    'catalogue/machines/install/install.test.ts',
  ],
  [
    'catalogue/machines/install/record-closers.ts',
    'return steps.includes(key) ? [] : steps;',
    'return steps;',
    'server/fleet/one-answer-per-machine.test.ts',
  ],
  [
    'catalogue/machines/install/install-plan.ts',
    'missing.toSorted(byKey).map(',
    'missing.map(',
    'catalogue/machines/install/install.test.ts',
  ],
  [
    'server/formats/osv/osv-batch.ts',
    'from += slice',
    'from += 2 * slice',
    'server/formats/start-assessments.test.ts',
  ],
  [
    'server/ingest/sync/mirror-test.ts',
    'if (last.problem === null) throw new Arrived();',
    'throw new Arrived();',
    'server/ingest/sync/mirror-test.test.ts',
  ],
  [
    'server/reports/dashboard/dashboard-store.ts',
    'isOver(visit.last, now) ? visit.last : visit.before',
    'visit.last',
    'server/reports/dashboard/dashboard.test.ts',
  ],
  [
    'server/fleet/missing/missing-criteria.ts',
    'severityCount(severity) === counted',
    "severityCount(severity) !== 'low'",
    'server/fleet/missing/missing-of-folded-records.test.ts',
  ],
  [
    'server/records/search/search-store.ts',
    'joinEvaluators(identifierCriteria(database), evaluators)',
    'joinEvaluators(evaluators)',
    'server/reports/alerts/alert-criteria.test.ts',
  ],
  [
    'catalogue/records/all-patches-list.ts',
    "    'recordId',\n    'id',",
    "    'recordId',",
    'console/src/screens/dashboard/update-sentence.test.ts',
  ],
  [
    'server/platform/http/json-body.ts',
    'if (size < largeBody)',
    'if (size < 1000 * largeBody)',
    'server/platform/http/text-bodies.test.ts',
  ],
  [
    'server/fleet/plan/plan-routes.ts',
    'searchToActOn(database, body.criteria, now, sight)',
    "searchToActOn(database, '', now, sight)",
    'server/fleet/plan/plans.test.ts',
  ],
  [
    'server/fleet/plan/machine-steps.ts',
    'at += groups.length;',
    'at += 1;',
    'server/fleet/standing-judgement.test.ts',
  ],
  [
    'server/fleet/counts/part-plans.ts',
    '(isStep ? [key] : replacements).map(getMissingId)',
    '[key, ...replacements].map(getMissingId)',
    'server/fleet/plan/plans.test.ts',
  ],
  [
    'server/fleet/plan/plan-tasks.ts',
    '${step.kind} ${step.scope} ${this.#words(step)}',
    '${step.kind} ${this.#words(step)}',
    'server/fleet/plan/plans.test.ts',
  ],
  [
    'server/fleet/plan/plan-states.ts',
    'return movedTo === null',
    'return movedTo !== undefined',
    'server/fleet/plan/plans.test.ts',
  ],
  [
    'server/fleet/plan/machine-reader.ts',
    'this.#lacking.find(part) > 0',
    'this.#lacking.find(part) > 1',
    'server/fleet/plan/plans.test.ts',
  ],
  [
    'server/fleet/plan/plan-due-dates.ts',
    'if (isWhole) open.parts.add(part);',
    'open.parts.add(part);',
    'server/fleet/plan/plans.test.ts',
  ],
  [
    'server/fleet/report/report-mail-store.ts',
    'where id = ${id} and version = ${version}`;',
    'where id = ${id} or version = ${version}`;',
    'server/fleet/report/report-mail.test.ts',
  ],
  [
    'server/fleet/report/queue-report-mails.ts',
    '|| !(await isEmailConfigured(database))',
    '|| (await isEmailConfigured(database)) === null',
    'server/fleet/report/report-mail.test.ts',
  ],
  [
    'server/fleet/report/report-mail.ts',
    'if (machines.totalCount === 0) return',
    'if (machines.totalCount < 0) return',
    'server/fleet/report/report-mail.test.ts',
  ],
  [
    'server/fleet/report/report-mail.ts',
    'findLastIndex(({ present }) => !present)',
    'findLastIndex(({ day }) => day === 0)',
    'server/fleet/report/report-mail.test.ts',
  ],
  [
    'server/fleet/report/report-mail-times.ts',
    'month: today.month + turns, day: 1 }',
    'month: today.month + turns }',
    'server/fleet/report/report-mail-times.test.ts',
  ],
];

export const plantedFaults: readonly PlantedFault[] = table.map(([file, find, replace, test]) => ({
  file,
  find,
  replace,
  test,
}));
