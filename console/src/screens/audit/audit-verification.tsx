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
  const { intact, firstBroken, checked, firstId, lastId, lastHash, unkeyed, otherKey, anchored } = found;
  const isProven = intact && unkeyed + otherKey === 0;
  return (
    <Alert
      type={isProven ? 'success' : intact ? 'warning' : 'error'}
      showIcon
      closable={{ onClose, 'aria-label': 'Close' }}
      title={
        intact
          ? `${isProven ? `All ${figures(checked)} entries are as they were written` : `All ${figures(checked)} entries follow each other; not all can be verified`}${firstId > 1 ? `, from entry ${figures(firstId)} on: older ones were removed when their time was over` : ''}.`
          : `Entry ${firstBroken === null ? lastId : figures(firstBroken.id)} is not as it was written.`
      }
      description={
        intact ? (
          <>
            The last hash, of entry {figures(lastId)}, is <code>{lastHash.slice(0, 16)}…</code>
            <CopyButton text={lastHash} what="hash" /> Kept elsewhere it proves later that nothing up to here was rewritten.{' '}
            {figures(anchored)} entries were compared with what the service noted outside the database.
            {unkeyed === 0 ? null : ` ${figures(unkeyed)} were written by versions that did not key the log.`}
            {otherKey === 0 ? null : ` ${figures(otherKey)} are keyed with another SECRET_KEY and cannot be verified here.`}
          </>
        ) : (
          `${firstBroken?.reason ?? ''} The ${figures(checked)} entries before it are intact. Compare it with the service's log, which has the hash of every entry.`
        )
      }
    />
  );
}
