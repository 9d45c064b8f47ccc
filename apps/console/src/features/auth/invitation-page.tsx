import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { fieldProblems, isRefusal } from '../../app/api-error';
import { client } from '../../app/client';
import { linkToken } from '../../app/link-token';
import { SkeletonRows, ErrorState } from '../../components/states';
import { TextField } from '../../components/text-field';
import { Time } from '../../components/time';
import { toast } from '../../components/toast';
import { strings } from '../../strings';
import { AuthForm, fieldOf } from './auth-form';
import { BackToSignIn } from './back-to-sign-in';
import { useEnterConsole } from './enter';
import { Gate } from './gate';

const texts = strings.auth.invitation;

interface Join {
  name?: string;
  password: string;
  code?: string;
}

/** The page of the link in invitations. */
export function InvitationPage() {
  const invitation = useQuery({
    queryKey: ['invitation', linkToken],
    queryFn: ({ signal }) => client.session.invitations.get(linkToken, { signal }),
    enabled: linkToken !== '',
    // The fields keep what a person has entered.
    staleTime: Infinity,
  });
  const enterConsole = useEnterConsole();
  const join = useMutation({
    mutationFn: (input: Join) => client.session.invitations.accept(linkToken, input),
    onSuccess: async () => {
      if (invitation.data) toast(texts.joined(invitation.data.organizationName));
      await enterConsole();
    },
  });
  const isGone = (error: unknown): boolean => isRefusal(error, 'NOT_FOUND');
  if (linkToken === '' || isGone(invitation.error) || isGone(join.error)) {
    return (
      <Gate title={texts.invalidTitle} foot={<BackToSignIn />}>
        <p>{texts.invalidText}</p>
      </Gate>
    );
  }
  if (invitation.isError) {
    return (
      <Gate title={texts.invalidTitle}>
        <ErrorState error={invitation.error} onRetry={() => void invitation.refetch()} />
      </Gate>
    );
  }
  if (!invitation.data) {
    return (
      <Gate title={strings.loading}>
        <SkeletonRows count={3} />
      </Gate>
    );
  }
  const { organizationName, invitedBy, email, role, expiresAt, hasAccount } = invitation.data;
  const problems = fieldProblems(join.error);
  const isWrong = isRefusal(join.error, 'AUTH_INVALID_CREDENTIALS');
  const needsCode = isRefusal(join.error, 'AUTH_MFA_REQUIRED') || join.variables?.code !== undefined;
  const isOfField = isWrong || needsCode || problems['name'] !== undefined || problems['password'] !== undefined;
  const submit = (fields: FormData): void => {
    const code = fieldOf(fields, 'code');
    join.mutate({
      password: fieldOf(fields, 'password'),
      ...(hasAccount ? {} : { name: fieldOf(fields, 'name') }),
      ...(code === '' ? {} : { code }),
    });
  };
  return (
    <Gate
      title={texts.title(organizationName)}
      foot={hasAccount ? <Link to="/reset-password">{strings.auth.signIn.forgot}</Link> : undefined}
    >
      <p>{texts.text(invitedBy)}</p>
      <dl className="facts">
        <dt>{texts.account}</dt>
        <dd>{email}</dd>
        <dt>{texts.role}</dt>
        <dd>{strings.roles[role]}</dd>
        <dt>{texts.validUntil}</dt>
        <dd>
          <Time value={expiresAt} form="day" />
        </dd>
      </dl>
      <AuthForm
        submitLabel={hasAccount ? texts.join : texts.create}
        isPending={join.isPending}
        error={isOfField ? null : join.error}
        onSubmit={submit}
      >
        {/* A password manager stores the password with the address. */}
        <input type="hidden" name="email" value={email} autoComplete="username" />
        {!hasAccount && (
          <TextField name="name" label={strings.auth.name} autoComplete="name" autoFocus problem={problems['name']} />
        )}
        <TextField
          name="password"
          type="password"
          label={strings.auth.password}
          {...(hasAccount ? {} : { hint: strings.auth.passwordHint })}
          autoComplete={hasAccount ? 'current-password' : 'new-password'}
          autoFocus={hasAccount}
          problem={isWrong ? texts.wrong : problems['password']}
        />
        {needsCode && (
          <TextField
            name="code"
            label={strings.auth.code}
            hint={strings.auth.codeHint}
            autoComplete="one-time-code"
            autoFocus
            problem={isRefusal(join.error, 'AUTH_MFA_REQUIRED') ? texts.needsCode : undefined}
          />
        )}
      </AuthForm>
    </Gate>
  );
}
