/** Link to the home page, for pages that the user may not see. */
import { Link } from '@tanstack/react-router';
import { buttonClass } from './button.tsx';
import { homePath } from './list-paths.ts';

export function HomeLink({ primary = false }: { readonly primary?: boolean }) {
  return (
    <Link to={homePath} search={{}} className={buttonClass(primary ? { look: 'primary' } : {})}>
      Go to home
    </Link>
  );
}
