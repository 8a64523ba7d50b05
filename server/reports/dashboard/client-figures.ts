/** Counts licensed clients: licences that expire, and clients that have not updated for long. */
import { getList } from '@patch/catalogue/lists.ts';
import type { ClientFigures } from '@patch/contract/dashboard-endpoint.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { UpdateCounts } from '../../records/search/update-counts.ts';

const clients = getList('floto_user');
const dayMs = 86_400_000;
const expiryWindowMs = 30 * dayMs;
const silentAfterMs = 7 * dayMs;

export async function countClientFigures(counts: UpdateCounts, when: When): Promise<ClientFigures> {
  const { now } = when;
  const figure = (criteria: FieldCriterion[]) => counts.countFigure(clients, criteria, when);
  const expiry = { paramName: 'licenseExpiry' } as const;
  return {
    licencesEnding: await figure([
      { ...expiry, operator: 'between', value: now, toValue: now + expiryWindowMs },
    ]),
    licencesEnded: await figure([{ ...expiry, operator: 'less_than', value: now }]),
    silentClients: await figure([
      { paramName: 'repoUpdatedOn', operator: 'less_than', value: now - silentAfterMs },
    ]),
    clients: await figure([]),
  };
}
