import { Injectable } from '@nestjs/common';
import { adjust, listEntries, topUp } from '@heliograph/credits';
import { clientOf, isId, newId, readPage } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Workspace, UnitOfWork, type Write } from '@heliograph/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import type { PageQuery } from '../http/page.query';
import { OrganizationService } from '../identity/organization/organization.service';
import { workspaceAnswer, WorkspacesService } from '../identity/workspaces/workspaces.service';
import {
  OneOperatorWorkspace,
  OperatorWorkspace,
  OperatorWorkspaceList,
  type AddWorkspaceRequest,
  type GrantRequest,
  type OneGrant,
  type SetWorkspaceRequest,
} from './operator.dto';

const OPERATOR_WORKSPACE = workspaceAnswer(OperatorWorkspace.of, OneOperatorWorkspace.of);

/** Workspace management by the operator: plans, billing customers and credits. */
@Injectable()
export class OperatorWorkspacesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationService,
    private readonly workspaces: WorkspacesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws NOT_FOUND. */
  async list(id: string, query: PageQuery): Promise<OperatorWorkspaceList> {
    const { id: organizationId } = await this.organizations.organization(id);
    const page = await readPage(this.dataSource.manager, Workspace, pageOf(query), { organizationId });
    return OperatorWorkspaceList.of(page);
  }

  async getAcrossTenants(id: string): Promise<OneOperatorWorkspace> {
    return OneOperatorWorkspace.of(await this.workspaceAcrossTenants(id));
  }

  /** Throws NOT_FOUND, SLUG_TAKEN, and NAME_TAKEN if the billing customer pays for another workspace. */
  create(write: Write, organizationId: string, body: AddWorkspaceRequest): Promise<OneOperatorWorkspace> {
    return this.unitOfWork.once(write, async () => {
      const { id } = await this.organizations.organization(organizationId);
      return this.workspaces.create(write, id, { ...body }, OPERATOR_WORKSPACE);
    });
  }

  /** Throws NOT_FOUND, SLUG_TAKEN, NAME_TAKEN. */
  update(write: Write, id: string, changes: SetWorkspaceRequest): Promise<OneOperatorWorkspace> {
    return this.unitOfWork.once(write, async () => {
      return this.workspaces.update(write, await this.workspaceAcrossTenants(id), changes, OPERATOR_WORKSPACE);
    });
  }

  /** Throws NOT_FOUND, STATE_CONFLICT, and INSUFFICIENT_CREDITS if the balance is smaller than the removed amount. */
  grant(write: Write, workspaceId: string, body: GrantRequest): Promise<OneGrant> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const { id, organizationId } = await this.workspaceAcrossTenants(workspaceId, transaction);
      const { creditType, amount, note } = body;
      const reference = `operator:${id}:${body.reference ?? newId()}`;
      const client = await clientOf(transaction);
      await refuseOtherMovement(client, id, reference, body);
      const correlationId = write.actor.requestId;
      const move = amount > 0 ? topUp : adjust;
      const movement = { organizationId, workspaceId: id, creditType, amount, reference, correlationId };
      const { outcome, balance } = await move(client, movement);
      if (outcome === 'insufficient') {
        throw new AppError(
          'INSUFFICIENT_CREDITS',
          `The workspace has only ${balance} ${creditType} credits. Remove at most this number.`,
        );
      }
      const repeated = outcome === 'repeated';
      const grant = { workspaceId: id, creditType, amount, reference, balance, repeated };
      if (!repeated) {
        await audit({
          organizationId,
          workspaceId: id,
          action: amount > 0 ? 'credits.granted' : 'credits.adjusted',
          target: { type: 'workspace', id },
          before: null,
          after: { ...grant, note: note ?? null },
        });
      }
      return { grant };
    });
  }

  /** Throws NOT_FOUND. */
  private async workspaceAcrossTenants(
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Workspace> {
    const workspace = isId(id) ? await manager.getRepository(Workspace).findOneBy({ id }) : null;
    if (!workspace) throw new AppError('NOT_FOUND', 'Workspace not found. Check the workspace id.');
    return workspace;
  }
}

/** A reference identifies one movement of credits. Throws STATE_CONFLICT if it was used for a different movement. */
async function refuseOtherMovement(
  client: Parameters<typeof listEntries>[0],
  workspaceId: string,
  reference: string,
  { creditType, amount }: GrantRequest,
): Promise<void> {
  const { items } = await listEntries(client, [workspaceId], { reference }, { limit: 1, after: null });
  const [earlier] = items;
  if (!earlier || (earlier.creditType === creditType && earlier.amount === amount)) return;
  throw new AppError(
    'STATE_CONFLICT',
    `This reference was already used for ${earlier.amount} ${earlier.creditType} credits. Use another reference.`,
  );
}
