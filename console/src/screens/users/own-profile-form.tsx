/** The user's own name and time zone, which every user may change. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { meEndpoint, type SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { changeOwnProfileEndpoint } from '@patch/contract/user-endpoints.ts';
import { Form, Input, Select } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { refreshUser } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { timezones, withoutAtSign } from './user-form.tsx';

/** The field names become element ids. They differ from those of the form for a new API key. */
interface ProfileInput {
  readonly userName: string;
  readonly timezone?: string | null;
}

export function OwnProfileForm({ user }: { readonly user: SignedInUser }) {
  const [form] = Form.useForm<ProfileInput>();
  async function save({ userName: name, timezone = null }: ProfileInput): Promise<void> {
    const { message } = await callApi(changeOwnProfileEndpoint, { body: { name, timezone } });
    refreshUser(await callApi(meEndpoint));
    toast.success(message);
  }
  return (
    <RuleForm<ProfileInput>
      form={form}
      initialValues={{ userName: user.name, timezone: user.timezone }}
      unsaved={{ message: 'Your changes to your profile are not saved.' }}
      onSubmit={save}
      fieldErrors={{ name_taken: 'userName' }}
    >
      <RuleField name="userName" label="User name" rules={[required, shortText, withoutAtSign]}>
        <Input autoComplete="username" spellCheck={false} maxLength={200} />
      </RuleField>
      <RuleField name="timezone" label="Time zone" isChoice>
        <Select allowClear showSearch options={timezones} placeholder="Browser time zone" />
      </RuleField>
      <SubmitButton whenChanged>Save</SubmitButton>
    </RuleForm>
  );
}
