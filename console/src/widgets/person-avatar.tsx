/** Picture of a user, or the initials without one. */
import { avatarAddress } from '@patch/contract/accounts/avatar-path.ts';
import styles from './person-avatar.module.css';

export function toInitials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters =
    words.length > 1
      ? [words[0], words.at(-1)].map((word) => word?.[0])
      : Array.from(words[0] ?? '?').slice(0, 2);
  return letters.join('').toUpperCase();
}

interface PersonAvatarProps {
  readonly name: string;
  readonly avatar?: string | null | undefined;
  /** In pixels. */
  readonly size?: number;
}

/** Screen readers skip it, since the name stands beside it. */
export function PersonAvatar({ name, avatar = null, size = 26 }: PersonAvatarProps) {
  const dimensions = { width: size, height: size };
  return avatar === null ? (
    <span
      className={styles['initials']}
      style={{ ...dimensions, fontSize: size * 0.42 }}
      aria-hidden="true"
    >
      {toInitials(name)}
    </span>
  ) : (
    <img className={styles['picture']} src={avatarAddress(avatar)} alt="" {...dimensions} />
  );
}
