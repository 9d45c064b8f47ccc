import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { recordWrite, type Actor, TenancyService, type Organization, type Workspace } from '@heliograph/tenancy';
import { post } from '@heliograph/credits';
import { clientOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Relay } from '@heliograph/messaging';
import { CONFIG, withFields } from '@heliograph/service-kit';
import { requestMail } from '@heliograph/system-mail';
import { MembersService, UsersService, type Origin, type User } from '@heliograph/users';
import { DataSource, type EntityManager } from 'typeorm';
import type { AccountApiConfig } from '../../account-api.config';
import { existingAccountMail } from '../mails/existing-account-mail';
import { UnverifiedAccounts } from '../unverified-accounts/unverified-accounts.service';
import { EmailVerificationsService } from './email-verifications.service';
import { organizationSlug } from './organization-slug';
import { V1Registration, type V1RegisterRequest } from './v1-auth.dto';

const SUFFIX_BYTES = 4;

/** Registers users. Each registration creates a user and an organization. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tenancy: TenancyService,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly accounts: UnverifiedAccounts,
    private readonly verifications: EmailVerificationsService,
    private readonly relay: Relay,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  /**
   * If the address belongs to a user who has verified it, everything except an email to this user is rolled back, so that
   * neither the response nor its time reveals whether the address is known. A registration whose address is not verified is
   * replaced, because anyone may have made it. Throws FORBIDDEN while registration is closed,
   * INVALID_REQUEST.
   */
  async register(request: V1RegisterRequest, from: Origin, requestId: string): Promise<V1Registration> {
    if (this.config.REGISTRATION !== 'open') {
      throw new AppError('FORBIDDEN', 'Registration is closed. Ask a member of the organization for an invitation.');
    }
    const { name, email, password } = request;
    const organizations = [request.organization];
    const prepared = await withFields({}, () => this.users.prepare({ email, name, password, organizations }));
    const user: User = { ...prepared, emailVerifiedAt: null };
    const answer = await this.dataSource.transaction(async (transaction) => {
      // Serializes concurrent registrations of an address.
      await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`registration ${user.email}`]);
      const found = await this.users.byEmail(email, transaction);
      const discarded = found && (await this.accounts.discard(transaction, found, requestId));
      const known = discarded ? null : found;
      await transaction.query('SAVEPOINT registration');
      const { organization, workspace } = await this.create(
        transaction,
        known ? { ...user, email: `${user.id}@invalid` } : user,
        request.organization,
        { kind: 'user', id: user.id, name: user.email, ...from, requestId },
      );
      await transaction.query(known ? 'ROLLBACK TO SAVEPOINT registration' : 'RELEASE SAVEPOINT registration');
      if (known) await this.notify(transaction, known, requestId);
      else if (discarded) await this.verifications.sendAgain(transaction, user, discarded, requestId);
      else await this.verifications.send(transaction, user, requestId);
      return V1Registration.of(user, organization, workspace);
    });
    this.relay.wake();
    return answer;
  }

  private async create(
    transaction: EntityManager,
    user: User,
    name: string,
    actor: Actor,
  ): Promise<{ organization: Organization; workspace: Workspace }> {
    const slug = `${organizationSlug(name)}-${randomBytes(SUFFIX_BYTES).toString('hex')}`;
    await this.users.insert(transaction, user);
    const organization = await this.tenancy.createOrganization(transaction, { slug, name, ipAllowlist: [] });
    const workspace = await this.tenancy.createWorkspace(
      transaction,
      organization.id,
      { slug, displayName: name, plan: 'free', status: 'active', billingCustomer: null },
      actor.requestId,
    );
    await this.members.put(transaction, organization.id, user.id, 'owner');
    await post(
      await clientOf(transaction),
      this.config.REGISTRATION_CREDITS.map(({ creditType, amount }) => ({
        organizationId: organization.id,
        workspaceId: workspace.id,
        creditType,
        amount,
        kind: 'topup' as const,
        reference: `registration:${workspace.id}:${creditType}`,
        correlationId: actor.requestId,
      })),
    );
    await recordWrite(transaction, actor, {
      organizationId: organization.id,
      workspaceId: workspace.id,
      action: 'organization.registered',
      target: { type: 'organization', id: organization.id },
      before: null,
      after: { name, slug },
    });
    return { organization, workspace };
  }

  /** Tells a user that somebody tried to register with the same address. */
  private async notify(transaction: EntityManager, user: User, requestId: string): Promise<void> {
    // Stores a verification without sending its token. It limits how often this email can be sent.
    if (!(await this.users.startVerification(transaction, user.id))) return;
    await requestMail(transaction, {
      purpose: 'registration',
      to: [user.email],
      mail: existingAccountMail(),
      organizationId: null,
      workspaceId: null,
      correlationId: requestId,
    });
  }
}
