import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../app/client';
import { isRefusal } from '../../app/api-error';
import { Callout } from '../../components/callout';
import { TextField } from '../../components/text-field';
import { strings } from '../../strings';
import { AuthForm, fieldOf } from './auth-form';
import { useEnterConsole } from './enter';
import { Gate } from './gate';

const route = getRouteApi('/sign-in');
const texts = strings.auth.signIn;

interface Credentials {
  email: string;
  password: string;
  code?: string;
}

/** Signs in with a password, and with a code if the account has a second factor. */
export function SignInPage() {
  const { next, ended } = route.useSearch();
  /** The credentials that need a code as well. */
  const [checked, setChecked] = useState<Credentials | null>(null);
  const enterConsole = useEnterConsole();
  const login = useMutation({
    mutationFn: (credentials: Credentials) => client.session.login(credentials),
    onSuccess: () => enterConsole(next),
    onError: (error, credentials) => {
      if (isRefusal(error, 'AUTH_MFA_REQUIRED')) setChecked(credentials);
    },
  });
  const isWrong = isRefusal(login.error, 'AUTH_INVALID_CREDENTIALS');
  const isExpected = isWrong || isRefusal(login.error, 'AUTH_MFA_REQUIRED');
  const problem = isExpected ? null : login.error;

  if (checked) {
    return (
      <Gate
        title={texts.codeTitle}
        foot={
          <button
            type="button"
            className="link-button"
            onClick={() => {
              login.reset();
              setChecked(null);
            }}
          >
            {strings.auth.backToSignIn}
          </button>
        }
      >
        <p className="muted">{texts.codeText}</p>
        <AuthForm
          submitLabel={texts.codeSubmit}
          isPending={login.isPending}
          error={problem}
          onSubmit={(fields) => login.mutate({ ...checked, code: fieldOf(fields, 'code') })}
        >
          <TextField
            name="code"
            label={strings.auth.code}
            hint={strings.auth.codeHint}
            autoComplete="one-time-code"
            autoFocus
            problem={isWrong ? texts.wrongCode : undefined}
          />
        </AuthForm>
      </Gate>
    );
  }
  return (
    <Gate
      title={texts.title}
      foot={
        <>
          {texts.noAccount} <Link to="/register">{texts.register}</Link>
        </>
      }
    >
      {ended && login.isIdle && <Callout>{texts.expired}</Callout>}
      <AuthForm
        submitLabel={texts.submit}
        isPending={login.isPending}
        error={problem}
        onSubmit={(fields) => login.mutate({ email: fieldOf(fields, 'email'), password: fieldOf(fields, 'password') })}
      >
        <TextField name="email" type="email" label={strings.auth.email} autoComplete="username" autoFocus />
        <TextField
          name="password"
          type="password"
          label={strings.auth.password}
          autoComplete="current-password"
          problem={isWrong ? texts.wrong : undefined}
        />
        <Link to="/reset-password">{texts.forgot}</Link>
      </AuthForm>
    </Gate>
  );
}
