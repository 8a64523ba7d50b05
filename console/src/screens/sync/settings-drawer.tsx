/** The settings of a source, in a drawer over the sync screen. Leaving it with unsaved changes asks first. */

import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { SourceSettingsReply } from '@patch/contract/sources/source-settings-endpoints.ts';
import { Drawer, Form } from 'antd';
import { useId, useRef, useState } from 'react';
import { ApiCallError } from '../../api/call-api.ts';
import { toast } from '../../api/toast.ts';
import { isSamePage, useUnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { useNarrow } from '../../theme/media-query.ts';
import { sizes } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import {
  findChangedSettings,
  findErrorField,
  isUnchanged,
  type SettingsDraft,
} from './settings-draft.ts';
import styles from './settings-drawer.module.css';
import { SettingsForm, scrollToInvalidField } from './settings-form.tsx';
import { useSaveSettings, useSourceSettings } from './use-source-settings.ts';

export interface SettingsDrawerProps {
  /** The drawer is closed while this is undefined. */
  readonly source: SourceKey | undefined;
  readonly onClose: () => void;
}

export function SettingsDrawer({ source, onClose }: SettingsDrawerProps) {
  const narrow = useNarrow();
  // The drawer shows the last source while it slides out.
  const [shown, setShown] = useState(source);
  if (source !== undefined && source !== shown) setShown(source);
  return (
    <Drawer
      open={source !== undefined}
      onClose={onClose}
      size={narrow ? '100%' : sizes.drawer}
      destroyOnHidden
      styles={{ body: { padding: 0 }, wrapper: narrow ? { minWidth: 0 } : {} }}
      title={
        shown === undefined ? null : (
          <span className="flex items-center gap-2">
            <SourceMark of={shown} /> Settings of {sourceLabels[shown]}
          </span>
        )
      }
    >
      {shown === undefined ? null : <Settings key={shown} source={shown} onClose={onClose} />}
    </Drawer>
  );
}

interface SettingsProps {
  readonly source: SourceKey;
  readonly onClose: () => void;
}

function Settings({ source, onClose }: SettingsProps) {
  const { data, error, isPending, refetch } = useSourceSettings(source);
  if (isPending)
    return (
      <div className={`${styles['body']} relative p-5`}>
        <Skeleton rows={10} />
      </div>
    );
  if (data === undefined) {
    const failure = error instanceof ApiCallError ? error : null;
    return (
      <StateDrawing
        state={failure?.status === 403 ? 'forbidden' : 'failure'}
        title="Error While Fetching Data."
        requestId={failure?.requestId}
        action={<Button onClick={() => void refetch()}>Reload</Button>}
      >
        {failure?.userMessage}
      </StateDrawing>
    );
  }
  return <LoadedSettings source={source} reply={data} onClose={onClose} />;
}

function LoadedSettings({
  source,
  reply,
  onClose,
}: SettingsProps & { readonly reply: SourceSettingsReply }) {
  const label = sourceLabels[source];
  const formId = useId();
  const [form] = Form.useForm<SettingsDraft>();
  const save = useSaveSettings(source);
  const [refusal, setRefusal] = useState<Error | null>(null);
  const values = Form.useWatch([], form) as SettingsDraft | undefined;
  const dirty = values !== undefined && !isUnchanged(values, reply.settings);
  const saved = useRef(false);

  useUnsavedGuard(dirty, {
    message: `Your changes to the settings of ${label} are not saved.`,
    remains: (next, current) =>
      saved.current ||
      (isSamePage(next, current) && (next.search as { settings?: unknown }).settings === source),
  });

  function saveDraft(draft: SettingsDraft): void {
    setRefusal(null);
    save.mutate(findChangedSettings(draft, reply.settings), {
      onSuccess() {
        saved.current = true;
        toast.success(`Settings of ${label} saved.`);
        onClose();
      },
      onError(failure) {
        const field =
          failure instanceof ApiCallError
            ? findErrorField(failure.code, failure.userMessage)
            : undefined;
        if (field === undefined) return setRefusal(failure);
        form.setFields([{ name: field, errors: [failure.message] }]);
        scrollToInvalidField(form, field);
      },
    });
  }

  return (
    <div className={`${styles['frame']} grid h-full`}>
      <div className={`${styles['body']} relative p-5`}>
        <LastChange reply={reply} />
        <SettingsForm
          form={form}
          id={formId}
          label={label}
          reply={reply}
          onSave={saveDraft}
          alert={refusal === null ? null : <RefusalNotice failure={refusal} />}
        />
      </div>
      <div className="flex items-center gap-2 py-3 px-5 border-t">
        <span
          className={`${styles['dirty']} mr-auto text-warning text-dense font-500`}
          aria-live="polite"
        >
          {dirty ? 'Unsaved changes' : null}
        </span>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          type="submit"
          form={formId}
          disabled={!dirty}
          loading={save.isPending}
        >
          Save
        </Button>
      </div>
    </div>
  );
}

function LastChange({ reply: { changedAt, changedBy } }: { readonly reply: SourceSettingsReply }) {
  return (
    <p className="mb-4 text-quiet text-dense">
      {changedAt === null ? (
        'These are the standard settings.'
      ) : (
        <>
          Last changed <TimeAgo value={changedAt} />
          {changedBy === null ? null : ` by ${changedBy}`}
        </>
      )}
    </p>
  );
}

function RefusalNotice({ failure }: { readonly failure: Error }) {
  const requestId = failure instanceof ApiCallError ? failure.requestId : null;
  return (
    <Notice
      className={styles['alert']}
      kind="error"
      title={failure.message}
      {...(requestId === null ? {} : { description: `Request ${requestId}` })}
    />
  );
}
