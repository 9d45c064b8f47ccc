import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { KeyRecord } from '@heliograph/sdk';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button';
import { PageHeader } from '../../components/page-header';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states';
import { useIsAdmin } from '../../shell/current';
import { strings } from '../../strings';
import { CreateKeyDialog } from './create-key-dialog';
import { keysQuery } from './key-queries';
import { KeysTable } from './keys-table';
import { RevokeKeyDialog } from './revoke-key-dialog';
import { RotateKeyDialog } from './rotate-key-dialog';
import { SecretDialog } from './secret-dialog';

const route = getRouteApi('/shell/developers/api-keys');
const texts = strings.keys;

interface Choice {
  action: 'rotate' | 'revoke';
  key: KeyRecord;
}

/** The API keys of the organization. */
export function ApiKeysPage() {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = useIsAdmin();
  const keys = useInfiniteQuery(keysQuery);
  const [choice, setChoice] = useState<Choice | null>(null);
  /** A new secret is only in the memory of the page, and only until its dialog is closed. */
  const [secret, setSecret] = useState<string | null>(null);

  const openCreate = (): void => void navigate({ search: { create: true } });
  const closeCreate = (): void => void navigate({ search: {}, replace: true });
  const createButton = (
    <Button variant="primary" onPress={openCreate}>
      <Plus size={16} aria-hidden />
      {texts.create}
    </Button>
  );
  const all = keys.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <PageHeader title={texts.title} text={texts.text}>
        {isAdmin && all.length > 0 && createButton}
      </PageHeader>
      {keys.isError && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && <SkeletonRows />}
      {keys.isSuccess && all.length === 0 && (
        <div className="card">
          <EmptyState icon={KeyRound} title={texts.emptyTitle} text={isAdmin ? texts.emptyText : texts.refused}>
            {isAdmin && createButton}
          </EmptyState>
        </div>
      )}
      {all.length > 0 && (
        <KeysTable
          keys={all}
          canChange={isAdmin}
          onRotate={(key) => setChoice({ action: 'rotate', key })}
          onRevoke={(key) => setChoice({ action: 'revoke', key })}
        />
      )}
      {keys.hasNextPage && (
        <Button isPending={keys.isFetchingNextPage} onPress={() => void keys.fetchNextPage()}>
          {strings.actions.more}
        </Button>
      )}
      {create && isAdmin && (
        <CreateKeyDialog
          onClose={closeCreate}
          onCreated={(created) => {
            closeCreate();
            setSecret(created);
          }}
        />
      )}
      {choice?.action === 'rotate' && (
        <RotateKeyDialog
          apiKey={choice.key}
          onClose={() => setChoice(null)}
          onRotated={(rotated) => {
            setChoice(null);
            setSecret(rotated);
          }}
        />
      )}
      {choice?.action === 'revoke' && <RevokeKeyDialog apiKey={choice.key} onClose={() => setChoice(null)} />}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
