/** Creates an enrolment key for a group, and shows the line that a machine of the group runs to report from then on. */
import { PlusOutlined } from '@ant-design/icons-svg';
import { createApiKeyEndpoint } from '@patch/contract/accounts/api-key-endpoints.ts';
import { maxKeyLifeMs } from '@patch/contract/accounts/api-key-life.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Modal } from 'antd';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMay } from '../api/session.ts';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons, TextField } from '../resources/form-fields.tsx';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { Notice } from '../widgets/notice.tsx';
import { ExactTime } from '../widgets/time-ago.tsx';
import { CommandToCopy } from './command-to-copy.tsx';

interface Enrolment {
  readonly group: string;
  readonly name: string;
  readonly secret: string;
  readonly expiresAt: number;
}

/** Keys of one person have different names, so that the time distinguishes several keys of a group. */
const toKeyName = (group: string, now: number) =>
  `${group.slice(0, 80)} ${new Date(now).toISOString().slice(0, 19)}`;

export function AddMachines() {
  const isAdmin = useMay('admin');
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [enrolment, setEnrolment] = useState<Enrolment>();
  if (!isAdmin) return null;

  async function create({ group }: { readonly group: string }): Promise<void> {
    const now = Date.now();
    const body = {
      name: toKeyName(group, now),
      scopes: ['report' as const],
      // A minute less, because the clocks of browser and server differ.
      expiresAt: now + maxKeyLifeMs - 60_000,
      group,
    };
    const { name, key, expiresAt } = await callApi(createApiKeyEndpoint, { body });
    setEnrolment({ group, name, secret: key, expiresAt });
    await queries.invalidateQueries({ queryKey: queryKeys.apiKeys.own() });
  }
  return (
    <>
      <Button look="primary" icon={<Icon of={PlusOutlined} />} onClick={() => setOpen(true)}>
        Add machines
      </Button>
      <Modal
        open={open}
        title={enrolment === undefined ? 'Add machines' : `Add machines to ${enrolment.group}`}
        mask={{ closable: false }}
        footer={null}
        onCancel={() => setOpen(false)}
        afterClose={() => setEnrolment(undefined)}
        destroyOnHidden
      >
        {enrolment === undefined ? (
          <RuleForm<{ group: string }> initialValues={{ group: '' }} onSubmit={create}>
            <TextField
              name="group"
              label="Group"
              rules={[required, shortText]}
              extra="The machines are listed with it as their client, such as Web servers."
              input={{ maxLength: 100 }}
            />
            <FormButtons submit="Create key" onCancel={() => setOpen(false)} />
          </RuleForm>
        ) : (
          <EnrolmentLines {...enrolment} onClose={() => setOpen(false)} />
        )}
      </Modal>
    </>
  );
}

function EnrolmentLines({
  name,
  secret,
  expiresAt,
  onClose,
}: Enrolment & { readonly onClose: () => void }) {
  const address = window.location.origin;
  const collectors = `${address}/api/collectors`;
  const file = '"$env:TEMP\\patch-report.ps1"';
  return (
    <>
      <Notice
        kind="warning"
        title="Copy the lines now: the key in them is not shown again."
        description="It can do nothing but report machines of this group."
      />
      <CommandToCopy
        label="Linux, in a shell"
        what="line for Linux"
        command={`{ echo PATCH_KEY=${secret}; curl -fsSL ${collectors}/patch-report.sh; } | sudo sh -s -- install ${address}`}
      />
      <CommandToCopy
        label="Windows, in PowerShell as administrator"
        what="line for Windows"
        command={`$env:PATCH_KEY = '${secret}'; [Net.ServicePointManager]::SecurityProtocol = 'Tls12'; iwr -UseBasicParsing ${collectors}/patch-report.ps1 -OutFile ${file}; powershell -NoProfile -ExecutionPolicy Bypass -File ${file} -Install -Address ${address}`}
      />
      <p>
        Each machine reports at once and then every four hours. The key is {name} in your account;
        it expires <ExactTime value={expiresAt} />.
      </p>
      <p>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </p>
    </>
  );
}
