import { useMutation } from '@tanstack/react-query';
import type { KeyRecord } from '@heliograph/sdk';
import { client } from '../../app/client';
import { queryClient } from '../../app/queries';
import { FormDialog } from '../../components/dialog';
import { toast } from '../../components/toast';
import { strings } from '../../strings';
import { keysQuery } from './key-queries';

const texts = strings.keys.revoke;

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: KeyRecord; onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () => client.organization.apiKeys.revoke(apiKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      toast(texts.done(apiKey.name));
      onClose();
    },
  });
  return (
    <FormDialog
      title={texts.title(apiKey.name)}
      isOpen
      onClose={onClose}
      submitLabel={texts.submit}
      isDangerous
      isPending={revoke.isPending}
      error={revoke.error}
      onSubmit={() => revoke.mutate()}
    >
      <p>{texts.text}</p>
    </FormDialog>
  );
}
