/** Shows the secret of a webhook once. */
import { SecretOnce } from '../../widgets/secret-once.tsx';

export const ChannelSecret = ({ secret }: { readonly secret: string }) => (
  <SecretOnce
    secret={secret}
    what="secret"
    title="Copy the secret now: it is not shown again."
    description="The receiver verifies the signatures of deliveries with it."
  />
);
