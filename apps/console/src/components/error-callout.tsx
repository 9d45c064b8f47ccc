import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@heliograph/sdk';
import { isRefusal, messageOf } from '../app/api-error';
import { client } from '../app/client';
import { queryClient, sessionQuery } from '../app/queries';
import { strings } from '../strings';
import { Callout } from './callout';

/** Why a call failed, with what to do next. Nothing without an error. */
export function ErrorCallout({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Callout tone="danger">
      <p>{messageOf(error)}</p>
      {isRefusal(error, 'EMAIL_NOT_VERIFIED') && <VerifyAgain />}
      {error instanceof ApiError && error.requestId !== null && (
        <p className="row">
          <a href={error.link} target="_blank" rel="noreferrer">
            {strings.errors.explanation}
          </a>
          <code>{error.requestId}</code>
        </p>
      )}
    </Callout>
  );
}

function VerifyAgain() {
  const request = useMutation({
    mutationFn: async () => {
      const current = await queryClient.ensureQueryData(sessionQuery);
      if (current) await client.auth.verifyEmail({ email: current.user.email });
    },
  });
  if (request.isSuccess) return <p>{strings.errors.verificationSent}</p>;
  return (
    <p>
      <button type="button" className="link-button" onClick={() => request.mutate()}>
        {strings.errors.verifyAgain}
      </button>
    </p>
  );
}
