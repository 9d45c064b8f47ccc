import { Body, Controller, HttpCode, HttpException, Post, ValidationPipe } from '@nestjs/common';
import { IsObject, IsOptional, IsString } from 'class-validator';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { parseRecipient } from '@heliograph/addresses';
import { composeMessage, parseTemplate, Sender, Template } from '@heliograph/sms-api';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { ReferenceBalance, ReferenceLedgerEntry, ReferenceMessage, ReferenceOutboxRow } from './reference.entities';

class ReferenceSend {
  @IsString()
  from: string;
  @IsString()
  to: string;
  @IsString()
  template: string;
  @IsOptional()
  @IsObject()
  variables?: Record<string, string>;
}

/**
 * The reference: the same send as most NestJS and TypeORM code bases implement it, with repository look-ups, one
 * transaction per request, the balance locked by SELECT FOR UPDATE, and entities saved one by one. API keys, workspaces and
 * message composition are those of the service, so that only the accept path differs.
 */
@Controller('reference')
export class ReferenceController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaces: WorkspaceDirectory,
  ) {}

  @Post('send')
  @HttpCode(200)
  @RequireScope('sms:send')
  async send(
    @Caller() caller: Tenant,
    @Body(new ValidationPipe({ expectedType: ReferenceSend })) request: ReferenceSend,
  ): Promise<object> {
    const { organizationId } = caller;
    const sender = await this.dataSource.getRepository(Sender).findOneBy({ organizationId, header: request.from });
    const template = await this.dataSource
      .getRepository(Template)
      .findOneBy({ organizationId, name: request.template });
    const recipient = parseRecipient(request.to);
    if (!sender || !template || !recipient) throw new HttpException('unknown sender, template or recipient', 400);
    const { body, segments } = composeMessage(
      parseTemplate(template.body),
      new Map(Object.entries(request.variables ?? {})),
    );
    const workspace = await this.workspaces.sending(caller);
    return this.dataSource.transaction(async (manager) => {
      const balance = await manager.findOneOrFail(ReferenceBalance, {
        where: { workspaceId: workspace.id },
        lock: { mode: 'pessimistic_write' },
      });
      if (balance.balance < segments) throw new HttpException('insufficient credits', 402);
      balance.balance -= segments;
      await manager.save(balance);
      const message = await manager.save(
        manager.create(ReferenceMessage, {
          organizationId,
          workspaceId: workspace.id,
          recipient: recipient.e164,
          body,
          status: 'queued',
          segments,
        }),
      );
      await manager.save(
        manager.create(ReferenceLedgerEntry, {
          workspaceId: workspace.id,
          amount: -segments,
          balanceAfter: balance.balance,
          messageId: message.id,
        }),
      );
      await manager.save(
        manager.create(ReferenceOutboxRow, {
          type: 'sms.queued',
          payload: { messageId: message.id, to: recipient.e164 },
        }),
      );
      return {
        ok: true,
        status: 'queued',
        messageId: message.id,
        to: recipient.e164,
        creditsRemaining: balance.balance,
      };
    });
  }
}
