import { queryClient, sessionQuery } from '../../app/queries';
import { router } from '../../app/router';

/** Opens the console after a sign-in, at the screen `next` if it is one. */
export async function enterConsole(next = ''): Promise<void> {
  // Nothing of another user may stay.
  queryClient.clear();
  await queryClient.fetchQuery(sessionQuery);
  // Only a path of the console: `//host` would be another site.
  if (/^\/(?!\/)/.test(next)) router.history.push(router.history.createHref(withBase(next)));
  else await router.navigate({ to: '/' });
}

function withBase(next: string): string {
  return next.startsWith('/console') ? next : `/console${next}`;
}
