/** Chooses an owner: a user, an email address of somebody without an account, or nobody. */

import { usersEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import type { MachineGroup } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { email } from '@patch/contract/form-rules/text-rules.ts';
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMay, useSession } from '../api/session.ts';
import { SelectField, TextField } from '../resources/form-fields.tsx';

const nobody = 'nobody';
const byAddress = 'address';

export interface OwnerInput {
  /** A user's number as text, or one of the two words above. */
  readonly owner: string;
  readonly address: string;
}

export type ChosenOwner = { readonly userId: number } | { readonly address: string };

export const toOwner = ({ owner, address }: OwnerInput): ChosenOwner | null =>
  owner === nobody ? null : owner === byAddress ? { address } : { userId: Number(owner) };

export function toOwnerInput(
  stored: Pick<NonNullable<MachineGroup['owner']>, 'userId' | 'address'> | null,
): OwnerInput {
  const { userId = null, address = null } = stored ?? {};
  const owner = address !== null ? byAddress : userId !== null ? String(userId) : nobody;
  return { owner, address: address ?? '' };
}

interface OwnerFieldsProps {
  readonly label?: string;
  /** Below the field. */
  readonly extra?: string;
  /** False: somebody must be chosen. */
  readonly canBeNobody?: boolean;
  /** The present owner, for readers who may not read the users. */
  readonly stored?: MachineGroup['owner'];
}

export function OwnerFields({
  label = 'Owner',
  extra,
  canBeNobody = true,
  stored = null,
}: OwnerFieldsProps) {
  const { user } = useSession();
  const readsUsers = useMay('admin');
  const owner = Form.useWatch<string | undefined>('owner');
  const users = useQuery({
    queryKey: queryKeys.users.page({ keyword: '', sort: 'name', page: 1, size: 1000 }),
    queryFn: ({ signal }) =>
      callApi(usersEndpoint, {
        query: { offset: '0', size: '1000', sort: 'name' },
        body: { keyword: '' },
        signal,
      }),
    select: ({ objectList }) => objectList,
    enabled: readsUsers,
  });
  const others =
    stored === null || stored.userId === null || stored.userId === user?.id
      ? []
      : [{ id: stored.userId, name: stored.name }];
  const people = readsUsers ? (users.data ?? []) : [...(user === null ? [] : [user]), ...others];
  return (
    <>
      <SelectField
        name="owner"
        label={label}
        extra={extra}
        options={[
          ...(canBeNobody || owner === nobody ? [{ value: nobody, label: 'Nobody' }] : []),
          { value: byAddress, label: 'An email address' },
          ...people.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        select={{ loading: users.isLoading, showSearch: true, optionFilterProp: 'label' }}
      />
      {owner === byAddress && (
        <TextField
          name="address"
          label="Email address"
          rules={[required, email]}
          input={{ maxLength: 320, inputMode: 'email' }}
        />
      )}
    </>
  );
}
