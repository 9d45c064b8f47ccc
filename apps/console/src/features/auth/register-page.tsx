import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../app/client';
import { fieldProblems } from '../../app/api-error';
import { Button } from '../../components/button';
import { ErrorCallout } from '../../components/error-callout';
import { TextField } from '../../components/text-field';
import { strings } from '../../strings';
import { AuthForm, fieldOf } from './auth-form';
import { useEnterConsole } from './enter';
import { Gate } from './gate';

const texts = strings.auth.register;
const FIELDS = ['name', 'organization', 'email', 'password'];

interface Registration {
  name: string;
  organization: string;
  email: string;
  password: string;
}

/** Creates an account with its organization. */
export function RegisterPage() {
  const register = useMutation({ mutationFn: (input: Registration) => client.auth.register(input) });
  const problems = fieldProblems(register.error);
  const isOfField = FIELDS.some((field) => problems[field] !== undefined);
  if (register.isSuccess) return <Registered registration={register.variables} />;
  return (
    <Gate
      title={texts.title}
      foot={
        <>
          {texts.hasAccount} <Link to="/sign-in">{strings.auth.signIn.title}</Link>
        </>
      }
    >
      <AuthForm
        submitLabel={texts.submit}
        isPending={register.isPending}
        error={isOfField ? null : register.error}
        onSubmit={(fields) =>
          register.mutate({
            name: fieldOf(fields, 'name'),
            organization: fieldOf(fields, 'organization'),
            email: fieldOf(fields, 'email'),
            password: fieldOf(fields, 'password'),
          })
        }
      >
        <TextField name="name" label={strings.auth.name} autoComplete="name" autoFocus problem={problems['name']} />
        <TextField
          name="organization"
          label={strings.auth.organization}
          hint={strings.auth.organizationHint}
          autoComplete="organization"
          problem={problems['organization']}
        />
        <TextField
          name="email"
          type="email"
          label={strings.auth.email}
          autoComplete="username"
          problem={problems['email']}
        />
        <TextField
          name="password"
          type="password"
          label={strings.auth.password}
          hint={strings.auth.passwordHint}
          autoComplete="new-password"
          problem={problems['password']}
        />
      </AuthForm>
    </Gate>
  );
}

function Registered({ registration: { email, password } }: { registration: Registration }) {
  const enterConsole = useEnterConsole();
  const enter = useMutation({
    mutationFn: () => client.session.login({ email, password }),
    onSuccess: () => enterConsole(),
  });
  const resend = useMutation({ mutationFn: () => client.auth.verifyEmail({ email }) });
  return (
    <Gate
      title={texts.doneTitle}
      foot={
        resend.isSuccess ? (
          <span role="status">{strings.errors.verificationSent}</span>
        ) : (
          <button type="button" className="link-button" onClick={() => resend.mutate()}>
            {texts.resend}
          </button>
        )
      }
    >
      <p>{texts.doneText(email)}</p>
      <ErrorCallout error={enter.error ?? resend.error} />
      <Button variant="primary" isWide isPending={enter.isPending} onPress={() => enter.mutate()}>
        {texts.enter}
      </Button>
    </Gate>
  );
}
