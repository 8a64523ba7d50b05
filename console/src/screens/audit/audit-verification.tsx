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
          ? `${isProven ? `All ${figures(checked)} entries are unaltered` : `All ${figures(checked)} entries are in sequence, but not all can be verified`}${firstId > 1 ? `, from entry ${figures(firstId)} on: older entries were deleted at the end of their retention` : ''}.`
          : `Entry ${firstBroken === null ? lastId : figures(firstBroken.id)} has been altered.`
      }
      description={
        intact ? (
          <>
            The hash of the last entry, {figures(lastId)}, is <code>{lastHash.slice(0, 16)}…</code>
            <CopyButton text={lastHash} what="hash" /> Store it elsewhere to prove later that no entry up to here was rewritten.{' '}
            {figures(anchored)} entries were compared with the service’s record outside the database.
            {unkeyed === 0 ? null : ` ${figures(unkeyed)} were written by versions that did not key the log.`}
            {otherKey === 0 ? null : ` ${figures(otherKey)} are keyed with a different SECRET_KEY and cannot be verified here.`}
          </>
        ) : (
          `${firstBroken?.reason ?? ''} The ${figures(checked)} entries before it are intact. Compare it with the service's log, which has the hash of every entry.`
        )
      }
    />
  );
}
