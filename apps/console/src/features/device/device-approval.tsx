import { useMutation } from '@tanstack/react-query';
import type { ApproveDeviceRequest, DeviceLoginRecord } from '@heliograph/sdk';
import { useState, type FormEvent } from 'react';
import { fieldProblems, isRefusal, messageOf } from '../../app/api-error';
import { client } from '../../app/client';
import { queryClient } from '../../app/queries';
import { Badge } from '../../components/badge';
import { Button } from '../../components/button';
import { Callout } from '../../components/callout';
import { ErrorCallout } from '../../components/error-callout';
import { TextField } from '../../components/text-field';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import { useKeyAccess } from '../api-keys/key-access';
import { keysQuery } from '../api-keys/key-queries';

const texts = strings.device;

interface DeviceApprovalProps {
  device: DeviceLoginRecord;
  organization: string;
  onDone: (outcome: 'approved' | 'denied') => void;
}

/** Shows which device asks for an API key. The person chooses the permissions of the key, and approves or denies. */
export function DeviceApproval({ device, organization, onDone }: DeviceApprovalProps) {
  const { userCode, mode, ipAddress, createdAt } = device;
  const [name, setName] = useState(device.name);
  const access = useKeyAccess(device.scopes);
  const approve = useMutation({
    mutationFn: (input: ApproveDeviceRequest) => client.session.device.approve(input),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      onDone('approved');
    },
  });
  const deny = useMutation({
    mutationFn: () => client.session.device.deny({ userCode }),
    onSuccess: () => onDone('denied'),
  });
  const nameProblem = isRefusal(approve.error, 'NAME_TAKEN')
    ? messageOf(approve.error)
    : fieldProblems(approve.error)['name'];
  const isPending = approve.isPending || deny.isPending;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isPending && access.chosen !== null) approve.mutate({ userCode, name, ...access.chosen });
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{texts.asks(device.name, organization)}</p>
      <dl className="facts">
        <dt>{texts.code}</dt>
        <dd>
          <code className="device-code">{userCode}</code>
        </dd>
        <dt>{texts.organization}</dt>
        <dd>{organization}</dd>
        <dt>{texts.mode}</dt>
        <dd>
          <Badge tone={mode === 'live' ? 'warning' : 'info'}>{texts.modes[mode]}</Badge>
        </dd>
        <dt>{texts.startedFrom}</dt>
        <dd>{ipAddress ?? texts.unknownAddress}</dd>
        <dt>{texts.startedAt}</dt>
        <dd>
          <Time value={createdAt} />
        </dd>
      </dl>
      <Callout tone="warning">{texts.warning}</Callout>
      <TextField label={texts.name} value={name} onChange={setName} autoComplete="off" problem={nameProblem} />
      {access.fields}
      <ErrorCallout error={deny.error ?? (nameProblem === undefined ? approve.error : null)} />
      <div className="dialog-actions">
        <Button onPress={() => deny.mutate()} isPending={deny.isPending} isDisabled={approve.isPending}>
          {texts.deny}
        </Button>
        <Button type="submit" variant="primary" isPending={approve.isPending} isDisabled={deny.isPending}>
          {texts.approve}
        </Button>
      </div>
    </form>
  );
}
