import { unique } from '@heliograph/testing';
import { PASSWORD, type AccountFixture } from './account-fixture';
import type { MailTap } from './mail-tap';

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  refresh_expires_in: number;
  user: { id: string; name: string; email: string; email_verified: boolean };
}

export interface Registration {
  user: Tokens['user'];
  organization: { id: string; name: string; slug: string };
  workspace: { id: string; slug: string };
}

interface Refusal {
  status: number;
  code: string;
  fields?: { field: string }[];
}

export const NEXT = 'another good long password';

/** Returns an address that no other user has. */
export const address = () => `new-${unique()}@example.com`;

/** Calls of `/api/v1/auth` to a service with open registration. */
export class AuthCalls {
  constructor(
    private readonly fixture: AccountFixture,
    private readonly mails: MailTap,
  ) {}

  post<T>(path: string, body: unknown, key?: string): Promise<T & Refusal> {
    return this.fixture.v1('POST', `/api/v1/auth${path}`, { body, ...(key ? { key } : {}) });
  }

  get(path: string, key: string) {
    return this.fixture.call('GET', path, { key });
  }

  register(fields: Record<string, unknown> = {}) {
    return this.post<Registration>('/register', {
      name: 'Ann Example',
      email: address(),
      password: PASSWORD,
      organization: 'Acme & Söhne, Inc.',
      ...fields,
    });
  }

  async login(email: string, password = PASSWORD) {
    const tokens = await this.post<Tokens>('/login', { email, password });
    if (tokens.status !== 200) throw new Error(JSON.stringify(tokens));
    return tokens;
  }

  refresh(token: string) {
    return this.post<Tokens>('/refresh', { refresh_token: token });
  }

  async isValid(token: string): Promise<boolean> {
    return (await this.get('/api/v1/contacts', token)).status === 200;
  }

  async tokenOf(email: string, purpose: 'email-verification' | 'password-reset', count = 1): Promise<string> {
    return /[?&]token=([\w-]{43})/.exec((await this.mails.newest(email, purpose, count)).content.text)?.[1] ?? '';
  }

  /** Registers a user and verifies the address. */
  async verified() {
    const email = address();
    const registration = await this.register({ email });
    expect(await this.post('/verify-email', { token: await this.tokenOf(email, 'email-verification') })).toMatchObject({
      status: 200,
    });
    return { email, registration };
  }
}
