import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { membershipQuery } from '../app/queries';

const shell = getRouteApi('/shell');

/** The session of the screens of the shell. */
export function useCurrent() {
  return shell.useRouteContext().current;
}

/** The organization and the role of the user; undefined while they are loaded. */
export function useMembership() {
  const { user } = useCurrent();
  return useQuery(membershipQuery(user.id)).data;
}

/** Whether the user may change settings of the organization. False until the role is known. */
export function useIsAdmin(): boolean {
  const role = useMembership()?.role;
  return role === 'owner' || role === 'admin';
}
