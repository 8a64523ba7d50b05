/** What verifying the log has found. */
import type { AuditVerification } from '@patch/contract/audit-calls.ts';
import { Alert } from 'antd';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { figures } from '../../widgets/figures.ts';

interface AuditVerificationResultProps {
  readonly found: AuditVerification;
  readonly onClose: () => void;
}

export function AuditVerificationResult({ found, onClose }: AuditVerificationResultProps) {
  const { intact, firstBroken, checked, firstId, lastId, lastHash } = found;
  return (
    <Alert
      type={intact ? 'success' : 'error'}
      showIcon
      closable={{ onClose, 'aria-label': 'Close' }}
      title={
        intact
          ? `All ${figures(checked)} entries are as they were written${firstId > 1 ? `, from entry ${figures(firstId)} on: older ones were removed when their time was over` : ''}.`
          : `Entry ${firstBroken === null ? lastId : figures(firstBroken.id)} is not as it was written.`
      }
      description={
        intact ? (
          <>
            The last hash, of entry {figures(lastId)}, is <code>{lastHash.slice(0, 16)}…</code>
            <CopyButton text={lastHash} what="hash" /> Kept elsewhere it proves later that nothing up to here was written anew.
          </>
        ) : (
          `${firstBroken?.reason ?? ''} The ${figures(checked)} entries before it are intact. Compare it with the service's log, which has the hash of every entry.`
        )
      }
    />
  );
}
