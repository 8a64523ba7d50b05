/** Evaluates conditions on the activation codes of licensed clients, which are stored encrypted: the clients are few, and are opened one by one. */
import { licensedClientList } from '@patch/catalogue/clients/licensed-client-list.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { query } from '../../platform/database/sql-statement.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { CriterionEvaluators } from '../../records/criteria/computed-criteria.ts';
import { createValueTest } from '../../records/criteria/condition-meaning.ts';

const CodeRow = z.object({ id: z.number(), code: z.string().nullable() });

/** A code that was sealed with another key is no value. */
export const clientCriteria = (
  database: Queryable,
  { open }: Pick<SecretBox, 'open'>,
): CriterionEvaluators =>
  new Map([
    [
      licensedClientList.key,
      {
        async activationCode(condition) {
          const rows = await query.rows(database, CodeRow)`
            select id, sealed_code as code from licensed_client`;
          const test = createValueTest(condition);
          return rows.flatMap(({ id, code }) =>
            test(code === null ? null : open(code)) ? [id] : [],
          );
        },
      },
    ],
  ]);
