/** Shows the secret of a webhook, which is shown once. */
import { CopyButton } from '../../widgets/copy-button.tsx';
import { takeFocus } from '../../widgets/focus.ts';
import { Notice } from '../../widgets/notice.tsx';
import styles from './channels.module.css';

export function SecretOnce({ secret }: { readonly secret: string }) {
  return (
    <>
      <Notice
        kind="warning"
        title="Copy the secret now: it is not shown again."
        description="The receiver verifies the signatures of deliveries with it."
      />
      <p ref={takeFocus} tabIndex={-1} className={styles['secret']}>
        <code>{secret}</code> <CopyButton text={secret} what="secret" />
      </p>
    </>
  );
}
