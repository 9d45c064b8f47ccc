import { Module } from '@nestjs/common';
import { V1ReferenceController } from './v1-reference.controller';
import { V1ReferenceService } from './v1-reference.service';

/** The reference of the v1 API. */
@Module({ controllers: [V1ReferenceController], providers: [V1ReferenceService] })
export class V1ReferenceModule {}
