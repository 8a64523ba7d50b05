/** Stores the networks from which people have signed in. */
import type { Queryable } from '../../platform/database/database.ts';

/** A person's older networks are deleted, so that a person with many addresses cannot make all of them known. */
const maxOfAPerson = 10;
const knownForMs = 90 * 24 * 3_600_000;

/**
 * Returns whether any person signed in from the network lately. The answer must not depend on the person, since it would reveal
 * whether an account exists and where its owner works.
 */
export async function isKnownNetwork(
  database: Queryable,
  network: string,
  now: number,
): Promise<boolean> {
  const { rows } = await database.query(
    'select 1 from known_network where network = $1 and last_time > $2 limit 1',
    [network, now - knownForMs],
  );
  return rows.length > 0;
}

export async function noteNetwork(
  database: Queryable,
  userId: number,
  network: string,
  now: number,
): Promise<void> {
  await database.query(
    `insert into known_network (user_id, network, last_time) select id, $2, $3 from users where id = $1
     on conflict (user_id, network) do update set last_time = excluded.last_time`,
    [userId, network, now],
  );
  await database.query(
    `delete from known_network where user_id = $1
       and (last_time <= $2 or network not in (select network from known_network where user_id = $1 order by last_time desc, network limit $3))`,
    [userId, now - knownForMs, maxOfAPerson],
  );
}
