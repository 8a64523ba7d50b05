/** The password policy's rules, each ticked as soon as what is typed meets it. */

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
        const holds = rule.holds(password);
        return (
          <li key={rule.key} data-holds={holds || undefined}>
            {holds ? <Icon of={CheckCircleFilled} /> : <Icon of={MinusCircleOutlined} />}
            {rule.label}
            <span className="visually-hidden">{holds ? ' – met' : ' – not met yet'}</span>
          </li>
        );
      })}
    </ul>
  );
}
