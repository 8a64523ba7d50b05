/** Marks a severity that the vendor does not state. */
import styles from './values.module.css';

export const DerivedMark = () => (
  <span
    className={styles['derived']}
    data-tip="The vendor states no severity. This one follows from the CVSS scores of the CVEs."
  >
    CVSS
  </span>
);
