import { Inject, Injectable } from '@nestjs/common';
import { CredentialsService, hashNewPassword, UsersService, type User } from '@heliograph/users';
import type { Oneself } from './oneself';
import { PersonalWrites } from './personal-writes.service';
import type { ChangePasswordRequest } from './profile.dto';

/** A person's own name and password. */
@Injectable()
export class ProfileService {
  constructor(
    @Inject(UsersService) private readonly users: UsersService,
    @Inject(CredentialsService) private readonly credentials: CredentialsService,
    @Inject(PersonalWrites) private readonly writes: PersonalWrites,
  ) {}

  async rename({ user, actor }: Oneself, name = user.name): Promise<User> {
    if (name === user.name) return user;
    return this.writes.run(actor, user, async ({ transaction, record }) => {
      const renamed = await this.users.rename(transaction, user, name);
      await record('user.renamed', { name: user.name }, { name });
      return renamed;
    });
  }

  /** Ends the other sessions. Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED, VALIDATION_ERROR. */
  async changePassword(
    { user, session, actor, attempt }: Oneself,
    { currentPassword, newPassword }: ChangePasswordRequest,
  ): Promise<void> {
    await this.credentials.provePassword(user, currentPassword, attempt);
    const passwordHash = await hashNewPassword(newPassword, user.email, 'newPassword');
    await this.writes.run(actor, user, async ({ transaction, record, tell }) => {
      await this.users.changePassword(transaction, user, passwordHash, session.id);
      await record('user.password_changed');
      await tell('password-changed');
    });
  }
}
