import type { KeyRecord } from '@heliograph/sdk';
import { useState, type ReactNode } from 'react';
import { CheckboxGroup } from '../../components/checkbox';
import { Select } from '../../components/select';
import { useMembership } from '../../shell/current';
import { strings } from '../../strings';

const texts = strings.keys.dialog;

type Scope = KeyRecord['scopes'][number];
type Role = KeyRecord['role'];
type Access = 'all' | 'scopes';

const SCOPES = (Object.keys(strings.keys.scopes) as Scope[]).map((scope) => ({
  value: scope,
  label: strings.keys.scopes[scope],
}));
const ROLES = (Object.keys(strings.roles) as Role[]).map((role) => ({ value: role, label: strings.roles[role] }));
const ACCESSES: { value: Access; label: string }[] = [
  { value: 'scopes', label: texts.accessScopes },
  { value: 'all', label: texts.accessAll },
];

/** What a person has chosen that a new key may do: a role, or scopes. Null while the choice is incomplete. */
export interface KeyAccess {
  fields: ReactNode;
  chosen: { role: Role } | { scopes: Scope[] } | null;
}

/** The fields that choose what a new key may do. `proposed`: an empty list proposes all permissions of a role. */
export function useKeyAccess(proposed: readonly Scope[] = SCOPES.map(({ value }) => value)): KeyAccess {
  const ownRole = useMembership()?.role;
  const [access, setAccess] = useState<Access>(proposed.length === 0 ? 'all' : 'scopes');
  const [role, setRole] = useState<Role>('member');
  const [scopes, setScopes] = useState<Scope[]>([...proposed]);
  const lacksScopes = access === 'scopes' && scopes.length === 0;
  const fields = (
    <>
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
    </>
  );
  return { fields, chosen: access === 'all' ? { role } : lacksScopes ? null : { scopes } };
}
