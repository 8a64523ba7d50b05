/** New backup codes, shown only once. */
import { Button, buttonClass } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { Notice } from '../widgets/notice.tsx';
import styles from './second-factor.module.css';

export function BackupCodes({
  codes,
  onSaved,
}: {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}) {
  const text = `${codes.join('\n')}\n`;
  return (
    <div className={styles['factor']}>
      <Notice
        kind="warning"
        title="Save these backup codes now: they are not shown again."
        description="Each code signs you in once when you do not have your phone. Earlier codes no longer work."
      />
      <ul className={styles['codes']} aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles['buttons']}>
        <Button look="primary" onClick={onSaved}>
          I have saved them
        </Button>
        <a
          className={buttonClass({})}
          download="backup-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          Download
        </a>
        <CopyButton text={text} what="backup codes" />
      </div>
    </div>
  );
}
