/** The fields of a ring that choose its members: licensed clients, and groups whose machines report with keys. */
import type { Ring } from '@patch/contract/licensing/ring-endpoints.ts';
import type { ComponentProps } from 'react';
import { useGroups } from '../../fleet/use-groups.ts';
import { SelectField } from '../../resources/form-fields.tsx';
import { useClientChoices } from './use-rings.ts';

export const toOptions = (items: readonly { readonly id: number; readonly name: string }[]) =>
  items.map(({ id, name }) => ({ value: id, label: name }));

export const toIds = (members: Ring['clients'] = []) => members.map(({ id }) => id);

export function MemberFields({ ring }: { readonly ring: Ring | null }) {
  const clients = useClientChoices();
  const groups = useGroups();
  return (
    <>
      <MemberField
        name="clients"
        label="Licensed clients"
        extra="A client of another ring moves to this one. Machines that it reports are in the ring."
        placeholder="Choose clients"
        members={ring?.clients}
        choices={clients.data}
      />
      <MemberField
        name="groups"
        label="Groups of machines"
        extra="Groups whose machines report with a key. A group of another ring moves to this one."
        placeholder="Choose groups"
        members={ring?.groups}
        choices={groups.data?.filter(({ criteria }) => criteria === null)}
      />
    </>
  );
}

interface MemberFieldProps
  extends Pick<ComponentProps<typeof SelectField>, 'name' | 'label' | 'extra'> {
  readonly placeholder: string;
  readonly members: Ring['clients'] | undefined;
  /** Undefined: they are being fetched. */
  readonly choices: Ring['clients'] | undefined;
}

/** Chooses among all that exist; present members are always listed, since not all choices are fetched. */
function MemberField({ members = [], choices, placeholder, ...field }: MemberFieldProps) {
  const known = new Set(toIds(members));
  const others = (choices ?? []).filter(({ id }) => !known.has(id));
  return (
    <SelectField
      {...field}
      options={toOptions([...members, ...others])}
      select={{
        mode: 'multiple',
        optionFilterProp: 'label',
        loading: choices === undefined,
        placeholder,
      }}
    />
  );
}
