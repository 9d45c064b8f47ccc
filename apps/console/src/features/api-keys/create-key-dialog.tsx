import { useMutation } from '@tanstack/react-query';
import type { CreateKeyRequest, KeyRecord } from '@heliograph/sdk';
import { useState } from 'react';
import { fieldProblems } from '../../app/api-error';
import { client } from '../../app/client';
import { queryClient } from '../../app/queries';
import { CheckboxGroup } from '../../components/checkbox';
import { FormDialog } from '../../components/dialog';
import { Select } from '../../components/select';
import { TextField } from '../../components/text-field';
import { useMembership } from '../../shell/current';
import { strings } from '../../strings';
import { keysQuery } from './key-queries';

const texts = strings.keys.dialog;

type Scope = KeyRecord['scopes'][number];
type Role = KeyRecord['role'];
type Access = 'all' | 'scopes';
type Expiry = keyof typeof texts.expiries;

const SCOPES = (Object.keys(strings.keys.scopes) as Scope[]).map((scope) => ({
  value: scope,
  label: strings.keys.scopes[scope],
}));
const ROLES = (Object.keys(strings.roles) as Role[]).map((role) => ({ value: role, label: strings.roles[role] }));
const ACCESSES: { value: Access; label: string }[] = [
  { value: 'scopes', label: texts.accessScopes },
  { value: 'all', label: texts.accessAll },
];
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
  const ownRole = useMembership()?.role;
  const [name, setName] = useState('');
  const [access, setAccess] = useState<Access>('scopes');
  const [role, setRole] = useState<Role>('member');
  const [scopes, setScopes] = useState<Scope[]>(SCOPES.map(({ value }) => value));
  const [expiry, setExpiry] = useState<Expiry>('never');
  const create = useMutation({
    mutationFn: (input: CreateKeyRequest) => client.organization.apiKeys.create(input),
    onSuccess: async ({ key }) => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      onCreated(key);
    },
  });
  const problems = fieldProblems(create.error);
  const lacksScopes = access === 'scopes' && scopes.length === 0;
  const submit = (): void => {
    if (lacksScopes) return;
    const days = DAYS[expiry];
    create.mutate({
      name,
      ...(access === 'all' ? { role } : { scopes }),
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
      <Select label={texts.access} options={ACCESSES} value={access} onChange={setAccess} />
      {access === 'scopes' ? (
        <CheckboxGroup
          label={texts.scopes}
          options={SCOPES}
          value={scopes}
          onChange={setScopes}
          problem={lacksScopes ? texts.scopesMissing : undefined}
        />
      ) : (
        <Select
          label={texts.role}
          hint={texts.roleHint}
          // Nobody grants more than the own role.
          options={ROLES.filter(({ value }) => ownRole === 'owner' || value !== 'owner')}
          value={role}
          onChange={setRole}
        />
      )}
      <Select label={texts.expiry} options={EXPIRIES} value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
