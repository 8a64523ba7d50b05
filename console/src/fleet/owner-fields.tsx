/** Chooses an owner: a user, an email address of somebody without an account, or nobody. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { email } from '@patch/contract/form-rules/text-rules.ts';
import type { MachineGroup } from '@patch/contract/machine-group-endpoints.ts';
import { usersEndpoint } from '@patch/contract/user-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
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
  /** Below the field. */
  readonly extra: string;
  /** False: somebody must be chosen. */
  readonly canBeNobody?: boolean;
}

export function OwnerFields({ extra, canBeNobody = true }: OwnerFieldsProps) {
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
  });
  return (
    <>
      <SelectField
        name="owner"
        label="Owner"
        extra={extra}
        options={[
          ...(canBeNobody || owner === nobody ? [{ value: nobody, label: 'Nobody' }] : []),
          { value: byAddress, label: 'An email address' },
          ...(users.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        select={{ loading: users.isPending, showSearch: true, optionFilterProp: 'label' }}
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
