import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isRefusal } from '../../app/api-error';
import { client } from '../../app/client';
import { linkToken } from '../../app/link-token';
import { queryClient } from '../../app/queries';
import { strings } from '../../strings';
import { AuthForm } from './auth-form';
import { BackToSignIn } from './back-to-sign-in';
import { Gate } from './gate';
import { RequestLink } from './request-link';

const texts = strings.auth.verify;

/** The page of the link in verification emails. Opening it changes nothing, because mail scanners follow links. */
export function VerifyEmailPage() {
  const verify = useMutation({
    mutationFn: () => client.auth.verifyEmail({ token: linkToken }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  if (verify.isSuccess) {
    return (
      <Gate title={texts.doneTitle}>
        <p>{texts.doneText}</p>
        <Link to="/" className="button button-primary">
          {texts.continue}
        </Link>
      </Gate>
    );
  }
  const isInvalid = linkToken === '' || isRefusal(verify.error, 'NOT_FOUND', 'VALIDATION_ERROR', 'INVALID_REQUEST');
  if (isInvalid) {
    return (
      <Gate title={texts.invalidTitle} foot={<BackToSignIn />}>
        <RequestLink
          text={texts.invalidText}
          submitLabel={texts.sendNew}
          request={(email) => client.auth.verifyEmail({ email })}
        />
      </Gate>
    );
  }
  return (
    <Gate title={texts.title}>
      <p>{texts.text}</p>
      <AuthForm
        submitLabel={texts.submit}
        isPending={verify.isPending}
        error={verify.error}
        onSubmit={() => verify.mutate()}
      >
        <p className="muted">
          {texts.notYou} <Link to="/reset-password">{texts.choosePassword}</Link>
        </p>
      </AuthForm>
    </Gate>
  );
}
