import { useMutation } from '@tanstack/react-query';
import type { CreateKeyRequest } from '@heliograph/sdk';
import { useState } from 'react';
import { fieldProblems } from '../../app/api-error';
import { client } from '../../app/client';
import { queryClient } from '../../app/queries';
import { FormDialog } from '../../components/dialog';
import { Select } from '../../components/select';
import { TextField } from '../../components/text-field';
import { strings } from '../../strings';
import { useKeyAccess } from './key-access';
import { keysQuery } from './key-queries';

const texts = strings.keys.dialog;

type Expiry = keyof typeof texts.expiries;

const DAYS: Readonly<Record<Expiry, number | null>> = {
  never: null,
  days30: 30,
  days90: 90,
  days365: 365,
};
const EXPIRIES = (Object.keys(DAYS) as Expiry[]).map((expiry) => ({ value: expiry, label: texts.expiries[expiry] }));
const DAY_MS = 24 * 3_600_000;

/** Creates a key. A new key may only send and read messages unless a person chooses more. */
export function CreateKeyDialog(props: { onClose: () => void; onCreated: (secret: string) => void }) {
  const { onClose, onCreated } = props;
  const [name, setName] = useState('');
  const access = useKeyAccess();
  const [expiry, setExpiry] = useState<Expiry>('never');
  const create = useMutation({
    mutationFn: (input: CreateKeyRequest) => client.organization.apiKeys.create(input),
    onSuccess: async ({ key }) => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      onCreated(key);
    },
  });
  const problems = fieldProblems(create.error);
  const submit = (): void => {
    if (access.chosen === null) return;
    const days = DAYS[expiry];
    create.mutate({
      name,
      ...access.chosen,
      ...(days === null ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
    });
  };
  return (
    <FormDialog
      title={texts.title}
      isOpen
      onClose={onClose}
      submitLabel={texts.submit}
      isPending={create.isPending}
      error={problems['name'] === undefined ? create.error : null}
      onSubmit={submit}
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        onChange={setName}
        autoFocus
        autoComplete="off"
        problem={problems['name']}
      />
      {access.fields}
      <Select label={texts.expiry} options={EXPIRIES} value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
