/** The rules of the password policy, each ticked as soon as the typed password meets it. */

import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons-svg';
import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import { passwordRules } from '@patch/contract/form-rules/password-rules.ts';
import { Icon } from '../widgets/icon.tsx';
import styles from './password-rule-list.module.css';

export function PasswordRuleList({
  policy,
  password,
}: {
  readonly policy: PasswordPolicy;
  readonly password: string;
}) {
  return (
    <ul className={styles['rules']} aria-label="The new password needs">
      {passwordRules(policy).map((rule) => {
        const isMet = rule.holds(password);
        return (
          <li key={rule.key} data-holds={isMet || undefined}>
            {isMet ? <Icon of={CheckCircleFilled} /> : <Icon of={MinusCircleOutlined} />}
            {rule.label}
            <span className="visually-hidden">{isMet ? ' – met' : ' – not met yet'}</span>
          </li>
        );
      })}
    </ul>
  );
}
