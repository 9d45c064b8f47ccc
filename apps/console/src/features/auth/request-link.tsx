import { useMutation } from '@tanstack/react-query';
import { TextField } from '../../components/text-field';
import { strings } from '../../strings';
import { AuthForm, fieldOf } from './auth-form';
import { fieldProblems } from '../../app/api-error';

/** Asks for an address and sends a link to it. The response does not tell whether the address is known. */
export function RequestLink({
  text,
  submitLabel,
  request,
}: {
  text: string;
  submitLabel: string;
  request: (email: string) => Promise<unknown>;
}) {
  const send = useMutation({ mutationFn: request });
  const problems = fieldProblems(send.error);
  if (send.isSuccess) {
    return (
      <div className="stack" role="status">
        <h2>{strings.auth.mailed.title}</h2>
        <p>{strings.auth.mailed.text}</p>
        <p className="muted">{strings.auth.mailed.note}</p>
      </div>
    );
  }
  return (
    <>
      <p className="muted">{text}</p>
      <AuthForm
        submitLabel={submitLabel}
        isPending={send.isPending}
        error={problems['email'] === undefined ? send.error : null}
        onSubmit={(fields) => send.mutate(fieldOf(fields, 'email'))}
      >
        <TextField
          name="email"
          type="email"
          label={strings.auth.email}
          autoComplete="username"
          autoFocus
          problem={problems['email']}
        />
      </AuthForm>
    </>
  );
}
