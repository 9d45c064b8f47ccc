import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isRefusal } from '../../app/api-error';
import { client } from '../../app/client';
import { deviceCode } from '../../app/device-code';
import { Callout } from '../../components/callout';
import { PageHeader } from '../../components/page-header';
import { ErrorState, SkeletonRows } from '../../components/states';
import { TextField } from '../../components/text-field';
import { useMembership } from '../../shell/current';
import { strings } from '../../strings';
import { AuthForm, fieldOf } from '../auth/auth-form';
import { DeviceApproval } from './device-approval';

const texts = strings.device;

type Outcome = 'approved' | 'denied';

/** A person confirms that a program without a browser gets an API key. */
export function DevicePage() {
  const [code, setCode] = useState(deviceCode);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return (
    <>
      <PageHeader title={texts.title} text={texts.text} />
      <div className="card card-padded stack narrow">
        {outcome !== null ? (
          <Callout tone={outcome === 'approved' ? 'success' : 'info'}>
            <p>{texts[outcome]}</p>
            <Link to="/developers/api-keys">{texts.toKeys}</Link>
          </Callout>
        ) : code === '' ? (
          <CodeForm onCode={setCode} />
        ) : (
          <FoundDevice code={code} onDone={setOutcome} onOtherCode={() => setCode('')} />
        )}
      </div>
    </>
  );
}

function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const find = useMutation({
    mutationFn: (userCode: string) => client.session.device.lookup({ userCode }),
    onSuccess: ({ userCode }) => onCode(userCode),
  });
  const isWrong = isRefusal(find.error, 'NOT_FOUND', 'VALIDATION_ERROR');
  return (
    <AuthForm
      submitLabel={texts.find}
      isPending={find.isPending}
      error={isWrong ? null : find.error}
      onSubmit={(fields) => find.mutate(fieldOf(fields, 'code'))}
    >
      <TextField
        name="code"
        label={texts.code}
        hint={texts.codeHint}
        placeholder="WDJB-MJHT"
        autoComplete="off"
        autoFocus
        problem={isWrong ? texts.wrongCode : undefined}
      />
    </AuthForm>
  );
}

function FoundDevice(props: { code: string; onDone: (outcome: Outcome) => void; onOtherCode: () => void }) {
  const { code, onDone, onOtherCode } = props;
  const membership = useMembership();
  const device = useQuery({
    queryKey: ['device', code],
    queryFn: ({ signal }) => client.session.device.lookup({ userCode: code }, { signal }),
    // The fields keep what a person has entered, and attempts are limited.
    staleTime: Infinity,
  });
  if (isRefusal(device.error, 'NOT_FOUND', 'VALIDATION_ERROR')) {
    return (
      <>
        <Callout tone="danger">{texts.gone}</Callout>
        <button type="button" className="link-button" onClick={onOtherCode}>
          {texts.otherCode}
        </button>
      </>
    );
  }
  if (membership && membership.role !== 'owner' && membership.role !== 'admin') {
    return <Callout tone="warning">{texts.refused(membership.organization.name)}</Callout>;
  }
  if (device.isError) return <ErrorState error={device.error} onRetry={() => void device.refetch()} />;
  if (!device.data || !membership) return <SkeletonRows count={3} />;
  return <DeviceApproval device={device.data} organization={membership.organization.name} onDone={onDone} />;
}
