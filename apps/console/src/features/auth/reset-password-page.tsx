import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { fieldProblems, isRefusal } from '../../app/api-error';
import { client } from '../../app/client';
import { linkToken } from '../../app/link-token';
import { TextField } from '../../components/text-field';
import { strings } from '../../strings';
import { AuthForm, fieldOf } from './auth-form';
import { BackToSignIn } from './back-to-sign-in';
import { Gate } from './gate';
import { RequestLink } from './request-link';

const texts = strings.auth.reset;

/** Requests a link, and sets a new password with its token. */
export function ResetPasswordPage() {
  const reset = useMutation({
    mutationFn: (password: string) => client.auth.resetPassword({ token: linkToken, password }),
  });
  const request = (email: string) => client.auth.resetPassword({ email });
  if (reset.isSuccess) {
    return (
      <Gate title={texts.doneTitle}>
        <p>{texts.doneText}</p>
        <Link to="/sign-in" className="button button-primary">
          {strings.auth.signIn.submit}
        </Link>
      </Gate>
    );
  }
  if (linkToken === '') {
    return (
      <Gate title={texts.title} foot={<BackToSignIn />}>
        <RequestLink text={texts.requestText} submitLabel={texts.requestSubmit} request={request} />
      </Gate>
    );
  }
  const problem = fieldProblems(reset.error)['password'];
  if (reset.isError && problem === undefined && isRefusal(reset.error, 'NOT_FOUND', 'VALIDATION_ERROR')) {
    return (
      <Gate title={strings.auth.verify.invalidTitle} foot={<BackToSignIn />}>
        <RequestLink text={texts.invalidText} submitLabel={texts.requestSubmit} request={request} />
      </Gate>
    );
  }
  return (
    <Gate title={texts.title} foot={<BackToSignIn />}>
      <p className="muted">{texts.text}</p>
      <AuthForm
        submitLabel={texts.submit}
        isPending={reset.isPending}
        error={problem === undefined ? reset.error : null}
        onSubmit={(fields) => reset.mutate(fieldOf(fields, 'password'))}
      >
        <TextField
          name="password"
          type="password"
          label={strings.auth.newPassword}
          hint={strings.auth.passwordHint}
          autoComplete="new-password"
          autoFocus
          problem={problem}
        />
      </AuthForm>
    </Gate>
  );
}
