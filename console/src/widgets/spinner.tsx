/** Spinner for content that loads. */
import { LoadingOutlined } from '@ant-design/icons-svg';
import { Icon } from './icon.tsx';
import styles from './spinner.module.css';

export function Spinner() {
  return <Icon of={LoadingOutlined} spin className={styles['wheel']} />;
}
