/** Something is on its way. */
import { LoadingOutlined } from '@ant-design/icons-svg';
import { Icon } from './icon.tsx';
import styles from './wheel.module.css';

export function Wheel() {
  return <Icon of={LoadingOutlined} spin className={styles['wheel']} />;
}
