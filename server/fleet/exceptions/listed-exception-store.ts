/** Reads exceptions with the names of their records, machines, clients and groups. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { ListedException } from '@patch/contract/fleet/exception-endpoints.ts';
import { type ExceptionKind, exceptionKinds } from '@patch/contract/fleet/exception-kinds.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { isOfPresent } from '../judgement/missing-exception-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { exceptionColumns, warningMs } from './exception-store.ts';

const dayMs = 24 * 3_600_000;

const ListedRow = ListedException.extend({
  /** The address of the owner; null without one. */
  email: z.string().nullable(),
  /** The groups whose machines alone exist for the owner; null: all machines. */
  ownerGroups: z.array(z.number()).nullable(),
});
export type NamedException = z.infer<typeof ListedRow>;

/**
 * Until all its machines have other names, or others report their keys, or the vendor lists the record no more. One for no machine holds,
 * so that it is listed.
 */
const holds = sql.raw(
  `((stored.withdrawn_time > 0) is not true
    and (select coalesce(bool_or(${isOfPresent}), true) from exception_target as target where exception_id = exception.id))`,
);

const exceptions = sql.raw(`missing_exception as exception left join users on users.id = owner_id
  left join stored_record as stored on stored.id = exception.record_id`);

/** @param counted The machines of a group to count; null: all that it had. */
const selectListed = (counted: readonly number[] | null = null) => sql`
  select ${sql.raw(`${exceptionColumns}, exception.list, exception.record_id as "recordId",
    stored.identifier, stored.title, stored.withdrawn_time as "withdrawnTime",
    exception.machine_id as "machineId", coalesce(exception.machine_name, machine.name, machine.machine_key, licensed_client.client_name, machine_group.name) as name`)},
    case when exception.group_id is not null then
      (select count(*) from missing_exception_machine where exception_id = exception.id
        and (${counted === null} or machine_id = any(${arrayText(counted ?? [])}::bigint[]))) end as machines,
    ${holds} as holds, coalesce(exception.owner_address, nullif(users.email, '')) as email, to_json(users.machine_groups) as "ownerGroups"
  from ${exceptions}
  left join machine on machine.client_id = exception.client_id and machine.id = exception.machine_id
  left join licensed_client on licensed_client.id = exception.client_id
  left join machine_group on machine_group.id = coalesce(exception.group_id, exception.client_id)`;

/** Those that end first are in front, those without end last; of ended ones, those that ended last. */
const inOrder = sql`order by exception.until nulls last, exception.id`;
const lastEndedFirst = sql`order by exception.until desc nulls first, exception.id desc`;

/** Returns the exceptions with these ids, whether they are valid or not. */
export const readExceptions = (database: Queryable, ids: readonly number[]) =>
  query.rows(database, ListedRow)`
    ${selectListed()} where exception.id = any(${arrayText(ids)}::bigint[]) ${inOrder}`;

export interface ExceptionFilter {
  readonly kind?: ExceptionKind | undefined;
  /** Days in which they end. */
  readonly endsWithin?: number | undefined;
  /** Days in which they ended, with those that do not hold any more; undefined: those that are valid. */
  readonly endedWithin?: number | undefined;
  /** The number of a user, an address, or 'none'. */
  readonly owner?: string | undefined;
  /** Machines of which they concern one. */
  readonly machines?: readonly number[] | undefined;
  readonly client?: number | undefined;
}

const CountsRow = z.object({
  accepted: z.number(),
  not_applicable: z.number(),
  waiting: z.number(),
  endSoon: z.number(),
  total: z.number(),
});

/** Returns a page of the exceptions that are valid at `now`, or of those that have ended or do not hold any more. */
export async function readExceptionPage(
  database: Queryable,
  filter: ExceptionFilter,
  {
    sight,
    now,
    offset,
    size,
  }: {
    /** The caller's sight. If it is limited to groups, `filter.machines` has the only machines that exist for the caller. */
    readonly sight: Sight;
    readonly now: number;
    readonly offset: number;
    readonly size: number;
  },
) {
  const { kind, endsWithin, endedWithin } = filter;
  const among = sql.join(
    [
      endedWithin === undefined
        ? sql`(exception.until is null or exception.until > ${now}) and ${holds}`
        : sql`(exception.until between ${now - endedWithin * dayMs} and ${now}
            or ((exception.until is null or exception.until > ${now}) and not ${holds}))`,
      ...ownerConditions(filter.owner),
      ...machineConditions(filter.machines, filter.client, endedWithin === undefined),
    ],
    ' and ',
  );
  const isWanted = sql.join(
    [
      sql`true`,
      ...(kind === undefined ? [] : [sql`exception.kind = ${kind}`]),
      ...(endsWithin === undefined ? [] : [sql`exception.until <= ${now + endsWithin * dayMs}`]),
    ],
    ' and ',
  );
  const rows = await query.rows(database, ListedRow)`
    ${selectListed(sight.groups === null ? null : (filter.machines ?? []))} where ${among} and ${isWanted} ${endedWithin === undefined ? inOrder : lastEndedFirst} offset ${offset} limit ${size}`;
  const { total, ...counts } = await query.requiredRow(database, CountsRow)`
    select ${sql.join(
      exceptionKinds.map((one) => sql`count(*) filter (where kind = ${one}) as ${sql.raw(one)}`),
      ', ',
    )}, count(*) filter (where until > ${now} and until <= ${now + warningMs}) as "endSoon", count(*) filter (where ${isWanted}) as total
    from ${exceptions} where ${among}`;
  return {
    objList: rows.map(({ email: _email, ownerGroups: _groups, ...exception }) => exception),
    totalCount: total,
    counts,
  };
}

function ownerConditions(owner: string | undefined) {
  if (owner === undefined) return [];
  if (owner === 'none')
    return [sql`exception.owner_id is null and exception.owner_address is null`];
  if (/^\d{1,15}$/.test(owner)) return [sql`exception.owner_id = ${Number(owner)}`];
  return [
    sql`(lower(exception.owner_address) = ${owner.toLowerCase()} or users.email_folded = ${fold(owner)})`,
  ];
}

/** How far an exception reaches, for a caller for whom some machines alone exist. */
const Reach = z.object({
  /** It concerns one of them. */
  concerns: z.boolean(),
  /** It concerns others too, or may. */
  beyond: z.boolean(),
});

export const readReach = (database: Queryable, id: number, machines: readonly number[]) =>
  query.requiredRow(database, Reach)`
    select ${sql.join([...machineConditions(machines), sql`true`], ' and ')} as concerns,
      exists(select from exception_target where exception_id = exception.id
        and (machine_id is null or machine_id <> all(${arrayText(machines)}::bigint[]))) as beyond
    from missing_exception as exception where exception.id = ${id}`;

const concerns = (condition: ReturnType<typeof sql>, isPresent: boolean) => sql`exists(
  select from exception_target as target where target.exception_id = exception.id
    and ${isPresent ? sql.raw(isOfPresent) : sql`true`} and (target.client_id is null or ${condition}))`;

/**
 * @param client One of whose machines it concerns, of these if there are any.
 * @param isPresent Whether it must hold on the machine still.
 */
function machineConditions(
  machines: readonly number[] | undefined,
  client?: number,
  isPresent = false,
) {
  const ofClient = client === undefined ? sql`true` : sql`target.client_id = ${client}`;
  if (machines === undefined) return client === undefined ? [] : [concerns(ofClient, isPresent)];
  if (machines.length === 0) return [sql`false`];
  const clients = arrayText([...new Set(machines.map(clientOfMachine))]);
  return [
    concerns(
      sql`${ofClient} and (target.machine_id = any(${arrayText(machines)}::bigint[])
      or (target.machine_id is null and target.client_id = any(${clients}::bigint[])))`,
      isPresent,
    ),
  ];
}
