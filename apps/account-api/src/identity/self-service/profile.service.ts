import { Injectable } from '@nestjs/common';
import { CredentialsService, UsersService } from '@heliograph/users';
import type { AuthenticatedUser } from './authenticated-user';
import { PersonalUnitOfWork } from './personal-unit-of-work.service';
import { OneUser, type ChangePasswordRequest } from './profile.dto';

/** Changes the name and password of a user. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly users: UsersService,
    private readonly credentials: CredentialsService,
    private readonly unitOfWork: PersonalUnitOfWork,
  ) {}

  async rename({ user, actor }: AuthenticatedUser, name = user.name): Promise<OneUser> {
    if (name === user.name) return OneUser.of(user);
    return this.unitOfWork.run(actor, user, async ({ transaction, audit }) => {
      const renamed = await this.users.rename(transaction, user, name);
      await audit('user.renamed', { name: user.name }, { name });
      return OneUser.of(renamed);
    });
  }

  /** Ends the other sessions. Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED, VALIDATION_ERROR. */
  async changePassword(
    { user, session, actor, attempt }: AuthenticatedUser,
    { currentPassword, newPassword }: ChangePasswordRequest,
  ): Promise<void> {
    await this.credentials.provePassword(user, currentPassword, attempt);
    const passwordHash = await this.users.hashPasswordOf(user, newPassword, 'newPassword');
    await this.unitOfWork.run(actor, user, async ({ transaction, audit, notify }) => {
      await this.users.changePassword(transaction, user, passwordHash, session.id);
      await audit('user.password_changed');
      await notify('password-changed');
    });
  }
}
