/** Creates or changes a user. A new user is invited by email, or receives a password to change at the first sign-in. */

import { passwordPolicyEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  type createUserEndpoint,
  invitationHours,
  type User,
} from '@patch/contract/accounts/user-endpoints.ts';
import { type UserType, userTypes, userTypeWords } from '@patch/contract/base/user-types.ts';
import type { FormRule } from '@patch/contract/form-rules/form-rule.ts';
import { password as passwordRule } from '@patch/contract/form-rules/password-rule.ts';
import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Form, Radio } from 'antd';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { apiQuery } from '../../api/api-query.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { useMailConfigured } from '../../api/use-mail-configured.ts';
import { useGroups } from '../../fleet/use-groups.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { PasswordRuleList } from '../../forms/password-rule-list.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { isSamePage, type Unsaved } from '../../forms/unsaved-guard.tsx';
import { FormButtons, SelectField, TextField } from '../../resources/form-fields.tsx';
import { SideDrawer } from '../../resources/side-drawer.tsx';
import { listTimeZones } from '../../resources/time-zone-options.ts';
import { Button } from '../../widgets/button.tsx';
import { emailPath } from '../../widgets/list-paths.ts';
import styles from './users.module.css';
import type { UsersSearch } from './users-search.ts';

/** The request for a new user. Without a password the user is invited. */
export type UserDraft = z.input<typeof createUserEndpoint.body>;

interface UserInput {
  readonly name: string;
  readonly email?: string;
  readonly userType: UserType;
  /** Empty: all machines. */
  readonly machineGroups?: readonly number[] | null;
  readonly timezone?: string | null;
  readonly firstSignIn?: 'invitation' | 'password';
  readonly password?: string;
}

interface UserFormProps {
  /** Absent for a new user. */
  readonly user?: User;
  readonly isSelf?: boolean;
  /** `saved` contains the values saved so far. */
  readonly onSave: (draft: UserDraft, saved: Partial<UserDraft>) => Promise<unknown>;
  /** Shown beside the submit button. */
  readonly children: ReactNode;
}

const fieldErrors = {
  name_taken: 'name',
  email_taken: 'email',
  no_address: 'email',
  weak_password: 'password',
  no_such_group: 'machineGroups',
  own_type: 'userType',
  last_administrator: 'userType',
} as const;

export const withoutAtSign: FormRule<string> = (value, field) =>
  value.includes('@') ? `${field} may not contain @` : null;

interface NewUserDrawerProps {
  readonly open: boolean;
  readonly onCreate: (draft: UserDraft) => Promise<User>;
  readonly onClose: () => void;
}

export function NewUserDrawer({ open, onCreate, onClose }: NewUserDrawerProps) {
  return (
    <SideDrawer title="New user" open={open} onClose={onClose}>
      <UserForm
        onSave={async (draft) => {
          const { name, email: address } = await onCreate(draft);
          onClose();
          toast.success(
            draft.password === undefined
              ? `${name} is created. An invitation is on its way to ${address}.`
              : `${name} is created.`,
          );
        }}
      >
        <Button onClick={onClose}>Cancel</Button>
      </UserForm>
    </SideDrawer>
  );
}

type Drawers = Pick<UsersSearch, 'user' | 'show'>;

/** The list behind the drawer may change its search and sort order. */
const isSameDrawer: NonNullable<Unsaved['remains']> = (next, current) => {
  const [{ user, show }, now] = [next.search as Drawers, current.search as Drawers];
  return isSamePage(next, current) && user === now.user && show === now.show;
};

export function UserForm({ user, isSelf = false, onSave, children }: UserFormProps) {
  const [form] = Form.useForm<UserInput>();
  const isNew = user === undefined;
  const mail = useMailConfigured();
  const firstSignIn = Form.useWatch('firstSignIn', form) ?? 'invitation';
  const isInvitation = isNew && firstSignIn === 'invitation' && mail !== 'missing';
  const { data: policy } = useQuery(apiQuery(queryKeys.passwords.policy(), passwordPolicyEndpoint));

  async function save(input: UserInput, saved: Partial<UserInput>): Promise<void> {
    await onSave(
      toUserDraft(input, isInvitation),
      isNew ? {} : toUserDraft({ ...user, ...saved }, isInvitation),
    );
    form.setFieldValue('password', undefined);
  }

  return (
    <RuleForm<UserInput>
      form={form}
      initialValues={
        isNew
          ? { userType: 'Standard', firstSignIn: 'invitation' }
          : {
              name: user.name,
              email: user.email,
              userType: user.userType,
              machineGroups: user.machineGroups ?? [],
              timezone: user.timezone,
            }
      }
      unsaved={{
        message: isNew
          ? 'The new user is not created yet.'
          : `Your changes to ${user.name} are not saved.`,
        remains: isSameDrawer,
      }}
      onSubmit={save}
      fieldErrors={fieldErrors}
    >
      <ProfileFields isSelf={isSelf} invites={isInvitation} />
      {isNew ? <FirstSignIn mail={mail} invites={isInvitation} /> : null}
      {isInvitation || isSelf ? null : <UserPassword isNew={isNew} policy={policy} />}
      <FormButtons
        className={styles['formButtons']}
        whenChanged
        submit={isNew ? 'Create user' : 'Save'}
      >
        {children}
      </FormButtons>
    </RuleForm>
  );
}

/** Omits the password when it is empty or an invitation replaces it. */
function toUserDraft(input: UserInput, invites: boolean): UserDraft {
  const { name, email: address = '', userType, timezone = null, password = '' } = input;
  const groups = input.machineGroups ?? [];
  return {
    name,
    email: address,
    userType,
    machineGroups: userType === 'Admin' || groups.length === 0 ? null : [...groups],
    timezone,
    ...(password !== '' && !invites && { password }),
  };
}

interface ProfileFieldsProps {
  readonly isSelf: boolean;
  /** An invitation needs an address. */
  readonly invites: boolean;
}

function ProfileFields({ isSelf, invites }: ProfileFieldsProps) {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        rules={[required, shortText, withoutAtSign]}
        input={{ spellCheck: false, maxLength: 200 }}
      />
      <TextField
        name="email"
        label="Email"
        dependsOn={['firstSignIn']}
        rules={invites ? [required, email] : [email]}
        input={{ type: 'email', maxLength: 254 }}
      />
      <RuleField
        name="userType"
        label="User type"
        isChoice
        extra={isSelf ? 'Only another administrator can change yours.' : <UserTypeWords />}
      >
        <Radio.Group options={[...userTypes]} disabled={isSelf} />
      </RuleField>
      <GroupsField />
      <TimeZoneField />
    </>
  );
}

/** The groups whose machines the user sees. An administrator sees all. */
function GroupsField() {
  const userType = Form.useWatch<UserType | undefined>('userType');
  const chosen = Form.useWatch<readonly number[] | undefined>('machineGroups') ?? [];
  const groups = useGroups();
  const known = groups.data ?? [];
  if (userType === undefined || userType === 'Admin') return null;
  return (
    <SelectField
      name="machineGroups"
      label="Machines of groups"
      options={[
        ...known.map(({ id, name }) => ({ value: id, label: name })),
        ...chosen
          .filter((id) => groups.isSuccess && known.every((group) => group.id !== id))
          .map((id) => ({ value: id, label: `removed group ${id}` })),
      ]}
      extra={
        chosen.length === 0
          ? 'Without a group, the user sees all machines.'
          : 'No other machines exist for the user, in lists, numbers, plans and exports.'
      }
      select={{
        mode: 'multiple',
        loading: groups.isPending,
        optionFilterProp: 'label',
        placeholder: 'All machines',
      }}
    />
  );
}

function UserTypeWords() {
  const chosen = Form.useWatch<UserType | undefined>('userType');
  return chosen === undefined ? null : `${userTypeWords[chosen]}.`;
}

const timeZoneOptions = listTimeZones();

export function TimeZoneField() {
  return (
    <SelectField
      name="timezone"
      label="Time zone"
      options={timeZoneOptions}
      select={{ allowClear: true, showSearch: true, placeholder: 'Browser time zone' }}
    />
  );
}

interface FirstSignInProps {
  readonly mail: ReturnType<typeof useMailConfigured>;
  readonly invites: boolean;
}

/** Offers an invitation when email can be sent, otherwise only a password. */
function FirstSignIn({ mail, invites }: FirstSignInProps) {
  if (mail === 'missing')
    return (
      <p className={styles['formHint']}>
        Users can be invited by email once the{' '}
        <Link to={emailPath} search={{}}>
          email configuration
        </Link>{' '}
        is set.
      </p>
    );
  return (
    <>
      <RuleField name="firstSignIn" label="First sign-in" isChoice>
        <Radio.Group
          options={[
            { value: 'invitation', label: 'Invite by email' },
            { value: 'password', label: 'Set a password' },
          ]}
        />
      </RuleField>
      {invites ? (
        <p className={styles['formHint']}>
          The email contains a link to choose a password, valid for {invitationHours} hours.
        </p>
      ) : null}
    </>
  );
}

interface UserPasswordProps {
  readonly isNew: boolean;
  /** Undefined until loaded. */
  readonly policy: PasswordPolicy | undefined;
}

/** The password with the rules of the policy, each ticked when met. */
function UserPassword({ isNew, policy }: UserPasswordProps) {
  const password = Form.useWatch<string | undefined>('password') ?? '';
  const policyRules = policy === undefined ? [] : [passwordRule(policy)];
  return (
    <>
      <RuleField
        name="password"
        label={isNew ? 'Password' : 'New password'}
        nameInMessages={isNew ? 'Password' : 'New password'}
        rules={isNew ? [required, ...policyRules] : policyRules}
        extra={
          isNew
            ? 'Must be changed at first sign-in.'
            : 'Leave empty to keep the password. A new one ends all sessions.'
        }
      >
        <PasswordField autoComplete="new-password" lockedUntilFocus />
      </RuleField>
      {policy === undefined || password === '' ? null : (
        <PasswordRuleList policy={policy} password={password} />
      )}
    </>
  );
}
