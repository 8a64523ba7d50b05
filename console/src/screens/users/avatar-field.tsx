/** A user's picture, with buttons to replace and remove it. It is saved at once, separately from the form. */
import { UploadOutlined } from '@ant-design/icons-svg';
import {
  largestAvatar,
  removeOwnAvatarEndpoint,
  removeUserAvatarEndpoint,
  setOwnAvatarEndpoint,
  setUserAvatarEndpoint,
} from '@patch/contract/accounts/user-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { callApi } from '../../api/call-api.ts';
import { toast } from '../../api/toast.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { PersonAvatar } from '../../widgets/person-avatar.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './users.module.css';

interface AvatarFieldProps {
  readonly name: string;
  readonly avatar: string | null;
  /** Absent for the current user. */
  readonly userId?: number;
  /** Receives the file name of the new picture. */
  readonly onSaved: (avatar: string | null) => Promise<void>;
}

export function AvatarField({ name, avatar, userId, onSaved }: AvatarFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const params = { id: String(userId) };
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const saved = await (userId === undefined
        ? callApi(setOwnAvatarEndpoint, { file })
        : callApi(setUserAvatarEndpoint, { params, file }));
      await onSaved(saved.avatar);
    },
    onSuccess: () => toast.success('The picture is saved.'),
  });

  function choose(file: File | undefined): void {
    if (file === undefined) return;
    if (file.size > largestAvatar)
      toast.error('The picture may be at most 1 MB.', 'Choose a smaller one.');
    else upload.mutate(file);
  }

  const remove = useConfirmedAction({
    question: () => ({ body: 'You want to remove file?', danger: true }),
    run: async () => {
      const saved = await (userId === undefined
        ? callApi(removeOwnAvatarEndpoint)
        : callApi(removeUserAvatarEndpoint, { params }));
      await onSaved(saved.avatar);
    },
    success: () => 'The picture is removed.',
  });

  return (
    <div className={styles['avatar']}>
      <PersonAvatar name={name} avatar={avatar} size={64} />
      <div>
        <div className={styles['buttons']}>
          <input
            ref={input}
            className="visually-hidden"
            type="file"
            accept="image/png,image/jpeg"
            aria-label={`Picture of ${name}`}
            tabIndex={-1}
            onChange={({ target }) => {
              choose(target.files?.[0]);
              // The same file can be chosen again.
              target.value = '';
            }}
          />
          <Button
            small
            icon={<Icon of={UploadOutlined} />}
            loading={upload.isPending}
            onClick={() => input.current?.click()}
          >
            {avatar === null ? 'Upload a picture' : 'Change the picture'}
          </Button>
          {avatar === null ? null : (
            <Button small look="quiet" danger onClick={() => void remove()}>
              Remove
            </Button>
          )}
        </div>
        <p className={styles['avatarHint']}>PNG or JPEG, at most 1 MB. Cropped to a square.</p>
      </div>
    </div>
  );
}
