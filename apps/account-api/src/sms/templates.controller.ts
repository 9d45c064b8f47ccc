import { Controller, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { RegistrationsService } from './registrations.service';
import {
  Preview,
  PreviewRequest,
  ChangeTemplateRequest,
  CreateTemplateRequest,
  TemplateAnswer,
  OneTemplate,
  TemplatePage,
  RegistrationQuery,
} from './sms.dto';

@ApiTags('SMS')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/sms/templates')
export class TemplatesController {
  constructor(@Inject(RegistrationsService) private readonly registrations: RegistrationsService) {}

  @Get()
  @InOrganization('sms:read')
  @ApiOperation({ operationId: 'listTemplates', summary: 'The SMS templates, in the order of their making' })
  @Answers(TemplatePage)
  @RefusesWith('VALIDATION_ERROR')
  async list(@ByCaller() caller: Caller, @QueryOf(RegistrationQuery) query: RegistrationQuery): Promise<TemplatePage> {
    const { items, next } = await this.registrations.templates(caller, pageOf(query), query);
    return { templates: items.map((entry) => TemplateAnswer.of(entry)), ...nextCursor(next) };
  }

  @Get(':entryId')
  @InOrganization('sms:read')
  @ApiOperation({ operationId: 'getTemplate', summary: 'One SMS template' })
  @Answers(OneTemplate)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('entryId') id: string): Promise<OneTemplate> {
    return { template: TemplateAnswer.of(await this.registrations.template(caller, id)) };
  }

  @Post()
  @InOrganization('sms:write')
  @ApiOperation({ operationId: 'createTemplate', summary: 'Registers a template' })
  @TakesBodyOnce(CreateTemplateRequest)
  @Answers(OneTemplate, 201)
  @RefusesWith('NOT_FOUND', 'NAME_TAKEN')
  async create(
    @ByCaller() caller: Caller,
    @JsonBody(CreateTemplateRequest) asked: CreateTemplateRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneTemplate> {
    return { template: await this.registrations.createTemplate(call, caller, asked) };
  }

  @Patch(':entryId')
  @InOrganization('sms:write')
  @ApiOperation({ operationId: 'changeTemplate', summary: 'Changes what is given' })
  @TakesBodyOnce(ChangeTemplateRequest)
  @Answers(OneTemplate)
  @RefusesWith('NOT_FOUND', 'NAME_TAKEN')
  async change(
    @ByCaller() caller: Caller,
    @Param('entryId') id: string,
    @JsonBody(ChangeTemplateRequest) asked: ChangeTemplateRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneTemplate> {
    return { template: await this.registrations.changeTemplate(call, caller, id, asked) };
  }

  @Post('preview')
  @InOrganization('sms:read', { evenWhenLocked: true })
  @ApiOperation({ operationId: 'previewTemplate', summary: 'The text, its segments and its cost; nothing is sent' })
  @TakesBody(PreviewRequest)
  @Answers(Preview)
  preview(@JsonBody(PreviewRequest) asked: PreviewRequest): Promise<Preview> {
    return this.registrations.preview(asked);
  }
}
