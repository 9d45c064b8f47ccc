import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { isSessionEnd, messageOf } from '../app/api-error';
import { client } from '../app/client';
import { queryClient } from '../app/queries';
import { toast } from '../components/toast';

/** Returns the function that ends the session and leaves the console. */
export function useSignOut(): () => void {
  const router = useRouter();
  const signOut = useMutation({
    mutationFn: async () => {
      try {
        await client.session.logout();
      } catch (error) {
        if (!isSessionEnd(error)) throw error;
      }
    },
    onSuccess: async () => {
      queryClient.clear();
      await router.navigate({ to: '/sign-in' });
    },
    onError: (error) => toast(messageOf(error)),
  });
  return () => signOut.mutate();
}
