/** Shows a secret that is not shown again, with a button that copies it. */
import { CopyButton } from './copy-button.tsx';
import { takeFocus } from './focus.ts';
import { Notice } from './notice.tsx';
import styles from './secret-once.module.css';

interface SecretOnceProps {
  readonly secret: string;
  /** Names the secret in the label of its button. */
  readonly what: string;
  readonly title: string;
  readonly description?: string;
}

export function SecretOnce({ secret, what, title, description }: SecretOnceProps) {
  return (
    <>
      <Notice kind="warning" title={title} description={description} />
      <p ref={takeFocus} tabIndex={-1} className={styles['secret']}>
        <code>{secret}</code> <CopyButton text={secret} what={what} />
      </p>
    </>
  );
}
