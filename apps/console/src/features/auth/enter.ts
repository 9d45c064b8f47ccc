import { useRouter } from '@tanstack/react-router';
import { queryClient, sessionQuery } from '../../app/queries';

/** Returns the function that opens the console after a sign-in, at the screen `next` if it is one. */
export function useEnterConsole(): (next?: string) => Promise<void> {
  const router = useRouter();
  return async (next = '') => {
    // Nothing of another user may stay.
    queryClient.clear();
    await queryClient.fetchQuery(sessionQuery);
    // Only a path of the console: `//host` would be another site.
    if (/^\/(?!\/)/.test(next)) router.history.push(router.history.createHref(withBase(next)));
    else await router.navigate({ to: '/' });
  };
}

function withBase(next: string): string {
  return next.startsWith('/console') ? next : `/console${next}`;
}
