import { ROLES, type Role } from '@heliograph/contracts';
import { formatDay, formatTimestamp } from '@heliograph/system-mail';
import type { Page, PageField } from '@heliograph/service-kit';
import type { ReceivedInvitation } from '../invitations/joining.dto';
import { CONSOLE_PATHS } from './paths';

const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 200;
const MAX_NAME_LENGTH = 200;

const ROLE_NAMES: Readonly<Record<Role, string>> = Object.fromEntries(
  ROLES.map((role) => [role, role.charAt(0).toUpperCase() + role.slice(1)]),
) as Record<Role, string>;

const emailField: PageField = {
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  maxLength: 254,
};

const newPasswordField: PageField = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: `At least ${MIN_PASSWORD_LENGTH} characters, and not a common password.`,
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: MAX_PASSWORD_LENGTH,
};

const CHOOSE_PASSWORD = { link: 'choose a new password', path: CONSOLE_PATHS.resetPassword };

/** Adds the problem to a field; undefined: no problem. */
const withProblem = (field: PageField, problem: string | undefined): PageField =>
  problem === undefined ? field : { ...field, problem };

export function verifyEmailPage(token: string, email: string, registeredAt: Date): Page {
  return {
    mark: 'mail',
    title: 'Verify your email address',
    text: ['Confirm that this is your address. Then you can send messages with your account.'],
    facts: [
      ['Email address', email],
      ['Registered', formatTimestamp(registeredAt)],
    ],
    form: { action: CONSOLE_PATHS.verifyEmail, button: 'Verify email address', hidden: { token } },
    note: [
      'If you did not register at this time, somebody else used your address. Close this page, or ',
      CHOOSE_PASSWORD,
      ' to take over the account.',
    ],
  };
}

export const EMAIL_VERIFIED_PAGE: Page = {
  mark: 'done',
  title: 'Your email address is verified',
  text: ['You can log in and use your account. Other sessions of the account were ended.'],
  note: ['If you do not know its password, ', CHOOSE_PASSWORD, '.'],
};

export function newVerificationPage(problem?: string): Page {
  return {
    status: 404,
    mark: 'problem',
    title: 'This link does not work',
    text: ['The link is incomplete, was already used, or has expired. We can send you a new one.'],
    form: {
      action: CONSOLE_PATHS.verifyEmailLink,
      button: 'Send a new link',
      fields: [withProblem(emailField, problem)],
    },
  };
}

/** The same for every address, because the page must not reveal whether the address is known. */
export const MAILED_PAGE: Page = {
  status: 202,
  mark: 'mail',
  title: 'Check your mailbox',
  text: ['If the address belongs to an account, an email with a link is on its way. It can take a minute.'],
  note: ['No email? Look into the spam folder, and check the address that you entered.'],
};

export function requestResetPage({
  isLinkInvalid = false,
  problem,
}: {
  isLinkInvalid?: boolean;
  problem?: string;
}): Page {
  const form = {
    action: CONSOLE_PATHS.resetPasswordLink,
    button: 'Send the link',
    fields: [withProblem(emailField, problem)],
  };
  if (!isLinkInvalid) {
    const text = ['Enter the email address of your account. We send you a link to choose a new password.'];
    return { mark: 'key', title: 'Choose a new password', text, form, status: problem === undefined ? 200 : 422 };
  }
  return {
    status: 404,
    mark: 'problem',
    title: 'This link does not work',
    text: [
      'The link is incomplete, was already used, or has expired. Links are valid for one hour. We can send you a new one.',
    ],
    form,
  };
}

export function resetPasswordPage(token: string, email: string, problem?: string): Page {
  return {
    status: problem === undefined ? 200 : 422,
    mark: 'key',
    title: 'Choose a new password',
    text: ['All sessions of the account end when you save the password.'],
    facts: [['Account', email]],
    form: {
      action: CONSOLE_PATHS.resetPassword,
      button: 'Save password',
      hidden: { token },
      username: email,
      fields: [withProblem(newPasswordField, problem)],
    },
  };
}

export const PASSWORD_CHANGED_PAGE: Page = {
  mark: 'done',
  title: 'Your password was changed',
  text: ['Log in with your new password. All earlier sessions were ended.'],
};

/** Why the sent form was refused, and the values that are kept. */
export interface RefusedJoin {
  name: string;
  field: 'name' | 'password' | 'code';
  problem: string;
  status: number;
  needsCode: boolean;
}

export function invitationPage(token: string, invitation: ReceivedInvitation, refused?: RefusedJoin): Page {
  const { email, organizationName, invitedBy, role, expiresAt, hasAccount } = invitation;
  const problemOf = (field: RefusedJoin['field']) => (refused?.field === field ? refused.problem : undefined);
  const name: PageField = {
    name: 'name',
    label: 'Your name',
    type: 'text',
    autocomplete: 'name',
    maxLength: MAX_NAME_LENGTH,
    value: refused?.name ?? '',
  };
  const password: PageField = {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
  };
  const code: PageField = {
    name: 'code',
    label: 'Code',
    type: 'text',
    autocomplete: 'one-time-code',
    hint: 'From your authenticator app, or a recovery code.',
    maxLength: 100,
  };
  const fields = hasAccount
    ? [
        withProblem(password, problemOf('password')),
        ...(refused?.needsCode ? [withProblem(code, problemOf('code'))] : []),
      ]
    : [
        withProblem(name, problemOf('name')),
        withProblem({ ...newPasswordField, label: 'Password' }, problemOf('password')),
      ];
  return {
    status: refused?.status ?? 200,
    mark: 'people',
    title: `Join ${organizationName}`,
    text: [{ strong: invitedBy }, ' invited you to the organization.'],
    facts: [
      ['Your account', email],
      ['Your role', ROLE_NAMES[role]],
      ['Valid until', formatDay(new Date(expiresAt))],
    ],
    form: {
      action: CONSOLE_PATHS.acceptInvitation,
      button: hasAccount ? 'Log in and join' : 'Create account and join',
      hidden: { token },
      username: email,
      fields,
    },
    ...(hasAccount ? { note: ['If you do not know your password, ', CHOOSE_PASSWORD, '.'] } : {}),
  };
}

export const JOINED_PAGE: Page = {
  mark: 'done',
  title: 'You have joined the organization',
  text: ['You are logged in. You can close this page.'],
};

export const INVITATION_INVALID_PAGE: Page = {
  status: 404,
  mark: 'problem',
  title: 'This invitation does not work',
  text: [
    'The link is incomplete, or the invitation was accepted, revoked, or has expired. Ask the person who invited you for a new one.',
  ],
};

export const PURCHASE_COMPLETED_PAGE: Page = {
  mark: 'done',
  title: 'Thank you for your purchase',
  text: ['Your credits are added when the payment processor confirms the payment, usually within a minute.'],
  note: ['You can close this page.'],
};

export const PURCHASE_CANCELED_PAGE: Page = {
  mark: 'info',
  title: 'The purchase was not completed',
  text: ['Nothing was charged. You can start a new purchase at any time.'],
  note: ['You can close this page.'],
};
